/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.h - one process that the agent knows, and what one tick knows.
 */
#ifndef GS_AGENT_PROC_H
#define GS_AGENT_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rows.h"
#include "base/clock.h"
#include "model/row.h"
#include "model/tick.h"
#include "procfs/passwd.h"
#include "procfs/pid.h"
#include "procfs/root.h"

/* Files of a process whose descriptors may be kept. */
#define PROC_FILES 5

/* Values of the cell process.role. */
enum role {
	ROLE_NONE = 0, /* not recorded */
	ROLE_POSTMASTER = 1,
	ROLE_BELOW = 2, /* below a postmaster */
	ROLE_BUSY = 3,
	ROLE_ALL = 4 /* all are recorded */
};

struct proc {
	uint32_t pid, ppid;
	uint64_t start; /* ticks since boot */
	uint64_t first_tick; /* at which it was seen first */
	uint64_t read_tick; /* of the last full read */

	/* what it is */
	bool resolved; /* db says whether it belongs to a database */
	bool is_server; /* its program is a database server */
	bool kthread;
	bool denied; /* nothing of it may be read */
	bool dead; /* to be removed at the end of the tick */
	bool refused; /* some file of it may not be read */
	bool busy; /* recorded since it is among the busiest */
	uint8_t db; /* ROLE_NONE, ROLE_POSTMASTER or ROLE_BELOW */
	uint8_t role; /* of this tick */
	uint8_t idle_ticks; /* not among the busiest */
	char state;
	uint32_t postmaster; /* pid; 0: none */

	/* CPU, ns */
	uint64_t clock; /* at the last probe; 0: could not be read */
	uint64_t probed; /* at this tick, if proc.probe_tick says so */
	uint64_t probe_tick;
	uint64_t used; /* since the tick before */
	uint64_t proc_read_clock; /* at the last full read */
	uint64_t proc_read_sched[3];
	uint64_t affinity; /* hash of its CPUs before status was read; 0: unknown */
	bool has_sched;
	uint64_t threads;
	/* monotonic time of the last reads */
	int64_t brief_ns, full_ns, cgroup_ns;

	/* its row */
	bool open;
	uint32_t slot;
	struct cells was; /* val is NULL until the row opens; owned */
	int dir_fd; /* -1: not kept */
	int file_fd[PROC_FILES]; /* the same */
	uint8_t hot; /* ticks at which it ran, less those at which not */

	/* temporary files found at this tick */
	uint64_t spill_bytes;
	uint32_t spill_files;
	uint32_t spill_part; /* first of its operators, from 1; 0: none */
};

/* Forgets what p was and lets it be pid, first seen at tick; the memory of
 * its cells stays, cleared. */
void proc_reset(struct proc *p, uint32_t pid, uint64_t tick);

/* What all readers need to know during one tick. */
struct scan {
	struct root *root;
	struct sent_texts *told;
	const struct passwd *users;
	struct delta *delta; /* of entity process */
	uint64_t tick;
	int64_t mono_ns;
	int64_t prev_boot_ns; /* of the tick before; < 0: none */
	int64_t interval_ns; /* since the tick before; 0: none */
	uint64_t refresh_ticks; /* what is quiet is read after so many */
	uint32_t with; /* wire_with bits */
	uint32_t busiest;
	struct pid_stat_opt stat_opt;
	uint64_t tick_ns; /* of a clock tick */
	uint64_t forks; /* ever made on this host; 0: unknown */
	bool asked_anew; /* the request asks for other things than before */
	bool memory_taken; /* pages were taken from somebody */
	bool rebooted; /* nothing is what it was at the tick before */
	/* counted, for the agent's row */
	uint64_t seen, read, quiet, lost, refused;
};

/* What runs not is read all the same within this time. */
#define SCAN_REFRESH_NS (10 * GS_NSEC_PER_SEC)

/* True if what was read last at last_ns has its turn at this tick: each
 * process once in refresh_ticks, not all at the same. */
static inline bool scan_due(const struct scan *sc, uint32_t pid,
	int64_t last_ns)
{
	int64_t most = (int64_t)sc->refresh_ticks * sc->interval_ns;

	return (sc->tick + pid) % sc->refresh_ticks == 0 ||
	    sc->mono_ns - last_ns >= most - sc->interval_ns / 2;
}

/* Started after the sample before: its figures count from zero.  Start times
 * are cut to a clock tick, so what was not listed then decides. */
static inline bool proc_born(const struct scan *sc, const struct proc *p)
{
	return sc->prev_boot_ns >= 0 && p->first_tick == sc->tick &&
	    p->start >= (uint64_t)sc->prev_boot_ns / sc->tick_ns;
}

/* The rows of an entity but the host's: they end with a boot. */
static inline void scan_begin_rows(const struct scan *sc, struct rows *r,
	struct delta *d)
{
	rows_begin(r, d);
	if (sc->rebooted)
		rows_close_all(r, CLOSE_EXITED);
}

/* The CPU clock of a process in ns, ended threads included; 0 if it can not
 * be read or has not run.  Only where root.own_pids holds. */
uint64_t proc_clock(uint32_t pid);

#endif
