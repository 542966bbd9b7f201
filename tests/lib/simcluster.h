/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simcluster.h - a made-up cluster: hosts with servers and processes, and a
 * catalog, through an engine.
 *
 * Rows are those of simhost.h; simcluster_tick() samples all hosts and the
 * catalog and gives the engine the tick.  Host i has index i, the catalog the
 * one behind the last.
 */
#ifndef TESTS_LIB_SIMCLUSTER_H
#define TESTS_LIB_SIMCLUSTER_H

#include "model/tick_encoder.h"
#include "query/engine.h"
#include "simhost.h"

#define SIMCLUSTER_HOSTS 4

struct simcluster {
	struct simhost host[SIMCLUSTER_HOSTS], catalog;
	unsigned n_host;
	bool has_catalog;
	struct tick_encoder *encoder;
	struct engine engine;
	bool absent[SIMCLUSTER_HOSTS]; /* does not answer */
	int64_t wall_ns;
};

/* Names of hosts, NULL-ended.  The first runs the coordinator. */
static inline void simcluster_init(struct simcluster *c,
	const char *const *hosts, bool catalog)
{
	struct header *h = header_new();

	*c = (struct simcluster) { .has_catalog = catalog,
		.wall_ns = SIM_EPOCH };
	h->interval_ns = SIM_SECOND;
	for (; hosts[c->n_host]; c->n_host++) {
		simhost_init(&c->host[c->n_host], hosts[c->n_host]);
		header_add_host(h, c->n_host, hosts[c->n_host]);
	}
	if (catalog) {
		simhost_init(&c->catalog, "catalog");
		/* it has no row of entity host */
		simhost_close(&c->catalog, ENTITY_HOST, 0, CLOSE_LEFT);
		header_add_catalog(h, c->n_host, "catalog");
	}
	c->encoder = encoder_new(h);
	engine_init(&c->engine, SIM_SECOND);
}

static inline void simcluster_release(struct simcluster *c)
{
	unsigned i;

	engine_release(&c->engine);
	encoder_free(c->encoder);
	for (i = 0; i < c->n_host; i++)
		simhost_release(&c->host[i]);
	if (c->has_catalog)
		simhost_release(&c->catalog);
}

static inline void simcluster_tick(struct simcluster *c)
{
	struct gs_err err = { .status = GS_OK };
	unsigned i;

	c->wall_ns += SIM_SECOND;
	encoder_begin(c->encoder, c->wall_ns);
	for (i = 0; i < c->n_host; i++) {
		if (c->absent[i])
			continue;
		simhost_tick(&c->host[i], SIM_SECOND);
		encoder_block(c->encoder, i, c->host[i].world);
	}
	if (c->has_catalog) {
		simhost_tick(&c->catalog, SIM_SECOND);
		encoder_block(c->encoder, c->n_host, c->catalog.world);
	}
	if (engine_tick(&c->engine, encoder_end(c->encoder), &err) < 0) {
		(void)fprintf(stderr, "simcluster: %s\n", err.msg);
		abort();
	}
}

/* A postmaster, with its row of entity postmaster; returns its process. */
static inline size_t simcluster_server(struct simhost *h, uint64_t pid,
	uint64_t port, const char *datadir)
{
	size_t i = simhost_process(h, OPEN_APPEARED, pid, 1, "postgres -D x");
	size_t p = simhost_open(h, ENTITY_POSTMASTER, OPEN_APPEARED);

	SIM_SET(h, i, ROLE, 1);
	simhost_set(h, ENTITY_POSTMASTER, p, COL(POSTMASTER, PID), pid);
	simhost_set(h, ENTITY_POSTMASTER, p, COL(POSTMASTER, START),
	    h->row[ENTITY_PROCESS][i].now.val[COL(PROCESS, START)]);
	simhost_set(h, ENTITY_POSTMASTER, p, COL(POSTMASTER, PORT), port);
	simhost_set_text(h, ENTITY_POSTMASTER, p, COL(POSTMASTER, DATADIR),
	    datadir);
	return i;
}

/* A process below a postmaster. */
static inline size_t simcluster_process(struct simhost *h, enum row_open how,
	uint64_t pid, uint64_t postmaster, const char *title)
{
	size_t i = simhost_process(h, how, pid, postmaster, title);

	SIM_SET(h, i, ROLE, 2);
	SIM_SET(h, i, POSTMASTER, postmaster);
	SIM_SET(h, i, STATE, 'S');
	SIM_SET(h, i, CPU, 1000000);
	SIM_SET(h, i, READ_BYTES, 0);
	SIM_SET(h, i, WRITE_BYTES, 0);
	SIM_SET(h, i, RSS_ANON, 10240);
	SIM_SET(h, i, VM_SWAP, 0);
	SIM_SET(h, i, MINFLT, 100);
	return i;
}

#define SIM_CELL(h, E, i, SYM, v) \
	simhost_set((h), ENTITY_##E, (i), COL(E, SYM), (uint64_t)(v))
#define SIM_TEXT(h, E, i, SYM, s) \
	simhost_set_text((h), ENTITY_##E, (i), COL(E, SYM), (s))

static inline size_t simcluster_segment(struct simcluster *c, int content,
	char role, char status, const char *host, uint64_t port,
	const char *datadir)
{
	struct simhost *h = &c->catalog;
	size_t i = simhost_open(h, ENTITY_SEGMENT, OPEN_APPEARED);

	SIM_TEXT(h, SEGMENT, i, HOSTNAME, host);
	SIM_TEXT(h, SEGMENT, i, HOST, host);
	SIM_CELL(h, SEGMENT, i, PORT, port);
	SIM_TEXT(h, SEGMENT, i, DATADIR, datadir);
	SIM_CELL(h, SEGMENT, i, DBID, i + 1);
	SIM_CELL(h, SEGMENT, i, CONTENT, (int64_t)content);
	SIM_CELL(h, SEGMENT, i, ROLE, role);
	SIM_CELL(h, SEGMENT, i, PREFERRED_ROLE, role);
	SIM_CELL(h, SEGMENT, i, MODE, status == 'u' ? 's' : 'n');
	SIM_CELL(h, SEGMENT, i, STATUS, status);
	return i;
}

/* start_s: seconds before the first tick at which query and transaction
 * began. */
static inline size_t simcluster_backend(struct simcluster *c, int content,
	uint64_t pid, int session, const char *state, const char *query,
	int start_s)
{
	struct simhost *h = &c->catalog;
	size_t i = simhost_open(h, ENTITY_BACKEND, OPEN_APPEARED);
	int64_t start_us = (SIM_EPOCH - start_s * SIM_SECOND) / 1000;

	SIM_CELL(h, BACKEND, i, CONTENT, (int64_t)content);
	SIM_CELL(h, BACKEND, i, PID, pid);
	/* as simhost_process() has it at the beginning */
	SIM_CELL(h, BACKEND, i, START, SIM_EPOCH / 1000 +
	    (int64_t)pid * 10000);
	if (session)
		SIM_CELL(h, BACKEND, i, SESSION, session);
	SIM_TEXT(h, BACKEND, i, USER, "bob");
	SIM_TEXT(h, BACKEND, i, DATABASE, "dw");
	SIM_TEXT(h, BACKEND, i, APPLICATION, "psql");
	SIM_TEXT(h, BACKEND, i, STATE, state);
	SIM_CELL(h, BACKEND, i, QUERY_START, start_us);
	SIM_CELL(h, BACKEND, i, XACT_START, start_us);
	SIM_CELL(h, BACKEND, i, STATE_CHANGE, start_us);
	SIM_TEXT(h, BACKEND, i, QUERY, query);
	return i;
}

/* since: seconds after the first tick since which it waits; -1: held. */
static inline size_t simcluster_lock(struct simcluster *c, int content,
	uint64_t pid, int session, const char *mode, const char *relation,
	int since)
{
	struct simhost *h = &c->catalog;
	size_t i = simhost_open(h, ENTITY_LOCK, OPEN_APPEARED);
	uint64_t oid = 16384;
	const char *p;

	for (p = relation; *p; p++)
		oid += (uint64_t)*p;
	SIM_CELL(h, LOCK, i, CONTENT, (int64_t)content);
	SIM_CELL(h, LOCK, i, PID, pid);
	SIM_TEXT(h, LOCK, i, TYPE, "relation");
	SIM_TEXT(h, LOCK, i, MODE, mode);
	SIM_CELL(h, LOCK, i, RELATION, oid);
	SIM_TEXT(h, LOCK, i, OBJECT, relation);
	SIM_CELL(h, LOCK, i, GRANTED, since < 0);
	if (session)
		SIM_CELL(h, LOCK, i, SESSION, session);
	if (since >= 0)
		SIM_CELL(h, LOCK, i, WAIT_START, SIM_EPOCH / 1000 +
		    since * 1000000);
	return i;
}

#endif
