/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_read.h - reads everything about one process.
 *
 * All files are opened below one directory descriptor, which means the same
 * process for ever: after its end every read fails, even if the number is in
 * use again.  So a row never mixes two processes, and a row is given back
 * whole or not at all.
 *
 * Order: the CPU clock and schedstat, by which a quiet process is known,
 * come before what they vouch for.
 */
#ifndef GS_AGENT_PROC_READ_H
#define GS_AGENT_PROC_READ_H

#include "agent/proc.h"
#include "base/buf.h"

enum proc_read_result {
	PROC_READ_OK,
	PROC_READ_LOST, /* it vanished */
	PROC_READ_OTHER, /* another process has that number now */
	PROC_READ_DENIED /* not even stat may be read */
};

struct proc_read {
	struct buf title; /* the read before */
	unsigned missing; /* files that this kernel does not have */
	size_t n_kept, max_kept; /* descriptors of processes */
	size_t n_files; /* of these: files, which hold kernel memory */
	/* the columns that come from each file, by the registry */
	uint64_t cols[SOURCE_COUNT][COL_WORDS(NCOLS(PROCESS))];
};

/* Raises the limit of open descriptors as far as it goes. */
void proc_read_init(struct proc_read *f);
void proc_read_release(struct proc_read *f);

/* Fills now (cleared before).  Text cells hold references, also if the
 * result is not PROC_READ_OK: then the caller forgets them.  *ret_refused: some
 * file may not be read. */
enum proc_read_result proc_read(struct proc_read *f, const struct scan *sc,
	struct proc *p, struct cells now, bool *ret_refused);

/* Reads schedstat alone; false if there is none. */
bool proc_read_sched(struct proc_read *f, const struct scan *sc, struct proc *p,
	uint64_t ret[3]);

/* Closes what is kept of p. */
void proc_read_close(struct proc_read *f, struct proc *p);

/* Notes whether p ran since the tick before: files of one that runs all the
 * time stay open, since opening them costs as much as reading. */
void proc_read_note_run(struct proc_read *f, struct proc *p, bool ran);

#endif
