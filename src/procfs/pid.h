/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pid.h - scanners of the files below /proc/<pid>.
 *
 * They get the text of a file and set cells of a process row; texts are
 * returned as spans into it.  A cell that the file does not give stays absent.
 */
#ifndef GS_PROCFS_PID_H
#define GS_PROCFS_PID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"

/* Facts of this host that the figures of stat depend on. */
struct pid_stat_opt {
	uint64_t page_size; /* bytes */
	/* kernel.task_delayacct: 1, 0, or -1 if that sysctl does not exist;
	 * then only a figure above 0 proves that delays are measured. */
	int delayacct;
};

/* The few fields that are needed before a full read. */
struct pid_brief {
	uint64_t pid;
	uint64_t ppid;
	uint64_t start; /* ticks since boot */
	uint64_t flags; /* PF_ bits */
	uint64_t cpu; /* user and system time, ticks */
	char state;
	struct span comm;
	struct span image; /* as in struct pid_stat_more */
};

/* False if the text is not a whole stat line; then nothing is stored. */
bool pid_stat_brief(struct span text, struct pid_brief *ret);

/* What stat has besides cells. */
struct pid_stat_more {
	struct span comm; /* may hold anything, ')' and newline included */
	/* where its code and its stack are: another place after it executed a
	 * program, but for readers that may not know; empty if cut */
	struct span image;
};

/* All fields.  False, and c is unchanged, if the text is cut before the start
 * time. */
bool pid_stat_scan(struct span text, const struct pid_stat_opt *opt,
	struct cells c, struct pid_stat_more *ret);

/* *ret_cpus is the text of Cpus_allowed_list, empty if there is none. */
void pid_status_scan(struct span text, struct cells c, struct span *ret_cpus);

void pid_io_scan(struct span text, struct cells c);

/* Wakeups, migrations, waits, sleeps of the main thread, as far as the kernel
 * measures them. */
void pid_sched_scan(struct span text, struct cells c);

/* run, delay (ns) and slices of the main thread; false if cut. */
bool pid_schedstat_scan(struct span text, uint64_t ret[3]);

/* KiB. */
struct pid_statm {
	uint64_t size, resident;
	uint64_t shared; /* resident pages of files and shared memory */
	uint64_t data; /* data and stack */
};

/* False if the text is cut. */
bool pid_statm_get(struct span text, uint64_t page_size,
	struct pid_statm *ret);

/* resident - shared.  The two are counted separately, so shared may be slightly
 * larger: then it is 0. */
uint64_t pid_statm_private(const struct pid_statm *m);

/* PRIVATE: resident - shared, for kernels that have no RssAnon. */
void pid_statm_scan(struct span text, uint64_t page_size, struct cells c);

/* Paths of the control groups of a process; empty if the text names none. */
struct pid_cgroups {
	struct span main; /* the unified one; where that is the root, memory's,
			   * else cpu's, else the first that is not the root;
			   * "/" if all are */
	struct span cpu; /* in the hierarchy of the cpu controller */
	struct span memory; /* and of the memory controller */
};

struct pid_cgroups pid_cgroup_scan(struct span text);

void pid_smaps_rollup_scan(struct span text, struct cells c);

/* STACK_SIZE and STACK_REF, of the mapping [stack] in smaps. */
void pid_smaps_stack_scan(struct span text, struct cells c);

/* Turns a command line into one text, in place: NULs at the end are removed,
 * others become blanks.  Returns the new length. */
size_t pid_cmdline_join(char *p, size_t len);

/* The data directory among a postmaster's raw arguments (-D DIR, -DDIR, -c
 * or -- data_directory=DIR).  False if none is named. */
bool pid_cmdline_data_dir(struct span raw, struct span *ret);

/* The value of a variable in a raw environ; false if it is not set. */
bool pid_environ_get(struct span raw, const char *name, struct span *ret);

#endif
