/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_process.h - the process of a thread: rows of threads name it by number.
 */
#ifndef GS_QUERY_THREAD_PROCESS_H
#define GS_QUERY_THREAD_PROCESS_H

#include "analysis/sessions.h"
#include "model/world.h"

struct thread_process;

/* The processes of one tick; zeroed at first. */
struct thread_processes {
	struct thread_process *item; /* by host and pid; owned */
	size_t n, cap;
	uint64_t tick; /* of them; 0: none */
};

void thread_processes_release(struct thread_processes *t);

/* The process that the thread is of, or was if both ended in this tick.  NULL:
 * not recorded, or gone. */
const struct row *thread_process_find(struct thread_processes *t,
	const struct world *w, const struct row *thread);

/* Calls moved for each thread that the last tick did not change, but whose
 * process, or its session, it did. */
void thread_process_follow(struct thread_processes *t, const struct world *w,
	const struct sessions *s,
	void (*moved)(void *ctx, struct row *thread), void *ctx);

#endif
