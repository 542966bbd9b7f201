/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/clock.h"
#include "record/schedule.h"

#define S GS_NSEC_PER_SEC
#define MS GS_NSEC_PER_MSEC

static const struct next_case {
	const char *name;
	int64_t now, interval, last, want;
} next_cases[] = {
	{ "between", 12 * S + 1, 5 * S, 0, 15 * S },
	{ "exactly at one", 15 * S, 5 * S, 0, 20 * S },
	{ "first ever", 1, 5 * S, 0, 5 * S },
	{ "timer was early", 15 * S - 1, 5 * S, 15 * S, 20 * S },
	{ "timer was late", 15 * S + 400 * MS, 5 * S, 15 * S, 20 * S },
	{ "several were missed", 41 * S, 5 * S, 15 * S, 45 * S },
	{ "clock set back", 100 * S + 1, 5 * S, 3700 * S, 105 * S },
	{ "clock set forward", 9000 * S + 1, 5 * S, 100 * S, 9005 * S },
	{ "tenths", 7 * S + 230 * MS, 100 * MS, 7 * S + 200 * MS,
	    7 * S + 300 * MS },
	{ "no divisor of a day", 100 * S, 7 * S, 98 * S, 105 * S },
	{ "before 1970", -12 * S, 5 * S, 0, -10 * S },
};

static void test_next(void **state)
{
	const struct next_case *c = *state;

	assert_int_equal(schedule_next(c->now, c->interval, c->last), c->want);
}

/* Two ticks of a 5 s schedule; the first at 100 s sharp. */
static const struct tick_case {
	const char *name;
	int64_t due, wall, boot;
	int64_t late, step;
	bool is_late;
	uint64_t skipped;
	int64_t asleep; /* the boot clock went on, the monotonic did not */
	int64_t slept, stood;
} tick_cases[] = {
	{ "in time", 105 * S, 105 * S + MS, 5 * S + MS, MS, 0, false, 0,
	    0, 0, 0 },
	{ "half an interval is not late", 105 * S, 107500 * MS, 7500 * MS,
	    2500 * MS, 0, false, 0, 0, 0, 0 },
	{ "late", 105 * S, 107600 * MS, 7600 * MS, 2600 * MS, 0, true,
	    0, 0, 0, 0 },
	{ "two skipped", 115 * S, 115 * S, 15 * S, 0, 0, false, 2, 0, 0,
	    10 * S },
	{ "late by an interval", 105 * S, 110 * S, 10 * S, 5 * S, 0,
	    true, 0, 0, 0, 0 },
	{ "stopped for nine seconds", 105 * S, 114 * S, 14 * S, 9 * S, 0,
	    true, 0, 0, 0, 9 * S },
	{ "stopped, and the clock was set", 105 * S, 3714 * S, 14 * S, 0,
	    3600 * S, false, 0, 0, 0, 9 * S },
	{ "set forward an hour", 105 * S, 3705 * S, 5 * S, 0, 3600 * S,
	    false, 0, 0, 0, 0 },
	{ "set back a minute", 105 * S, 45 * S, 5 * S, 0, -60 * S,
	    false, 0, 0, 0, 0 },
	{ "slewed", 105 * S, 105 * S, 5 * S - 20 * MS, 0, 0, false, 0,
	    0, 0, 0 },
	{ "asleep for an hour", 3705 * S, 3705 * S, 3605 * S, 0, 0, false,
	    720, 3600 * S, 3600 * S, 0 },
	{ "asleep, the tick at once", 105 * S, 3703 * S, 3603 * S, 3598 * S,
	    0, true, 0, 3600 * S, 3600 * S, 0 },
	{ "asleep and stopped", 105 * S, 3714 * S, 3614 * S, 3609 * S, 0,
	    true, 0, 3600 * S, 3600 * S, 9 * S },
	{ "a clock that counts a little else", 105 * S, 105 * S, 5 * S, 0, 0,
	    false, 0, 20 * MS, 0, 0 },
	{ "out of the order", 0, 102 * S, 2 * S, 0, 0, false, 0, 0, 0, 0 },
};

static struct schedule_tick at(struct schedule *s, int64_t due, int64_t wall,
	int64_t boot, int64_t asleep)
{
	/* the machine was suspended before, too */
	struct schedule_clocks now = { .wall_ns = wall, .boot_ns = boot + 7 * S,
		.mono_ns = boot - asleep };

	return schedule_tick(s, due, &now);
}

/* Ticks of 100 ms on a busy machine: late, but no more. */
static void test_short(void **state)
{
	struct schedule s;

	(void)state;
	schedule_init(&s, 100 * MS, 0);
	(void)at(&s, 100 * S, 100 * S, 0, 0);
	assert_int_equal(at(&s, 100 * S + 100 * MS, 101 * S, S, 0).stood_ns, 0);
	assert_int_equal(at(&s, 101 * S + 100 * MS, 102 * S + 100 * MS,
	    2100 * MS, 0).stood_ns, S);
}

static void test_tick(void **state)
{
	const struct tick_case *c = *state;
	struct schedule s;
	struct schedule_tick t;

	schedule_init(&s, 5 * S, 0);
	t = at(&s, 100 * S, 100 * S, 0, 0);
	assert_int_equal(t.step_ns, 0);
	assert_int_equal(t.skipped, 0);
	t = at(&s, c->due, c->wall, c->boot, c->asleep);
	assert_int_equal(t.late_ns, c->late);
	assert_int_equal(t.step_ns, c->step);
	assert_int_equal(t.is_late, c->is_late);
	assert_int_equal(t.slept_ns, c->slept);
	assert_int_equal(t.stood_ns, c->stood);
	assert_int_equal(t.skipped, c->skipped);
	/* In any case the next tick is due within one interval. */
	assert_in_range(schedule_due(&s, c->wall) - c->wall, 1, 5 * S);
	assert_int_equal(schedule_due(&s, c->wall) % (5 * S), 0);
}

/* A loop that is late by some at each tick drifts nowhere. */
static void test_no_drift(void **state)
{
	struct schedule s;
	int64_t now = 1000 * S + 37 * MS, due;
	int i;

	(void)state;
	schedule_init(&s, 100 * MS, 0);
	for (i = 1; i <= 1000; i++) {
		due = schedule_due(&s, now);
		assert_int_equal(due, 1000 * S + i * 100 * MS);
		now = due + 73 * MS;
		assert_int_equal(at(&s, due, now, now, 0).skipped, 0);
	}
}

/* Ticks are counted from an instant, whatever the clock does. */
static void test_origin(void **state)
{
	struct schedule s;
	int64_t from = 1003 * S + 7 * MS;

	(void)state;
	schedule_init(&s, 5 * S, from);
	(void)at(&s, 0, from, from, 0);
	assert_int_equal(schedule_due(&s, from), from + 5 * S);
	(void)at(&s, from + 5 * S, from + 5 * S + MS, from + 5 * S + MS, 0);
	assert_int_equal(schedule_due(&s, from + 5 * S + MS), from + 10 * S);
	/* set back by a minute */
	assert_int_equal(at(&s, from + 10 * S, from - 50 * S, from + 10 * S,
	    0).step_ns, -60 * S);
	assert_int_equal(schedule_due(&s, from - 50 * S), from - 45 * S);
}

/* Another interval: no tick is skipped, whatever the multiples are. */
static const struct change_case {
	const char *name;
	int64_t from, to, last, want; /* due */
} change_cases[] = {
	{ "shorter", 5 * S, 200 * MS, 100 * S, 100 * S + 200 * MS },
	{ "longer", 200 * MS, 5 * S, 100 * S + 400 * MS, 105 * S },
	{ "longer, at a multiple", 200 * MS, 5 * S, 105 * S, 110 * S },
	{ "no divisor", S, 300 * MS, 100 * S, 100 * S + 200 * MS },
	{ "no multiple", 300 * MS, S, 100 * S + 500 * MS, 101 * S },
};

static void test_change(void **state)
{
	const struct change_case *c = *state;
	struct schedule_tick t;
	struct schedule s;

	schedule_init(&s, c->from, 0);
	(void)at(&s, c->last, c->last, 0, 0);
	schedule_set_interval(&s, c->to);
	assert_int_equal(schedule_due(&s, c->last + MS), c->want);
	t = at(&s, c->want, c->want + MS, c->want + MS - c->last, 0);
	assert_int_equal(t.skipped, 0);
	assert_int_equal(t.stood_ns, 0);
	assert_false(t.is_late);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_next, next_cases);
	CASES_TABLE(&c, test_tick, tick_cases);
	CASES_TABLE(&c, test_change, change_cases);
	cases_add(&c, "a short interval", test_short, NULL);
	cases_add(&c, "no drift", test_no_drift, NULL);
	cases_add(&c, "origin", test_origin, NULL);
	return cases_run(&c, "schedule");
}
