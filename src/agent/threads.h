/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.h - the rows of entity thread.
 *
 * Threads of a process are read when it was read in full: if a process has not
 * run, none of its threads has.  A thread whose schedstat has not changed is
 * not read either, except as often as a quiet process is.
 */
#ifndef GS_AGENT_THREADS_H
#define GS_AGENT_THREADS_H

#include "agent/pids.h"
#include "agent/procs.h"
#include "model/rows.h"

struct thread;

struct threads {
	struct rows rows;
	struct thread *known, *next; /* by process, then thread; owned */
	size_t n_known, known_cap, n_next, next_cap;
	struct pids list; /* threads of one process */
	struct cells scratch; /* of entity process; owned */
	int16_t same[NCOLS(THREAD)]; /* column of scratch; -1: none */
};

void threads_init(struct threads *t, struct sent_texts *sent);
void threads_release(struct threads *t);

/* After procs_tick(), if the request asks for threads or there are rows of
 * them. */
void threads_tick(struct threads *t, struct scan *sc, const struct procs *ps,
	struct block *b);

#endif
