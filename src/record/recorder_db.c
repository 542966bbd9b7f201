/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_db.c - the recorded database servers, each with a separate source:
 * one that refuses or is down does not disturb the others.
 */
#include "record/recorder_int.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compiler.h"

#define LOOK_MIN_NS (200 * GS_NSEC_PER_MSEC)
#define LOOK_MAX_NS (30 * GS_NSEC_PER_SEC)

/* Hosts of the topology are recorded, unless hosts were named. */
static int open_database(struct recorder *r, const struct catalog_options *o,
	struct gs_err *err)
{
	struct dbsource *db = dbsource_new(&r->loop, o, r->host_set,
	    r->opt.n_host == 0, r->database_answered, r, err);

	if (!db)
		return GS_E_USAGE;
	dbsource_set_peers(db, r->db, &r->n_db);
	r->db[r->n_db++] = db;
	return 0;
}

int recorder_open_databases(struct recorder *r, struct gs_err *err)
{
	size_t i;
	int status = 0;

	for (i = 0; status == 0 && i < r->opt.n_catalog; i++)
		status = open_database(r, r->opt.catalog[i], err);
	return status;
}

void recorder_list_databases(struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++)
		dbsource_list(r->db[i], i,
		    encoder_header(framer_encoder(r->framer)));
}

/* ---- ticks ------------------------------------------------------------- */

void recorder_tick_databases(struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++)
		dbsource_tick(r->db[i]);
}

bool recorder_waits_for_database(const struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++) {
		if (dbsource_is_waiting(r->db[i]))
			return true;
	}
	return false;
}

void recorder_encode_databases(struct recorder *r, struct tick_encoder *m)
{
	size_t i;

	for (i = 0; i < r->n_db; i++)
		dbsource_encode(r->db[i], m);
}

static void notice_events(struct recorder *r, size_t from)
{
	const struct tick *p = &r->pending;
	size_t i;

	for (i = from; i < p->n_event; i++) {
		const struct event *e = &p->event[i];
		bool down = e->kind == EVENT_DATABASE_DOWN;
		struct buf b = BUF_INIT;

		buf_add_str(&b, "database: ");
		buf_add(&b, tick_text_at(p, e->off), e->len);
		if (down)
			buf_add_str(&b, "; sessions come from process "
			    "titles meanwhile");
		recorder_notice(r, down, buf_str(&b));
		buf_release(&b);
	}
}

void recorder_prepare_databases(struct recorder *r)
{
	size_t i, n = r->pending.n_event, up = 0;

	for (i = 0; i < r->n_db; i++) {
		r->relisted |= dbsource_prepare(r->db[i],
		    encoder_header(framer_encoder(r->framer)), &r->pending);
		up += dbsource_get_state(r->db[i]).up;
	}
	notice_events(r, n);
	if (r->n_db > 0)
		r->status.database = up == r->n_db ? DATABASE_UP
		                                   : DATABASE_DOWN;
}

/* ---- servers that are started meanwhile -------------------------------- */

static bool move_database(struct recorder *r, const struct catalog_options *o)
{
	size_t i;

	for (i = 0; i < r->n_db; i++) {
		if (!dbsource_is_of(r->db[i], o))
			continue;
		dbsource_move(r->db[i]);
		return true;
	}
	return false;
}

static void add_database(struct recorder *r, const struct catalog_options *o)
{
	struct gs_err err;

	if (open_database(r, o, &err) < 0) {
		recorder_notice(r, true, err.msg);
		return;
	}
	dbsource_list(r->db[r->n_db - 1], r->n_db - 1,
	    encoder_header(framer_encoder(r->framer)));
	r->relisted = true;
}

/* True: the address of some is not known yet. */
static bool choose_servers(struct recorder *r, const struct world *w)
{
	const struct catalog_options *found[SERVERS_ASKED_MAX];
	struct servers s = SERVERS_INIT;
	struct gs_err err = { 0 };
	bool later = false;
	size_t n, i;

	servers_read(w, &s);
	n = r->opt.choose_catalog(r->opt.choose_arg, &s, found, &later, &err);
	if (err.status) {
		recorder_notice(r, true, err.msg);
		recorder_pend(r, EVENT_NOTE, EVENT_NO_HOST, 0, err.msg);
	}
	for (i = 0; i < n; i++) {
		if (!move_database(r, found[i]))
			add_database(r, found[i]);
	}
	servers_release(&s);
	return later;
}

/* Changes if a server came or went, or its port or directory became known; 0: there
 * are none. */
static uint64_t servers_of(const struct world *w)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_POSTMASTER];
	uint64_t sum = 0, port, dir;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *row = t->slot[i];

		if (!row)
			continue;
		sum = sum * 31 + row->serial * 2 + 1 +
		    row_peek(row, COL(POSTMASTER, PORT), &port);
		if (row_peek(row, COL(POSTMASTER, DATADIR), &dir))
			sum = sum * 31 + dir;
	}
	return sum;
}

/* A starting server's address is soon known; if it never is, the pauses
 * grow. */
static void choose_again(struct recorder *r, const struct world *w,
	uint64_t seen)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (seen != r->servers_seen)
		r->servers_wait_ns = 0;
	else if (r->servers_retry_ns == 0 || now_ns < r->servers_retry_ns)
		return;
	r->servers_seen = seen;
	r->servers_retry_ns = 0;
	if (!choose_servers(r, w))
		return;
	r->servers_wait_ns = GS_MIN(GS_MAX(2 * r->servers_wait_ns,
	    LOOK_MIN_NS), LOOK_MAX_NS);
	r->servers_retry_ns = now_ns + r->servers_wait_ns;
}

void recorder_find_databases(struct recorder *r)
{
	size_t i;

	if (!r->opt.choose_catalog)
		return;
	for (i = 0; i < host_set_count(r->host_set); i++) {
		const struct host_conn *s = host_set_host_conn(r->host_set, i);
		const struct world *w = host_conn_world(s);
		uint64_t seen = s->local && world_hosts(w) > 0
		    ? servers_of(w) : 0;

		if (seen == 0)
			continue;
		choose_again(r, w, seen);
		return;
	}
}

/* ---- the end ----------------------------------------------------------- */

void recorder_stop_databases(struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++)
		dbsource_stop(r->db[i]);
}

void recorder_free_databases(struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++)
		dbsource_free(r->db[i]);
}

bool recorder_missed_database(const struct recorder *r)
{
	size_t i;

	for (i = 0; i < r->n_db; i++) {
		if (dbsource_never_answered(r->db[i]))
			return true;
	}
	return false;
}
