/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failures.h - what the agent could not read of processes, by file and error.
 *
 * A row of the entity source for each file that was tried.  Counters begin
 * with the agent.  That a process ended while it was read is not a failure.
 */
#ifndef GS_AGENT_FAILURES_H
#define GS_AGENT_FAILURES_H

#include "agent/proc_fds.h"
#include "model/rows.h"

/* After the files of enum proc_file. */
enum failures_file {
	FAILURES_FD = FILE_END, /* the directory of descriptors */
	FAILURES_PIDS, /* the list of processes */
	FAILURES_TASKSTATS, /* of delays.h */
	FAILURES_HEAP, /* of heap.h */
	FAILURES_NETLINK, /* the socket for them */
	FAILURES_DELAYACCT, /* most of them are switched off */
	FAILURES_CGROUP_IO, /* of cgio.h: there are too many */
	FAILURES_FILES
};

_Static_assert(FAILURES_FILES <= 32, "a bit of proc.unread for each");

struct failures {
	struct rows rows;
	struct failures_count {
		uint64_t tried, lost, others;
		uint64_t eacces, eperm, enoent;
		int other; /* the newest other error */
		uint64_t processes; /* of this tick */
	} file[FAILURES_FILES];
};

void failures_init(struct failures *f, struct sent_texts *sent);
void failures_release(struct failures *f);

/* n reads ended with status, 0 or -errno; -ESRCH: the process was gone. */
void failures_add(struct failures *f, unsigned file, uint64_t n, int status);

/* The same of one. */
static inline void failures_note(struct failures *f, unsigned file, int status)
{
	failures_add(f, file, 1, status);
}

/* Processes whose file is not readable are counted at each tick. */
void failures_begin(struct failures *f);

/* A process whose files with these bits, 1 << file, are not readable. */
void failures_count(struct failures *f, uint32_t files);

/* The rows of the tick. */
void failures_put(struct failures *f, const struct scan *sc,
	struct delta *d);

#endif
