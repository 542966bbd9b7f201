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
 * sent to the segments.  A third one, short and rare, asks another database for
 * the names of relations (names.h).
 *
 * Answers become rows of the entities cluster, segment, backend, lock,
 * replica, group, vmem, workfile and collector in the world that
 * catalog_world() returns, which has one host,
 * number 0, with the clocks of this machine.  The rows of a collector stay
 * until it runs again; when the connection is lost, all rows close.
 *
 * Use, in an event loop: call catalog_tick() at each tick; call
 * catalog_advance() when a descriptor of catalog_waits() is ready or its time
 * is due; then call catalog_waits() again.  Call catalog_world() before each
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
#include "pg/catalog_options.h"
#include "pg/collectors.h"

struct catalog;

/* Everything in opt must outlive the catalog.  Fails only if libpq can't parse
 * the dsn (GS_E_USAGE) or is not installed (GS_E_NOTFOUND). */
struct catalog *catalog_new(const struct catalog_options *opt,
	struct gs_err *err);
/* Closes connections without waiting. */
void catalog_free(struct catalog *c);

/* The server has moved: from the next tick on it is asked at the address in
 * opt.  Only the options that name the server and the user are used. */
void catalog_move(struct catalog *c, const struct catalog_options *opt);

/* Waits wait_ns at most for running queries to end, or cancels them; then
 * closes connections.  Only catalog_free() may follow. */
void catalog_finish(struct catalog *c, int64_t wait_ns);

#define CATALOG_WAITS_MAX 4

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
const struct world *catalog_world(struct catalog *c, bool *ret_fresh);

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
