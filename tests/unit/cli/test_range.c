/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/times.h"

#include <string.h>

#include "cases.h"

#define S INT64_C(1000000000)
/* 2026-11-20 22:00 to 2026-11-21 02:00 UTC */
#define FIRST (INT64_C(1795212000) * S)
#define LAST (INT64_C(1795226400) * S)

struct row {
	const char *name;
	const char *from, *to;
	int64_t want_from, want_to; /* seconds; 0: open */
	const char *error;
};

static const struct row rows[] = {
	{ "open", NULL, NULL, 0, 0, NULL },
	{ "over midnight", "23:00", "01:00", 1795215600, 1795222800, NULL },
	{ "from and length", "23:00", "+5m", 1795215600, 1795215900, NULL },
	{ "the end", "-10s", NULL, 1795226390, 0, NULL },
	{ "to alone", NULL, "+1h", 0, 1795215600, NULL },
	{ "same instant", "23:00", "+0", 1795215600, 1795215600, NULL },
	{ "backwards", "-1m", "-2m", 0, 0, "--to -2m is before --from -1m" },
	{ "wrong", "25:00", NULL, 0, 0, "--from: \"25:00\": no such date or "
	    "time of day" },
};

static void range(void **state)
{
	const struct row *row = *state;
	struct times o = { .from = row->from, .to = row->to };
	struct zone z = ZONE_UTC;
	int64_t from = 7, to = 7;
	struct gs_err err;

	if (times_range(&o, &z, FIRST, LAST, &from, &to, &err) < 0) {
		assert_non_null(row->error);
		assert_string_equal(err.msg, row->error);
		assert_int_equal(from, 7);
		return;
	}
	assert_null(row->error);
	assert_int_equal(from, row->want_from ? row->want_from * S
	                                      : INT64_MIN);
	assert_int_equal(to, row->want_to ? row->want_to * S : INT64_MAX);
}

static void zone(void **state)
{
	struct times o = { .tz = NULL };
	struct zone z;
	struct gs_err err;

	(void)state;
	assert_int_equal(times_zone(&o, 3600, &z, &err), 0);
	assert_int_equal(zone_offset(&z, 0), 3600);
	o.utc = true;
	assert_int_equal(times_zone(&o, 3600, &z, &err), 0);
	assert_int_equal(zone_offset(&z, 0), 0);
	o.utc = false;
	o.tz = "-03:30";
	assert_int_equal(times_zone(&o, 3600, &z, &err), 0);
	assert_int_equal(zone_offset(&z, 0), -12600);
	o.tz = "Nowhere";
	assert_int_equal(times_zone(&o, 3600, &z, &err), GS_E_USAGE);
	assert_memory_equal(err.msg, "--tz: \"Nowhere\"", 15);
}

struct base_case {
	const char *name;
	const char *text;
	int64_t from, to; /* of the range shown, seconds; 0: open */
	int64_t want_from, want_to;
	const char *error; /* how it begins */
};

static const struct base_case bases[] = {
	{ "a range", "23:00..23:30", 0, 0, 1795215600, 1795217400, NULL },
	{ "a length", "23:00..+5m", 0, 0, 1795215600, 1795215900, NULL },
	{ "open", "..23:00", 0, 0, 0, 1795215600, NULL },
	{ "to the end", "23:00..", 0, 0, 1795215600, 0, NULL },
	{ "an hour earlier", "-1h", 1795219200, 1795219500, 1795215600,
	    1795215900, NULL },
	{ "of an open range", "-1h", 0, 0, 1795208400, 1795222800, NULL },
	{ "a week earlier", "-7d", 1795219200, 1795219500, 1794614400,
	    1794614700, NULL },
	{ "later", "1h", 0, 0, 0, 0, "--baseline: expected a range such as "
	    "13:00..13:30, or how much earlier, such as -1h or -7d; got "
	    "\"1h\"" },
	{ "not at all", "-0", 0, 0, 0, 0, "--baseline: expected a range" },
	{ "too far", "-100000d", 0, 0, 0, 0, "--baseline: expected a range" },
	{ "backwards", "-1m..-2m", 0, 0, 0, 0,
	    "--baseline: end -2m is before start -1m" },
	{ "wrong", "25:00..26:00", 0, 0, 0, 0, "--baseline: start: "
	    "\"25:00\"" },
};

static void base(void **state)
{
	const struct base_case *row = *state;
	struct zone z = ZONE_UTC;
	int64_t from = 7, to = 7;
	struct gs_err err;

	if (times_baseline(row->text, &z, FIRST, LAST, row->from ? row->from * S
	    : INT64_MIN, row->to ? row->to * S : INT64_MAX, &from, &to,
	    &err) < 0) {
		assert_non_null(row->error);
		if (strncmp(err.msg, row->error, strlen(row->error)) != 0)
			assert_string_equal(err.msg, row->error);
		return;
	}
	assert_null(row->error);
	assert_int_equal(from, row->want_from ? row->want_from * S
	                                      : INT64_MIN);
	assert_int_equal(to, row->want_to ? row->want_to * S : INT64_MAX);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, range, rows);
	CASES_TABLE(&c, base, bases);
	cases_add(&c, "zone", zone, NULL);
	return cases_run(&c, "range");
}
