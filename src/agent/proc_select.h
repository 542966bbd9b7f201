/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_select.h - selects the processes to record.
 *
 * A postmaster is a process whose program is a database server and whose
 * parent's is not.  It and all its descendants belong to the database.  The
 * parent is checked when a process is first seen, so an orphan stays.  Other
 * processes are recorded while they are among the busiest.  All are recorded
 * on request, or if there is no database.  If the request names processes, only
 * these are recorded: those that have the numbers when it comes first, so that
 * a number that is used again is another process; and those whose name fits.
 */
#ifndef GS_AGENT_PROC_SELECT_H
#define GS_AGENT_PROC_SELECT_H

#include "agent/proc.h"

struct proc_select {
	struct proc **busy; /* processes that used CPU, busiest first; not owned */
	size_t n_busy, busy_cap;
	uint64_t servers; /* postmasters alive */
	int64_t served_ns; /* monotonic time at which one was last alive */
	bool served; /* there was one at some time */
	bool all; /* all processes are recorded at this tick */
	bool chosen; /* only those that were named */
};

void proc_select_release(struct proc_select *ps);

/* True if the program of pid is a database server.  comm is used if the
 * executable may not be read. */
bool proc_select_is_server(struct root *r, uint32_t pid, struct span comm);

/* The same by its executable alone; false if that may not be read. */
bool proc_select_executable(struct root *r, uint32_t pid, bool *ret);

/* Whether the name of p, which was read, fits. */
void proc_select_name(const struct scan *sc, struct proc *p);

/* Decides to which database p belongs; proc is sorted by pid. */
void proc_select_resolve(const struct scan *sc, struct proc *const *proc,
	size_t n, struct proc *p);

/* The role of p at this tick, after proc_select_roles(). */
enum proc_role proc_select_role(const struct proc_select *ps, const struct proc *p);

/* Sets proc.role of all for this tick. */
void proc_select_roles(struct proc_select *ps, const struct scan *sc,
	struct proc *const *proc, size_t n);

/* The process with that pid, or NULL. */
struct proc *proc_select_find(struct proc *const *proc, size_t n, uint32_t pid);

#endif
