/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DB time of sessions in ticks that do not show what backends do: what is told of them
 * counts once, and the samples after them count for their own time.
 */
#include "cases.h"

#include <string.h>

#include "query/dbtime.h"
#include "simcluster.h"

struct sim {
	struct simcluster c;
	struct dbtime *d;
	size_t backend, collector, process;
};

/* A backend of the catalog that waits for a lock, and its process. */
static void open_sim(struct sim *s)
{
	static const char *const hosts[] = { "alpha", NULL };
	struct simhost *h = &s->c.catalog;
	size_t i;

	simcluster_init(&s->c, hosts, true);
	(void)simcluster_server(&s->c.host[0], 100, 5432, "/a");
	s->process = simcluster_process(&s->c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: bob dw [local] SELECT");
	i = simhost_open(h, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_TEXT(h, CLUSTER, i, HOST, "alpha");
	SIM_CELL(h, CLUSTER, i, PORT, 5432);
	s->collector = simhost_open(h, ENTITY_COLLECTOR, OPEN_APPEARED);
	SIM_TEXT(h, COLLECTOR, s->collector, NAME, "activity");
	SIM_CELL(h, COLLECTOR, s->collector, PERIOD, 1000);
	s->backend = simcluster_backend(&s->c, -1, 101, 0, "active", "select 1",
	    3);
	SIM_TEXT(h, BACKEND, s->backend, WAIT_TYPE, "Lock");
	SIM_TEXT(h, BACKEND, s->backend, WAIT_EVENT, "relation");
	s->d = dbtime_new(&s->c.engine, dbtime_of_session, NULL, true);
}

static void close_sim(struct sim *s)
{
	dbtime_free(s->d);
	simcluster_release(&s->c);
}

/* The next tick; w: it does not show what backends do, and tells n of that. */
static void tick(struct sim *s, const struct tick_wait *w, size_t n)
{
	struct simcluster *c = &s->c;
	struct gs_err err = { .status = GS_OK };
	struct tick told;

	c->wall_ns += SIM_SECOND;
	SIM_CELL(&c->catalog, COLLECTOR, s->collector, LAST, c->wall_ns / 1000);
	simhost_tick(&c->host[0], SIM_SECOND);
	simhost_tick(&c->catalog, SIM_SECOND);
	encoder_begin(c->encoder, c->wall_ns);
	encoder_block(c->encoder, 0, c->host[0].world);
	encoder_block(c->encoder, 1, c->catalog.world);
	told = *encoder_end(c->encoder);
	told.unsampled = w != NULL;
	told.wait = w;
	told.n_wait = n;
	assert_int_equal(engine_tick(&c->engine, &told, &err), GS_OK);
}

static void begin(struct sim *s)
{
	open_sim(s);
	tick(s, NULL, 0);
	engine_begin(&s->c.engine, true);
}

static const struct session *session(const struct sim *s)
{
	const struct sessions *all = s->c.engine.sessions;
	size_t i;

	for (i = 0; i < sessions_count(all); i++) {
		if (sessions_get(all, i)->kind == SESSION_POSTGRES)
			return sessions_get(all, i);
	}
	fail_msg("no session");
	return NULL;
}

/* Of its process, as the world has it. */
static struct tick_wait wait_of(const struct sim *s, const char *event,
	int64_t seconds)
{
	const struct row *r = session(s)->procs->row;

	return (struct tick_wait) { .host = r->host->index, .slot = r->slot,
		.kind = WAIT_EVENT + 1, .event = span_str(event),
		.time_ns = seconds * SIM_SECOND };
}

static int64_t sum(const struct sim *s)
{
	return dbtime_sum(s->d, session(s)->key_hash) / SIM_SECOND;
}

static void test_told(void **state)
{
	struct sim s;
	struct tick_wait w;
	const struct dbtime_part *p;
	size_t n;

	(void)state;
	begin(&s);
	tick(&s, NULL, 0);
	assert_int_equal(sum(&s), 1);
	w = wait_of(&s, "Lock:relation", 7);
	tick(&s, &w, 1);
	tick(&s, &w, 0);
	tick(&s, &w, 0);
	assert_int_equal(sum(&s), 8);
	/* one second, not the four since the sample before */
	tick(&s, NULL, 0);
	assert_int_equal(sum(&s), 9);
	p = dbtime_parts(s.d, session(&s)->key_hash, &n);
	assert_int_equal(n, 1); /* a told event is that which is sampled */
	assert_string_equal(p->event->event, "relation");
	close_sim(&s);
}

/* A told activity without a wait is that, whatever its name is. */
static void test_kind(void **state)
{
	struct sim s;
	struct tick_wait w[2];
	size_t n;

	(void)state;
	begin(&s);
	w[0] = w[1] = wait_of(&s, "CPU*", 3);
	w[1].kind = WAIT_CPU + 1;
	tick(&s, w, 2);
	(void)dbtime_parts(s.d, session(&s)->key_hash, &n);
	assert_int_equal(n, 2);
	assert_int_equal(dbtime_main_wait(s.d, session(&s)->key_hash)->time_ns,
	    3 * SIM_SECOND);
	close_sim(&s);
}

/* Rows that are not there. */
static void test_nobody(void **state)
{
	struct sim s;
	struct tick_wait w[3];

	(void)state;
	begin(&s);
	w[0] = w[1] = w[2] = wait_of(&s, "Lock:relation", 1);
	w[0].host = 7;
	w[1].slot = 1000000;
	w[2].host = 1; /* the catalog: a backend */
	w[2].slot = 0;
	tick(&s, w, 3);
	assert_int_equal(sum(&s), 1);
	close_sim(&s);
}

/* More events than a session has: the sum stays. */
static void test_many(void **state)
{
	struct sim s;
	struct tick_wait w;
	char name[32];
	size_t i, n;

	(void)state;
	begin(&s);
	for (i = 0; i < 5000; i++) {
		(void)snprintf(name, sizeof(name), "Extension:%zu", i);
		w = wait_of(&s, name, 1);
		dbtime_add(s.d, &w, 1);
		if (i == 1000) /* in another order */
			(void)dbtime_parts(s.d, session(&s)->key_hash, &n);
	}
	(void)dbtime_parts(s.d, session(&s)->key_hash, &n);
	assert_true(n < 300);
	assert_int_equal(sum(&s), 5000);
	close_sim(&s);
}

/* From when on it does not matter when the range began: after the first sample. */
static void test_steady(void **state)
{
	struct sim s;

	(void)state;
	begin(&s);
	assert_int_equal(dbtime_steady_after(s.d), 0);
	tick(&s, NULL, 0);
	assert_int_equal(dbtime_steady_after(s.d), 2);
	tick(&s, NULL, 0);
	assert_int_equal(dbtime_steady_after(s.d), 2);
	engine_restart(&s.c.engine);
	tick(&s, NULL, 0);
	assert_int_equal(dbtime_steady_after(s.d), 4);
	close_sim(&s);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "what is told, and samples after it", test_told, NULL);
	cases_add(&c, "kinds", test_kind, NULL);
	cases_add(&c, "of nobody", test_nobody, NULL);
	cases_add(&c, "many events", test_many, NULL);
	cases_add(&c, "steady", test_steady, NULL);
	return cases_run(&c, "dbtime");
}
