/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simgreenplum.h - a Greenplum that a test makes up: a coordinator on host mdw
 * (port 16432), segments 0 and 1 on host sdw1 (ports 16000 and 16001), and the
 * catalog; and what the model makes of each tick.
 */
#ifndef TESTS_LIB_SIMGREENPLUM_H
#define TESTS_LIB_SIMGREENPLUM_H

#include "analysis/instances.h"
#include "analysis/sessions.h"
#include "model/tick_encoder.h"
#include "simhost.h"

#define SIM_HOSTS 2 /* that are recorded; the catalog comes after them */
#define SIM_MDW 0
#define SIM_SDW 1

/* Their postmasters */
#define SIM_COORDINATOR 50
#define SIM_SEGMENT(content) (100 + (uint64_t)(content))

struct simgreenplum {
	struct simhost h[SIM_HOSTS];
	struct simhost catalog;
	struct tick_encoder *encoder;
	struct world *w;
	struct sessions *s;
	size_t locks, activity; /* rows of collectors */
};

#define SIM_CAT(c, e, i, sym, v) \
	simhost_set(&(c)->catalog, ENTITY_##e, (i), COL(e, sym), \
	    (uint64_t)(v))
#define SIM_CAT_TEXT(c, e, i, sym, v) \
	simhost_set_text(&(c)->catalog, ENTITY_##e, (i), COL(e, sym), (v))

static inline void simgreenplum_segment(struct simgreenplum *c, int content,
	uint64_t port, const char *host)
{
	size_t i = simhost_open(&c->catalog, ENTITY_SEGMENT, OPEN_APPEARED);

	SIM_CAT_TEXT(c, SEGMENT, i, HOSTNAME, host);
	SIM_CAT_TEXT(c, SEGMENT, i, HOST, host);
	SIM_CAT(c, SEGMENT, i, PORT, port);
	SIM_CAT(c, SEGMENT, i, CONTENT, (int64_t)content);
	SIM_CAT(c, SEGMENT, i, ROLE, 'p');
	SIM_CAT(c, SEGMENT, i, STATUS, 'u');
}

/* A process below a postmaster; below init it is one. */
static inline size_t simgreenplum_process(struct simgreenplum *c, int host,
	uint64_t pid, uint64_t postmaster, const char *title, char state)
{
	struct simhost *h = &c->h[host];
	size_t i = simhost_process(h, OPEN_APPEARED, pid,
	    postmaster ? postmaster : 1, title);

	SIM_SET(h, i, ROLE, postmaster ? 2 : 1);
	SIM_SET(h, i, POSTMASTER, postmaster ? postmaster : pid);
	SIM_SET(h, i, STATE, (uint64_t)state);
	SIM_SET(h, i, CPU, 0);
	SIM_SET(h, i, RUN_DELAY, 0);
	return i;
}

static inline size_t simgreenplum_collector(struct simgreenplum *c,
	const char *name)
{
	size_t i = simhost_open(&c->catalog, ENTITY_COLLECTOR, OPEN_APPEARED);

	SIM_CAT_TEXT(c, COLLECTOR, i, NAME, name);
	return i;
}

static inline void simgreenplum_init(struct simgreenplum *c)
{
	struct header *h = header_new();
	size_t i;

	*c = (struct simgreenplum) { .locks = 0 };
	simhost_init(&c->h[SIM_MDW], "mdw");
	simhost_init(&c->h[SIM_SDW], "sdw1");
	simhost_init(&c->catalog, "catalog");
	/* it is no host */
	c->catalog.row[ENTITY_HOST][0].closed = CLOSE_LEFT;
	header_add_catalog(h, SIM_HOSTS, "catalog");
	c->encoder = encoder_new(h);
	c->w = world_new();
	c->s = sessions_new();
	i = simhost_open(&c->catalog, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_CAT(c, CLUSTER, i, START, SIM_EPOCH / 1000);
	SIM_CAT_TEXT(c, CLUSTER, i, HOST, "mdw");
	SIM_CAT(c, CLUSTER, i, PORT, 16432);
	simgreenplum_segment(c, -1, 16432, "mdw");
	simgreenplum_segment(c, 0, 16000, "sdw1");
	simgreenplum_segment(c, 1, 16001, "sdw1");
	(void)simgreenplum_process(c, SIM_MDW, SIM_COORDINATOR, 0,
	    "/gp6/bin/postgres -D /data/qd -p 16432 -E", 'S');
	(void)simgreenplum_process(c, SIM_SDW, SIM_SEGMENT(0), 0,
	    "/gp6/bin/postgres -D /data/p0 -p 16000", 'S');
	(void)simgreenplum_process(c, SIM_SDW, SIM_SEGMENT(1), 0,
	    "/gp6/bin/postgres -D /data/p1 -p 16001", 'S');
	c->activity = simgreenplum_collector(c, "activity");
	c->locks = simgreenplum_collector(c, "locks");
}

static inline void simgreenplum_release(struct simgreenplum *c)
{
	sessions_free(c->s);
	world_free(c->w);
	encoder_free(c->encoder);
	simhost_release(&c->h[SIM_MDW]);
	simhost_release(&c->h[SIM_SDW]);
	simhost_release(&c->catalog);
}

/* A process of the coordinator, of a segment. */
static inline size_t simgreenplum_leader(struct simgreenplum *c, uint64_t pid,
	const char *title, char state)
{
	return simgreenplum_process(c, SIM_MDW, pid, SIM_COORDINATOR, title,
	    state);
}

static inline size_t simgreenplum_executor(struct simgreenplum *c, int content,
	uint64_t pid, const char *title, char state)
{
	return simgreenplum_process(c, SIM_SDW, pid, SIM_SEGMENT(content),
	    title, state);
}

/* A row of pg_stat_activity; 0: no session id. */
static inline size_t simgreenplum_backend(struct simgreenplum *c, int content,
	uint64_t pid, int session, const char *state)
{
	size_t i = simhost_open(&c->catalog, ENTITY_BACKEND, OPEN_APPEARED);

	SIM_CAT(c, BACKEND, i, CONTENT, (int64_t)content);
	SIM_CAT(c, BACKEND, i, PID, pid);
	if (session)
		SIM_CAT(c, BACKEND, i, SESSION, session);
	SIM_CAT_TEXT(c, BACKEND, i, STATE, state);
	return i;
}

static inline int64_t simgreenplum_now_us(const struct simgreenplum *c)
{
	return c->catalog.clock.wall_ns / 1000;
}

/* All are read and asked, a second after the time before. */
static inline void simgreenplum_tick(struct simgreenplum *c)
{
	struct gs_err err;
	int i;

	encoder_begin(c->encoder, c->h[0].clock.wall_ns + SIM_SECOND);
	for (i = 0; i < SIM_HOSTS; i++) {
		simhost_tick(&c->h[i], SIM_SECOND);
		encoder_block(c->encoder, (uint32_t)i, c->h[i].world);
	}
	SIM_CAT(c, COLLECTOR, c->activity, LAST, simgreenplum_now_us(c) +
	    1000000);
	simhost_tick(&c->catalog, SIM_SECOND);
	encoder_block(c->encoder, SIM_HOSTS, c->catalog.world);
	if (world_apply(c->w, encoder_end(c->encoder), &err) < 0) {
		(void)fprintf(stderr, "simgreenplum: %s\n", err.msg);
		abort();
	}
	sessions_tick(c->s, c->w, c->h[0].clock.wall_ns);
}

#endif
