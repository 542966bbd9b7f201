/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.h - a thread that does one job after the other for its owner.
 *
 * The owner must not touch what a job uses from worker_start() until
 * worker_wait().  Shared are the budget of the process (budget.h) and how it ends when
 * memory is exhausted (mem.h).  Signals go to other threads.
 */
#ifndef GS_BASE_WORKER_H
#define GS_BASE_WORKER_H

struct worker;

typedef void (*worker_fn)(void *ctx);

/* NULL: no thread can be begun; the owner does the work itself. */
struct worker *worker_new(void);

/* Waits for its job.  NULL: nothing. */
void worker_free(struct worker *w);

/* Begins a job; the one before must have been waited for. */
void worker_start(struct worker *w, worker_fn fn, void *ctx);

/* Until the job is done; at once if there is none. */
void worker_wait(struct worker *w);

#endif
