/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_reading.h - the state of one full read of a process, and how each of its
 * files is read or kept.
 */
#ifndef GS_AGENT_PROC_READING_H
#define GS_AGENT_PROC_READING_H

#include "agent/delays.h"
#include "agent/failures.h"
#include "base/buf.h"

struct proc_read {
	struct buf title; /* of the read before */
	unsigned missing; /* files that this kernel does not have */
	struct proc_fds fds;
	/* the columns that come from each file, by the registry */
	uint64_t cols[SOURCE_COUNT][COL_WORDS(NCOLS(PROCESS))];
};

struct reading {
	struct proc_read *f;
	const struct scan *sc;
	struct proc *p;
	struct cells now;
	struct delays delays; /* if has_delays */
	bool has_delays;
	int dir_fd;
	bool lost;
	uint32_t unread; /* files that may not be read */
	bool slept; /* it has not run since its last full read */
};

/* Reads a file; false if that was not possible, which is noted. */
bool reading_get(struct reading *r, enum proc_file file, size_t max_bytes,
	struct span *ret);

/* Notes how the read of a file ended, 0 or -errno: true if it was read. */
bool reading_ended(struct reading *r, unsigned file, int status);

/* Keeps all cells of one file from the last full read. */
void reading_keep(struct reading *r, enum metric_source from);

#endif
