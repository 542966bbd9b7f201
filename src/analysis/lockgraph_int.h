/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockgraph_int.h - shared by lockgraph.c (who waits for whom), lockwants.c
 * (locks that somebody waits for) and lockholders.c (which backend a lock
 * belongs to, and whether it still has it).
 */
#ifndef GS_ANALYSIS_LOCKGRAPH_INT_H
#define GS_ANALYSIS_LOCKGRAPH_INT_H

#include "analysis/lockgraph.h"

struct lockbackend {
	int64_t content;
	uint64_t pid;
	const struct row *row;
};

/* Lookup by up to three numbers; of equal keys the first that was added is
 * found. */
struct lockindex {
	struct lockkey {
		uint64_t key[3];
		size_t at; /* order of insertion */
		const void *is;
	} *item;
	size_t n, cap;
	bool made;
};

struct lockholders {
	const struct world *w;
	const struct host *h; /* the catalog; NULL: none */
	const struct sessions *sessions; /* NULL: processes are not known */
	const struct instances *instances;
	struct lockbackend *backend; /* by content and pid */
	size_t n_backend;
	struct lockindex owners; /* rows of the coordinator, by session */
	struct lockindex primaries; /* instances, by content; made at the first
	                             * lookup */
	struct lockindex procs; /* by host, postmaster, pid; made at the first
	                         * lookup */
	bool dated; /* asked_us is known */
	int64_t asked_us; /* when locks were sampled; wall clock */
};

void lockholders_init(struct lockholders *g, const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t);
void lockholders_release(struct lockholders *g);

/* Its row of pg_stat_activity, or NULL. */
const struct row *lockholders_backend(const struct lockholders *g,
	int64_t content, uint64_t pid);

/* Its process; NULL: not recorded. */
const struct proc *lockholders_proc(struct lockholders *g,
	int64_t content, uint64_t pid);

/* Whether the lock r still exists. b: the backend that has or wants it, or NULL
 * if no catalog lists it. */
bool lockholders_has(struct lockholders *g, const struct row *r,
	const struct row *b, bool granted);

#define LOCK_MODES 8 /* from 1 */

/* Columns that identify the locked object. */
#define LOCK_OBJECT_COLS 11u

struct lockwant {
	uint64_t object[LOCK_OBJECT_COLS + 1]; /* the last: bits of those
	                                        * present */
	const struct row *row;
	size_t node; /* used by lockgraph.c */
	int mode;
	bool granted;
	bool told; /* pg_blocking_pids() of its backend is known and replaces
	            * this */
	int64_t since_ns; /* order in the queue */
	int64_t then_ns; /* order among equals */
	int64_t waits_ns; /* start of its wait, if known */
};

/* Locks by object; for each object holders first, then waiters in queue order. */
struct lockwants {
	struct lockwant *lock;
	size_t n;
};

/* Locks that still exist, on objects that somebody waits for. */
void lockwants_init(struct lockwants *l, struct lockholders *of);
void lockwants_release(struct lockwants *l);

/* The index after the last lock of the object that begins at from. */
size_t lockwants_object_end(const struct lockwants *l, size_t from);

/* It may have waited for the same lock before, with a break in between that no
 * sample shows: no wait is older than the statement of backend b (NULL: none). */
int64_t lockwants_not_before_query(const struct row *b, int64_t since_ns);

/* Whether the two lock modes conflict. */
bool lockwants_conflict(int mode, int with);

static inline uint64_t lock_cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

#endif
