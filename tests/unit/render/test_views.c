/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_views.c - views of a made-up cluster against files in golden/, which
 * tests/refresh writes again.
 *
 * mdw runs the coordinator (6000), sdw1 segments 0 and 1 and the mirror of 2,
 * sdw2 segment 2 and the mirrors of 0 and 1; sdw3 is in the catalog only, with
 * segment 3, and is not recorded.
 */
#include "render/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cases.h"
#include "golden.h"
#include "query/sort.h"
#include "simcluster.h"
#include "view/view.h"

enum world_kind { CLUSTER, TITLES, POSTGRES, DEADLOCK };

struct shot {
	const char *name; /* also of the file, after "view-" */
	const char *view;
	enum world_kind world;
	enum render_format format;
	size_t width;
};

static const struct shot rows[] = {
	{ "segments-80", "segments", CLUSTER, RENDER_TEXT, 80 },
	{ "segments-120", "segments", CLUSTER, RENDER_TEXT, 120 },
	{ "segments-json", "segments", CLUSTER, RENDER_JSON, 0 },
	{ "segments-csv", "segments", CLUSTER, RENDER_CSV, 0 },
	{ "segments-titles-80", "segments", TITLES, RENDER_TEXT, 80 },
	{ "segments-postgres-120", "segments", POSTGRES, RENDER_TEXT, 120 },
	{ "connections-80", "connections", CLUSTER, RENDER_TEXT, 80 },
	{ "connections-120", "connections", CLUSTER, RENDER_TEXT, 120 },
	{ "connections-csv", "connections", CLUSTER, RENDER_CSV, 0 },
	{ "connections-titles-80", "connections", TITLES, RENDER_TEXT, 80 },
	{ "connections-postgres-80", "connections", POSTGRES, RENDER_TEXT,
	    80 },
	{ "locks-80", "locks", CLUSTER, RENDER_TEXT, 80 },
	{ "locks-120", "locks", CLUSTER, RENDER_TEXT, 120 },
	{ "locks-200", "locks", CLUSTER, RENDER_TEXT, 200 },
	{ "locks-json", "locks", CLUSTER, RENDER_JSON, 0 },
	{ "locks-deadlock-200", "locks", DEADLOCK, RENDER_TEXT, 200 },
	{ "locks-titles-80", "locks", TITLES, RENDER_TEXT, 80 },
	{ "sessions-80", "sessions", CLUSTER, RENDER_TEXT, 80 },
	{ "sessions-120", "sessions", CLUSTER, RENDER_TEXT, 120 },
	{ "sessions-200", "sessions", CLUSTER, RENDER_TEXT, 200 },
	{ "sessions-json", "sessions", CLUSTER, RENDER_JSON, 0 },
	{ "sessions-titles-120", "sessions", TITLES, RENDER_TEXT, 120 },
	{ "sessions-postgres-120", "sessions", POSTGRES, RENDER_TEXT, 120 },
	{ "queries-80", "queries", CLUSTER, RENDER_TEXT, 80 },
	{ "queries-200", "queries", CLUSTER, RENDER_TEXT, 200 },
	{ "processes-80", "processes", CLUSTER, RENDER_TEXT, 80 },
	{ "processes-120", "processes", CLUSTER, RENDER_TEXT, 120 },
	{ "skew-80", "skew", CLUSTER, RENDER_TEXT, 80 },
	{ "skew-200", "skew", CLUSTER, RENDER_TEXT, 200 },
	{ "skew-json", "skew", CLUSTER, RENDER_JSON, 0 },
	{ "skew-titles-120", "skew", TITLES, RENDER_TEXT, 120 },
	{ "skew-postgres-80", "skew", POSTGRES, RENDER_TEXT, 80 },
	{ "matrix-80", "matrix", CLUSTER, RENDER_TEXT, 80 },
	{ "matrix-csv", "matrix", CLUSTER, RENDER_CSV, 0 },
	{ "spill-80", "spill", CLUSTER, RENDER_TEXT, 80 },
	{ "spill-json", "spill", CLUSTER, RENDER_JSON, 0 },
	{ "top-80", "top", CLUSTER, RENDER_TEXT, 80 },
	{ "top-120", "top", CLUSTER, RENDER_TEXT, 120 },
	{ "events-80", "events", CLUSTER, RENDER_TEXT, 80 },
	{ "events-csv", "events", CLUSTER, RENDER_CSV, 0 },
	{ "backends-80", "backends", CLUSTER, RENDER_TEXT, 80 },
	{ "backends-200", "backends", CLUSTER, RENDER_TEXT, 200 },
	{ "clusters-120", "clusters", CLUSTER, RENDER_TEXT, 120 },
	{ "hosts-80", "hosts", CLUSTER, RENDER_TEXT, 80 },
};

struct lab {
	struct simcluster c;
	size_t qd[8], qe[4], slow;
};

/* The coordinator and its sessions, on the first host. */
static void add_coordinator(struct lab *l)
{
	static const char *const titles[] = {
		"postgres:  6000, bob dw 10.0.0.1(4000) con7 cmd3 SELECT",
		"postgres:  6000, bob dw 10.0.0.1(4001) con8 cmd9 "
		    "ALTER TABLE waiting",
		"postgres:  6000, amy dw 10.0.0.2(4002) con9 cmd1 "
		    "SELECT waiting",
		"postgres:  6000, amy dw [local] con10 cmd2 idle",
		"postgres:  6000, amy dw [local] con11 cmd2 "
		    "idle in transaction",
	};
	struct simhost *h = &l->c.host[0];
	size_t i;

	(void)simcluster_server(h, 100, 6000, "/data/m/gpseg-1");
	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		l->qd[i] = simcluster_process(h, OPEN_APPEARED, 110 + i, 100,
		    titles[i]);
}

static void add_segments(struct lab *l)
{
	struct simhost *a = &l->c.host[1], *b = &l->c.host[2];

	(void)simcluster_server(a, 200, 6002, "/data/p/gpseg0");
	(void)simcluster_server(a, 300, 6003, "/data/p/gpseg1");
	(void)simcluster_server(a, 400, 7002, "/data/m/gpseg2");
	(void)simcluster_server(b, 500, 6002, "/data/p/gpseg2");
	(void)simcluster_server(b, 600, 7002, "/data/m/gpseg0");
	(void)simcluster_server(b, 700, 7003, "/data/m/gpseg1");
	l->qe[0] = simcluster_process(a, OPEN_APPEARED, 210, 200,
	    "postgres:  6002, bob dw 10.0.0.1(4000) con7 seg0 cmd4 slice1 "
	    "SELECT");
	l->qe[1] = simcluster_process(a, OPEN_APPEARED, 310, 300,
	    "postgres:  6003, bob dw 10.0.0.1(4000) con7 seg1 cmd4 slice1 "
	    "SELECT");
	l->qe[2] = simcluster_process(b, OPEN_APPEARED, 510, 500,
	    "postgres:  6002, bob dw 10.0.0.1(4000) con7 seg2 idle");
	l->slow = simcluster_process(b, OPEN_APPEARED, 511, 500,
	    "postgres:  6002, bob dw 10.0.0.1(4000) con7 seg2 cmd4 slice2 "
	    "SELECT");
	SIM_SET(b, l->slow, SPILL, 2048 * 1024);
	SIM_SET(b, l->slow, SPILL_FILES, 3);
	SIM_TEXT(b, PROCESS, l->slow, SPILL_OPERATOR, "HashJoin");
	simhost_set(a, ENTITY_HOST, 0, COL(HOST, SPILL_ORPHANS), 5000);
	simhost_set(a, ENTITY_HOST, 0, COL(HOST, SPILL_ORPHAN_FILES), 2);
	SIM_SET(a, l->qe[0], SPILL, 0);
	SIM_SET(a, l->qe[0], SPILL_FILES, 0);
}

static void add_catalog(struct lab *l)
{
	struct simcluster *c = &l->c;
	struct simhost *h = &c->catalog;
	size_t i = simhost_open(h, ENTITY_CLUSTER, OPEN_APPEARED);
	size_t s;

	SIM_CELL(h, CLUSTER, i, START, SIM_EPOCH / 1000 - 3600000000);
	SIM_TEXT(h, CLUSTER, i, HOST, "mdw");
	SIM_CELL(h, CLUSTER, i, PORT, 6000);
	SIM_TEXT(h, CLUSTER, i, DATADIR, "/data/m/gpseg-1");
	SIM_TEXT(h, CLUSTER, i, FLAVOUR, "greenplum");
	SIM_TEXT(h, CLUSTER, i, VERSION, "PostgreSQL 12.12 (Greenplum "
	    "Database 7.1.0) on x86_64");
	SIM_CELL(h, CLUSTER, i, MAX_CONNECTIONS, 250);
	SIM_CELL(h, CLUSTER, i, RESERVED, 3);
	(void)simcluster_segment(c, -1, 'p', 'u', "mdw", 6000,
	    "/data/m/gpseg-1");
	(void)simcluster_segment(c, 0, 'p', 'u', "sdw1", 6002,
	    "/data/p/gpseg0");
	s = simcluster_segment(c, 1, 'p', 'u', "sdw1", 6003,
	    "/data/p/gpseg1");
	SIM_CELL(h, SEGMENT, s, MAX_CONNECTIONS, 750);
	(void)simcluster_segment(c, 2, 'p', 'u', "sdw2", 6002,
	    "/data/p/gpseg2");
	(void)simcluster_segment(c, 3, 'p', 'u', "sdw3", 6002,
	    "/data/p/gpseg3");
	(void)simcluster_segment(c, 0, 'm', 'u', "sdw2", 7002,
	    "/data/m/gpseg0");
	(void)simcluster_segment(c, 1, 'm', 'd', "sdw2", 7003,
	    "/data/m/gpseg1");
	(void)simcluster_segment(c, 2, 'm', 'u', "sdw1", 7002,
	    "/data/m/gpseg2");
}

static void add_backends(struct lab *l)
{
	struct simcluster *c = &l->c;
	size_t b;

	(void)simcluster_backend(c, -1, 110, 7, "active",
	    "SELECT count(*) FROM sales s JOIN items i USING (id)", 600);
	b = simcluster_backend(c, -1, 111, 8, "active",
	    "ALTER TABLE sales ADD COLUMN x int", 40);
	SIM_TEXT(&c->catalog, BACKEND, b, WAIT_TYPE, "Lock");
	b = simcluster_backend(c, -1, 112, 9, "active",
	    "SELECT * FROM sales WHERE id = $1", 20);
	SIM_TEXT(&c->catalog, BACKEND, b, WAIT_TYPE, "Lock");
	SIM_TEXT(&c->catalog, BACKEND, b, USER, "amy");
	(void)simcluster_backend(c, -1, 113, 10, "idle", "COMMIT", 5);
	b = simcluster_backend(c, -1, 114, 11, "idle in transaction",
	    "UPDATE items SET n = n + 1", 3000);
	SIM_TEXT(&c->catalog, BACKEND, b, APPLICATION, "app");
	SIM_TEXT(&c->catalog, BACKEND, b, GROUP, "etl");
}

static void add_locks(struct lab *l)
{
	struct simcluster *c = &l->c;

	(void)simcluster_lock(c, 1, 310, 7, "AccessShareLock", "sales", -1);
	(void)simcluster_lock(c, -1, 110, 7, "AccessShareLock", "sales", -1);
	(void)simcluster_lock(c, -1, 111, 8, "AccessExclusiveLock", "sales",
	    0);
	(void)simcluster_lock(c, -1, 112, 9, "AccessShareLock", "sales", 2);
}

static void add_deadlock(struct lab *l)
{
	struct simcluster *c = &l->c;

	(void)simcluster_lock(c, 0, 210, 7, "ExclusiveLock", "sales", -1);
	(void)simcluster_lock(c, 0, 220, 11, "ExclusiveLock", "sales", 1);
	(void)simcluster_lock(c, 1, 310, 7, "ExclusiveLock", "items", 3);
	(void)simcluster_lock(c, 1, 320, 11, "ExclusiveLock", "items", -1);
	/* waits for one of the two */
	(void)simcluster_lock(c, -1, 110, 7, "AccessShareLock", "sales", -1);
	(void)simcluster_lock(c, -1, 111, 8, "AccessExclusiveLock", "sales",
	    0);
}

/* One server, one session with a parallel worker, one idle. */
static void add_postgres(struct lab *l)
{
	struct simcluster *c = &l->c;
	struct simhost *h = &c->host[0];
	size_t i;

	(void)simcluster_server(h, 100, 5432, "/var/lib/pg");
	l->qd[0] = simcluster_process(h, OPEN_APPEARED, 110, 100,
	    "postgres: alice shop [local] SELECT");
	(void)simcluster_process(h, OPEN_APPEARED, 111, 100,
	    "postgres: parallel worker for PID 110 ");
	(void)simcluster_process(h, OPEN_APPEARED, 112, 100,
	    "postgres: checkpointer ");
	i = simhost_open(&c->catalog, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_CELL(&c->catalog, CLUSTER, i, START, SIM_EPOCH / 1000);
	SIM_TEXT(&c->catalog, CLUSTER, i, HOST, "mdw");
	SIM_CELL(&c->catalog, CLUSTER, i, PORT, 5432);
	SIM_TEXT(&c->catalog, CLUSTER, i, FLAVOUR, "postgresql");
	SIM_CELL(&c->catalog, CLUSTER, i, MAX_CONNECTIONS, 100);
	SIM_CELL(&c->catalog, CLUSTER, i, SPARE_CONNECTIONS, 97);
	i = simcluster_backend(c, -1, 110, 0, "active", "SELECT 1", 5);
	SIM_TEXT(&c->catalog, BACKEND, i, TYPE, "client backend");
	i = simcluster_backend(c, -1, 111, 0, "active", "SELECT 1", 5);
	SIM_TEXT(&c->catalog, BACKEND, i, TYPE, "parallel worker");
	SIM_CELL(&c->catalog, BACKEND, i, LEADER, 110);
	i = simcluster_backend(c, -1, 112, 0, "", "", 5);
	SIM_TEXT(&c->catalog, BACKEND, i, TYPE, "checkpointer");
}

static void set_up(struct lab *l, enum world_kind kind)
{
	static const char *const three[] = { "mdw", "sdw1", "sdw2", NULL };
	static const char *const one[] = { "mdw", NULL };

	*l = (struct lab) { .slow = 0 };
	simcluster_init(&l->c, kind == POSTGRES ? one : three,
	    kind != TITLES);
	if (kind == POSTGRES) {
		add_postgres(l);
		return;
	}
	add_coordinator(l);
	add_segments(l);
	if (kind == TITLES)
		return;
	add_catalog(l);
	add_backends(l);
	if (kind == DEADLOCK)
		add_deadlock(l);
	else
		add_locks(l);
}

/* What happens in each second. */
static void work(struct lab *l, enum world_kind kind, unsigned second)
{
	struct simcluster *c = &l->c;

	SIM_ADD(&c->host[0], l->qd[0], CPU, 50000);
	if (kind == POSTGRES)
		return;
	if (second == 3) {
		size_t i = simcluster_process(&c->host[0], OPEN_BORN, 190,
		    100, "postgres:  6000, amy dw [local] con12 cmd1 SELECT");

		SIM_ADD(&c->host[0], i, CPU, 100000);
	}
	SIM_ADD(&c->host[1], l->qe[0], CPU, 200000);
	SIM_ADD(&c->host[1], l->qe[1], CPU, 100000);
	SIM_ADD(&c->host[2], l->slow, CPU, 900000);
	SIM_ADD(&c->host[2], l->slow, WRITE_BYTES, 4 << 20);
	if (second == 4 && c->has_catalog)
		simhost_set(&c->catalog, ENTITY_SEGMENT, 7,
		    COL(SEGMENT, STATUS), 'd');
	if (second >= 3) /* it has finished and is idle */
		SIM_TITLE(&c->host[1], l->qe[0], "postgres:  6002, bob dw "
		    "10.0.0.1(4000) con7 seg0 idle");
}

static void check_lines(const char *text, size_t width)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (utf8_width(text, len) > width)
			fail_msg("longer than %zu: %.*s", width, (int)len,
			    text);
		text += len + 1;
	}
}

static void print(const struct shot *row, struct grid *g, struct buf *out)
{
	struct render_options options = { .format = row->format,
		.width = row->width, .utf8 = true };
	struct report rep = { .from_ns = g->from_ns, .to_ns = g->to_ns,
		.asked_from_ns = INT64_MIN, .asked_to_ns = INT64_MAX,
		.covered_s = g->covered_s, .elapsed_s = g->covered_s,
		.n_ticks = 5, .interval_ns = SIM_SECOND };
	struct render *r = render_new(&options, out);

	render_begin(r, &rep);
	render_grid(r, g);
	render_end(r);
	render_free(r);
}

static void golden(void **state)
{
	const struct shot *row = *state;
	const struct view *v = view_find(row->view);
	const struct view_ask ask = VIEW_ASK_INIT;
	struct buf out = BUF_INIT;
	struct view_use *use;
	struct grid *g;
	struct lab l;
	unsigned second;

	assert_non_null(v);
	set_up(&l, row->world);
	use = view_open(v, &l.c.engine, &ask);
	simcluster_tick(&l.c);
	engine_begin(&l.c.engine, true);
	for (second = 1; second <= 5; second++) {
		work(&l, row->world, second);
		simcluster_tick(&l.c);
	}
	g = view_grid(use, &l.c.engine);
	if (*view_default_sort(v))
		assert_int_equal(sort_grid(g, view_default_sort(v), NULL),
		    GS_OK);
	print(row, g, &out);
	if (row->format == RENDER_TEXT)
		check_lines(buf_str(&out), row->width);
	golden_compare("view-", row->name, &out);
	buf_release(&out);
	grid_free(g);
	view_close(use);
	simcluster_release(&l.c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, golden, rows);
	return cases_run(&c, "views");
}
