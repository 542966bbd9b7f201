/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reap.h - what short-lived processes used, from what their parents say.
 *
 * When a process ends and is waited for, the kernel adds all that it ever
 * used to its parent: CPU time and faults to the parent's c-counters, IO to
 * the parent's own IO.  Per parent and tick the residual is that growth less
 * the last known totals of the children that vanished: what children used
 * after their last sample, and what children used that were never seen.
 *
 * A child may vanish from the list a moment before its parent's counters
 * grow, and ticks are coarser than the CPU clock: a residual below 0 is a
 * debt that later ticks pay.  Whatever is not paid is forgotten at the second
 * key after it, as not every child is waited for by its parent.  Debts end
 * where a range begins, so that what is shown does not depend on where reading
 * began.
 *
 * After a hole nobody knows whether a child that is not there any more has
 * ended, or only left: what was known of it is taken off what its parent's
 * counters grew by in the hole and in the tick after it, and makes no debt
 * beyond that.
 *
 * A process that was not recorded leaves behind its whole life when it ends,
 * its own children of long ago included.  What is more CPU time than the
 * host's CPUs had since the last sample is that, and has no amount: it is
 * missing.
 *
 * Where ticks were left out this can't be concluded any more: the recording
 * tells what it would have been.
 */
#ifndef GS_ANALYSIS_REAP_H
#define GS_ANALYSIS_REAP_H

#include "model/world.h"

/* Columns of process that a residual has, and where it comes from. */
enum reap_col {
	REAP_CPU, /* us */
	REAP_UTIME,
	REAP_STIME,
	REAP_GUEST_TIME,
	REAP_MINFLT,
	REAP_MAJFLT,
	REAP_RCHAR,
	REAP_WCHAR,
	REAP_SYSCR,
	REAP_SYSCW,
	REAP_READ_BYTES,
	REAP_WRITE_BYTES,
	REAP_CANCELLED,
	REAP_COUNT
};

/* From here on: counters that mix the parent's own and its children's. */
#define REAP_FIRST_IO REAP_RCHAR

/* What one parent's children left behind in the last tick. */
struct residual {
	struct row *parent;
	bool reaping; /* IO growth of the parent is in amount, not its own */
	bool mixed; /* but for row_sum(parent, ..., SUM_OWN): ticks were left
	             * out */
	uint32_t present; /* bit per reap_col */
	uint32_t missing; /* there was some, but not of this tick alone */
	uint64_t amount[REAP_COUNT];
};

struct reap;

struct reap *reap_new(void);
void reap_free(struct reap *r);

/* Looks at the last tick; key says whether it was one. */
void reap_tick(struct reap *r, const struct world *w, bool key);

/* A range begins at the last tick: debts from before it end. */
void reap_begin(struct reap *r);

/* The residuals of the last tick. */
const struct residual *reap_list(const struct reap *r, size_t *ret_n);

/* That of one parent, or NULL. */
const struct residual *reap_of(const struct reap *r, const struct row *row);

/* The column of process that a reap_col adds to. */
unsigned reap_column(enum reap_col c);

#endif
