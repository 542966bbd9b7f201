/* SPDX-License-Identifier: Apache-2.0 */
#include "record/schedule.h"

static int64_t multiple_after(int64_t t, int64_t interval_ns)
{
	int64_t rest = t % interval_ns;

	if (rest < 0)
		rest += interval_ns;
	return t - rest + interval_ns;
}

int64_t schedule_next(int64_t now_ns, int64_t interval_ns, int64_t last_ns)
{
	int64_t next = multiple_after(now_ns, interval_ns);

	/* A timer may fire a little early: never the same multiple twice. */
	if (next <= last_ns && last_ns - now_ns <= interval_ns)
		next = multiple_after(last_ns, interval_ns);
	return next;
}

void schedule_init(struct schedule *s, int64_t interval_ns,
	int64_t origin_ns)
{
	*s = (struct schedule) { .interval_ns = interval_ns,
		.origin_ns = origin_ns };
}

int64_t schedule_due(const struct schedule *s, int64_t wall_ns)
{
	return s->origin_ns + schedule_next(wall_ns - s->origin_ns,
	    s->interval_ns, s->due_ns - s->origin_ns);
}

/* The latest time at which a tick could have been due. */
static int64_t due_before(const struct schedule *s, int64_t wall_ns)
{
	return s->origin_ns - s->interval_ns +
	    multiple_after(wall_ns - s->origin_ns, s->interval_ns);
}

/* The advance of each clock since the newest tick; false: there is none. */
static bool passed(const struct schedule *s, const struct schedule_clocks *now,
	struct schedule_clocks *ret)
{
	if (s->at.wall_ns == 0)
		return false;
	*ret = (struct schedule_clocks) {
		.wall_ns = now->wall_ns - s->at.wall_ns,
		.mono_ns = now->mono_ns - s->at.mono_ns,
		.boot_ns = now->boot_ns - s->at.boot_ns,
	};
	return true;
}

/* The part of a clock difference that is no adjustment of its rate. */
static int64_t beyond_rate(int64_t ns)
{
	return ns < SCHEDULE_STEP_MIN_NS && ns > -SCHEDULE_STEP_MIN_NS ? 0
	                                                               : ns;
}

/* Finds steps, suspends and pauses from the clocks. */
static void compare(const struct schedule *s,
	const struct schedule_clocks *now, struct schedule_tick *ret)
{
	struct schedule_clocks p;
	int64_t more;

	if (!passed(s, now, &p))
		return;
	ret->step_ns = beyond_rate(p.wall_ns - p.boot_ns);
	ret->slept_ns = beyond_rate(p.boot_ns - p.mono_ns);
	/* Ticks are an interval apart at most, two around a clock that was
	 * set: the wait for a time that never came, and the next. */
	more = p.mono_ns - s->interval_ns;
	if (more > s->interval_ns && more >= SCHEDULE_STOOD_MIN_NS)
		ret->stood_ns = more;
}

void schedule_set_interval(struct schedule *s, int64_t interval_ns)
{
	s->interval_ns = interval_ns;
	if (s->due_ns != 0)
		s->due_ns = due_before(s, s->due_ns);
}

struct schedule_tick schedule_tick(struct schedule *s, int64_t due_ns,
	const struct schedule_clocks *now)
{
	struct schedule_tick t = { 0 };
	int64_t wall_ns = now->wall_ns;

	compare(s, now, &t);

	/* After a step it is unknown which ticks were due. */
	if (due_ns != 0 && t.step_ns == 0) {
		t.late_ns = wall_ns > due_ns ? wall_ns - due_ns : 0;
		t.is_late = t.late_ns > s->interval_ns / 2;
		if (s->due_ns != 0 && due_ns - s->due_ns >= s->interval_ns)
			t.skipped = (uint64_t)((due_ns - s->due_ns) /
			    s->interval_ns) - 1;
	}
	if (due_ns != 0)
		s->due_ns = t.step_ns == 0 ? due_ns
		    : due_before(s, wall_ns);
	s->at = *now;
	return t;
}
