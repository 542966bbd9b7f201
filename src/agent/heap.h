/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.h - what threads allocate by jemalloc, as gpsnap-heap reads it.
 *
 * A process is asked for at one tick and its answer is used at a later one, at
 * most once in the request's heap_interval_s.
 * Processes of a database are left alone unless they are named by number.
 */
#ifndef GS_AGENT_HEAP_H
#define GS_AGENT_HEAP_H

#include "agent/heap_link.h"
#include "agent/procs.h"

struct heap {
	struct heap_link link;
	/* threads of the process whose answer has begun */
	struct heap_thread *thread; /* owned */
	size_t n, cap;
	uint32_t pid;
	uint64_t start;
};

void heap_init(struct heap *h);
void heap_release(struct heap *h);

/* Before processes are read: takes what is known by now. */
void heap_receive(struct heap *h, const struct scan *sc,
	const struct procs *ps);

/* After they were read: asks for those that are due. */
void heap_ask(struct heap *h, const struct scan *sc, const struct procs *ps);

#endif
