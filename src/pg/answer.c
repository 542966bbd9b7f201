/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.c - turns results of collectors into rows, and their errors into
 * events.
 */
#include "pg/catalog_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "model/own.h"
#include "pg/note.h"

size_t answer_limit(const struct catalog *c, const struct query *q)
{
	size_t limit = c->opt.row_limit;

	return limit && limit < q->limit ? limit : q->limit;
}

void answer_end(struct catalog *c)
{
	collect_put(c->collector, &c->opt, &c->rowset);
	rowset_end(&c->rowset);
	c->fresh = true;
}

/* ---- hosts ----------------------------------------------------------- */

static const char *host_of(const struct catalog *c, const char *hostname,
	const char *address)
{
	const char *name = NULL;

	if (c->host_of)
		name = c->host_of(c->opt.arg, hostname, address);
	return name ? name : "";
}

/* The host of the coordinator. */
static const char *cluster_host(const struct catalog *c)
{
	const struct instance *i = topology_coordinator(&c->topology);
	PGconn *pg = c->link[MAIN].conn.pg;
	const char *host = pg ? PQhost(pg) : NULL;
	const char *address = pg ? PQhostaddr(pg) : NULL;

	if (i)
		return host_of(c, i->hostname, i->address);
	if (!host || *host == '/' || *host == '@')
		host = ""; /* a local socket */
	return host_of(c, host, address ? address : "");
}

/* WAL senders do not count in max_connections from PostgreSQL 12 on. */
#define OWN_SENDERS_VERSION 120000

/* Free connections; -1: not known. */
static int64_t spare_connections(const struct catalog *c)
{
	bool shared = c->ident.server.version_num < OWN_SENDERS_VERSION;
	int64_t spare;

	if (!c->clients || !c->ident.max_connections ||
	    (shared && !c->senders_known))
		return -1;
	spare = strtoll(c->ident.max_connections, NULL, 10) -
	    (int64_t)c->clients - (shared ? (int64_t)c->senders : 0);
	return GS_MAX(spare, 0);
}

/* Of many connections a tenth is left to others, of few these. */
#define ROOM_LEAST 10

bool answer_has_room(const struct catalog *c)
{
	int64_t all = c->ident.max_connections
	    ? strtoll(c->ident.max_connections, NULL, 10) : 0;

	return spare_connections(c) >= GS_MAX(all / 10, (int64_t)ROOM_LEAST);
}

void answer_cluster(struct catalog *c)
{
	int64_t spare = spare_connections(c);

	ident_put(&c->ident, &c->rowset, cluster_host(c), spare);
}

/* ---- rows ------------------------------------------------------------ */

/* A statement that fails on a segment ends our gangs; we get a new session.  A
 * connection that was given up may still be there for a while. */
static bool is_own(const struct catalog *c, struct cells now)
{
	int i;

	if (span_eq(rowset_get_text(&c->rowset, now,
	    COL(BACKEND, APPLICATION)), OWN_APPLICATION))
		return true;

	for (i = 0; i < LINKS; i++) {
		if (c->link[i].conn.state >= CONN_READY &&
		    now.val[COL(BACKEND, PID)] ==
			(uint64_t)c->link[i].conn.pid)
			return true;
	}
	return false;
}

static void see_session(struct catalog *c, struct cells was, struct cells now)
{
	const unsigned col = COL(BACKEND, SESSION);

	if (!was.val || !cells_has(was, col) || !cells_has(now, col) ||
	    was.val[col] == now.val[col] || is_own(c, now))
		return;
	note(&c->events, EVENT_SESSION, (int64_t)now.val[col],
	    "session %" PRId64 " is now session %" PRId64 ", process %" PRIu64,
	    (int64_t)was.val[col], (int64_t)now.val[col],
	    now.val[COL(BACKEND, PID)]);
}

/* "Lock" is the wait event's class, "lock" Greenplum 6's reason. */
static bool waits_for_lock(const struct rowset *s, struct cells now)
{
	struct span type = rowset_get_text(s, now, COL(BACKEND, WAIT_TYPE));

	return span_eq(type, "Lock") || span_eq(type, "lock");
}

static bool stands_in_queue(const struct catalog *c, struct cells now)
{
	return c->ident.server.manager == NEED_QUEUES && c->opt.is_queued &&
	    c->opt.is_queued(c->opt.arg,
	    (int)now.val[COL(BACKEND, PID)]);
}

static void see_wait(struct catalog *c, struct cells was, struct cells now)
{
	if (!waits_for_lock(&c->rowset, now) || stands_in_queue(c, now))
		return;
	c->waiting = true;
	c->waiting_news |= !was.val || !waits_for_lock(&c->rowset, was);
}

static void see_backend(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;
	struct span type = rowset_get_text(&c->rowset, now, COL(BACKEND, TYPE));

	see_session(c, was, now);
	see_wait(c, was, now);
	c->locked |= waits_for_lock(&c->rowset, now);
	c->replicates |= cells_has(now, COL(BACKEND, TYPE))
	    ? span_eq(type, "walsender")
	    : cells_has(now, COL(BACKEND, USER));
	/* without the right to see types, datname still shows clients */
	c->clients += cells_has(now, COL(BACKEND, TYPE))
	    ? span_eq(type, "client backend")
	    : cells_has(now, COL(BACKEND, DATABASE));
}

static void see_replica(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;

	(void)was;
	c->senders += (int64_t)now.val[COL(REPLICA, CONTENT)] == -1;
}

/* The text of a cell with a NUL; returns where in b it is. */
static size_t add_text(struct buf *b, const struct rowset *s, struct cells now,
	unsigned col)
{
	struct span text = rowset_get_text(s, now, col);
	size_t at = b->len;

	buf_add(b, text.ptr, span_len(text));
	buf_add_char(b, '\0');
	return at;
}

static void see_segment(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;
	struct buf *b = &c->scratch;
	size_t hostname, address;
	uint64_t limit;

	(void)was; /* topology.c reports changes */
	buf_reset(b);
	hostname = add_text(b, &c->rowset, now, COL(SEGMENT, HOSTNAME));
	address = add_text(b, &c->rowset, now, COL(SEGMENT, ADDRESS));
	rowset_text(&c->rowset, now, COL(SEGMENT, HOST),
	    span_str(host_of(c, b->ptr + hostname, b->ptr + address)));
	if (now.val[COL(SEGMENT, ROLE)] == 'p' &&
	    topology_limit(&c->topology,
	    (int64_t)now.val[COL(SEGMENT, CONTENT)], &limit))
		cells_set(now, COL(SEGMENT, MAX_CONNECTIONS), limit);
}

/* Relations of other databases have no name in it. */
static void see_lock(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;

	(void)was; /* the name does not depend on it */
	names_put(&c->names, &c->rowset, now, COL(LOCK, DATABASE_NAME),
	    COL(LOCK, RELATION), COL(LOCK, OBJECT));
}

static struct decode decode_of(struct catalog *c, const struct query *q)
{
	struct decode t = {
		.rowset = &c->rowset,
		.entity = collector_entity(q->collector),
		.part = q->collector == COLLECT_SEGMENT_ACTIVITY,
		.limit = answer_limit(c, q),
		.query_text = c->opt.query_text,
		.query_text_size = c->opt.query_text_size,
		.scratch = &c->scratch,
		.arg = c,
	};

	if (q->collector == COLLECT_ACTIVITY) {
		t.each = see_backend;
		t.coordinator = true;
	} else if (q->collector == COLLECT_TOPOLOGY) {
		t.each = see_segment;
	} else if (q->collector == COLLECT_REPLICATION) {
		t.each = see_replica;
	} else if (q->collector == COLLECT_LOCKS) {
		t.each = see_lock;
	} else {
		stats_decode(c, q->collector, &t);
	}
	return t;
}

/* Blocking sessions make the statement twice as long: it includes them only
 * while a session waits; at the first wait it is repeated at once. */
static void ask_blockers(struct catalog *c)
{
	struct collector *col = &c->collector[COLLECT_ACTIVITY];
	bool had = c->blockers;

	c->blockers = c->locked && query_has_blockers(col->query);
	col->due |= c->blockers && !had;
}

/* Without WAL senders the replication is not read. */
static void end_replication(struct catalog *c)
{
	struct collector *col = &c->collector[COLLECT_REPLICATION];

	if (c->replicates || !col->query || col->query->sent)
		return;
	col->due = false;
	c->senders_known = true;
	c->senders = 0;
	col->rows = 0;
	if (rowset_count(&c->rowset, ENTITY_REPLICA))
		rowset_drop(&c->rowset, ENTITY_REPLICA, 0, CLOSE_EXITED);
}

/* The activity shows whether a session waits: then locks are read next;
 * else the rows of locks are closed. */
static void after_activity(struct catalog *c, int64_t now_ns)
{
	struct collector *locks = &c->collector[COLLECT_LOCKS];

	ask_blockers(c);
	end_replication(c);
	answer_cluster(c);
	c->waiting_news &= c->waiting;
	if (!c->waiting && !c->waiting_hint) {
		locks->due = false;
		if (rowset_count(&c->rowset, ENTITY_LOCK))
			rowset_drop(&c->rowset, ENTITY_LOCK, 0, CLOSE_LEFT);
	} else if (collect_is_time(locks, &c->opt, c->waiting_news, now_ns)) {
		locks->due = true;
	}
}

static void apply_result(struct catalog *c, struct collector *col,
	const PGresult *r, int64_t now_ns)
{
	const struct query *q = col->query;
	struct decode t = decode_of(c, q);
	size_t cut = 0;

	if (q->collector == COLLECT_LIMITS) {
		topology_apply_limits(&c->topology, r);
		col->rows = (uint64_t)PQntuples(r);
		col->cut = 0;
		c->collector[COLLECT_TOPOLOGY].due = true; /* shows them */
		return;
	}
	if (q->collector == COLLECT_TOPOLOGY)
		topology_apply(&c->topology, r, &c->events);
	if (q->collector == COLLECT_ACTIVITY) {
		c->waiting = c->locked = c->replicates = false;
		c->clients = 0;
	}
	if (q->collector == COLLECT_REPLICATION) {
		c->senders_known = true;
		c->senders = 0;
	}
	col->rows = decode_rows(&t, r, &cut);
	col->cut = cut;
	if (q->collector == COLLECT_ACTIVITY)
		after_activity(c, now_ns);
	else if (q->collector == COLLECT_TOPOLOGY)
		answer_cluster(c);
}

/* ---- errors ---------------------------------------------------------- */

/* The object does not exist in this server: undefined schema, table, column,
 * function.  Rights may be granted later; objects appear at a restart at
 * most. */
static bool is_lack(const char *state)
{
	return strcmp(state, "3F000") == 0 || strcmp(state, "42P01") == 0 ||
	    strcmp(state, "42703") == 0 || strcmp(state, "42883") == 0;
}

/* The extension is there, but its library is not in shared_preload_libraries. */
static bool is_unloaded(enum collector_id id, const char *state)
{
	return id == COLLECT_PGSTATEMENTS && strcmp(state, "55000") == 0;
}

/* The server lacks what was asked for, or does not let us see it: class 42
 * (undefined table, column, function, insufficient privilege, ...), undefined
 * schema, not supported. */
static bool is_refusal(enum collector_id id, const char *state)
{
	return is_unloaded(id, state) || strncmp(state, "42", 2) == 0 ||
	    strcmp(state, "3F000") == 0 || strcmp(state, "0A000") == 0;
}

/* False: another query is tried first, and nothing is reported yet. */
static bool refuse(struct catalog *c, struct collector *col, const char *state,
	const char *why)
{
	enum collector_id id = col->query->collector;
	const struct query *other = is_unloaded(id, state) ? NULL
	    : query_pick(id, &c->ident.server, col->query);

	if (other) {
		col->query = other;
		col->due = true;
		return false;
	}
	col->refused = true;
	rowset_drop(&c->rowset, collector_entity(id),
	    id == COLLECT_SEGMENT_ACTIVITY, CLOSE_UNREADABLE);
	if (strcmp(col->why, why) == 0)
		return true; /* as before the connection was lost */
	c->described = false;
	note(&c->events, EVENT_REFUSED, 0, "collector %s: %s",
	    collector_name(id), why);
	return true;
}

/* Statements of superusers wait in no resource queue, ours may. */
static void suspect_queue(struct catalog *c, const struct link *l)
{
	const char *user = l->conn.pg ? PQuser(l->conn.pg) : NULL;

	if (c->queue_reported || c->ident.server.manager != NEED_QUEUES ||
	    !user || conn_is_superuser(&l->conn))
		return;
	c->queue_reported = true;
	note(&c->events, EVENT_NOTE, 0, "collector %s: no answer in time: "
	    "statements of %s, who is not a superuser, wait in its resource "
	    "queue; give it a separate queue",
	    collector_name(l->collector), user);
}

static void apply_error(struct catalog *c, const struct link *l,
	struct collector *col, const PGresult *r)
{
	const char *state = conn_sqlstate(r);
	const char *message = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	char why[CONN_WHY_MAX];

	conn_one_line(message ? message : PQresultErrorMessage(r), why);
	if (strcmp(state, "57014") == 0 || strcmp(state, "55P03") == 0) {
		col->timeouts++; /* canceled; lock not available */
		suspect_queue(c, l);
		return;
	}
	col->errors++;
	col->lacks |= is_lack(state);
	if (is_refusal(col->query->collector, state)) {
		if (!refuse(c, col, state, why))
			return;
	} else if (strcmp(col->why, why) != 0) {
		note(&c->events, EVENT_NOTE, 0, "collector %s: %s",
		    collector_name(col->query->collector), why);
	}
	memcpy(col->why, why, sizeof(why));
}

void answer_apply(struct catalog *c, struct link *l, const PGresult *r,
	int64_t now_ns)
{
	struct collector *col = &c->collector[l->collector];

	rowset_begin(&c->rowset);
	if (PQresultStatus(r) == PGRES_TUPLES_OK) {
		col->runs++;
		col->last_us = gs_clock_wall_ns() / GS_NSEC_PER_USEC;
		col->took_us = (l->conn.answered_ns - l->conn.since_ns) /
		    GS_NSEC_PER_USEC;
		apply_result(c, col, r, now_ns);
	} else {
		apply_error(c, l, col, r);
	}
	answer_end(c);
}

void answer_timeout(struct catalog *c, struct link *l)
{
	rowset_begin(&c->rowset);
	suspect_queue(c, l);
	c->collector[l->collector].timeouts++;
	answer_end(c);
}

void answer_drop_sent(struct catalog *c)
{
	int i;

	for (i = 0; i < COLLECTOR_COUNT; i++) {
		const struct query *q = c->collector[i].query;

		if (!q || !q->sent || i == COLLECT_LIMITS)
			continue;
		rowset_drop(&c->rowset, collector_entity(q->collector),
		    i == COLLECT_SEGMENT_ACTIVITY, CLOSE_UNREADABLE);
	}
}
