/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procs.h - the processes of the host, tick by tick.
 *
 * Every process that is listed is known by a few fields and its CPU clock;
 * those that are recorded (pick.h) have a row.  The list is read anew only if
 * somebody was forked or somebody's clock is gone: else it would say the same
 * (pids_read() costs a microsecond for each).  One that has not run since
 * its last full read has not changed, and is not read (design, "Quiet
 * processes").
 */
#ifndef GS_AGENT_PROCS_H
#define GS_AGENT_PROCS_H

#include "agent/proc_read.h"
#include "agent/pick.h"
#include "agent/pids.h"
#include "agent/proc.h"
#include "model/slots.h"

struct procs {
	struct proc **proc; /* by pid */
	size_t n, cap;
	struct proc **next; /* being merged */
	size_t next_cap;
	struct proc **spare; /* for reuse; their cells, too */
	size_t n_spare, spare_cap;
	struct pids pids;
	uint64_t listed_forks; /* before they were listed; 0: unknown */
	int64_t listed_ns;
	struct slots slots;
	struct proc_read full;
	struct pick pick;
	struct cells now; /* of the row being read; owned */
	uint32_t *gone; /* pids that went at this tick */
	size_t n_gone, gone_cap;
	size_t n_listed; /* of gone: missing in the list, ascending */
};

void procs_init(struct procs *ps);
void procs_release(struct procs *ps);

/* One tick: reads, and adds to sc->delta.  Counts in sc. */
int procs_tick(struct procs *ps, struct scan *sc, struct gs_err *err);

#endif
