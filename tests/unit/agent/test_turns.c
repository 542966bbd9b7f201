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
	uint64_t ticks; /* between two reads at most */
	unsigned parts;
	uint64_t least; /* between two reads */
	unsigned most; /* reads at one tick, after the first turn */
};

static const struct turns cases[] = {
	{ 1, 2, 1, PROCS },
	{ 2, 2, 2, PROCS }, /* too few to spread them */
	{ 6, 2, 4, PROCS / 2 },
	{ 10, 2, 6, PROCS / 4 },
	{ 12, 3, 9, PROCS / 3 },
	{ 30, 3, 21, PROCS / 9 },
};

static void turns(void **state)
{
	struct scan sc = { .interval_ns = GS_NSEC_PER_SEC };
	uint64_t last[PROCS] = { 0 };
	const struct turns *t = *state;
	unsigned n;
	uint32_t pid;

	for (sc.tick = 1; sc.tick < TICKS; sc.tick++) {
		/* the clock of a tick is never quite right */
		sc.mono_ns = (int64_t)sc.tick * sc.interval_ns +
		    (int64_t)(sc.tick % 7) * 1000000;
		for (n = 0, pid = 0; pid < PROCS; pid++) {
			uint64_t age = sc.tick - last[pid];

			if (!scan_due_after(&sc, t->ticks, t->parts, pid,
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

int main(void)
{
	struct CMUnitTest tests[GS_LEN(cases)];
	size_t i;

	for (i = 0; i < GS_LEN(cases); i++)
		tests[i] = (struct CMUnitTest) { "turns", turns, NULL, NULL,
			(void *)&cases[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
