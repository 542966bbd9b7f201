/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pace.h - how often ticks are, and the instant at which one was due.
 */
#ifndef GS_MODEL_PACE_H
#define GS_MODEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Time since the last multiple of the interval, which is above 0. */
static inline int64_t pace_late(int64_t wall_ns, int64_t interval_ns)
{
	int64_t late = wall_ns % interval_ns;

	return late < 0 ? late + interval_ns : late;
}

/* The nominal instant of a tick: the multiple of the interval, if that is less
 * than a quarter of the interval away; else the tick's own time. */
static inline int64_t tick_nominal(int64_t wall_ns, int64_t interval_ns)
{
	int64_t late;

	if (interval_ns <= 0)
		return wall_ns;
	late = pace_late(wall_ns, interval_ns);
	return late < interval_ns / 4 ? wall_ns - late : wall_ns;
}

/* How often ticks are.  Those of a thinned recording are the first one of each
 * interval, and a few others, such as the last one of all. */
struct tick_pace {
	int64_t interval_ns;
	int64_t thinned_ns; /* interval of the source; 0: not thinned */
};

static inline bool pace_is_same(struct tick_pace a, struct tick_pace b)
{
	return a.interval_ns == b.interval_ns && a.thinned_ns == b.thinned_ns;
}

/* How often hosts were asked: whatever a recording leaves out, one that did not answer
 * is as absent as it was. */
static inline int64_t pace_sampled(struct tick_pace pace)
{
	return pace.thinned_ns > 0 ? pace.thinned_ns : pace.interval_ns;
}

/* So far apart, ticks have a time of which nothing is known between them; nearer, one was
 * skipped. */
static inline bool pace_is_blind(int64_t between_ns, int64_t interval_ns)
{
	return between_ns > 5 * (interval_ns / 2);
}

/* As tick_nominal(), of a thinned recording, too: there the tick that is less than an interval
 * of the source after the multiple is that of the multiple. */
static inline int64_t tick_instant(int64_t wall_ns, struct tick_pace pace)
{
	int64_t late;

	if (pace.thinned_ns <= 0 || pace.interval_ns <= 0)
		return tick_nominal(wall_ns, pace.interval_ns);
	late = pace_late(wall_ns, pace.interval_ns);
	return late < pace.thinned_ns ? wall_ns - late
	    : tick_nominal(wall_ns, pace.thinned_ns);
}

/* The same where the interval changes: a tick may be the last one of the
 * interval before it, and as late as that allows, but none is due twice. */
static inline int64_t tick_due(int64_t wall_ns, int64_t before_ns,
	struct tick_pace pace, struct tick_pace was)
{
	int64_t due = tick_instant(wall_ns, was);

	return was.interval_ns > pace.interval_ns && due > before_ns ? due
	    : tick_instant(wall_ns, pace);
}

#endif
