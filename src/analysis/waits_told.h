/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_told.h - what a tick of a thinned recording tells of samples: shared by
 * waits_take.c, which gives it, and waits_left_out.c, which adds it.
 *
 * Amounts may come from a crafted file: sums wrap around.
 */
#ifndef GS_ANALYSIS_WAITS_TOLD_H
#define GS_ANALYSIS_WAITS_TOLD_H

#include "analysis/waits_int.h"
#include "base/arith.h"

/* Amounts of an activity are the members of struct wait_sum, in order; but for two,
 * what they lack is told, which mostly is 0. */
_Static_assert(sizeof(struct wait_sum) == WAITED_AMOUNTS * sizeof(int64_t),
    "amounts");

/* Amounts of a server. */
enum {
	COVERED, SAMPLES, SESSION_TIME, PEAK, PEAK_WEIGHT, IO_WORKERS,
	IO_WORKERS_BUSY
};

/* kind of struct row_waited; of an activity: wait_kind + 1 */
#define OF_SERVER 0u
#define OF_STREAM 5u
#define OF_UNSEEN 6u /* of a server of which no backend was seen */
#define OF_WORK 7u /* of the process of a backend */

_Static_assert(WAIT_IDLE == 0 && WAIT_EVENT + 1 == OF_STREAM - 1,
    "numbers of activities in files");

/* Amounts of the process of a backend, of its row.  Times are of its host: in which it
 * may have worked unseen; since it was seen last; before it was seen first, which is a
 * part of what was unseen, and what the process had used by then. */
enum {
	WORK_FLAGS, CPU_US, IO_BYTES, MEMORY, UNSEEN_TIME, TIME_SINCE,
	TIME_BEFORE, CPU_BEFORE_US, IO_BEFORE
};

enum work_flag {
	WORK_HAS_CPU = 1, WORK_HAS_IO = 2, WORK_HAS_MEMORY = 4,
	WORK_IS_WHOLE = 8, /* it began since the tick before */
	WORK_HAS_ENDED = 16 /* while it was seen */
};

/* Amounts of a stream, and the first ones of an activity. */
enum { TIME, TIMES };

/* Or the other way round. */
static inline int64_t waits_lacking_sleep(const struct wait_sum *s)
{
	if (s->with_io_ns == 0)
		return s->asleep_ns;
	return gs_difference(gs_difference(s->with_io_ns, s->asleep_ns),
	    gs_sum(gs_sum(s->cpu_ns, s->queue_ns), s->io_ns));
}

static inline void waits_add(int64_t *to, int64_t more)
{
	*to = gs_sum(*to, more);
}

/* The process of that number, as its server knows it, which the tick ended on the host;
 * NULL: none did, or several. */
const struct row *waits_ended_process(struct ended_processes *e,
	const struct world *w, const struct host *h, uint64_t pid);

/* Which bucket of struct wait_sum a wait of n samples is in. */
unsigned waits_bucket(uint64_t n);

/* The stream that is covered, as far as nobody says more; NULL: none. */
const struct stream *waits_covered_stream(const struct waits *s);

#endif
