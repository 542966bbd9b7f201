/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exits.h - usage that reaches a recorded process through one that is not.
 *
 * When a process is reaped, its parent's counters grow by all that it and its
 * own reaped children used.  A reader takes off what it knows: the rows that
 * ended.  It does not know that a process ends that is not recorded; but rows
 * may have counted usage of that one, before it left the selection, and of its
 * children.  So each listed process that is not recorded has an account:
 *
 *   - the totals of its row, when that closed and the process goes on;
 *   - the totals of recorded children that end while it is their parent;
 *   - the accounts of children that are not recorded, when they end.
 *
 * When it ends, and its parent is recorded, the account is added to counters
 * of the parent's row (counted_cpu, ...), which a reader takes off the growth.
 *
 * Nothing is known of processes that ended before the agent started, nor of
 * children that their parent does not wait for.  A process has one account at
 * most, so memory is bounded by the number of listed processes.
 */
#ifndef GS_AGENT_EXITS_H
#define GS_AGENT_EXITS_H

#include "agent/proc.h"
#include "model/usage.h"

/* Usage of one process; totals, as its parent gets them. */
struct account {
	uint64_t owed[REAP_COUNT]; /* counted by rows; 0 while it is recorded */
	uint64_t counted[REAP_COUNT]; /* of reaped children: cells of its row */
	bool owes; /* owed is not empty */
	bool has_counted; /* the same of counted */
	bool grew; /* counted was not put into its row yet */
	bool placed; /* its parent was read after owed was empty */
};

/* A process that ended since the last exits_settle(). */
struct exited {
	uint32_t pid, ppid;
	uint64_t start;
	bool recorded; /* a reader knows of it */
	bool counts; /* usage is not empty */
	uint64_t usage[REAP_COUNT]; /* that rows counted */
};

struct exits {
	struct exited *list; /* by pid */
	size_t n, cap;
};

void exits_release(struct exits *x);

/* The process ends; before its row, if any, is cleared. */
void exits_ended(struct exits *x, const struct scan *sc, const struct proc *p);

/* Its row closes, and it goes on; before the row is cleared. */
void exits_left(const struct scan *sc, struct proc *p);

/* Its row opens: its counters contain what it owes. */
void exits_opens(struct proc *p);

/* Moves the usage of what ended to those of proc that have it now.  Their
 * roles are those of this tick. */
void exits_settle(struct exits *x, struct proc *const *proc, size_t n);

/* All was rebooted. */
void exits_forget(struct exits *x);

/* The process is owing, and its parent may be another one than p->ppid. */
bool exits_must_place(const struct proc *p, struct proc *const *proc,
	size_t n);

/* Sets its cells. */
void exits_fill(const struct proc *p, struct cells now);

#endif
