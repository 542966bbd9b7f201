/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <string.h>

#include "cases.h"

#define FAILS INT64_MIN

struct row {
	const char *name; /* the text */
	int64_t want; /* FAILS: refused */
};

/* How many lengths. */
static const struct row lists[] = {
	{ "5s", 1 },
	{ "5s,1m,5m", 3 },
	{ "1,2,3,4", FAILS }, /* too many */
	{ "5s,5s", FAILS },
	{ "1m,5s", FAILS },
	{ "0", FAILS },
	{ "5s,", FAILS },
	{ ",5s", FAILS },
	{ "367d", FAILS },
};

static const struct row durations[] = {
	{ "5", 5000000000 },
	{ "0", 0 },
	{ "0.5", 500000000 },
	{ "0.5s", 500000000 },
	{ "250ms", 250000000 },
	{ "1m30s", 90000000000 },
	{ "1h0.5s", 3600500000000 },
	{ "2h", 7200000000000 },
	{ "7d", 604800000000000 },
	{ "2w", 1209600000000000 },
	{ "1.5h", 5400000000000 },
	{ "3us", 3000 },
	{ "7ns", 7 },
	{ "0.0000000019s", 1 },
	{ "9223372036s", 9223372036000000000 },
	{ "9223372037s", FAILS },
	{ "99999999999999999999", FAILS },
	{ "15250w", 9223200000000000000 },
	{ "15251w", FAILS },
	{ "", FAILS },
	{ " 5", FAILS },
	{ "5 ", FAILS },
	{ "-5", FAILS },
	{ "+5", FAILS },
	{ "5x", FAILS },
	{ "s", FAILS },
	{ "5.", FAILS },
	{ ".5", FAILS },
	{ "5s1m", FAILS },
	{ "1m1m", FAILS },
	{ "1m30", FAILS },
	{ "1.5m30s", FAILS },
	{ "5S", FAILS },
	{ "1e3", FAILS },
};

static const struct row sizes[] = {
	{ "0", 0 },
	{ "4096", 4096 },
	{ "4096B", 4096 },
	{ "1k", 1024 },
	{ "1K", 1024 },
	{ "100M", 104857600 },
	{ "100MB", 104857600 },
	{ "1.5GiB", 1610612736 },
	{ "5G", 5368709120 },
	{ "0.1K", 102 },
	{ "2T", 2199023255552 },
	{ "8191P", 9222246136947933184 },
	{ "8192P", FAILS },
	{ "1.5", FAILS },
	{ "1.5B", FAILS },
	{ "", FAILS },
	{ "M", FAILS },
	{ "-1", FAILS },
	{ "1 M", FAILS },
	{ "1X", FAILS },
	{ "1MiBB", FAILS },
	{ "1Mi", FAILS },
	{ "1MM", FAILS },
};

static const struct row percents[] = { /* in hundredths */
	{ "5%", 500 },
	{ "5", 500 },
	{ "0.25%", 25 },
	{ "100%", 10000 },
	{ "0", 0 },
	{ "100.1%", FAILS },
	{ "-1%", FAILS },
	{ "%", FAILS },
	{ "5%%", FAILS },
	{ "5 %", FAILS },
	{ "", FAILS },
};

static const struct row ints[] = { /* -10 to 1000 */
	{ "0", 0 },
	{ "1000", 1000 },
	{ "-10", -10 },
	{ "1001", FAILS },
	{ "-11", FAILS },
	{ "", FAILS },
	{ " 1", FAILS },
	{ "1 ", FAILS },
	{ "- 1", FAILS },
	{ "--1", FAILS },
	{ "+1", FAILS },
	{ "-", FAILS },
	{ "1x", FAILS },
	{ "0x10", FAILS },
	{ "18446744073709551615", FAILS },
	{ "18446744073709551616", FAILS },
};

static const struct row reals[] = { /* in hundredths */
	{ "1.25", 125 },
	{ "-3", -300 },
	{ "2e2", 20000 },
	{ ".5", 50 },
	{ "1e999", FAILS },
	{ "nan", FAILS },
	{ "inf", FAILS },
	{ "0x10", FAILS },
	{ "1,5", FAILS },
	{ "", FAILS },
	{ "-", FAILS },
};

/* Checks a call against the row; messages must quote the text. */
static void check(const struct row *row, int r, int64_t got,
	const struct gs_err *err)
{
	if (row->want == FAILS) {
		assert_true(r < 0);
		assert_int_equal(got, -77); /* untouched */
		assert_non_null(strstr(err->msg, row->name));
		return;
	}
	assert_int_equal(r, 0);
	assert_int_equal(got, row->want);
}

static void duration(void **state)
{
	const struct row *row = *state;
	struct gs_err err;
	int64_t v = -77;
	int r = units_duration(row->name, &v, &err);

	check(row, r, v, &err);
}

static void size(void **state)
{
	const struct row *row = *state;
	struct gs_err err;
	uint64_t v = (uint64_t)-77;
	int r = units_size(row->name, &v, &err);

	check(row, r, (int64_t)v, &err);
}

static void percent(void **state)
{
	const struct row *row = *state;
	struct gs_err err;
	double v = -0.77;
	int r = units_percent(row->name, &v, &err);

	check(row, r, (int64_t)(v * 100 + (v < 0 ? -0.5 : 0.5)), &err);
}

static void whole(void **state)
{
	const struct row *row = *state;
	struct gs_err err;
	int64_t v = -77;
	int r = units_int(row->name, -10, 1000, &v, &err);

	check(row, r, v, &err);
}

static void real(void **state)
{
	const struct row *row = *state;
	struct gs_err err;
	double v = -0.77;
	int r = units_real(row->name, &v, &err);

	check(row, r, (int64_t)(v * 100 + (v < 0 ? -0.5 : 0.5)), &err);
}

static void list(void **state)
{
	const struct row *row = *state;
	int64_t ns[3];
	size_t n = 77;
	struct gs_err err;
	int r = units_durations(row->name, ns, GS_LEN(ns), &n, &err);

	assert_int_equal(r, row->want == FAILS ? GS_E_USAGE : GS_OK);
	assert_int_equal(n, row->want == FAILS ? 77 : row->want);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, duration, durations);
	CASES_TABLE(&c, list, lists);
	CASES_TABLE(&c, size, sizes);
	CASES_TABLE(&c, percent, percents);
	CASES_TABLE(&c, whole, ints);
	CASES_TABLE(&c, real, reals);
	return cases_run(&c, "quant");
}
