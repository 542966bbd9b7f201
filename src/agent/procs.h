/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procs.h - the processes of the host, tick by tick.
 *
 * A few fields and the CPU clock of every listed process are known; recorded
 * processes (proc_select.h) have a row.  A process that has not run since its
 * last full read has not changed, and is not read.
 */
#ifndef GS_AGENT_PROCS_H
#define GS_AGENT_PROCS_H

#include "agent/exits.h"
#include "agent/proc_list.h"
#include "agent/proc_read.h"
#include "agent/proc_select.h"
#include "agent/proc.h"
#include "model/slots.h"

struct procs {
	struct proc **proc; /* by pid */
	size_t n, cap;
	struct proc **next; /* while merging */
	size_t next_cap;
	struct proc **spare; /* for reuse, with their cells */
	size_t n_spare, spare_cap;
	struct proc_list list;
	struct slots slots;
	struct proc_read full;
	struct proc_select select;
	struct exits exits;
	struct cells now; /* of the row being read; owned */
	uint32_t *gone; /* pids that ended at this tick */
	size_t n_gone, gone_cap;
	size_t n_listed; /* of gone: those missing in the list, ascending */
};

void procs_init(struct procs *ps);
void procs_release(struct procs *ps);

/* One tick: reads, and adds to sc->delta.  Counts in sc. */
int procs_tick(struct procs *ps, struct scan *sc, struct gs_err *err);

#endif
