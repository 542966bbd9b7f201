/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threadproc.h - the process of each thread, at one tick.  Private to
 * src/view.
 *
 * Use: zeroed; threadproc_find(); threadproc_release().
 */
#ifndef GS_QUERY_THREADPROC_H
#define GS_QUERY_THREADPROC_H

#include "model/world.h"

struct threadproc_entry;

struct threadproc {
	struct threadproc_entry *entry; /* by host and pid; owned */
	size_t n, cap;
	uint64_t tick; /* the tick of its content; 0: none */
};

/* The newest process of that number on the thread's host; NULL: not recorded,
 * or gone. */
const struct row *threadproc_find(struct threadproc *t,
	const struct world *w, const struct row *thread);

void threadproc_release(struct threadproc *t);

#endif
