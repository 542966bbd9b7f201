/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procs_int.h - what the sources of procs share.
 */
#ifndef GS_AGENT_PROCS_INT_H
#define GS_AGENT_PROCS_INT_H

#include "agent/procs.h"

/* The few fields and the CPU clock of each process, and whether its program is a
 * database server; decides whose descendant it is.  sc->lost counts new processes
 * that have ended already. */
void procs_examine(struct procs *ps, struct scan *sc);

/* The pid was reused: replaces the old process. */
void procs_see_other(struct procs *ps, struct scan *sc, struct proc *p);

/* Ends its row, if it has one. */
void procs_close_row(struct procs *ps, const struct scan *sc, struct proc *p,
	enum row_close why);

/* The pid of one that has ended at this tick. */
void procs_add_gone(struct procs *ps, uint32_t pid);

#endif
