/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.h - when ticks are due: at multiples of the interval, or so many
 * intervals after an instant.
 *
 * Due times are instants of the wall clock, so that recordings of several
 * hosts have their ticks together and a late tick never moves those after
 * it.  Three clocks tell why ticks are missing: if the wall clock was set, it
 * advanced by more or less than the boot clock; if the machine was suspended,
 * the boot clock advanced and the monotonic clock did not; if the recorder did
 * not run (stopped, or starved), all of them advanced.
 */
#ifndef GS_RECORD_SCHEDULE_H
#define GS_RECORD_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#define SCHEDULE_INTERVAL_MIN_NS (INT64_C(100) * 1000 * 1000)
#define SCHEDULE_INTERVAL_MAX_NS (INT64_C(86400) * 1000 * 1000 * 1000)
/* A difference between the clocks that is no adjustment of their rate. */
#define SCHEDULE_STEP_MIN_NS (INT64_C(100) * 1000 * 1000)
/* A tick that is late by less counts as late, not as a pause of the recorder,
 * whatever the interval. */
#define SCHEDULE_STOOD_MIN_NS (INT64_C(1000) * 1000 * 1000)

struct schedule_clocks {
	int64_t wall_ns, mono_ns, boot_ns;
};

struct schedule {
	int64_t interval_ns;
	int64_t origin_ns; /* wall; multiples are counted from it */
	int64_t due_ns; /* wall; of the newest tick, 0 before the first */
	struct schedule_clocks at; /* of the newest tick */
};

/* Result of schedule_tick() for the current tick. */
struct schedule_tick {
	int64_t late_ns; /* after its due time */
	bool is_late; /* by more than half an interval */
	uint64_t skipped; /* multiples since the tick before that had none */
	int64_t step_ns; /* the wall clock was set by so much; 0: not set */
	int64_t slept_ns; /* the machine was suspended for so long; 0: not */
	int64_t stood_ns; /* the recorder did not run for so long, although
	                   * the machine was awake; 0: it ran */
};

/* The smallest multiple of the interval after now, and after last unless
 * the clock was set back since (last is more than an interval ahead). */
int64_t schedule_next(int64_t now_ns, int64_t interval_ns, int64_t last_ns);

/* origin_ns: 0, or the instant that ticks are counted from. */
void schedule_init(struct schedule *s, int64_t interval_ns,
	int64_t origin_ns);

/* Ticks are due at multiples of another interval from now on; as if the last one
 * before the newest tick had been one. */
void schedule_set_interval(struct schedule *s, int64_t interval_ns);

/* When the next tick is due, by the wall clock. */
int64_t schedule_due(const struct schedule *s, int64_t wall_ns);

/* A tick happens at these clocks; due_ns is the result of schedule_due(), or
 * 0 for an unscheduled tick (the first and last around a command). */
struct schedule_tick schedule_tick(struct schedule *s, int64_t due_ns,
	const struct schedule_clocks *now);

#endif
