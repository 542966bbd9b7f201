/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns: nothing becomes older than promised, nothing is read much sooner, and
 * what was read at the same tick is not read at the same tick for ever.
 */
#include "agent/proc.h"
#include "cases.h"

#define PROCS 1000u
#define TICKS 400u

struct turns {
	enum turn of;
	uint64_t ticks; /* between two reads at most */
	uint64_t least; /* between two reads */
	unsigned most; /* reads at one tick, after the first turn */
};

static const struct turns cases[] = {
	{ TURN_SOON, 1, 1, PROCS },
	{ TURN_SOON, 2, 2, PROCS }, /* too few to spread them */
	{ TURN_SOON, 6, 4, PROCS / 2 },
	{ TURN_SOON, 10, 6, PROCS / 4 },
	{ TURN_LATE, 12, 9, PROCS / 3 },
	{ TURN_LATE, 30, 21, PROCS / 9 },
	{ TURN_SELDOM, 60, 41, PROCS / 19 },
};

static void turns(void **state)
{
	struct scan sc = { .interval_ns = GS_NSEC_PER_SEC };
	uint64_t last[PROCS] = { 0 };
	const struct turns *t = *state;
	unsigned n;
	uint32_t pid;

	sc.turn_ticks[t->of] = t->ticks;
	for (sc.tick = 1; sc.tick < TICKS; sc.tick++) {
		/* the clock of a tick is never quite right */
		sc.mono_ns = (int64_t)sc.tick * sc.interval_ns +
		    (int64_t)(sc.tick % 7) * 1000000;
		for (n = 0, pid = 0; pid < PROCS; pid++) {
			uint64_t age = sc.tick - last[pid];

			if (!scan_due(&sc, t->of, pid,
				(int64_t)last[pid] * sc.interval_ns)) {
				assert_true(age < t->ticks);
				continue;
			}
			assert_in_range(age, t->least, t->ticks);
			last[pid] = sc.tick;
			n++;
		}
		if (sc.tick > t->ticks)
			assert_true(n <= t->most);
	}
}

/* One late tick, with the short interval after it, is not seen. */
static void intervals(void **state)
{
	static const int64_t calm[] = { 10, 10, 10, 10, 13, 7, 10, 10, 12, 8, 10 };
	int64_t last[TURN_INTERVALS] = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(turn_interval(last), 0);
	for (i = 0; i < GS_LEN(calm); i++) {
		last[2] = last[1];
		last[1] = last[0];
		last[0] = calm[i];
		assert_int_equal(turn_interval(last), 10);
	}
	for (i = 0; i < 2; i++) {
		last[2] = last[1];
		last[1] = last[0];
		last[0] = 50;
	}
	assert_int_equal(turn_interval(last), 50);
}

/* What metrics.def promises, at intervals of so many ms. */
static void ages(void **state)
{
	static const struct {
		int64_t ms;
		uint64_t ticks[TURNS];
	} at[] = {
		{ 0, { 1, 1, 1 } },
		{ 100, { 100, 300, 600 } },
		{ 1000, { 10, 30, 60 } },
		{ 1100, { 10, 30, 54 } },
		{ 2000, { 10, 30, 30 } },
		{ 5000, { 10, 12, 30 } },
		{ 10000, { 6, 6, 15 } },
		{ 60000, { 1, 1, 2 } },
		{ 600000, { 1, 1, 1 } },
	};
	size_t i;
	unsigned of;

	(void)state;
	for (i = 0; i < GS_LEN(at); i++) {
		for (of = 0; of < TURNS; of++)
			assert_int_equal(turn_ticks(of, at[i].ms * 1000000),
			    at[i].ticks[of]);
	}
}

int main(void)
{
	struct CMUnitTest tests[GS_LEN(cases) + 2];
	size_t i;

	for (i = 0; i < GS_LEN(cases); i++)
		tests[i] = (struct CMUnitTest) { "turns", turns, NULL, NULL,
			(void *)&cases[i] };
	tests[i++] = (struct CMUnitTest) { "ages", ages, NULL, NULL, NULL };
	tests[i] = (struct CMUnitTest) { "intervals", intervals, NULL, NULL,
		NULL };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
