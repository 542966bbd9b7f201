/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog.h - what the database says of itself, as a world of its own.
 *
 * Two connections of libpq, none of which ever blocks its caller (but for the
 * name of a host that the user gave, which libpq resolves).  The first never
 * sends work to segments: pg_stat_activity of the coordinator, topology; on
 * PostgreSQL, locks and replication.  The second runs the queries that do, one
 * at a time, each with its own period and deadline; Greenplum's pg_locks is
 * one of them.  All settings are in the startup packet, since a SET is itself
 * sent to the segments.
 *
 * Answers become rows of the entities cluster, segment, backend, lock,
 * replica, group, vmem, workfile and collector in the world that
 * catalog_take() gives, which has one host,
 * number 0, with the clocks of this machine.  What a collector brought stays
 * until it is asked again; when the database is lost, all rows close.
 *
 * Use, in an event loop: at each tick catalog_tick(); whenever one of the
 * descriptors of catalog_waits() is ready or its time has come,
 * catalog_advance(); then catalog_waits() again.  Before a frame is made:
 * catalog_take().
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

/* Reads "locks,vmem" ("-locks" takes away from, "+workfiles" adds to what is
 * on by default; "none") into bits 1 << collector_id.  GS_E_USAGE names the
 * word that is none and all there are. */
int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err);
#define COLLECTORS_DEFAULT \
	(~(1u << COLLECT_SEGMENT_ACTIVITY | 1u << COLLECT_WORKFILES) & \
	    ((1u << COLLECTOR_COUNT) - 1))

struct catalog_options {
	const char *dsn; /* libpq's keywords or URI; NULL: what PG* say */
	const char *host, *port, *dbname, *user; /* NULL: not said; dsn wins.
	                                          * Where nothing names a
	                                          * database: postgres */
	const char *peer; /* OS user that a server behind a Unix socket must
	                   * run as; NULL: any.  dsn wins */
	uint32_t as_uid; /* whom the server takes the caller for, who is root;
	                  * 0: who it is */
	uint32_t collectors; /* bits */
	int64_t activity_ns; /* least time between two of the activity; 0:
	                      * every tick */
	int64_t dispatch_ns; /* period of what is sent to segments */
	int64_t locks_ns; /* least time between two of the locks */
	enum query_text query_text;
	size_t query_text_size; /* bytes that are kept of a text */
	size_t row_limit; /* of each query, if less than its own; 0: none */
	const char *label; /* what tells it from other servers; NULL */
	const char *version; /* of gpsnap */
	/* True if the process exists on the coordinator; NULL: it can't be
	 * known, as that is another host. */
	bool (*backend_alive)(void *arg, int pid);
	/* True if the title of the coordinator's process says that it stands
	 * in a resource queue, for which Greenplum 6's catalog says "lock";
	 * NULL: nobody knows. */
	bool (*is_queued)(void *arg, int pid);
	void *arg;
};

struct catalog;

/* Everything in opt must outlive the catalog.  Fails only on a dsn that
 * libpq can't parse (GS_E_USAGE), or is not there to parse (GS_E_NOTFOUND). */
struct catalog *catalog_new(const struct catalog_options *opt,
	struct gs_err *err);
/* Closes connections without waiting. */
void catalog_free(struct catalog *c);

/* The server is elsewhere now: from the next tick on it is asked as these
 * options say, of which only what names the server and the user counts. */
int catalog_move(struct catalog *c, const struct catalog_options *opt,
	struct gs_err *err);

/* Lets what runs end, or cancels it, as long as that at most; then closes
 * connections.  Only catalog_free() may follow. */
void catalog_finish(struct catalog *c, int64_t wait_ns);

#define CATALOG_WAITS_MAX 3

struct catalog_wait {
	int fd;
	bool readable, writable; /* what to wait for */
};

/* What to wait for now, and until when on gs_clock_mono_ns() (INT64_MAX: no
 * matter).  Returns the number of descriptors. */
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

/* Its world; NULL before the first answer.  *ret_fresh: something was applied
 * since the last call. */
const struct world *catalog_take(struct catalog *c, bool *ret_fresh);

/* Events since the last call (texts in the tick), for the next frame; to be
 * reset by tick_reset().  Never NULL.  Their host is EVENT_NO_HOST. */
struct tick *catalog_events(struct catalog *c);

/* True once after the database was asked about itself anew: fills the
 * header's server_version and settings of that catalog, and adds collectors that were refused
 * (header_add_refused()). */
bool catalog_describe(struct catalog *c, struct header *h, uint32_t index);

/* Pids of its own backends, to be left out of views; at most max. */
size_t catalog_own_pids(const struct catalog *c, int *ret, size_t max);

/* Tells under which recorded host a host of the catalog runs: fills
 * segment.host and cluster.host from now on.  The function gets hostname and
 * address of a row and returns a name that lives as long as the catalog, or
 * NULL.  Either may be empty; both are where the server is reached through a
 * socket of this host.  arg as in the options. */
void catalog_set_hosts(struct catalog *c,
	const char *(*host_of)(void *arg, const char *hostname,
	    const char *address));

/* Tells that host_of says other names than before: the topology is read
 * again, at the next tick. */
void catalog_rename_hosts(struct catalog *c);

/* Tells that somebody waits for a lock somewhere, as titles say: a session
 * that waits on a segment does not look so on the coordinator.  Locks are then
 * asked for, as often as locks_ns allows, until it is said that nobody does. */
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

/* The newest topology, counted anew at each change: *ret_generation tells
 * whether it is another one than before.  0 rows: not known. */
size_t catalog_segments(const struct catalog *c, uint64_t *ret_generation);
struct catalog_segment catalog_segment(const struct catalog *c, size_t i);

#endif
