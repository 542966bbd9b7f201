/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_fds.h - files of processes, and their descriptors that are kept open.
 *
 * Files of a process that runs again and again stay open, since opening them
 * costs as much as reading.
 */
#ifndef GS_AGENT_PROC_FDS_H
#define GS_AGENT_PROC_FDS_H

#include "agent/proc.h"

enum proc_file {
	FILE_STAT,
	FILE_SCHEDSTAT,
	FILE_STATUS,
	FILE_IO,
	FILE_WCHAN,
	FILE_STATM,
	FILE_LAST_KEPT = FILE_STATM,
	FILE_CMDLINE,
	FILE_CGROUP,
	FILE_SMAPS_ROLLUP,
	FILE_SMAPS,
	FILE_SCHED,
	FILE_END
};

struct proc_fds {
	size_t n_kept, max_kept; /* descriptors of processes */
	size_t n_files; /* of these: files, which use kernel memory */
};

/* "smaps_rollup" */
const char *proc_fds_name(enum proc_file file);

/* Raises the limit of open descriptors as far as possible. */
void proc_fds_init(struct proc_fds *f);

/* A full read of p begins. */
void proc_fds_begin(struct proc *p);

/* Reads a file of p, whose directory is dir_fd; smaps and titles are cut at
 * max_bytes.  0, or -errno. */
int proc_fds_read(struct proc_fds *f, struct root *root, int dir_fd,
	struct proc *p, enum proc_file file, size_t max_bytes,
	struct span *ret);

/* Keeps the directory of p; false if there are too many. */
bool proc_fds_keep_dir(struct proc_fds *f, struct proc *p, int dir_fd);

/* Closes kept files that neither this full read of p nor the last one needed: few
 * processes need status again soon, so that files of more can stay open. */
void proc_fds_close_idle(struct proc_fds *f, struct proc *p);

/* Closes the kept descriptors of p. */
void proc_fds_close(struct proc_fds *f, struct proc *p);

/* Notes whether p ran since the previous tick. */
void proc_fds_note_run(struct proc_fds *f, struct proc *p, bool ran);

#endif
