/* SPDX-License-Identifier: Apache-2.0 */
#include "base/zone.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* A rule, so that the test needs no zone database: CET with the European
 * change dates. */
#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"

struct row {
	const char *name;
	const char *zone;
	int64_t s; /* since 1970 */
	const char *shown;
};

static const struct row rows[] = {
	{ "epoch", "UTC", 0, "1970-01-01 00:00:00" },
	{ "before epoch", "UTC", -1, "1969-12-31 23:59:59" },
	{ "leap day", "UTC", 951782400, "2000-02-29 00:00:00" },
	{ "no leap year", "UTC", 4107542400, "2100-03-01 00:00:00" },
	{ "east", "+05:30", 1790000000, "2026-09-21 19:43:20" },
	{ "east by label", "UTC+05:30", 1790000000, "2026-09-21 19:43:20" },
	{ "west", "-0330", 1790000000, "2026-09-21 10:43:20" },
	{ "winter", BERLIN, 1769000000, "2026-01-21 13:53:20" },
	{ "summer", BERLIN, 1784000000, "2026-07-14 05:33:20" },
	{ "before spring", BERLIN, 1774745999, "2026-03-29 01:59:59" },
	{ "after spring", BERLIN, 1774746000, "2026-03-29 03:00:00" },
	{ "before autumn", BERLIN, 1792889999, "2026-10-25 02:59:59" },
};

static struct zone zone_of(const char *text)
{
	struct gs_err err;
	struct zone z;

	assert_int_equal(zone_parse(&z, text, &err), 0);
	return z;
}

static void both_ways(void **state)
{
	const struct row *row = *state;
	struct zone z = zone_of(row->zone);
	struct buf b = BUF_INIT;
	int64_t ns = row->s * 1000000000;
	struct civil c = zone_to_civil(&z, ns);

	zone_add_date_time(&z, ns, 0, &b);
	assert_string_equal(buf_str(&b), row->shown);
	assert_true(civil_valid(&c));
	assert_int_equal(zone_from_civil(&z, &c, false), ns);
	buf_release(&b);
}

static int64_t berlin(int32_t month, int32_t day, int32_t hour,
	int32_t minute, bool later)
{
	struct zone z = zone_of(BERLIN);
	struct civil c = { 2026, month, day, hour, minute, 0, 0 };

	return zone_from_civil(&z, &c, later) / 1000000000;
}

static void changes_of_the_clock(void **state)
{
	(void)state;
	/* 02:30 comes twice in October */
	assert_int_equal(berlin(10, 25, 2, 30, false), 1792888200);
	assert_int_equal(berlin(10, 25, 2, 30, true), 1792888200 + 3600);
	/* 02:30 never comes in March: 03:30 */
	assert_int_equal(berlin(3, 29, 2, 30, false), 1774747800);
	assert_int_equal(berlin(3, 29, 2, 30, true), 1774747800);
	/* around them */
	assert_int_equal(berlin(3, 29, 1, 59, false), 1774745940);
	assert_int_equal(berlin(3, 29, 3, 0, false), 1774746000);
	assert_int_equal(berlin(10, 25, 1, 59, true), 1792886340);
	assert_int_equal(berlin(10, 25, 3, 0, false), 1792893600);
	assert_int_equal(berlin(10, 25, 3, 0, true), 1792893600);
}

static void two_zones_at_once(void **state)
{
	struct zone a = zone_of(BERLIN), b = zone_of("EST5");

	(void)state;
	assert_int_equal(zone_offset(&a, 0), 3600);
	assert_int_equal(zone_offset(&b, 0), -18000);
	assert_int_equal(zone_offset(&a, 0), 3600);
}

static void all_days(void **state)
{
	int64_t day;

	(void)state;
	for (day = -90000; day < 80000; day++) {
		struct civil c = { 0 };

		civil_from_days(&c, day);
		assert_int_equal(civil_to_days(c.year, c.month, c.day), day);
	}
}

static void refused(void **state)
{
	static const char *const names[] = {
		"", "Nowhere/Land", "../etc/passwd", "/etc/passwd", "Europe",
		"+25:00", "+1", "+01:", "+01:00x", "CET", "1",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
	};
	struct zone z;
	size_t i;

	(void)state;
	(void)setenv("TZDIR", GS_SOURCE_DIR "/src", 1); /* no zones there */
	for (i = 0; i < GS_LEN(names); i++) {
		struct gs_err err;

		if (zone_parse(&z, names[i], &err) == 0)
			fail_msg("\"%s\" was taken", names[i]);
		assert_int_equal(err.status, GS_E_USAGE);
	}
	(void)unsetenv("TZDIR");
}

static void text_of(void (*add)(struct buf *), const char *want)
{
	struct buf b = BUF_INIT;

	add(&b);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void add_utc(struct buf *b)
{
	struct zone z = zone_of("UTC");

	zone_add_label(&z, b);
}

static void add_west(struct buf *b)
{
	struct zone z = zone_of("-03:30");

	zone_add_label(&z, b);
}

static void add_iso(struct buf *b)
{
	zone_add_iso(INT64_C(1790000000250000000), b);
}

static void add_digits(struct buf *b)
{
	struct zone z = zone_of("UTC");

	zone_add_time(&z, INT64_C(1790000000256999999), 3, b);
}

static void texts(void **state)
{
	(void)state;
	text_of(add_utc, "UTC");
	text_of(add_west, "UTC-03:30");
	text_of(add_iso, "2026-09-21T14:13:20.250Z");
	text_of(add_digits, "14:13:20.256");
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, both_ways, rows);
	cases_add(&c, "changes of the clock", changes_of_the_clock, NULL);
	cases_add(&c, "two zones", two_zones_at_once, NULL);
	cases_add(&c, "all days", all_days, NULL);
	cases_add(&c, "refused", refused, NULL);
	cases_add(&c, "texts", texts, NULL);
	return cases_run(&c, "zone");
}
