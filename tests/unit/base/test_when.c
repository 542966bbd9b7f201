/* SPDX-License-Identifier: Apache-2.0 */
#include "base/when.h"

#include <string.h>

#include "base/units.h"
#include "cases.h"

#define S INT64_C(1000000000)
#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"
#define BAD INT64_MIN

/* 2026-11-20 13:00 to 15:00 UTC; now is 2026-11-21 09:30 UTC */
#define FIRST INT64_C(1795179600)
#define LAST INT64_C(1795186800)
#define NOW INT64_C(1795253400)

enum edge { START, END, END_AFTER };

struct row {
	const char *name; /* the text */
	const char *zone;
	int64_t first, last; /* 0: FIRST, LAST */
	enum edge edge;
	int64_t start; /* END_AFTER */
	int64_t want_s;
};

static const struct row rows[] = {
	{ "14:05", "UTC", 0, 0, START, 0, 1795183500 },
	{ "14:05:30", "UTC", 0, 0, START, 0, 1795183530 },
	{ "9:05", "UTC", 0, 0, START, 0, 1795165500 },
	{ "15:05", "+01:00", 0, 0, START, 0, 1795183500 },
	{ "15:05", BERLIN, 0, 0, START, 0, 1795183500 },
	{ "2026-11-20 14:05", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2026-11-20 14:05:30", "UTC", 0, 0, START, 0, 1795183530 },
	{ "2026-11-20T15:05", BERLIN, 0, 0, START, 0, 1795183500 },
	{ "2026-11-20T14:05:30Z", BERLIN, 0, 0, START, 0, 1795183530 },
	{ "2026-11-20T15:05:30+01:00", "UTC", 0, 0, START, 0, 1795183530 },
	{ "2026-11-20T15:05:30+0100", "UTC", 0, 0, START, 0, 1795183530 },
	{ "2026-11-20 15:05 +01", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2026-11-20 15:05 UTC+01:00", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2026-11-20 10:35:30 utc-03:30", "UTC", 0, 0, START, 0, 1795183530 },
	{ "2026-11-20T10:35:30-03:30", "UTC", 0, 0, START, 0, 1795183530 },
	{ "20261120T140530Z", BERLIN, 0, 0, START, 0, 1795183530 },
	{ "20261120T1405", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2026-11-20", "UTC", 0, 0, START, 0, 1795132800 },
	{ "2026-11-20", "UTC", 0, 0, END, 0, 1795219200 },
	{ "2026-11-20", BERLIN, 0, 0, START, 0, 1795129200 },
	{ "20261120", "UTC", 0, 0, START, 0, 1795132800 },
	{ "1795183530", "UTC", 0, 0, START, 0, 1795183530 },
	{ "@1234", "UTC", 0, 0, START, 0, 1234 },
	{ "-1h", "UTC", 0, 0, START, 0, LAST - 3600 },
	{ "-30m", "UTC", 0, 0, END_AFTER, FIRST, LAST - 1800 },
	{ "+5m", "UTC", 0, 0, START, 0, FIRST + 300 },
	{ "+5m", "UTC", 0, 0, END, 0, FIRST + 300 },
	{ "+5m", "UTC", 0, 0, END_AFTER, FIRST + 60, FIRST + 360 },
	{ "now", "UTC", 0, 0, START, 0, NOW },
	{ "today", "UTC", 0, 0, START, 0, 1795219200 },
	{ "yesterday", "UTC", 0, 0, START, 0, 1795132800 },
	{ "yesterday", "UTC", 0, 0, END, 0, 1795219200 },
	{ "yesterday 14:05", "UTC", 0, 0, START, 0, 1795183500 },
	{ "yesterday 14:05", "UTC", 0, 0, END, 0, 1795183500 },
	{ "yesterday", "+15:00", 0, 0, START, 0, 1795165200 },
	{ "2:05pm", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2:05 PM", "UTC", 0, 0, START, 0, 1795183500 },
	{ "2:05:30pm", "UTC", 0, 0, START, 0, 1795183530 },
	{ "2pm", "UTC", 0, 0, START, 0, 1795183200 },
	{ "12pm", "UTC", 0, 0, START, 0, 1795176000 },
	{ "12am", "UTC", 0, 0, START, 0, 1795132800 },
	{ "noon", "UTC", 0, 0, START, 0, 1795176000 },
	{ "midnight", "UTC", 0, 0, START, 0, 1795132800 },
	{ "2026-11-20 12:00:00 UTC", "Asia/Tokyo", 0, 0, START, 0, 1795176000 },
	{ "yesterday noon", "UTC", 0, 0, START, 0, 1795176000 },
	{ "yesterday 2:05pm", "UTC", 0, 0, START, 0, 1795183500 },
	/* now is a Saturday */
	{ "friday", "UTC", 0, 0, START, 0, 1795132800 },
	{ "Friday", "UTC", 0, 0, END, 0, 1795219200 },
	{ "friday 14:05", "UTC", 0, 0, START, 0, 1795183500 },
	{ "last friday 2:05pm", "UTC", 0, 0, START, 0, 1795183500 },
	{ "saturday", "UTC", 0, 0, START, 0, 1795219200 },
	{ "last saturday", "UTC", 0, 0, START, 0, 1795219200 - 7 * 86400 },
	{ "sunday", "UTC", 0, 0, START, 0, 1795219200 - 6 * 86400 },
	{ "10 minutes ago", "UTC", 0, 0, START, 0, NOW - 600 },
	{ "10m ago", "UTC", 0, 0, START, 0, NOW - 600 },
	{ "1 hour 30 min ago", "UTC", 0, 0, START, 0, NOW - 5400 },
	{ "-5min", "UTC", 0, 0, START, 0, LAST - 300 },
	{ "-2 hours", "UTC", 0, 0, START, 0, LAST - 7200 },
	/* end by the clock, after a start */
	{ "14:05", "UTC", 0, 0, END_AFTER, FIRST, 1795183500 },
	{ "01:00", "UTC", 0, 0, END_AFTER, FIRST, 1795222800 },
	/* over midnight: 22:00 to 02:00 */
	{ "23:00", "UTC", 1795212000, 1795226400, START, 0, 1795215600 },
	{ "01:00", "UTC", 1795212000, 1795226400, START, 0, 1795222800 },
	{ "12:00", "UTC", 1795212000, 1795226400, START, 0, 1795176000 },
	/* a day of 25 hours: the clock goes back on 2026-10-25 */
	{ "2026-10-25", BERLIN, 0, 0, START, 0, 1792879200 },
	{ "2026-10-25", BERLIN, 0, 0, END, 0, 1792879200 + 25 * 3600 },
	{ "2026-10-25 02:30", BERLIN, 0, 0, START, 0, 1792888200 },
	{ "2026-10-25 02:30", BERLIN, 0, 0, END, 0, 1792891800 },
	/* refused */
	{ "", "UTC", 0, 0, START, 0, BAD },
	{ "24:00", "UTC", 0, 0, START, 0, BAD },
	{ "14:60", "UTC", 0, 0, START, 0, BAD },
	{ "14:5", "UTC", 0, 0, START, 0, BAD },
	{ "14:05:", "UTC", 0, 0, START, 0, BAD },
	{ "14:05x", "UTC", 0, 0, START, 0, BAD },
	{ "2026-02-30", "UTC", 0, 0, START, 0, BAD },
	{ "2026-13-01 10:00", "UTC", 0, 0, START, 0, BAD },
	{ "1500-01-01", "UTC", 0, 0, START, 0, BAD },
	{ "2026-11-20 ", "UTC", 0, 0, START, 0, BAD },
	{ "2026-11-20T", "UTC", 0, 0, START, 0, BAD },
	{ "2026-11-20 14:05 ", "UTC", 0, 0, START, 0, BAD },
	{ "2026-11-20 14:05 x", "UTC", 0, 0, START, 0, BAD },
	{ "14", "UTC", 0, 0, START, 0, BAD },
	{ "12345678", "UTC", 0, 0, START, 0, BAD },
	{ "@", "UTC", 0, 0, START, 0, BAD },
	{ "@99999999999999", "UTC", 0, 0, START, 0, BAD },
	{ "1795183530x", "UTC", 0, 0, START, 0, BAD },
	{ "-", "UTC", 0, 0, START, 0, BAD },
	{ "+5x", "UTC", 0, 0, START, 0, BAD },
	{ "--5m", "UTC", 0, 0, START, 0, BAD },
	{ "tomorrow", "UTC", 0, 0, START, 0, BAD },
	{ "yesterday14:05", "UTC", 0, 0, START, 0, BAD },
	{ "yesterday ", "UTC", 0, 0, START, 0, BAD },
	{ "now ", "UTC", 0, 0, START, 0, BAD },
	{ "0am", "UTC", 0, 0, START, 0, BAD },
	{ "13pm", "UTC", 0, 0, START, 0, BAD },
	{ "14:05 xx", "UTC", 0, 0, START, 0, BAD },
	{ "last", "UTC", 0, 0, START, 0, BAD },
	{ "last week", "UTC", 0, 0, START, 0, BAD },
	{ "fridays", "UTC", 0, 0, START, 0, BAD },
	{ "friday ", "UTC", 0, 0, START, 0, BAD },
	{ " ago", "UTC", 0, 0, START, 0, BAD },
	{ "10 ago m", "UTC", 0, 0, START, 0, BAD },
	{ "5 minutes", "UTC", 0, 0, START, 0, BAD },
	{ "22/11/2026", "UTC", 0, 0, START, 0, BAD },
	{ "11.12.2026", "UTC", 0, 0, START, 0, BAD },
	{ "40/40/2026", "UTC", 0, 0, START, 0, BAD },
};

static void resolves(void **state)
{
	const struct row *row = *state;
	struct zone z;
	struct when_env env = {
		.zone = &z,
		.first_ns = (row->first ? row->first : FIRST) * S,
		.last_ns = (row->last ? row->last : LAST) * S,
		.now_ns = NOW * S,
		.is_end = row->edge != START,
		.has_start = row->edge == END_AFTER,
		.start_ns = row->start * S,
	};
	struct gs_err err = { 0 };
	int64_t got = 0;
	int r;

	assert_int_equal(zone_parse(&z, row->zone, &err), 0);
	r = when_parse(row->name, &env, &got, &err);
	assert_int_equal(when_check(row->name, NULL), r);
	if (row->want_s == BAD) {
		assert_true(r < 0);
		assert_true(err.msg[0] == '"');
		return;
	}
	if (r < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(got, row->want_s * S);
}

static void slashes(void **state)
{
	static const char *const texts[][2] = {
		{ "22/11/2026", "write the day as 2026-11-22" },
		{ "11/22/2026 14:05", "write the day as 2026-11-22" },
		{ "11/12/2026", "can be 2026-12-11 or 2026-11-12" },
		{ "3.3.2026", "write the day as 2026-03-03" },
		{ "40/40/2026", "expected a time" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct gs_err err = { 0 };

		assert_true(when_check(texts[i][0], &err) < 0);
		if (!strstr(err.msg, texts[i][1]))
			fail_msg("%s: %s", texts[i][0], err.msg);
	}
}

static void fractions(void **state)
{
	struct zone z = ZONE_UTC;
	struct when_env env = { &z, FIRST * S, LAST * S, NOW * S, 0, 0, 0 };
	int64_t got;

	(void)state;
	assert_int_equal(when_parse("14:05:30.25", &env, &got, NULL), 0);
	assert_int_equal(got, 1795183530 * S + 250000000);
	assert_int_equal(when_parse("@1.000000001", &env, &got, NULL), 0);
	assert_int_equal(got, S + 1);
	assert_int_equal(when_parse("-0.5s", &env, &got, NULL), 0);
	assert_int_equal(got, LAST * S - 500000000);
}

/* Recordings at the ends of time must not overflow. */
static void extremes(void **state)
{
	struct zone z = ZONE_UTC;
	struct when_env env = { &z, INT64_MAX - 5, INT64_MIN + 5, 0, 0, 0, 0 };
	int64_t got;

	(void)state;
	assert_int_equal(when_parse("-292w", &env, &got, NULL), 0);
	assert_int_equal(got, INT64_MIN);
	assert_int_equal(when_parse("+1h", &env, &got, NULL), 0);
	assert_int_equal(got, INT64_MAX);
}

struct age {
	const char *name; /* expected */
	double seconds;
};

static const struct age ages[] = {
	{ "0.0s", 0 },
	{ "9.2s", 9.2 },
	{ "59.9s", 59.94 },
	{ "1m00s", 59.96 },
	{ "14m03s", 843 },
	{ "59m59s", 3599 },
	{ "1h00m", 3600 },
	{ "2h05m", 7540 },
	{ "3d04h", 3 * 86400 + 4 * 3600 + 60 },
	{ "99d23h", 100 * 86400 - 1 },
	{ "412d", 412 * 86400 },
	{ "-9.2s", -9.2 },
	{ "-2h05m", -7540 },
	{ "inf", 1e300 },
};

static void age(void **state)
{
	const struct age *a = *state;
	char text[WHEN_SPAN_MAX];

	when_age(text, a->seconds);
	assert_string_equal(text, a->name);
}

struct span_row {
	const char *name;
	int64_t ns;
};

static const struct span_row spans[] = {
	{ "0s", 0 },
	{ "1s", S },
	{ "100ms", S / 10 },
	{ "1m30s", 90 * S },
	{ "7d", 7 * 86400 * S },
	{ "1h1ns", 3600 * S + 1 },
	{ "292y is days", 0 },
};

static void span_text(void **state)
{
	const struct span_row *row = *state;
	char text[WHEN_SPAN_MAX];
	int64_t back = -1;

	if (strchr(row->name, ' ')) { /* the longest there is: no overrun */
		when_span(text, INT64_MAX);
		assert_true(strlen(text) < WHEN_SPAN_MAX);
		return;
	}
	when_span(text, row->ns);
	assert_string_equal(text, row->name);
	assert_int_equal(units_duration(text, &back, NULL), 0);
	assert_int_equal(back, row->ns);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, resolves, rows);
	CASES_TABLE(&c, age, ages);
	CASES_TABLE(&c, span_text, spans);
	cases_add(&c, "slashes", slashes, NULL);
	cases_add(&c, "fractions", fractions, NULL);
	cases_add(&c, "extremes", extremes, NULL);
	return cases_run(&c, "when");
}
