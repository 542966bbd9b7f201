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

	/* A timer may fire a little early: the same multiple twice. */
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

/* The newest time at which a tick could have been due. */
static int64_t due_before(const struct schedule *s, int64_t wall_ns)
{
	return s->origin_ns - s->interval_ns +
	    multiple_after(wall_ns - s->origin_ns, s->interval_ns);
}

static int64_t step_since(const struct schedule *s, int64_t wall_ns,
	int64_t boot_ns)
{
	int64_t step;

	if (s->wall_ns == 0)
		return 0;
	step = (wall_ns - s->wall_ns) - (boot_ns - s->boot_ns);
	if (step < SCHEDULE_STEP_MIN_NS && step > -SCHEDULE_STEP_MIN_NS)
		return 0;
	return step;
}

struct schedule_tick schedule_tick(struct schedule *s, int64_t due_ns,
	int64_t wall_ns, int64_t boot_ns)
{
	struct schedule_tick t = { .step_ns = step_since(s, wall_ns,
	    boot_ns) };

	/* After a step nobody can say what was due when. */
	if (due_ns != 0 && t.step_ns == 0) {
		t.late_ns = wall_ns > due_ns ? wall_ns - due_ns : 0;
		t.is_late = t.late_ns > s->interval_ns / 2;
		if (s->due_ns != 0 && due_ns > s->due_ns)
			t.skipped = (uint64_t)((due_ns - s->due_ns) /
			    s->interval_ns) - 1;
	}
	if (due_ns != 0)
		s->due_ns = t.step_ns == 0 ? due_ns
		    : due_before(s, wall_ns);
	s->wall_ns = wall_ns;
	s->boot_ns = boot_ns;
	return t;
}
