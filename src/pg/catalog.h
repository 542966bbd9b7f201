/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog.h - the catalog of a database, sampled into a world of its own.
 *
 * It has two libpq connections.  Neither blocks the caller, except while libpq
 * resolves a host name that the user gave.  The first never
 * sends work to segments: pg_stat_activity of the coordinator, topology; on
 * PostgreSQL, locks and replication.  The second runs the queries that do, one
 * at a time, each with its own period and deadline; Greenplum's pg_locks is
 * one of them.  All settings are in the startup packet, since a SET is itself
 * sent to the segments.
 *
 * Answers become rows of the entities cluster, segment, backend, lock,
 * replica, group, vmem, workfile and collector in the world that
 * catalog_take() returns, which has one host,
 * number 0, with the clocks of this machine.  The rows of a collector stay
 * until it runs again; when the connection is lost, all rows close.
 *
 * Use, in an event loop: call catalog_tick() at each tick; call
 * catalog_advance() when a descriptor of catalog_waits() is ready or its time
 * is due; then call catalog_waits() again.  Call catalog_take() before each
 * frame.
 */
#ifndef GS_PG_CATALOG_H
#define GS_PG_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/header.h"
#include "model/world.h"

enum query_text {
	QUERY_TEXT_MASKED, /* literals are replaced before anything is kept */
	QUERY_TEXT_FULL,
	QUERY_TEXT_NONE
};

enum collector_id {
	COLLECT_ACTIVITY, /* backends */
	COLLECT_TOPOLOGY, /* segments */
	COLLECT_LOCKS,
	COLLECT_REPLICATION,
	COLLECT_GROUPS, /* resource groups or queues */
	COLLECT_VMEM,
	COLLECT_LIMITS, /* max_connections of segments; sent to them */
	COLLECT_SEGMENT_ACTIVITY, /* backends of segments; sent to them */
	COLLECT_WORKFILES, /* gp_workfile views; sent to them */
	COLLECTOR_COUNT
};

/* "activity", ...; in the order of the enum. */
const char *collector_name(enum collector_id c);

/* Parses "locks,vmem" ("-locks" removes from the default, "+workfiles" adds to
 * it; "none") into bits 1 << collector_id.  GS_E_USAGE names the unknown word
 * and all collectors. */
int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err);
#define COLLECTORS_DEFAULT \
	(~(1u << COLLECT_SEGMENT_ACTIVITY | 1u << COLLECT_WORKFILES) & \
	    ((1u << COLLECTOR_COUNT) - 1))

struct catalog_options {
	const char *dsn; /* libpq's keywords or URI; NULL: from PG* */
	const char *host, *port, *dbname, *user; /* NULL: not given; dsn wins.
	                                          * The default database is
	                                          * postgres */
	const char *peer; /* OS user that a server on a Unix socket must
	                   * run as; NULL: any.  dsn wins */
	uint32_t as_uid; /* OS user to connect as, if the caller is root;
	                  * 0: the caller's own */
	uint32_t collectors; /* bits */
	int64_t activity_ns; /* minimum time between two samples of the
	                      * activity; 0: every tick */
	int64_t dispatch_ns; /* period of queries that are sent to segments */
	int64_t locks_ns; /* minimum time between two samples of the locks */
	enum query_text query_text;
	size_t query_text_size; /* bytes of a query text that are kept */
	size_t row_limit; /* of each query, if less than its own; 0: none */
	const char *label; /* distinguishes it from other servers; NULL */
	const char *version; /* of gpsnap */
	/* True if the process exists on the coordinator; NULL: not known,
	 * since that is another host. */
	bool (*backend_alive)(void *arg, int pid);
	/* True if the title of the coordinator's process says that it waits
	 * in a resource queue, which Greenplum 6's catalog shows as "lock";
	 * NULL: not known. */
	bool (*is_queued)(void *arg, int pid);
	void *arg;
};

struct catalog;

/* Everything in opt must outlive the catalog.  Fails only if libpq can't parse
 * the dsn (GS_E_USAGE) or is not installed (GS_E_NOTFOUND). */
struct catalog *catalog_new(const struct catalog_options *opt,
	struct gs_err *err);
/* Closes connections without waiting. */
void catalog_free(struct catalog *c);

/* The server has moved: from the next tick on it is asked at the address in
 * opt.  Only the options that name the server and the user are used. */
int catalog_move(struct catalog *c, const struct catalog_options *opt,
	struct gs_err *err);

/* Waits wait_ns at most for running queries to end, or cancels them; then
 * closes connections.  Only catalog_free() may follow. */
void catalog_finish(struct catalog *c, int64_t wait_ns);

#define CATALOG_WAITS_MAX 3

struct catalog_wait {
	int fd;
	bool readable, writable; /* what to wait for */
};

/* Descriptors to wait for now, and until when on gs_clock_mono_ns()
 * (INT64_MAX: no limit).  Returns the number of descriptors. */
size_t catalog_waits(const struct catalog *c,
	struct catalog_wait ret[CATALOG_WAITS_MAX], int64_t *ret_due_ns);

/* Does what can be done without waiting. */
void catalog_advance(struct catalog *c);

/* A tick begins: starts the collectors that are due, connects if it is time
 * to try again. */
void catalog_tick(struct catalog *c);

/* True while an answer that belongs to this tick is still to come: the
 * recorder waits for it until the tick's deadline, as for a host's. */
bool catalog_is_waiting(const struct catalog *c);

/* Its world; NULL before the first answer.  *ret_fresh: the world has changed
 * since the last call. */
const struct world *catalog_take(struct catalog *c, bool *ret_fresh);

/* Events since the last call (texts in the tick), for the next frame; the
 * caller resets them with tick_reset().  Never NULL.  Their host is
 * EVENT_NO_HOST. */
struct tick *catalog_events(struct catalog *c);

/* True once each time version and settings were read: fills server_version
 * and settings of that catalog in the header, and adds the collectors that
 * were refused (header_add_refused()). */
bool catalog_describe(struct catalog *c, struct header *h, uint32_t index);

/* Pids of its own backends, to be left out of views; at most max. */
size_t catalog_own_pids(const struct catalog *c, int *ret, size_t max);

/* Sets the function that maps a host of the catalog to a recorded host: fills
 * segment.host and cluster.host from now on.  The function gets hostname and
 * address of a row and returns a name that lives as long as the catalog, or
 * NULL.  Either may be empty; both are empty if the server is reached through
 * a socket of this host.  arg as in the options. */
void catalog_set_hosts(struct catalog *c,
	const char *(*host_of)(void *arg, const char *hostname,
	    const char *address));

/* host_of returns other names than before: the topology is read again at the
 * next tick. */
void catalog_rename_hosts(struct catalog *c);

/* waits: process titles show that some session waits for a lock; the
 * coordinator does not show waits on a segment.  Locks are then read, as often
 * as locks_ns allows, until a call with false. */
void catalog_somebody_waits(struct catalog *c, bool waits);

/* One segment of the newest topology. */
struct catalog_segment {
	int content;
	char role; /* 'p', 'm' */
	bool up;
	int port;
	const char *hostname, *address, *datadir; /* valid until
	                                           * catalog_advance() */
};

/* Number of rows of the newest topology; *ret_generation increases with each
 * change.  0 rows: not known. */
size_t catalog_segments(const struct catalog *c, uint64_t *ret_generation);
struct catalog_segment catalog_segment(const struct catalog *c, size_t i);

#endif
