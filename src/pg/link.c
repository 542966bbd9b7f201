/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - the two connections: when they are made, which queries they run,
 * how failures are handled.  answer.c handles results of collectors.
 *
 * The first connection to a server only finds out its version and which
 * settings it has; if it has more than were sent, it is closed and opened
 * again with them.
 */
#include "pg/catalog_int.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "pg/libpq.h"
#include "pg/note.h"

#define BACKOFF_MIN_NS GS_NSEC_PER_SEC
#define BACKOFF_MAX_NS (30 * GS_NSEC_PER_SEC)
#define IDENT_DEADLINE_NS (5 * GS_NSEC_PER_SEC)

/* Settings may be reloaded, a standby may be promoted. */
#define RECHECK_NS (60 * GS_NSEC_PER_SEC)

/* The server's timeout is a little before ours. */
#define MAIN_TIMEOUT_NS (4500 * GS_NSEC_PER_MSEC)
#define SENDER_TIMEOUT_NS (19 * GS_NSEC_PER_SEC)

/* How long a backend that may hang keeps us from connecting: on this host its
 * pid may be reused by then; on another host it can't be checked. */
#define SUSPECT_SEEN_NS (600 * GS_NSEC_PER_SEC)
#define SUSPECT_UNSEEN_NS (60 * GS_NSEC_PER_SEC)

void link_retry_now(struct link *l)
{
	l->backoff_ns = BACKOFF_MIN_NS;
	l->retry_ns = INT64_MIN;
}

/* ---- connecting ------------------------------------------------------ */

static void open_link(struct catalog *c, struct link *l, int64_t now_ns)
{
	bool main_link = l == &c->link[MAIN];
	uint32_t extra = c->extra & ~c->extra_bad;

	params_settings(&c->params, extra,
	    main_link ? MAIN_TIMEOUT_NS : SENDER_TIMEOUT_NS, c->plain);
	if (main_link)
		c->extra_used = extra;
	l->asked = ASKED_NOTHING;
	l->identified = false;
	l->tick = c->tick;
	conn_open(&l->conn, (const char *const *)c->params.key,
	    (const char *const *)c->params.value, c->opt.as_uid, now_ns);
}

/* True while the backend of the previous connection may still exist. */
static bool is_suspect(const struct catalog *c, struct link *l,
	int64_t now_ns)
{
	if (l->suspect_ns == 0)
		return false;
	if (now_ns < l->suspect_ns && (!c->opt.backend_alive ||
	    c->opt.backend_alive(c->opt.arg, l->conn.pid)))
		return true;
	l->suspect_ns = 0;
	return false;
}

static bool sender_is_needed(const struct catalog *c)
{
	int i;

	for (i = 0; c->up && i < COLLECTOR_COUNT; i++) {
		const struct collector *col = &c->collector[i];

		if (col->due && col->query && col->query->sent &&
		    !col->refused)
			return true;
	}
	return false;
}

void link_connect(struct catalog *c, struct link *l, int64_t now_ns)
{
	if (l->conn.state != CONN_CLOSED || now_ns < l->retry_ns ||
	    is_suspect(c, l, now_ns))
		return;
	if (l == &c->link[MAIN] || sender_is_needed(c))
		open_link(c, l, now_ns);
}

/* ---- up and down ----------------------------------------------------- */

static void database_up(struct catalog *c)
{
	struct link *l = &c->link[MAIN];
	bool same = c->ident.has_start && c->ident.start_us == c->start_us;
	int i;

	if (!same)
		names_clear(&c->names);
	c->texts = true;
	c->start_us = c->ident.start_us;
	for (i = 0; i < COLLECTOR_COUNT; i++)
		collect_start(&c->collector[i], (enum collector_id)i,
		    &c->ident.server, same);
	if (!c->up)
		note(&c->events, EVENT_DATABASE_UP, 0, "%s", c->ident.text);
	c->up = true;
	c->described = false;
	c->clients = 0;
	c->senders_known = false;
	l->backoff_ns = BACKOFF_MIN_NS;
	l->reported[0] = '\0';
	if (c->rowset.has_key)
		rowset_connected(&c->rowset);
	rowset_begin(&c->rowset);
	answer_cluster(c);
	answer_end(c);
}

/* Advice, if no dsn named the user. */
static const char *hint_of(const struct catalog *c, const char *why)
{
	const char *role = strstr(why, "role \"");

	return !c->opt.dsn && role && strstr(role, "\" does not exist")
	    ? ": set PGUSER to a role that does" : "";
}

/* Rows end; the topology is kept. */
static void database_down(struct catalog *c, const char *why)
{
	struct link *l = &c->link[MAIN];
	int e;

	if (strcmp(l->reported, why) != 0) {
		note(&c->events, EVENT_DATABASE_DOWN, 0, "%s%s", why,
		    hint_of(c, why));
		(void)memccpy(l->reported, why, '\0', sizeof(l->reported));
		l->reported[sizeof(l->reported) - 1] = '\0';
	}
	if (!c->up)
		return;
	c->up = false;
	rowset_begin(&c->rowset);
	for (e = ENTITY_CLUSTER; e < ENTITY_COUNT; e++) {
		rowset_drop(&c->rowset, (enum entity_id)e, 0, CLOSE_HOST_LOST);
		rowset_drop(&c->rowset, (enum entity_id)e, 1, CLOSE_HOST_LOST);
	}
	rowset_end(&c->rowset);
	c->fresh = true;
}

static void on_lost(struct catalog *c, struct link *l, bool late,
	int64_t now_ns)
{
	bool main_link = l == &c->link[MAIN];
	uint32_t bad = extra_settings_in(l->conn.why) & c->extra &
	    ~c->extra_bad;

	l->asked = ASKED_NOTHING;
	if (bad) { /* the server refused these settings */
		c->extra_bad |= bad;
		return;
	}
	/* a backend that closes its end is gone; one that was silent for
	 * longer than its deadline may exist although the line is dead */
	if (late && l->conn.pid)
		l->suspect_ns = now_ns + (c->opt.backend_alive
		    ? SUSPECT_SEEN_NS : SUSPECT_UNSEEN_NS);
	l->retry_ns = now_ns + l->backoff_ns;
	l->backoff_ns = GS_MIN(2 * l->backoff_ns, BACKOFF_MAX_NS);
	if (main_link) {
		database_down(c, l->conn.why);
	} else if (strcmp(l->reported, l->conn.why) != 0) {
		memcpy(l->reported, l->conn.why, sizeof(l->reported));
		note(&c->events, EVENT_NOTE, 0, "second connection: %s",
		    l->conn.why);
	}
}

static void on_hung(struct catalog *c, struct link *l)
{
	char why[CONN_WHY_MAX + 64];

	if (l->conn.state == CONN_CONNECTING)
		(void)snprintf(why, sizeof(why), "%s", libpq_is_psql()
		    ? "psql gets no answer of the server"
		    : "the server takes the connection and does not answer");
	else
		(void)snprintf(why, sizeof(why), "no answer to %s",
		    l->asked == ASKED_COLLECTOR ? collector_name(l->collector)
		                                : "what it is");
	if (l == &c->link[MAIN]) {
		database_down(c, why);
		return;
	}
	note(&c->events, EVENT_NOTE, 0, "second connection: %s", why);
	if (!c->up)
		return;
	rowset_begin(&c->rowset);
	answer_drop_sent(c);
	answer_end(c);
}

/* ---- asking ---------------------------------------------------------- */

static void ask(struct catalog *c, struct link *l, enum asked what,
	const char *sql, int64_t deadline_ns)
{
	int64_t now_ns = gs_clock_mono_ns();

	l->asked = what;
	l->tick = c->tick;
	conn_ask(&l->conn, sql, now_ns, now_ns + deadline_ns);
}

static void ask_collector(struct catalog *c, struct link *l,
	enum collector_id id)
{
	struct collector *col = &c->collector[id];
	/* masking mostly shortens a text; it is cut afterwards */
	size_t chars = c->opt.query_text == QUERY_TEXT_NONE ? 0
	    : c->opt.query_text == QUERY_TEXT_FULL ? c->opt.query_text_size
	    : 2 * c->opt.query_text_size + 256;
	struct query_form form = { .max_chars = chars,
		.all = chars > 0 && ident_query_bytes(&c->ident) <= chars,
		.blockers = c->blockers, .texts = c->texts,
		.statements = c->ident.statements,
		.limit = answer_limit(c, col->query) };

	query_sql(col->query, &form, &c->sql);
	l->collector = id;
	if (id == COLLECT_LOCKS)
		c->waiting_news = false;
	collect_asked(col, &c->opt, gs_clock_mono_ns());
	ask(c, l, ASKED_COLLECTOR, buf_str(&c->sql),
	    col->query->deadline_s * GS_NSEC_PER_SEC);
}

/* Runs the collector that has been due longest. */
void link_ask_next(struct catalog *c, struct link *l)
{
	bool sent = l == &c->link[SENDER];
	int i, best = -1;

	if (!c->up || l->conn.state != CONN_READY)
		return;
	for (i = 0; i < COLLECTOR_COUNT; i++) {
		const struct collector *col = &c->collector[i];

		if (col->due && col->query && col->query->sent == sent &&
		    !col->refused && (best < 0 ||
		    col->next_ns < c->collector[best].next_ns))
			best = i;
	}
	if (best >= 0) {
		ask_collector(c, l, (enum collector_id)best);
	} else if (!sent && gs_clock_mono_ns() >= c->recheck_ns) {
		c->recheck_ns = gs_clock_mono_ns() + RECHECK_NS;
		ask(c, l, ASKED_VERSION, ident_version_sql, IDENT_DEADLINE_NS);
	}
}

/* ---- answers --------------------------------------------------------- */

/* Version and settings of the server are complete. */
static void apply_ident(struct catalog *c, struct link *l, int64_t now_ns)
{
	struct ident before = c->ident;
	bool same;

	/* nothing is kept for another server */
	if (before.has_start && before.start_us == c->asked.start_us)
		ident_keep(&c->asked, &before);
	same = ident_same(&before, &c->asked);
	c->ident = c->asked;
	c->asked = (struct ident) { 0 };
	ident_release(&before);
	c->extra = c->ident.extra;
	if (!conn_is_superuser(&l->conn))
		c->extra &= ~extra_settings_of_superusers();
	c->recheck_ns = now_ns + RECHECK_NS;
	l->asked = ASKED_NOTHING;
	if (!l->identified && (c->extra & ~c->extra_bad) != c->extra_used) {
		open_link(c, l, now_ns);
	} else if (!l->identified) {
		l->identified = true;
		database_up(c);
	} else if (!same) {
		c->described = false; /* the next activity shows the row */
	}
}

/* Answers to the first statements of MAIN; false: invalid. */
static bool parse_ident(struct catalog *c, struct link *l, int64_t now_ns)
{
	if (l->asked == ASKED_VERSION) {
		if (!ident_parse_version(&c->asked, l->conn.result))
			return false;
		if (l->identified && ident_is_unchanged(&c->asked, &c->ident)) {
			c->recheck_ns = now_ns + RECHECK_NS;
			l->asked = ASKED_NOTHING;
			return true;
		}
		ident_settings_sql(&c->sql);
		ask(c, l, ASKED_SETTINGS, buf_str(&c->sql), IDENT_DEADLINE_NS);
		return true;
	}
	if (!ident_parse_settings(&c->asked, l->conn.result))
		return false;
	apply_ident(c, l, now_ns);
	return true;
}

/* A text is invalid in the server's encoding: texts of one database may be in
 * the encoding of another. */
static bool is_encoding_error(const PGresult *r)
{
	const char *state = conn_sqlstate(r);

	return strcmp(state, "22021") == 0 || strcmp(state, "22P05") == 0;
}

static void on_answer(struct catalog *c, struct link *l, int64_t now_ns)
{
	enum asked asked = l->asked;

	if (asked == ASKED_COLLECTOR) {
		l->asked = ASKED_NOTHING;
		if (is_encoding_error(l->conn.result) && !c->plain) {
			c->plain = true;
			c->collector[l->collector].due = true;
			conn_close(&l->conn);
		} else {
			answer_apply(c, l, l->conn.result, now_ns);
		}
	} else if (parse_ident(c, l, now_ns)) {
		return;
	} else if (l->identified) {
		l->asked = ASKED_NOTHING; /* the old data stays */
	} else {
		conn_one_line(PQresultErrorMessage(l->conn.result),
		    l->conn.why);
		if (l->conn.why[0] == '\0')
			conn_one_line("this is no PostgreSQL server",
			    l->conn.why);
		conn_close(&l->conn);
		on_lost(c, l, false, now_ns);
	}
}

/* A cancelled statement has ended. */
static void on_back(struct catalog *c, struct link *l)
{
	if (l == &c->link[SENDER] && l->conn.hung_reported)
		note(&c->events, EVENT_NOTE, 0,
		    "second connection: there is an answer again");
	if (l == &c->link[SENDER] || c->up) {
		l->asked = ASKED_NOTHING;
	} else if (c->ident.text && l->asked == ASKED_COLLECTOR) {
		database_up(c);
	} else {
		ask(c, l, ASKED_VERSION, ident_version_sql, IDENT_DEADLINE_NS);
	}
}

static void apply_step(struct catalog *c, struct link *l, enum conn_step step,
	bool late, int64_t now_ns)
{
	switch (step) {
	case CONN_NOTHING:
		break;
	case CONN_OPENED:
		if (l == &c->link[MAIN]) {
			ask(c, l, ASKED_VERSION, ident_version_sql,
			    IDENT_DEADLINE_NS);
		} else {
			l->backoff_ns = BACKOFF_MIN_NS;
			l->reported[0] = '\0';
		}
		break;
	case CONN_ANSWER:
		on_answer(c, l, now_ns);
		break;
	case CONN_TIMEOUT:
		if (l->asked == ASKED_COLLECTOR && c->up)
			answer_timeout(c, l);
		break;
	case CONN_BACK:
		on_back(c, l);
		break;
	case CONN_HUNG:
		on_hung(c, l);
		break;
	case CONN_LOST:
		on_lost(c, l, late, now_ns);
		break;
	}
}

void link_advance(struct catalog *c, struct link *l)
{
	enum conn_step step;

	do {
		int64_t now_ns = gs_clock_mono_ns();
		bool late = l->conn.state == CONN_CANCELLING;

		step = conn_advance(&l->conn, now_ns);
		apply_step(c, l, step, late, now_ns);
		link_ask_next(c, l);
	} while (step != CONN_NOTHING);
}
