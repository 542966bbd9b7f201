/*
 * answer.c - what collectors bring becomes rows; what they can't bring is
 * said.
 */
#include "pg/catalog_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "pg/note.h"
#include "pg/take.h"

size_t answer_limit(const struct catalog *c, const struct query *q)
{
	size_t limit = c->opt.row_limit;

	return limit && limit < q->limit ? limit : q->limit;
}

void answer_begin(struct catalog *c)
{
	shelf_begin(&c->shelf);
}

void answer_end(struct catalog *c)
{
	collect_put(c->collector, &c->opt, &c->shelf);
	shelf_end(&c->shelf);
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

/* Where the coordinator runs. */
static const char *cluster_host(const struct catalog *c)
{
	const struct instance *i = topology_coordinator(&c->topology);
	PGconn *pg = c->link[MAIN].conn.pg;
	const char *host = pg ? PQhost(pg) : NULL;
	const char *address = pg ? PQhostaddr(pg) : NULL;

	if (i)
		return host_of(c, i->hostname, i->address);
	if (!host || *host == '/' || *host == '@')
		host = ""; /* a socket here */
	return host_of(c, host, address ? address : "");
}

void answer_cluster(struct catalog *c)
{
	int64_t spare = -1;

	if (c->clients && c->ident.max_connections) {
		spare = strtoll(c->ident.max_connections, NULL, 10) -
		    (int64_t)c->clients;
		spare = GS_MAX(spare, 0);
	}
	ident_put(&c->ident, &c->shelf, cluster_host(c), spare);
}

/* ---- rows ------------------------------------------------------------ */

static void see_session(struct catalog *c, struct cells was, struct cells now)
{
	const unsigned col = COL(BACKEND, SESSION);

	if (!was.val || !cells_has(was, col) || !cells_has(now, col) ||
	    was.val[col] == now.val[col])
		return;
	note(&c->events, EVENT_SESSION, (int64_t)now.val[col],
	    "session %" PRId64 " is now session %" PRId64 ", process %" PRIu64,
	    (int64_t)was.val[col], (int64_t)now.val[col],
	    now.val[COL(BACKEND, PID)]);
}

/* "Lock" is the wait event's class, "lock" Greenplum 6's reason. */
static bool waits_for_lock(const struct shelf *s, struct cells now)
{
	struct span type = shelf_get_text(s, now, COL(BACKEND, WAIT_TYPE));

	return span_eq(type, "Lock") || span_eq(type, "lock");
}

static void see_backend(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;
	struct span type = shelf_get_text(&c->shelf, now, COL(BACKEND, TYPE));

	see_session(c, was, now);
	c->waiting |= waits_for_lock(&c->shelf, now);
	/* who may not see the types still sees who is in a database */
	c->clients += cells_has(now, COL(BACKEND, TYPE))
	    ? span_eq(type, "client backend")
	    : cells_has(now, COL(BACKEND, DATABASE));
}

/* The text of a cell with a NUL; returns where in b it is. */
static size_t add_text(struct buf *b, const struct shelf *s, struct cells now,
	unsigned col)
{
	struct span text = shelf_get_text(s, now, col);
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

	(void)was; /* what changed, topology.c says */
	buf_reset(b);
	hostname = add_text(b, &c->shelf, now, COL(SEGMENT, HOSTNAME));
	address = add_text(b, &c->shelf, now, COL(SEGMENT, ADDRESS));
	shelf_text(&c->shelf, now, COL(SEGMENT, HOST),
	    span_str(host_of(c, b->ptr + hostname, b->ptr + address)));
	if (now.val[COL(SEGMENT, ROLE)] == 'p' &&
	    topology_limit(&c->topology,
	    (int64_t)now.val[COL(SEGMENT, CONTENT)], &limit))
		cells_set(now, COL(SEGMENT, MAX_CONNECTIONS), limit);
}

static struct take take_of(struct catalog *c, const struct query *q)
{
	struct take t = {
		.shelf = &c->shelf,
		.entity = q->entity,
		.part = q->collector == COLLECT_SEGMENT_ACTIVITY,
		.limit = answer_limit(c, q),
		.query_text = c->opt.query_text,
		.query_text_size = c->opt.query_text_size,
		.scratch = &c->scratch,
		.arg = c,
	};

	if (q->collector == COLLECT_ACTIVITY)
		t.each = see_backend;
	else if (q->collector == COLLECT_TOPOLOGY)
		t.each = see_segment;
	return t;
}

/* Who waits is known with the activity: locks are asked for next, or those
 * that were known are nobody's concern any more. */
static void after_activity(struct catalog *c, int64_t now_ns)
{
	struct collector *locks = &c->collector[COLLECT_LOCKS];

	answer_cluster(c);
	if (!c->waiting && !c->waiting_hint) {
		locks->due = false;
		if (shelf_count(&c->shelf, ENTITY_LOCK))
			shelf_drop(&c->shelf, ENTITY_LOCK, 0, CLOSE_LEFT);
	} else if (collect_is_time(locks, &c->opt, now_ns)) {
		locks->due = true;
	}
}

static void take_answer(struct catalog *c, struct collector *col,
	const PGresult *r, int64_t now_ns)
{
	const struct query *q = col->query;
	struct take t = take_of(c, q);
	size_t cut = 0;

	if (q->collector == COLLECT_LIMITS) {
		topology_take_limits(&c->topology, r);
		col->rows = (uint64_t)PQntuples(r);
		col->cut = 0;
		c->collector[COLLECT_TOPOLOGY].due = true; /* shows them */
		return;
	}
	if (q->collector == COLLECT_TOPOLOGY)
		topology_take(&c->topology, r, &c->events);
	if (q->collector == COLLECT_ACTIVITY) {
		c->waiting = false;
		c->clients = 0;
	}
	col->rows = take_rows(&t, r, &cut);
	col->cut = cut;
	if (q->collector == COLLECT_ACTIVITY)
		after_activity(c, now_ns);
	else if (q->collector == COLLECT_TOPOLOGY)
		answer_cluster(c);
}

/* ---- errors ---------------------------------------------------------- */

/* The server lacks what was asked for, or does not let us see it: class 42
 * (undefined table, column, function, insufficient privilege, ...), undefined
 * schema, not supported. */
static bool is_refusal(const char *state)
{
	return strncmp(state, "42", 2) == 0 || strcmp(state, "3F000") == 0 ||
	    strcmp(state, "0A000") == 0;
}

static void refuse(struct catalog *c, struct collector *col, const char *why)
{
	enum collector_id id = col->query->collector;
	const struct query *other = query_pick(id, &c->ident.server,
	    col->query);

	if (other) {
		col->query = other;
		col->due = true;
		return;
	}
	col->refused = true;
	shelf_drop(&c->shelf, col->query->entity,
	    id == COLLECT_SEGMENT_ACTIVITY, CLOSE_UNREADABLE);
	if (strcmp(col->why, why) == 0)
		return; /* as before the connection was lost */
	c->described = false;
	note(&c->events, EVENT_REFUSED, 0, "collector %s: %s",
	    collector_name(id), why);
}

static void take_error(struct catalog *c, struct collector *col,
	const PGresult *r)
{
	const char *state = conn_sqlstate(r);
	const char *message = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	char why[CONN_WHY_MAX];

	conn_one_line(message ? message : PQresultErrorMessage(r), why);
	if (strcmp(state, "57014") == 0 || strcmp(state, "55P03") == 0) {
		col->timeouts++; /* canceled; lock not available */
		return;
	}
	col->errors++;
	if (is_refusal(state))
		refuse(c, col, why);
	else if (strcmp(col->why, why) != 0)
		note(&c->events, EVENT_NOTE, 0, "collector %s: %s",
		    collector_name(col->query->collector), why);
	memcpy(col->why, why, sizeof(why));
}

void answer_take(struct catalog *c, struct link *l, const PGresult *r,
	int64_t now_ns)
{
	struct collector *col = &c->collector[l->collector];

	answer_begin(c);
	if (PQresultStatus(r) == PGRES_TUPLES_OK) {
		col->runs++;
		col->last_us = gs_clock_wall_ns() / GS_NSEC_PER_USEC;
		col->took_us = (l->conn.answered_ns - l->conn.since_ns) /
		    GS_NSEC_PER_USEC;
		take_answer(c, col, r, now_ns);
	} else {
		take_error(c, col, r);
	}
	answer_end(c);
}

void answer_timeout(struct catalog *c, struct link *l)
{
	answer_begin(c);
	c->collector[l->collector].timeouts++;
	answer_end(c);
}

void answer_drop(struct catalog *c, bool sent, enum row_close why)
{
	int i;

	for (i = 0; i < COLLECTOR_COUNT; i++) {
		const struct query *q = c->collector[i].query;

		if (!q || q->sent != sent || i == COLLECT_LIMITS)
			continue;
		shelf_drop(&c->shelf, q->entity,
		    i == COLLECT_SEGMENT_ACTIVITY, why);
	}
}
