/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pick.h - which processes are recorded.
 *
 * A postmaster is a process whose program is a database server and whose
 * parent's is not; it and all below it belong to the database, by parentage
 * at first sight: an orphan stays.  Others are recorded while they are among
 * the busiest, or all are: on request, or where there is no database.
 */
#ifndef GS_AGENT_PICK_H
#define GS_AGENT_PICK_H

#include "agent/proc.h"

struct pick {
	struct proc **busy; /* that used CPU, busiest first; not owned */
	size_t n_busy, busy_cap;
	uint64_t servers; /* postmasters alive */
	int64_t served_ns; /* monotonic time at which there was one */
	bool served; /* there ever was one */
	bool all; /* all processes are recorded at this tick */
};

void pick_release(struct pick *pk);

/* True if the program of pid is a database server.  comm counts where the
 * executable may not be seen. */
bool pick_is_server(struct root *r, uint32_t pid, struct span comm);

/* Decides what p belongs to, of processes that are sorted by pid. */
void pick_resolve(const struct scan *sc, struct proc *const *proc, size_t n,
	struct proc *p);

/* The role of p at this tick, after pick_roles(). */
enum role pick_role(const struct pick *pk, const struct proc *p);

/* Sets proc.role of all for this tick. */
void pick_roles(struct pick *pk, const struct scan *sc,
	struct proc *const *proc, size_t n);

/* The process with that pid, or NULL. */
struct proc *pick_find(struct proc *const *proc, size_t n, uint32_t pid);

#endif
