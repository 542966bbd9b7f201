/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/clock.h"
#include "format/naming.h"

static const struct {
	const char *name, *host, *want;
} host_cases[] = {
	{ "plain", "sdw1", "sdw1" },
	{ "domain", "sdw1.example.org", "sdw1.example.org" },
	{ "slash", "a/b", "a_b" },
	{ "hidden", ".host", "_host" },
	{ "empty", "", "host" },
	{ "blank and newline", "a b\n", "a_b_" },
};

static void test_host(void **state)
{
	const __typeof__(host_cases[0]) *c = *state;
	struct buf b = BUF_INIT;

	naming_host(c->host, &b);
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

static const struct {
	const char *name, *path;
	unsigned nth;
	const char *want;
} continued_cases[] = {
	{ "first", "a.gpsnap", 1, "a.gpsnap" },
	{ "second", "a.gpsnap", 2, "a-2.gpsnap" },
	{ "tenth", "d/a.gpsnap", 10, "d/a-10.gpsnap" },
	{ "no suffix", "d/a", 3, "d/a-3" },
	{ "only suffix", "d/.gpsnap", 2, "d/.gpsnap-2" },
	{ "suffix inside", "a.gpsnap.old", 2, "a.gpsnap.old-2" },
};

static void test_continued(void **state)
{
	const __typeof__(continued_cases[0]) *c = *state;
	struct buf b = BUF_INIT;

	naming_continued(c->path, c->nth, &b);
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

static const struct {
	const char *name, *file;
	bool want;
	unsigned nth;
} rotated_cases[] = {
	{ "plain", "h-20261120T140500Z.gpsnap", true, 1 },
	{ "second", "h-20261120T140500Z-2.gpsnap", true, 2 },
	{ "hundredth", "h-20261120T140500Z-100.gpsnap", true, 100 },
	{ "leap day", "h-20240229T000000Z.gpsnap", true, 1 },
	{ "another host", "hh-20261120T140500Z.gpsnap", false, 0 },
	{ "host that begins alike", "h-x-20261120T140500Z.gpsnap", false, 0 },
	{ "copy", "h-20261120T140500Z.gpsnap.bak", false, 0 },
	{ "prefixed", "old-h-20261120T140500Z.gpsnap", false, 0 },
	{ "short time", "h-20261120T1405Z.gpsnap", false, 0 },
	{ "no zone", "h-20261120T140500.gpsnap", false, 0 },
	{ "no such day", "h-20260231T140500Z.gpsnap", false, 0 },
	{ "no such hour", "h-20261120T250000Z.gpsnap", false, 0 },
	{ "number 1", "h-20261120T140500Z-1.gpsnap", false, 0 },
	{ "number with sign", "h-20261120T140500Z--2.gpsnap", false, 0 },
	{ "number with zero", "h-20261120T140500Z-02.gpsnap", false, 0 },
	{ "words", "h-20261120T140500Z-keep.gpsnap", false, 0 },
	{ "no suffix", "h-20261120T140500Z", false, 0 },
	{ "user's own", "incident.gpsnap", false, 0 },
	{ "empty", "", false, 0 },
};

static void test_rotated(void **state)
{
	const __typeof__(rotated_cases[0]) *c = *state;
	int64_t time_s = 0;
	unsigned nth = 0;

	assert_int_equal(naming_is_rotated("h", c->file, &time_s, &nth),
	    c->want);
	assert_int_equal(nth, c->nth);
}

/* Generated names are recognised, with the same time. */
static void test_both_ways(void **state)
{
	static const int64_t at[] = { 0, 951782399, 951782400, 1795226628,
		4102444800 };
	struct buf b = BUF_INIT;
	int64_t time_s;
	unsigned i, nth, got;

	(void)state;
	for (i = 0; i < GS_LEN(at); i++) {
		for (nth = 1; nth < 4; nth++) {
			naming_rotated("a-b", at[i] * GS_NSEC_PER_SEC + 999,
			    nth, &b);
			assert_true(naming_is_rotated("a-b", buf_str(&b),
			    &time_s, &got));
			assert_int_equal(time_s, at[i]);
			assert_int_equal(got, nth);
		}
	}
	naming_rotated("h", INT64_C(1795226628) * GS_NSEC_PER_SEC, 1, &b);
	assert_string_equal(buf_str(&b), "h-20261121T020348Z.gpsnap");
	buf_release(&b);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_host, host_cases);
	CASES_TABLE(&c, test_continued, continued_cases);
	CASES_TABLE(&c, test_rotated, rotated_cases);
	cases_add(&c, "both ways", test_both_ways, NULL);
	return cases_run(&c, "naming");
}
