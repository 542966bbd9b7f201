/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockgraph.h - blocking sessions, from the locks in one server's catalog.
 * Sessions of two servers never wait for each other.
 *
 * A node is a session, cluster-wide: on Greenplum and Cloudberry all backends
 * with one session id, else a backend with its parallel workers, or a prepared
 * transaction.  A session waits for another one if one of its backends, on any
 * segment,
 * - wants a lock that conflicts with one that the other holds there, or
 * - wants a lock that conflicts with one that the other has wanted longer: a
 *   lock is granted in queue order, so SELECTs queued after an ALTER wait for
 *   the ALTER, although only a SELECT holds the lock; or
 * - has the other in its pg_blocking_pids().  Where this is recorded, it
 *   replaces the two rules above for that backend.
 * Locks of resource queues are left out: no single session holds them.
 *
 * Locks are sampled less often than backends.  A lock that has been released
 * since is left out.  Its holder or waiter is looked up among the backends in
 * the catalog, then among the processes of the segment's acting primary: the
 * coordinator does not list sessions in utility mode, nor executors that
 * outlived their coordinator process.
 *
 * The graph is of one instant.  It may have cycles: a deadlock across segments,
 * which no single segment can detect.
 */
#ifndef GS_ANALYSIS_LOCKGRAPH_H
#define GS_ANALYSIS_LOCKGRAPH_H

#include "analysis/instances.h"
#include "analysis/sessions.h"
#include "model/world.h"

/* Sessions in a graph; more are cut off. */
#define LOCKGRAPH_NODES_MAX 4096u

#define LOCKGRAPH_NONE SIZE_MAX

struct lockgraph;

struct locknode {
	const struct lockgraph *graph;
	bool has_session;
	int64_t session; /* session id */
	bool has_pid; /* false: a prepared transaction */
	int64_t content; /* of the backend that represents it */
	uint64_t pid;
	const struct row *backend; /* NULL: not in pg_stat_activity */
	const struct proc *proc; /* without a backend: the process of that pid,
	                          * or NULL */
	const struct row *wants; /* the lock waited for longest, or NULL */
	const struct row *holds; /* a lock that blocks others, or NULL */
	bool waits;
	int64_t since_ns; /* start of its wait, wall clock of the server */
	bool since_exact; /* false: its first sample as waiting */
	bool deadlock; /* is part of a cycle */
	size_t root; /* end of its wait chain: itself if it waits for nobody;
	              * one node of the cycle in a deadlock; NONE: not known */
	size_t blocks; /* nodes that wait for it, directly or not */
};

/* The graph of a catalog at the world's newest tick.  Rows belong to the world
 * and live until its next tick.  Without a catalog (NULL) the graph is empty. s
 * and t are of the same tick; NULL: processes are not used. */
struct lockgraph *lockgraph_new(const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t);
void lockgraph_free(struct lockgraph *g);

/* The catalog that it is made from. */
const struct host *lockgraph_catalog(const struct lockgraph *g);

/* Nodes: sessions that hold a lock that another wants, wait for a lock, or are
 * in pg_blocking_pids().  Some of them neither wait nor block. */
size_t lockgraph_count(const struct lockgraph *g);
const struct locknode *lockgraph_get(const struct lockgraph *g, size_t i);

/* Whether a waits for b, directly or over others. */
bool lockgraph_waits(const struct lockgraph *g, size_t a, size_t b);
bool lockgraph_waits_directly(const struct lockgraph *g, size_t a, size_t b);

/* The lock that tells in which table somebody waits for a row or a transaction,
 * as far as that is recorded: itself for a tuple; for a transaction the tuple that
 * one who waits for it has locked meanwhile.  NULL: not known, or r is of another
 * type. */
const struct row *lockgraph_relation(const struct lockgraph *g,
	const struct row *r);

/* The node of a session id, or of a backend without one; NONE if not found. */
size_t lockgraph_find_session(const struct lockgraph *g, int64_t session);
size_t lockgraph_find_pid(const struct lockgraph *g, int64_t content,
	uint64_t pid);

#endif
