/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockgraph.h - who keeps whom waiting, by what one server's catalog says of
 * locks.  Sessions of two servers never wait for each other.
 *
 * A node is a session, cluster-wide: on Greenplum and Cloudberry all backends
 * with one session id, else a backend with its parallel workers, or a prepared
 * transaction.  A session waits for another one if a backend of it, on any
 * segment,
 * - wants a lock that conflicts with one that the other holds there, or
 * - wants a lock that conflicts with one that the other has wanted longer:
 *   the queue of a lock is in order, so that SELECTs behind an ALTER wait for
 *   the ALTER, though nobody holds what they want but a SELECT; or
 * - has the other among its pg_blocking_pids(), which, where it is recorded,
 *   counts for that backend in place of the two above.
 * Locks of resource queues are left out: nobody in particular holds them.
 *
 * Locks are asked for less often than backends: one that has ended since is
 * left out.  Who holds or wants it is looked for among the backends that the
 * catalog lists, then among the processes of the segment's acting primary: a
 * session in utility mode, or an executor that its coordinator process left
 * behind, stands in no list of the coordinator.
 *
 * The graph is of one instant.  It may have cycles: a deadlock over several
 * segments, which none of them sees.
 */
#ifndef GS_ANALYSIS_LOCKGRAPH_H
#define GS_ANALYSIS_LOCKGRAPH_H

#include "analysis/instances.h"
#include "analysis/sessions.h"
#include "model/world.h"

/* Sessions that are looked at; what is beyond is cut. */
#define LOCKGRAPH_NODES_MAX 4096u

#define LOCKGRAPH_NONE SIZE_MAX

struct lockgraph;

struct locknode {
	const struct lockgraph *graph; /* that it is in */
	bool has_session;
	int64_t session; /* session id */
	bool has_pid; /* false: a prepared transaction */
	int64_t content; /* of the backend that stands for it */
	uint64_t pid;
	const struct row *backend; /* NULL: not in pg_stat_activity */
	const struct proc *proc; /* where there is no backend: the process of
	                          * that pid, or NULL */
	const struct row *wants; /* the lock waited for longest, or NULL */
	const struct row *holds; /* a lock that keeps others waiting, or NULL */
	bool waits;
	int64_t since_ns; /* waits since, wall clock of the server */
	bool since_exact; /* else since when it was seen to wait */
	bool deadlock; /* waits, in the end, for itself */
	size_t root; /* the node at the end of what it waits for: itself if it
	              * waits for nobody, one of its cycle in a deadlock; NONE:
	              * not known */
	size_t blocks; /* nodes that wait for it, directly or not */
};

/* The graph of a catalog at the world's newest tick; rows are the world's and
 * live until its next tick.  Without a catalog (NULL) it is empty.  s and t: of
 * the same tick; NULL: processes are not looked at. */
struct lockgraph *lockgraph_new(const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t);
void lockgraph_free(struct lockgraph *g);

/* The catalog that it is made from. */
const struct host *lockgraph_catalog(const struct lockgraph *g);

/* Nodes: what has a lock that somebody waits for, waits for one, or is named by
 * pg_blocking_pids().  Those that neither wait nor block are among them. */
size_t lockgraph_count(const struct lockgraph *g);
const struct locknode *lockgraph_get(const struct lockgraph *g, size_t i);

/* True if there were more sessions than are looked at. */
bool lockgraph_is_cut(const struct lockgraph *g);

/* Whether a waits for b: directly, or in the end. */
bool lockgraph_waits_for(const struct lockgraph *g, size_t a, size_t b);
bool lockgraph_in_the_end(const struct lockgraph *g, size_t a, size_t b);

/* The node of a session id, or of a backend that has none; NONE. */
size_t lockgraph_find_session(const struct lockgraph *g, int64_t session);
size_t lockgraph_find_pid(const struct lockgraph *g, int64_t content,
	uint64_t pid);

/* Whether two lock modes conflict: "AccessShareLock", ... */
bool lockmode_conflicts(struct span a, struct span b);

#endif
