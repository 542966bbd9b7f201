/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of a session, and names of servers: from titles alone.  The
 * heading for several servers.
 */
#include "cases.h"

#include <string.h>

#include "model/header.h"
#include "simcluster.h"
#include "view/view.h"

static const struct session *session_named(const struct sessions *s,
	const char *name, const char *server)
{
	const struct dbserver *of;
	size_t i;

	for (i = 0; i < sessions_count(s); i++) {
		const struct session *n = sessions_get(s, i);

		of = sessions_server(s, n);
		if (strcmp(n->name, name) == 0 && of &&
		    strcmp(of->name, server) == 0)
			return n;
	}
	return NULL;
}

/* Two clusters of one host have a session 5 each, with executors. */
static void test_equal_session_ids(void **state)
{
	static const char *const hosts[] = { "mdw", NULL };
	const struct session *a, *b;
	struct simcluster c;

	(void)state;
	simcluster_init(&c, hosts, false);
	(void)simcluster_server(&c.host[0], 100, 6000, "/a");
	(void)simcluster_server(&c.host[0], 200, 7000, "/b");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: 6000, ann x [local] con5 cmd1 SELECT");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 102, 100,
	    "postgres: 6000, ann x 10.0.0.1(1) con5 seg-1 cmd1 slice1 SELECT");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 201, 200,
	    "postgres: 7000, ann x [local] con5 cmd1 idle");
	simcluster_tick(&c);
	a = session_named(c.engine.sessions, "5", "6000");
	b = session_named(c.engine.sessions, "5", "7000");
	assert_non_null(a);
	assert_non_null(b);
	assert_ptr_not_equal(a, b);
	assert_int_equal(a->n_procs, 2);
	assert_int_equal(b->n_procs, 1);
	assert_int_equal(sessions_server_names(c.engine.sessions), 2);
	simcluster_release(&c);
}

static void check_names(const struct sessions *s, const char *const *want)
{
	size_t i;

	for (i = 0; want[i]; i++) {
		assert_true(i < sessions_servers(s));
		assert_string_equal(sessions_server_get(s, i)->name,
		    want[i]);
	}
	assert_int_equal(sessions_servers(s), i);
}

static void test_names(void **state)
{
	static const char *const hosts[] = { "a", "b", NULL };
	static const char *const alone[] = { "main", NULL };
	static const char *const want[] = { "a:5434", "b:5434", "main:5432",
		"main:5433", NULL };
	struct simcluster c;

	(void)state;
	simcluster_init(&c, hosts, false);
	(void)simcluster_server(&c.host[0], 100, 5432, "/1");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: main: ann x [local] idle");
	simcluster_tick(&c);
	check_names(c.engine.sessions, alone);
	(void)simcluster_server(&c.host[0], 200, 5433, "/2");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 201, 200,
	    "postgres: main: ann x [local] idle");
	(void)simcluster_server(&c.host[0], 300, 5434, "/3");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 301, 300,
	    "postgres: ann x [local] idle");
	(void)simcluster_server(&c.host[1], 100, 5434, "/3");
	(void)simcluster_process(&c.host[1], OPEN_APPEARED, 101, 100,
	    "postgres: ann x [local] idle");
	simcluster_tick(&c);
	check_names(c.engine.sessions, want);
	simcluster_release(&c);
}

/* A server that is gone has no row that names it, but the header does. */
static void test_gone(void **state)
{
	static const struct {
		const char *cluster, *port, *name;
	} cases[] = { { "", "5433", "5433" }, { "main", "5433", "main" },
		{ NULL, NULL, "catalog" } };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		static const char *const hosts[] = { "mdw", NULL };
		const struct dbserver *of;
		struct header *h;
		struct simcluster c;

		simcluster_init(&c, hosts, true);
		h = encoder_header(c.encoder);
		if (cases[i].port) {
			header_add_setting(h, 1, "cluster_name",
			    cases[i].cluster);
			header_add_setting(h, 1, "port", cases[i].port);
		}
		simcluster_tick(&c);
		engine_begin(&c.engine, true);
		of = sessions_server_of_catalog(c.engine.sessions,
		    world_catalog(c.engine.world, 0));
		assert_non_null(of);
		assert_string_equal(of->name, cases[i].name);
		simcluster_release(&c);
	}
}

/* A catalog that has not answered is of the server that bears its name: when it does,
 * the server would get another name, and lose what was counted.  Of two, nobody knows. */
static void test_silent(void **state)
{
	static const char *const hosts[] = { "a", "b", NULL };
	static const char *const one[] = { "main", "main", NULL };
	static const char *const two[] = { "a:main", "b:main", "catalog:main",
		NULL };
	struct simcluster c;

	(void)state;
	simcluster_init(&c, hosts, true);
	header_add_setting(encoder_header(c.encoder), 2, "cluster_name", "main");
	(void)simcluster_server(&c.host[0], 100, 5432, "/1");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: main: ann x [local] idle");
	simcluster_tick(&c);
	check_names(c.engine.sessions, one);
	assert_int_equal(sessions_server_names(c.engine.sessions), 1);
	(void)simcluster_server(&c.host[1], 200, 5432, "/1");
	(void)simcluster_process(&c.host[1], OPEN_APPEARED, 201, 200,
	    "postgres: main: ann x [local] idle");
	simcluster_tick(&c);
	check_names(c.engine.sessions, two);
	simcluster_release(&c);
}

/* While the catalog does not answer, the coordinator and one of its two segments are
 * started again: these are its segments, and a session of a number is one. */
static void test_restarted_unasked(void **state)
{
	static const char *const hosts[] = { "mdw", NULL };
	const struct session *n;
	struct simcluster c;
	struct simhost *h = &c.host[0];
	size_t cluster, segment[3], ended[4], i;

	(void)state;
	simcluster_init(&c, hosts, true);
	cluster = simhost_open(&c.catalog, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_TEXT(&c.catalog, CLUSTER, cluster, HOST, "mdw");
	SIM_CELL(&c.catalog, CLUSTER, cluster, PORT, 6000);
	segment[0] = simcluster_segment(&c, -1, 'p', 'u', "mdw", 6000, "/a");
	segment[1] = simcluster_segment(&c, 0, 'p', 'u', "mdw", 6001, "/0");
	segment[2] = simcluster_segment(&c, 1, 'p', 'u', "mdw", 6002, "/1");
	ended[0] = simcluster_server(h, 100, 6000, "/a");
	ended[1] = simcluster_process(h, OPEN_APPEARED, 101, 100,
	    "postgres: 6000, stats collector process");
	ended[2] = simcluster_server(h, 120, 6002, "/1");
	ended[3] = simcluster_process(h, OPEN_APPEARED, 121, 120,
	    "postgres: 6002, stats collector process");
	(void)simcluster_server(h, 110, 6001, "/0");
	(void)simcluster_process(h, OPEN_APPEARED, 111, 110,
	    "postgres: 6001, stats collector process");
	simcluster_tick(&c);
	for (i = 0; i < 4; i++)
		SIM_EXIT(h, ended[i]);
	simhost_close(&c.catalog, ENTITY_CLUSTER, cluster, CLOSE_LEFT);
	for (i = 0; i < 3; i++)
		simhost_close(&c.catalog, ENTITY_SEGMENT, segment[i], CLOSE_LEFT);
	simcluster_tick(&c);
	(void)simcluster_server(h, 200, 6000, "/a");
	(void)simcluster_process(h, OPEN_BORN, 201, 200,
	    "postgres: 6000, ann x [local] con5 cmd1 SELECT");
	(void)simcluster_server(h, 220, 6002, "/1");
	(void)simcluster_process(h, OPEN_BORN, 211, 110,
	    "postgres: 6001, ann x 10.0.0.1(1) con5 seg0 cmd1 slice1 SELECT");
	(void)simcluster_process(h, OPEN_BORN, 221, 220,
	    "postgres: 6002, ann x 10.0.0.1(1) con5 seg1 cmd1 slice1 SELECT");
	simcluster_tick(&c);
	n = session_named(c.engine.sessions, "5", "6000");
	assert_non_null(n);
	assert_int_equal(n->n_procs, 3);
	assert_int_equal(sessions_server_names(c.engine.sessions), 1);
	simcluster_release(&c);
}

/* A segment's coordinator is known by the sessions of both, and is another one when that
 * has ended. */
static void test_restarted_without_catalog(void **state)
{
	static const char *const hosts[] = { "mdw", NULL };
	const struct session *n;
	struct simcluster c;
	struct simhost *h = &c.host[0];
	size_t ended[3], i;

	(void)state;
	simcluster_init(&c, hosts, false);
	ended[0] = simcluster_server(h, 100, 6000, "/a");
	ended[1] = simcluster_process(h, OPEN_APPEARED, 101, 100,
	    "postgres: 6000, ann x [local] con5 cmd1 SELECT");
	(void)simcluster_server(h, 110, 6001, "/0");
	ended[2] = simcluster_process(h, OPEN_APPEARED, 111, 110,
	    "postgres: 6001, ann x 10.0.0.1(1) con5 seg0 cmd1 slice1 SELECT");
	simcluster_tick(&c);
	n = session_named(c.engine.sessions, "5", "6000");
	assert_non_null(n);
	assert_int_equal(n->n_procs, 2);
	for (i = 0; i < 3; i++)
		SIM_EXIT(h, ended[i]);
	simcluster_tick(&c);
	(void)simcluster_server(h, 200, 6000, "/a");
	(void)simcluster_process(h, OPEN_BORN, 201, 200,
	    "postgres: 6000, ann x [local] con6 cmd1 SELECT");
	(void)simcluster_process(h, OPEN_BORN, 211, 110,
	    "postgres: 6001, ann x 10.0.0.1(1) con6 seg0 cmd1 slice1 SELECT");
	simcluster_tick(&c);
	n = session_named(c.engine.sessions, "6", "6000");
	assert_non_null(n);
	assert_int_equal(n->n_procs, 2);
	simcluster_release(&c);
}

static size_t answer(struct simcluster *c)
{
	size_t i = simhost_open(&c->catalog, ENTITY_CLUSTER, OPEN_APPEARED);

	SIM_TEXT(&c->catalog, CLUSTER, i, HOST, "far");
	SIM_CELL(&c->catalog, CLUSTER, i, PORT, 5432);
	SIM_TEXT(&c->catalog, CLUSTER, i, NAME, "main");
	return i;
}

/* A catalog that has answered is of a server elsewhere, also while it does not: the one
 * of its name that runs here keeps its own name, and what was counted. */
static void test_answered(void **state)
{
	static const char *const hosts[] = { "a", NULL };
	static const char *const two[] = { "a:main", "catalog:main", NULL };
	struct simcluster c;
	size_t cluster;

	(void)state;
	simcluster_init(&c, hosts, true);
	header_add_setting(encoder_header(c.encoder), 1, "cluster_name", "main");
	cluster = answer(&c);
	(void)simcluster_server(&c.host[0], 100, 5432, "/1");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: main: ann x [local] idle");
	simcluster_tick(&c);
	check_names(c.engine.sessions, two);
	simhost_close(&c.catalog, ENTITY_CLUSTER, cluster, CLOSE_LEFT);
	(void)simcluster_server(&c.host[0], 200, 5433, "/2");
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 201, 200,
	    "postgres: other: ann x [local] idle");
	simcluster_tick(&c);
	assert_string_equal(sessions_server_get(c.engine.sessions, 0)->name,
	    "a:main");
	simcluster_release(&c);
}

/* A tick in which the database answers and no host does is a step of --ticks: what its
 * backends did then would be in no step.  So it is where it answers again. */
static void test_hosts_are_late(void **state)
{
	enum { NO_CATALOG, ANSWERS, ANSWERS_AGAIN, N };
	static const char *const hosts[] = { "a", NULL };
	int how;

	(void)state;
	for (how = NO_CATALOG; how < N; how++) {
		struct simcluster c;

		simcluster_init(&c, hosts, how != NO_CATALOG);
		if (how == ANSWERS)
			(void)answer(&c);
		simcluster_tick(&c);
		engine_begin(&c.engine, true);
		simcluster_tick(&c);
		engine_restart(&c.engine);
		c.absent[0] = true;
		if (how == ANSWERS_AGAIN)
			(void)answer(&c);
		simcluster_tick(&c);
		assert_true(engine_covered_s(&c.engine) <= 0);
		assert_int_equal(engine_is_bare(&c.engine), how == NO_CATALOG);
		simcluster_release(&c);
	}
}

static void test_header(void **state)
{
	struct header *h = header_new(), *copy;

	(void)state;
	header_add_host(h, 0, "a");
	header_add_catalog(h, 1, "catalog");
	assert_true((h->incompat & FEATURE_SERVERS) == 0);
	header_add_catalog(h, 2, "catalog-2");
	assert_true((h->incompat & FEATURE_SERVERS) != 0);
	header_set_server_version(h, 1, "first");
	header_set_server_version(h, 2, "second");
	header_add_setting(h, 2, "port", "5433");
	copy = header_dup(h);
	header_clear_server(h, 2);
	assert_string_equal(copy->server_version, "first");
	assert_int_equal(copy->n_setting, 0);
	assert_string_equal(header_server(copy, 1).server_version, "first");
	assert_string_equal(header_server(copy, 2).server_version, "second");
	assert_string_equal(header_server(copy, 2).setting[0].value, "5433");
	assert_null(header_server(h, 2).server_version);
	header_free(h);
	header_free(copy);
}

static double average_of(const struct grid *g, const char *session)
{
	int name = grid_find_col(g, "session", strlen("session"));
	int average = grid_find_col(g, "average_seconds",
	    strlen("average_seconds"));
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = g->row[i].cell;

		if (span_eq(cell_span(&c[name]), session))
			return c[average].r;
	}
	fail_msg("no skew of %s", session);
	return 0;
}

/* Load of a session is on the segments of its own cluster: a has two, b has one
 * with the same number. */
static void test_skew(void **state)
{
	static const char *const hosts[] = { "mdw", NULL };
	static const struct view_ask ask = VIEW_ASK_INIT;
	struct simcluster c;
	struct view_use *use;
	struct grid *g;
	struct simhost *h = &c.host[0];
	size_t a, b;

	(void)state;
	simcluster_init(&c, hosts, false);
	use = view_open(view_find("skew"), &c.engine, &ask);
	(void)simcluster_server(h, 100, 6000, "/a");
	(void)simcluster_server(h, 110, 6001, "/a0");
	(void)simcluster_server(h, 120, 6002, "/a1");
	(void)simcluster_server(h, 200, 7000, "/b");
	(void)simcluster_server(h, 210, 7001, "/b0");
	(void)simcluster_process(h, OPEN_APPEARED, 101, 100,
	    "postgres: 6000, ann x [local] con5 cmd1 SELECT");
	(void)simcluster_process(h, OPEN_APPEARED, 201, 200,
	    "postgres: 7000, bob y [local] con6 cmd1 SELECT");
	a = simcluster_process(h, OPEN_APPEARED, 111, 110,
	    "postgres: 6001, ann x 10.0.0.1(1) con5 seg0 cmd1 slice1 SELECT");
	(void)simcluster_process(h, OPEN_APPEARED, 121, 120,
	    "postgres: 6002, ann x 10.0.0.1(1) con5 seg1 cmd1 slice1 SELECT");
	b = simcluster_process(h, OPEN_APPEARED, 211, 210,
	    "postgres: 7001, bob y 10.0.0.1(1) con6 seg0 cmd1 slice1 SELECT");
	simcluster_tick(&c);
	simcluster_tick(&c);
	SIM_SET(h, a, CPU, 5000000);
	SIM_SET(h, b, CPU, 5000000);
	simcluster_tick(&c);
	g = view_grid(use, &c.engine);
	assert_true(average_of(g, "con5") == 2);
	assert_true(average_of(g, "con6") == 4);
	grid_free(g);
	view_close(use);
	simcluster_release(&c);
}

/* A share that only sums up to a whole if its rows are of one server. */
static void check_others(struct view_use *use, const struct simcluster *c,
	bool one_server)
{
	struct grid *g = view_grid(use, &c->engine);
	int time = grid_find_col(g, "seconds", strlen("seconds"));
	int share = grid_find_col(g, "db_percent", strlen("db_percent"));
	const struct cell *others;

	grid_limit(g, 1);
	assert_int_equal(g->n_row, 2);
	others = g->row[1].cell;
	assert_int_equal(others[time].kind, CELL_REAL);
	assert_int_equal(others[share].kind, one_server ? CELL_REAL
	                                                : CELL_ABSENT);
	grid_free(g);
}

static void test_shares_of_two_servers(void **state)
{
	static const char *const hosts[] = { "mdw", NULL };
	static const char *const views[] = { "system_event",
		"session_event", "query_event" };
	struct view_ask all = VIEW_ASK_INIT, one = VIEW_ASK_INIT;
	struct view_use *of_all[GS_LEN(views)], *of_one[GS_LEN(views)];
	struct simcluster c;
	struct simhost *h = &c.host[0];
	size_t i;

	(void)state;
	one.wait.server = "6000";
	simcluster_init(&c, hosts, false);
	for (i = 0; i < GS_LEN(views); i++) {
		of_all[i] = view_open(view_find(views[i]), &c.engine, &all);
		of_one[i] = view_open(view_find(views[i]), &c.engine, &one);
	}
	(void)simcluster_server(h, 100, 6000, "/a");
	(void)simcluster_server(h, 200, 7000, "/b");
	for (i = 0; i < 2; i++) {
		(void)simcluster_process(h, OPEN_APPEARED, 101 + i, 100, i == 0
		    ? "postgres: 6000, ann x [local] con5 cmd1 SELECT"
		    : "postgres: 6000, ann x [local] con6 cmd1 SELECT waiting");
		(void)simcluster_process(h, OPEN_APPEARED, 201 + i, 200, i == 0
		    ? "postgres: 7000, bob y [local] con5 cmd1 SELECT"
		    : "postgres: 7000, bob y [local] con6 cmd1 SELECT waiting");
	}
	for (i = 0; i < 4; i++)
		simcluster_tick(&c);
	for (i = 0; i < GS_LEN(views); i++) {
		check_others(of_all[i], &c, false);
		check_others(of_one[i], &c, true);
		view_close(of_all[i]);
		view_close(of_one[i]);
	}
	simcluster_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_session_ids),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_restarted_unasked),
		cmocka_unit_test(test_restarted_without_catalog),
		cmocka_unit_test(test_answered),
		cmocka_unit_test(test_hosts_are_late),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_skew),
		cmocka_unit_test(test_shares_of_two_servers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
