/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_list.h - which processes there are, at each tick.
 *
 * Listing all takes the kernel a microsecond per process, so only what may be
 * new is listed: numbers are given in ascending order, and loadavg has the last
 * one that was given.  A process that ended has no CPU clock any more.
 *
 * All are listed when the numbers started over, after very many forks, and once in
 * TURN_LATE: permissions to see processes can change.  Once in TURN_SOON, if the
 * kernel counts more or fewer than are listed: with CAP_CHECKPOINT_RESTORE a process
 * can be given any number.  Where processes of other pid namespaces come and go, it
 * mostly counts others.
 *
 * A fork takes its number before it is listed.  So a list begins after the
 * number that was the last at the list before the previous one, and what was
 * slow is found by the next.
 */
#ifndef GS_AGENT_PROC_LIST_H
#define GS_AGENT_PROC_LIST_H

#include "agent/pids.h"
#include "agent/proc.h"

struct proc_list {
	struct pids pids;
	uint64_t forks; /* counter before the last list; 0: unknown */
	uint64_t last, before; /* last number given, before the last list and
				* before the one before it; 0: unknown */
	uint64_t others; /* links of /proc that are no process of the list, when
			  * all were listed; 0: unknown */
	int64_t full_ns; /* when all were listed */
};

void proc_list_release(struct proc_list *l);

/* Makes pids the processes of now.  proc: those that are known, by pid. */
int proc_list_read(struct proc_list *l, const struct scan *sc,
	struct proc *const *proc, size_t n, struct gs_err *err);

#endif
