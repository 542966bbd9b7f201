/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alignment of ticks, and the difference between clocks.
 */
#include "base/compiler.h"
#include "cases.h"
#include "merge/align.h"
#include "merge/clockdiff.h"

#define N 3
#define MS INT64_C(1000000)
#define S (1000 * MS)

/* Times in ms. */
struct align_case {
	const char *name;
	struct {
		int64_t at, interval; /* interval 0: it has ended */
		bool begun;
	} in[N];
	bool joined[N];
	int64_t at, interval;
};

static const struct align_case beats[] = {
	{ "the same instant", { { 5000, 1000, true }, { 5000, 1000, true } },
	    { true, true }, 5000, 1000 },
	{ "within half an interval", { { 5000, 1000, true },
	    { 5499, 1000, true } }, { true, true }, 5000, 1000 },
	{ "half an interval", { { 5000, 1000, true }, { 5500, 1000, true } },
	    { true, false }, 5000, 1000 },
	{ "the finest says when", { { 4900, 60000, true },
	    { 5000, 1000, true } }, { true, true }, 5000, 1000 },
	{ "a coarse one alone", { { 4400, 60000, true },
	    { 5000, 1000, true } }, { true, false }, 4400, 1000 },
	{ "of equals the first", { { 5300, 1000, true },
	    { 5000, 1000, true } }, { true, true }, 5300, 1000 },
	{ "one that has ended", { { 0, 0, true }, { 5000, 10000, true },
	    { 9000, 60000, true } }, { false, true, true }, 5000, 10000 },
	{ "one that begins later", { { 90000, 1000, false },
	    { 5000, 10000, true }, { 9000, 60000, true } },
	    { false, true, true }, 5000, 10000 },
	{ "one that begins now", { { 5200, 1000, false },
	    { 5000, 10000, true }, { 9000, 60000, true } },
	    { true, true, false }, 5200, 1000 },
	{ "three", { { 5000, 2000, true }, { 5900, 3000, true },
	    { 6100, 5000, true } }, { true, true, false }, 5000, 2000 },
};

static void test_align(void **state)
{
	const struct align_case *c = *state;
	struct align_next next[N];
	struct aligned b = { 0 };
	size_t i;

	for (i = 0; i < N; i++)
		next[i] = (struct align_next) { .has = c->in[i].interval > 0,
			.begun = c->in[i].begun, .at_ns = c->in[i].at * MS,
			.interval_ns = c->in[i].interval * MS };
	assert_true(align_choose(next, N, &b));
	for (i = 0; i < N; i++)
		assert_int_equal(next[i].joined, c->joined[i]);
	assert_int_equal(b.at_ns, c->at * MS);
	assert_int_equal(b.interval_ns, c->interval * MS);
}

static void test_all_ended(void **state)
{
	struct align_next next[2] = { { .at_ns = 5 }, { .at_ns = 6 } };
	struct aligned b;

	(void)state;
	assert_false(align_choose(next, 2, &b));
	assert_false(align_choose(next, 0, &b));
}

struct clock_case {
	const char *name;
	struct clock_seen a[2], b[2];
	bool is_known;
	int64_t ns;
};

#define SEEN(HOST, BOOT, LEAD, RTT) \
	{ (char *)(uintptr_t)(HOST), (char *)(uintptr_t)(BOOT), (LEAD), (RTT) }

static const struct clock_case clocks[] = {
	{ "ahead", { SEEN("a", "1", 100 * S, MS), SEEN("b", "2", 7 * S, MS) },
	    { SEEN("c", "3", 0, MS), SEEN("a", "1", 102 * S, MS) }, true,
	    2 * S },
	{ "behind", { SEEN("a", "1", 100 * S, MS), SEEN("b", "2", 7 * S, MS) },
	    { SEEN("c", "3", 0, MS), SEEN("a", "1", 97 * S, MS) }, true,
	    -3 * S },
	{ "within the way", { SEEN("a", "1", 100 * S, 4 * MS),
	    SEEN("b", "2", 7 * S, MS) }, { SEEN("c", "3", 0, MS),
	    SEEN("a", "1", 100 * S + 3 * MS, 2 * MS) }, true, 0 },
	{ "beyond the way", { SEEN("a", "1", 100 * S, 4 * MS),
	    SEEN("b", "2", 7 * S, MS) }, { SEEN("c", "3", 0, MS),
	    SEEN("a", "1", 100 * S + 4 * MS, 2 * MS) }, true, 4 * MS },
	{ "the quicker answers", { SEEN("a", "1", 100 * S, 40 * MS),
	    SEEN("b", "2", 7 * S, 2 * MS) }, { SEEN("b", "2", 8 * S, 2 * MS),
	    SEEN("a", "1", 102 * S, 2 * MS) }, true, S },
	{ "another boot", { SEEN("a", "1", 100 * S, MS),
	    SEEN("b", "2", 7 * S, MS) }, { SEEN("c", "3", 0, MS),
	    SEEN("a", "4", 102 * S, MS) }, false, 0 },
	{ "another host of the same kernel", { SEEN("a", "1", 100 * S, MS),
	    SEEN("b", "2", 7 * S, MS) }, { SEEN("c", "3", 0, MS),
	    SEEN("d", "1", 102 * S, MS) }, false, 0 },
};

static void test_clock(void **state)
{
	const struct clock_case *c = *state;
	int64_t ns = 0;

	assert_int_equal(clockdiff(c->a, 2, c->b, 2, &ns), c->is_known);
	assert_int_equal(ns, c->ns);
	ns = 0;
	assert_int_equal(clockdiff(c->b, 2, c->a, 2, &ns), c->is_known);
	assert_int_equal(ns, -c->ns);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_align, beats);
	cases_add(&c, "all have ended", test_all_ended, NULL);
	CASES_TABLE(&c, test_clock, clocks);
	return cases_run(&c, "edit/mix");
}
