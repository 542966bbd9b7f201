/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procfile.h - what /proc says of one process and its threads.
 */
#ifndef GS_HEAP_PROCFILE_H
#define GS_HEAP_PROCFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

/* Of a process, or of one of its threads. */
struct task_state {
	char state; /* 'S' */
	uint64_t start; /* ticks since boot */
};

/* Reads a file below /proc/PID, the first max bytes of it; 0 or -errno. */
int procfile_read(int dir_fd, const char *file, size_t max, struct buf *ret);

/* By a text of stat; false: it is not one. */
bool procfile_stat(struct span text, struct task_state *ret);

/* Traced by another process, by a text of status. */
bool procfile_is_traced(struct span status);

/* A process of a database: by its program, its name or its title. */
bool procfile_is_database(int dir_fd, struct buf *scratch);

#endif
