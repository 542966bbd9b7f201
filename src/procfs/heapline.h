/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heapline.h - the lines between the agent and gpsnap-heap.
 *
 *   PID START NAMED                          read this process; NAMED: 1 if a
 *                                            user named it by its number
 *   T PID TID START ALLOCATED DEALLOCATED    a thread of it
 *   B PID TID START                          one that could not be read now
 *   P PID START ERROR                        it is done; errno, 0: read
 *
 * START is in clock ticks since boot, as in stat.  Errors that mean something
 * of their own are in enum heap_error.
 */
#ifndef GS_PROCFS_HEAPLINE_H
#define GS_PROCFS_HEAPLINE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

/* The longest line, its end included; a pipe takes it as a whole. */
#define HEAP_LINE_MAX 128u

/* The most threads of a process that are read; with more, none is. */
#define HEAP_THREADS_MAX 4096u

enum heap_error {
	HEAP_NO_JEMALLOC = ENOENT,
	HEAP_NO_SYMBOLS = ENODATA, /* it has, but where its figures are is not
				    * known */
	HEAP_FOREIGN = ENOEXEC, /* of another architecture */
	HEAP_BUSY = EBUSY, /* traced by another, or it did not stop in time */
	HEAP_TOO_MANY = E2BIG, /* threads */
	HEAP_DATABASE = ECANCELED, /* a database's, and it was not named */
	HEAP_NO_PROGRAM = ENOPKG, /* gpsnap-heap is not there */
	HEAP_DIED = EPIPE, /* gpsnap-heap ended */
	HEAP_HANGS = ETIMEDOUT /* it does not answer */
};

struct heap_request {
	uint32_t pid;
	uint64_t start;
	bool named;
};

struct heap_answer {
	char kind; /* 'T', 'B' or 'P' */
	uint32_t pid, tid;
	uint64_t start;
	uint64_t allocated, deallocated; /* bytes */
	int error;
};

void heapline_put_request(const struct heap_request *r, struct buf *to);
void heapline_put_answer(const struct heap_answer *a, struct buf *to);

/* A line without its end; false: it is not one of these. */
bool heapline_request(struct span line, struct heap_request *ret);
bool heapline_answer(struct span line, struct heap_answer *ret);

#endif
