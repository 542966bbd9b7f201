/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks.h - the processes and threads of a host over a run of pidstat: their
 * state at its beginning, at the sample before, and now.
 *
 * A task is a process or thread by its number and start.  One that was born
 * after the sample before counts from zero; of one that only appeared the
 * earlier figures are unknown; it counts from there.  One that ended stays,
 * with its last figures, for the averages.
 *
 * strict: as in pidstat.  A task is a number, whatever process has it; a new
 * one counts from zero; an ended one is forgotten.
 *
 * Use: per tick tasks_apply(); after a sample was shown tasks_step().
 */
#ifndef GS_SYSSTAT_TASKS_H
#define GS_SYSSTAT_TASKS_H

#include <uthash.h>

#include "sysstat/figures.h"
#include "sysstat/instant.h"

/* Ended tasks that are kept for averages; what ends later is forgotten. */
#define TASKS_ENDED_MAX 100000u

/* Figures at some earlier instant. */
struct since {
	struct figures fig;
	struct instant at;
};

struct task {
	/* what it is found by */
	uint32_t pid;
	uint32_t tid; /* 0: the process as a whole */
	uint64_t start; /* ticks since boot */
	struct figures now;
	struct instant at; /* of now; of one that left: its last */
	struct since prev, first;
	/* over the samples that had the figure */
	double sum[FIG_COUNT];
	uint32_t n_sum[FIG_COUNT];
	uint32_t n_samples; /* at which it was there, but for the first */
	bool here; /* at the newest tick */
	bool ended; /* it ended, or is no longer recorded */
	bool may_return; /* it is alive, as far as is known */
	bool was_here; /* it was, at some tick since the sample before */
	bool sampled; /* in a sample that was shown, or before one */
	char *comm; /* owned, never NULL */
	char *line; /* command line; NULL: has none, or is not recorded */
	char *user; /* NULL: unknown */
	UT_hash_handle hh; /* in tasks.past */
};

struct tasks {
	struct task **task; /* by pid, then tid, processes first; owned */
	size_t n, cap;
	struct task *past; /* those that ended before the sample before, which
	                    * no report but the averages has; owned */
	struct task **next; /* scratch */
	size_t next_cap;
	struct tasks_seen *seen; /* scratch */
	size_t n_seen, seen_cap;
	bool strict;
	bool threads; /* these, too */
	bool stack; /* strict: one whose stack may not be read is gone */
	bool from_zero; /* all counts from when it began */
	bool begun;
	struct instant began; /* the first tick */
	size_t n_ended; /* of those kept */
	size_t n_forgotten; /* ended, and not among them */
};

void tasks_release(struct tasks *t);

/* The state after a tick.  before: the sample before, from which those that
 * were born since count.  is_sample: figures that are levels count for the
 * averages; not at the first, from which they begin. */
void tasks_apply(struct tasks *t, const struct world *w, const struct host *h,
	const struct instant *before, const struct instant *at,
	bool is_sample);

/* A sample was shown: the current state becomes the one before. */
void tasks_step(struct tasks *t);

/* Takes those that ended long ago among the others again, for averages, which are
 * the last report. */
void tasks_recall(struct tasks *t);

/* Forgets all tasks. */
void tasks_clear(struct tasks *t);

#endif
