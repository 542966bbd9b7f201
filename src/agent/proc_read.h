/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_read.h - reads everything about one process.
 *
 * All files are opened below one directory descriptor, which always refers to
 * the same process: after its end every read fails, even if the pid is reused.
 * So a row never mixes two processes, and it is returned complete or not at
 * all.
 *
 * Order: the CPU clock and schedstat, which show that a process is quiet, are
 * read before the files that are then skipped.
 */
#ifndef GS_AGENT_PROC_READ_H
#define GS_AGENT_PROC_READ_H

#include "agent/proc_reading.h"

enum proc_read_result {
	PROC_READ_OK,
	PROC_READ_LOST, /* it vanished */
	PROC_READ_OTHER, /* another process has that pid now */
	PROC_READ_DENIED /* not even stat may be read */
};

void proc_read_init(struct proc_read *f);
void proc_read_release(struct proc_read *f);

/* Fills now (cleared before).  Text cells hold references, even if the result
 * is not PROC_READ_OK: then the caller releases them.  *ret_unread: files that
 * may not be read, 1 << enum failures_file. */
enum proc_read_result proc_read(struct proc_read *f, const struct scan *sc,
	struct proc *p, struct cells now, uint32_t *ret_unread);

/* Reads schedstat only; false if it does not exist. */
bool proc_read_sched(struct proc_read *f, const struct scan *sc, struct proc *p,
	uint64_t ret[3]);

#endif
