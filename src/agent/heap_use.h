/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_use.h - what is known of the heap of one process.
 */
#ifndef GS_AGENT_HEAP_USE_H
#define GS_AGENT_HEAP_USE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/row.h"

struct heap_thread {
	uint32_t tid;
	bool has; /* it was read at some time */
	uint64_t start; /* ticks since boot */
	uint64_t allocated, deallocated; /* bytes */
};

struct heap_use {
	struct heap_thread *thread; /* by number; owned */
	size_t n, cap;
	/* allocated and deallocated, bytes: of threads that ended, of all */
	uint64_t ended[2], sum[2];
	bool has; /* sum */
	bool denied; /* it may not be read */
	bool lacks; /* it has no jemalloc */
	bool waiting; /* for an answer */
	int64_t asked_ns; /* monotonic; 0: never */
	uint64_t asked_tick;
	uint64_t clock; /* CPU clock when it was asked for */
	uint64_t tick; /* at which sum was last read */
};

/* Another process: all but the memory is forgotten. */
void heap_use_reset(struct heap_use *u);

/* The process is no longer recorded, but may be again: what its threads said is
 * forgotten, when it was read is not. */
void heap_use_leave(struct heap_use *u);

/* Takes what all threads say, sorted by number; one that could not be read now
 * is set to what it said before.  The sum is of them and of those that have
 * ended.  False: it is as before, since one of them was never read. */
bool heap_use_take(struct heap_use *u, struct heap_thread *thread, size_t n);

/* Cells of the process, if they are known. */
void heap_use_set(const struct heap_use *u, struct cells c);

/* Cells of one of its threads. */
void heap_use_set_thread(const struct heap_use *u, uint32_t tid,
	uint64_t start, struct cells c);

#endif
