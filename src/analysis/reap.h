/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reap.h - usage of short-lived processes, from the counters of their parents.
 *
 * When a process is reaped, the kernel adds its total usage to its parent: CPU
 * time and faults to the parent's c-counters, IO to the parent's own IO.  Per
 * parent and tick the residual is that growth minus the last known totals of
 * the children that disappeared: usage of children after their last sample, and
 * usage of children that were never seen.
 *
 * A child may disappear from the list a moment before its parent's counters
 * grow, and ticks are coarser than the CPU clock: a residual below 0 is a debt,
 * which is subtracted from later residuals.  The rest is dropped at the second
 * key after it, as not every child is reaped by its parent.  Debts end where a
 * range begins, so that figures do not depend on where reading began.
 *
 * After a hole it is not known whether a missing child has ended or was only
 * not recorded.  Its known totals are subtracted from the growth of its
 * parent's counters in the hole and in the tick after it, and make no debt
 * beyond that.
 *
 * When a process that was not recorded is reaped, its parent gets the usage of
 * its whole life, including that of its own reaped children.  More CPU time
 * than the host's CPUs had since the last sample must come from there.  Such a
 * residual has no amount: it is missing.
 *
 * A process that is not recorded may have children that are, and may have been
 * recorded before.  What rows counted of it and of them is in its parent's
 * growth when it is reaped; nobody but the agent can know, and says how much
 * in columns of the parent (counted_cpu, ...).
 *
 * Where ticks were left out, residuals can't be derived any more: the recording
 * holds them.
 */
#ifndef GS_ANALYSIS_REAP_H
#define GS_ANALYSIS_REAP_H

#include "model/usage.h"
#include "model/world.h"

/* The residual of one parent's children in the last tick. */
struct residual {
	struct row *parent;
	bool reaping; /* IO growth of the parent is in amount, and is not its
	               * own */
	bool mixed; /* except row_sum(parent, ..., SUM_OWN): ticks were left out */
	uint32_t present; /* bit per reap_col */
	uint32_t missing; /* there was some, but not in this tick alone */
	uint64_t amount[REAP_COUNT];
};

struct reap;

struct reap *reap_new(void);
void reap_free(struct reap *r);

/* Processes the last tick; key: whether it was a key. */
void reap_tick(struct reap *r, const struct world *w, bool key);

/* A range begins at the last tick: debts from before it end. */
void reap_begin(struct reap *r);

/* Whether the residuals of the last tick are lower than those of a range that begins
 * later. */
bool reap_used_debts(const struct reap *r);

/* What parents owe after the last tick, to go on with in a world that begins at the
 * same tick. */
struct reap_debts *reap_debts(const struct reap *r);
void reap_debts_free(struct reap_debts *d);
void reap_take_debts(struct reap *r, const struct world *w,
	const struct reap_debts *d);

/* The residuals of the last tick. */
const struct residual *reap_list(const struct reap *r, size_t *ret_n);

/* The residual of one parent, or NULL. */
const struct residual *reap_of(const struct reap *r, const struct row *row);

/* The column of process that a reap_col adds to. */
unsigned reap_column(enum reap_col c);

#endif
