/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar's -1, -2, ...: which of the words they are, and the times of that day.
 */
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "cases.h"
#include "sysstat/day.h"

#define WORDS_MAX 6

static const struct words {
	const char *name;
	const char *word[WORDS_MAX];
	int left; /* words */
	bool wanted;
	int64_t ago;
} words[] = {
	{ "none", { "sar", "-u", "1", "5" }, 4, false, 0 },
	{ "yesterday", { "sar", "-1", "-u" }, 2, true, 1 },
	{ "after the command", { "sar", "-u", "-12" }, 2, true, 12 },
	{ "the last one counts", { "sar", "-1", "-2" }, 1, true, 2 },
	{ "not 0", { "sar", "-0" }, 2, false, 0 },
	{ "no number", { "sar", "-1x" }, 2, false, 0 },
	{ "too long ago", { "sar", "-99999" }, 2, false, 0 },
	{ "behind dashes", { "sar", "--", "-1" }, 3, false, 0 },
};

static void test_words(void **state)
{
	const struct words *w = *state;
	char *argv[WORDS_MAX + 1] = { NULL };
	struct day d = { .wanted = false };
	int n = 0;

	while (n < WORDS_MAX && w->word[n]) {
		argv[n] = (char *)(uintptr_t)w->word[n];
		n++;
	}
	assert_int_equal(day_parse(&d, n, argv), w->left);
	assert_null(argv[w->left]);
	assert_int_equal(d.wanted, w->wanted);
	assert_int_equal(d.ago, w->ago);
	day_release(&d);
}

/* 2026-03-01 00:30 UTC */
#define NOW (INT64_C(1772325000) * GS_NSEC_PER_SEC)

static const struct times {
	const char *name;
	int64_t ago;
	int32_t offset_s;
	const char *from, *to;
	const char *want_from, *want_to;
} times[] = {
	{ "all of today", 0, 0, NULL, NULL, "2026-03-01", "2026-03-01" },
	{ "all of yesterday", 1, 0, NULL, NULL, "2026-02-28", "2026-02-28" },
	{ "it is yesterday there", 0, -3600, NULL, NULL, "2026-02-28",
	    "2026-02-28" },
	{ "times of that day", 60, 0, "8:00", "18:00:30",
	    "2025-12-31 8:00", "2025-12-31 18:00:30" },
	{ "other times stay", 1, 0, "2026-01-01", "1790000000", "2026-01-01",
	    "1790000000" },
};

static void test_times(void **state)
{
	const struct times *t = *state;
	struct day d = { .wanted = true, .ago = t->ago };
	struct zone zone = zone_fixed(t->offset_s);
	const char *from = t->from, *to = t->to;

	day_set(&d, &zone, NOW, &from, &to);
	assert_string_equal(from, t->want_from);
	assert_string_equal(to, t->want_to);
	day_release(&d);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_words, words);
	CASES_TABLE(&c, test_times, times);
	return cases_run(&c, "sysstat/day");
}
