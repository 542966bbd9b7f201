/* SPDX-License-Identifier: Apache-2.0 */
/*
 * taskstats.h - answers of the kernel about the delays of a process or thread.
 *
 * They are netlink messages (linux/taskstats.h).  Numbers of commands and
 * attributes never change, and are those of the headers.  The structure grows with
 * kernel versions, so struct taskstats of the build host is not used: it may be
 * older or newer.  What lies beyond the length of an answer is absent.
 */
#ifndef GS_PROCFS_TASKSTATS_H
#define GS_PROCFS_TASKSTATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"

enum delay_kind {
	DELAY_CPU,
	DELAY_BLKIO,
	DELAY_SWAPIN,
	DELAY_RECLAIM,
	DELAY_THRASHING,
	DELAY_COMPACT,
	DELAY_WPCOPY,
	DELAY_IRQ,
	DELAY_KINDS
};

struct delay {
	bool has; /* count and total */
	bool has_peaks; /* max and min */
	uint64_t count, total_ns, max_ns, min_ns;
};

struct delays {
	unsigned version;
	struct delay of[DELAY_KINDS];
	bool has_switches;
	uint64_t csw_vol, csw_invol; /* of the threads that live */
	uint64_t run_ns; /* CPU time; 0: not known */
};

/* One message: either an error, or statistics. */
struct taskstats_reply {
	uint32_t seq; /* as in the request */
	int error; /* errno; 0: none */
	struct span stats; /* for taskstats_scan() */
};

/* Facts that decide which zeros are true. */
struct taskstats_opt {
	int delayacct; /* as in struct pid_stat_opt */
	bool cpu; /* the kernel measures waits for a CPU */
	bool irq; /* it measures interrupts */
	bool young; /* started since task_delayacct is 1: it is measured */
	bool peaks; /* the answer is about one thread */
};

/* The number of the family TASKSTATS, from the answer of the controller.  0, or
 * errno: ENOENT if the kernel has none, EPROTO if it is no such answer. */
int taskstats_family(struct span msg, uint16_t *ret);

/* False: not a whole answer of that family. */
bool taskstats_reply(struct span msg, uint16_t family,
	struct taskstats_reply *ret);

/* False: too short for a version. */
bool taskstats_scan(struct span stats, struct delays *ret);

/* Sets cells of a process.  What the kernel does not measure stays absent. */
void taskstats_set(const struct delays *d, const struct taskstats_opt *opt,
	struct cells c);

#endif
