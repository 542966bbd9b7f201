/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simcatalog.h - two hosts, and a catalog beside them: rows of processes and of
 * pg_stat_activity, and the sessions that they make.
 */
#ifndef TESTS_LIB_SIMCATALOG_H
#define TESTS_LIB_SIMCATALOG_H

#include <inttypes.h>

#include "analysis/sessions.h"
#include "cases.h"
#include "model/header.h"
#include "model/tick_encoder.h"
#include "simhost.h"

#define HOSTS 2 /* recorded ones; the catalog comes after them */
#define PROCS 16

struct lab {
	struct simhost h[HOSTS];
	struct simhost catalog;
	struct tick_encoder *encoder;
	struct world *w;
	struct sessions *s;
	struct { int host; size_t row; } proc[PROCS];
	size_t n;
};

static inline void set_up(struct lab *l)
{
	struct header *h = header_new();

	*l = (struct lab) { .n = 0 };
	simhost_init(&l->h[0], "mdw");
	simhost_init(&l->h[1], "sdw1");
	simhost_init(&l->catalog, "catalog");
	/* it is not a host */
	l->catalog.row[ENTITY_HOST][0].closed = CLOSE_LEFT;
	header_add_catalog(h, HOSTS, "catalog");
	l->encoder = encoder_new(h);
	l->w = world_new();
	l->s = sessions_new();
}

static inline void tear_down(struct lab *l)
{
	sessions_free(l->s);
	world_free(l->w);
	encoder_free(l->encoder);
	simhost_release(&l->h[0]);
	simhost_release(&l->h[1]);
	simhost_release(&l->catalog);
}

static inline void tick_of(struct lab *l, bool catalog)
{
	struct gs_err err;
	int i;

	encoder_begin(l->encoder, l->h[0].clock.wall_ns + SIM_SECOND);
	for (i = 0; i < HOSTS; i++) {
		simhost_tick(&l->h[i], SIM_SECOND);
		encoder_block(l->encoder, (uint32_t)i, l->h[i].world);
	}
	if (catalog) {
		simhost_tick(&l->catalog, SIM_SECOND);
		encoder_block(l->encoder, HOSTS, l->catalog.world);
	}
	if (world_apply(l->w, encoder_end(l->encoder), &err) < 0)
		fail_msg("%s", err.msg);
	sessions_tick(l->s, l->w, l->h[0].clock.wall_ns);
}

static inline void tick(struct lab *l)
{
	tick_of(l, true);
}

/* ---- rows ------------------------------------------------------------- */

static inline size_t start(struct lab *l, int host, uint64_t pid, uint64_t server,
	const char *title)
{
	size_t i = simhost_process(&l->h[host], OPEN_BORN, pid, server,
	    title);

	/* as if at this instant */
	simhost_set(&l->h[host], ENTITY_PROCESS, i, COL(PROCESS, START),
	    (uint64_t)(l->h[host].clock.boot_ns / (SIM_SECOND / 100)));
	l->proc[l->n].host = host;
	l->proc[l->n].row = i;
	return l->n++;
}

static inline int64_t now_us(const struct lab *l)
{
	return l->h[0].clock.wall_ns / 1000;
}

#define CAT_SET(l, e, i, sym, v) \
	simhost_set(&(l)->catalog, ENTITY_##e, (i), COL(e, sym), \
	    (uint64_t)(v))
#define CAT_TEXT(l, e, i, sym, v) \
	simhost_set_text(&(l)->catalog, ENTITY_##e, (i), COL(e, sym), (v))

static inline void segment(struct lab *l, int content, char role, uint64_t port,
	const char *host)
{
	size_t i = simhost_open(&l->catalog, ENTITY_SEGMENT, OPEN_APPEARED);

	CAT_TEXT(l, SEGMENT, i, HOSTNAME, host);
	CAT_TEXT(l, SEGMENT, i, HOST, host);
	CAT_TEXT(l, SEGMENT, i, DATADIR, role == 'p' ? "/data/p" : "/data/m");
	CAT_SET(l, SEGMENT, i, PORT, port);
	CAT_SET(l, SEGMENT, i, CONTENT, content);
	CAT_SET(l, SEGMENT, i, ROLE, role);
}

static inline void cluster(struct lab *l, const char *host, uint64_t port)
{
	size_t i = simhost_open(&l->catalog, ENTITY_CLUSTER, OPEN_APPEARED);

	CAT_SET(l, CLUSTER, i, START, now_us(l) - 1000000);
	CAT_TEXT(l, CLUSTER, i, HOST, host);
	CAT_SET(l, CLUSTER, i, PORT, port);
}

/* A Greenplum of one coordinator and one segment. */
static inline void greenplum(struct lab *l)
{
	cluster(l, "mdw", 6000);
	segment(l, -1, 'p', 6000, "mdw");
	segment(l, 0, 'p', 6002, "sdw1");
	segment(l, 0, 'm', 7002, "mdw");
}

static inline size_t backend(struct lab *l, int content, uint64_t pid, int session,
	const char *state)
{
	size_t i = simhost_open(&l->catalog, ENTITY_BACKEND, OPEN_APPEARED);

	CAT_SET(l, BACKEND, i, CONTENT, content);
	CAT_SET(l, BACKEND, i, PID, pid);
	CAT_SET(l, BACKEND, i, START, now_us(l));
	if (session)
		CAT_SET(l, BACKEND, i, SESSION, session);
	CAT_TEXT(l, BACKEND, i, STATE, state);
	CAT_TEXT(l, BACKEND, i, USER, "alice");
	CAT_TEXT(l, BACKEND, i, DATABASE, "shop");
	CAT_TEXT(l, BACKEND, i, APPLICATION, "report");
	CAT_SET(l, BACKEND, i, STATE_CHANGE, now_us(l));
	return i;
}

/* It runs a query that began some ms ago. */
static inline void runs(struct lab *l, size_t i, int64_t ms_ago, const char *text)
{
	CAT_TEXT(l, BACKEND, i, STATE, "active");
	CAT_TEXT(l, BACKEND, i, QUERY, text);
	CAT_SET(l, BACKEND, i, QUERY_START, now_us(l) - ms_ago * 1000);
}

static inline void title(struct lab *l, size_t i, const char *text)
{
	simhost_set_text(&l->h[l->proc[i].host], ENTITY_PROCESS,
	    l->proc[i].row, COL(PROCESS, TITLE), text);
}

static inline void proc_exit(struct lab *l, size_t i)
{
	simhost_close(&l->h[l->proc[i].host], ENTITY_PROCESS, l->proc[i].row,
	    CLOSE_EXITED);
}

static inline void backend_exit(struct lab *l, size_t i)
{
	simhost_close(&l->catalog, ENTITY_BACKEND, i, CLOSE_EXITED);
}

static inline struct proc *proc(const struct lab *l, size_t i)
{
	const struct host *h = NULL;
	const struct cells *c = &l->h[l->proc[i].host].row[ENTITY_PROCESS]
	    [l->proc[i].row].now;
	size_t k;

	for (k = 0; k < world_hosts(l->w); k++) {
		if (world_host(l->w, k)->index == (uint32_t)l->proc[i].host)
			h = world_host(l->w, k);
	}
	assert_non_null(h);
	for (k = 0; k < h->table[ENTITY_PROCESS].n_slot; k++) {
		const struct row *r = h->table[ENTITY_PROCESS].slot[k];

		if (r && r->now.val[COL(PROCESS, PID)] ==
		    c->val[COL(PROCESS, PID)])
			return sessions_proc(l->s, r);
	}
	fail_msg("process %zu is not there", i);
	return NULL;
}

static inline struct session *session(const struct lab *l, size_t i)
{
	return proc(l, i)->session;
}

static inline struct session *named(const struct lab *l, const char *name)
{
	size_t i;

	for (i = 0; i < sessions_count(l->s); i++) {
		if (strcmp(sessions_get(l->s, i)->name, name) == 0)
			return sessions_get(l->s, i);
	}
	return NULL;
}

#define QD "postgres:  6000, alice shop [local] con7 "
#define QE "postgres:  6002, alice shop 10.0.0.1(40836) con7 seg0 "

#endif
