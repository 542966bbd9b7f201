/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data from the catalog beside process titles: the process of a backend, the
 * activity of its session.
 */
#include "base/compiler.h"
#include "simcatalog.h"

/* ---- ties ---------------------------------------------------------------- */

static void test_labels(void **state)
{
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	greenplum(&l);
	(void)start(&l, 0, 100, 10, QD "cmd3 SELECT");
	(void)start(&l, 1, 200, 20, QE "cmd4 slice1 MPPEXEC SELECT");
	b = backend(&l, -1, 100, 7, "active");
	runs(&l, b, 5000, "SELECT 1");
	CAT_SET(&l, BACKEND, b, XACT_START, now_us(&l) - 9000000);
	CAT_SET(&l, BACKEND, b, XID_AGE, 12);
	CAT_SET(&l, BACKEND, b, XMIN_AGE, 40);
	CAT_TEXT(&l, BACKEND, b, GROUP, "etl");
	CAT_TEXT(&l, BACKEND, b, BLOCKERS, "12,34");
	CAT_TEXT(&l, BACKEND, b, CLIENT_ADDR, "10.1.1.1");
	CAT_SET(&l, BACKEND, b, CLIENT_PORT, 555);
	tick(&l);
	n = session(&l, 0);
	assert_ptr_equal(session(&l, 1), n);
	assert_int_equal(sessions_count(l.s), 1);
	assert_non_null(n->backend);
	assert_true(proc(&l, 0)->tied);
	assert_string_equal(n->application, "report");
	assert_string_equal(n->group, "etl");
	assert_string_equal(n->blockers, "12,34");
	assert_string_equal(n->client, "10.1.1.1(555)");
	assert_string_equal(n->text, "SELECT 1");
	assert_true(n->has_xid_age && n->xid_age == 40);
	assert_true(n->has_xact);
	assert_true(n->since_known);
	assert_int_equal(n->state, TITLE_ACTIVE);
	assert_int_equal(n->cmd, 3);
	assert_int_equal((n->query->start_ns - n->xact_ns) / 1000, 4000000);
	assert_true(n->since_ns == n->query->start_ns);
	assert_true(span_eq(query_text(n->query), "SELECT 1"));
	/* executors count for it, whatever their counter is */
	assert_ptr_equal(sessions_charge_of(l.s, proc(&l, 1)).to, n->query);
	backend_exit(&l, b);
	tick(&l);
	assert_null(n->backend);
	assert_false(n->has_xact);
	assert_string_equal(n->blockers, "");
	assert_string_equal(n->application, "report");
	tear_down(&l);
}

/* The state that a row of pg_stat_activity means. */
static void test_states(void **state)
{
	static const struct {
		const char *state, *type, *event;
		int waiting;
		enum title_state want;
	} cases[] = {
		{ "active", NULL, NULL, 0, TITLE_ACTIVE },
		{ "fastpath function call", NULL, NULL, 0, TITLE_ACTIVE },
		{ "active", "Lock", "relation", 0, TITLE_WAITING },
		{ "active", "IO", "DataFileRead", 0, TITLE_ACTIVE },
		{ "active", "IPC", "SyncRep", 0, TITLE_REPLICATION },
		{ "active", "ResourceGroup", "", 0, TITLE_QUEUED },
		{ "active", "resgroup", NULL, 1, TITLE_QUEUED },
		{ "active", "lock", NULL, 1, TITLE_WAITING },
		{ "active", "replication", NULL, 1, TITLE_REPLICATION },
		{ "active", NULL, NULL, 1, TITLE_WAITING },
		{ "idle", "Client", "ClientRead", 0, TITLE_IDLE },
		{ "idle in transaction", NULL, NULL, 0, TITLE_IDLE_TX },
		{ "idle in transaction (aborted)", NULL, NULL, 0,
		    TITLE_IDLE_ABORTED },
		{ "disabled", NULL, NULL, 0, TITLE_STARTUP },
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		struct lab l;
		size_t b;

		set_up(&l);
		cluster(&l, "mdw", 5432);
		(void)start(&l, 0, 100, 10,
		    "postgres: alice shop [local] startup");
		b = backend(&l, -1, 100, 0, cases[i].state);
		if (cases[i].type)
			CAT_TEXT(&l, BACKEND, b, WAIT_TYPE, cases[i].type);
		if (cases[i].event)
			CAT_TEXT(&l, BACKEND, b, WAIT_EVENT, cases[i].event);
		if (cases[i].waiting)
			CAT_SET(&l, BACKEND, b, WAITING, 1);
		tick(&l);
		if (session(&l, 0)->state != cases[i].want)
			fail_msg("%s %s: %d, want %d", cases[i].state,
			    cases[i].type ? cases[i].type : "-",
			    (int)session(&l, 0)->state, (int)cases[i].want);
		tear_down(&l);
	}
}

/* A reused pid is not tied. */
static void test_start_must_fit(void **state)
{
	static const struct {
		int64_t apart_ms, offset_ms;
		bool fits;
	} cases[] = {
		{ 0, 0, true },
		{ 1900, 0, true },
		{ -1900, 0, true },
		{ 2100, 0, false },
		{ -2100, 0, false },
		{ 3900, 2000, true },
		{ -3900, -2000, true },
		{ 4100, 2000, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		struct lab l;
		size_t b;

		set_up(&l);
		cluster(&l, "mdw", 5432);
		l.h[0].clock.offset_ns = cases[i].offset_ms * 1000000;
		(void)start(&l, 0, 100, 10,
		    "postgres: alice shop [local] idle");
		b = backend(&l, -1, 100, 0, "idle");
		CAT_SET(&l, BACKEND, b, START, now_us(&l) +
		    cases[i].apart_ms * 1000);
		tick(&l);
		if (proc(&l, 0)->tied != cases[i].fits)
			fail_msg("%" PRId64 " ms apart", cases[i].apart_ms);
		assert_int_equal(session(&l, 0)->backend != NULL,
		    cases[i].fits);
		tear_down(&l);
	}
}

/* The host does not answer: the session exists all the same, and its process
 * joins it later. */
static void test_without_process(void **state)
{
	static const int con[] = { 0, 7 };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(con); i++) {
		const char *name = con[i] ? "7" : "100";
		const struct session *n;
		struct lab l;
		size_t b;

		set_up(&l);
		cluster(&l, "mdw", 6000);
		b = backend(&l, -1, 100, con[i], "active");
		runs(&l, b, 300, "UPDATE t SET a = 1");
		tick(&l);
		n = named(&l, name);
		assert_non_null(n);
		assert_int_equal(n->n_procs, 0);
		assert_non_null(n->backend);
		assert_string_equal(n->user, "alice");
		assert_string_equal(n->activity, "UPDATE");
		assert_non_null(n->query);
		assert_int_equal(sessions_in(l.s, SESSION_ACTIVE), 1);
		(void)start(&l, 0, 100, 10, con[i] ? QD "cmd3 UPDATE"
		    : "postgres: alice shop [local] UPDATE");
		simhost_set(&l.h[0], ENTITY_PROCESS, l.proc[0].row,
		    COL(PROCESS, START), (uint64_t)((l.h[0].clock.boot_ns -
		    SIM_SECOND) / (SIM_SECOND / 100)));
		tick(&l);
		assert_ptr_equal(session(&l, 0), n);
		assert_int_equal(sessions_count(l.s), 1);
		assert_int_equal(n->query->number, 1);
		proc_exit(&l, 0);
		backend_exit(&l, b);
		tick(&l);
		assert_int_equal(sessions_in(l.s, SESSION_ACTIVE), 0);
		tick(&l);
		tick(&l);
		assert_int_equal(sessions_count(l.s), 0);
		tear_down(&l);
	}
}

static void test_own_backend(void **state)
{
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	b = backend(&l, -1, 100, 0, "active");
	CAT_TEXT(&l, BACKEND, b, APPLICATION, "gpsnap");
	tick(&l);
	assert_true(session(&l, 0)->own);
	assert_int_equal(sessions_in(l.s, SESSION_ACTIVE), 0);
	tear_down(&l);
}

/* Parallel workers belong to their leader, by title or by the catalog. */
static void test_parallel_workers(void **state)
{
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	(void)start(&l, 0, 101, 10, "postgres: parallel worker for PID 100 ");
	b = backend(&l, -1, 101, 0, "active");
	CAT_SET(&l, BACKEND, b, LEADER, 100);
	CAT_TEXT(&l, BACKEND, b, TYPE, "parallel worker");
	runs(&l, b, 1, "SELECT worker");
	b = backend(&l, -1, 100, 0, "active");
	CAT_TEXT(&l, BACKEND, b, TYPE, "client backend");
	runs(&l, b, 1, "SELECT leader");
	b = backend(&l, -1, 103, 0, "active");
	CAT_SET(&l, BACKEND, b, LEADER, 100);
	(void)backend(&l, -1, 104, 0, "");
	CAT_TEXT(&l, BACKEND, b + 1, TYPE, "checkpointer");
	tick(&l);
	tick(&l);
	assert_int_equal(sessions_count(l.s), 1);
	assert_ptr_equal(session(&l, 1), session(&l, 0));
	assert_string_equal(session(&l, 0)->text, "SELECT leader");
	tear_down(&l);
}

/* ---- identity --------------------------------------------------------- */

/* Two clusters on one host have the same session ids. */
static void test_two_clusters(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	/* a: 10 with segment 11; b: 20 with segment 21; users decide, then the
	 * known postmaster */
	(void)start(&l, 0, 100, 10, QD "cmd1 SELECT");
	(void)start(&l, 0, 200, 20,
	    "postgres:  5000, bob dw [local] con7 cmd1 SELECT");
	(void)start(&l, 0, 101, 11, QE "cmd1 slice1 MPPEXEC SELECT");
	(void)start(&l, 0, 201, 21, "postgres:  5002, bob dw "
	    "10.0.0.1(40836) con7 seg0 cmd1 slice1 MPPEXEC SELECT");
	(void)start(&l, 0, 102, 10, "postgres:  6000, alice shop [local] "
	    "con7 seg-1 cmd1 slice2 MPPEXEC SELECT");
	tick(&l);
	assert_ptr_not_equal(session(&l, 0), session(&l, 1));
	assert_ptr_equal(session(&l, 2), session(&l, 0));
	assert_ptr_equal(session(&l, 3), session(&l, 1));
	assert_ptr_equal(session(&l, 4), session(&l, 0));
	assert_string_not_equal(session(&l, 0)->key, session(&l, 1)->key);
	/* the same user in both clusters */
	(void)start(&l, 0, 110, 10,
	    "postgres:  6000, alice shop [local] con8 cmd1 SELECT");
	(void)start(&l, 0, 210, 20,
	    "postgres:  5000, alice shop [local] con8 cmd1 SELECT");
	(void)start(&l, 0, 211, 21, "postgres:  5002, alice shop "
	    "10.0.0.1(1) con8 seg0 cmd1 slice1 MPPEXEC SELECT");
	tick(&l);
	assert_ptr_not_equal(session(&l, 5), session(&l, 6));
	assert_ptr_equal(session(&l, 7), session(&l, 6));
	tear_down(&l);
}

/* Each cluster has one, and each has executors of its own. */
static void test_two_detectors(void **state)
{
#define DETECTOR "postgres:  6000, bgworker: global deadlock detector process"
#define DETECTS "postgres:  6002, gpadmin postgres 10.0.0.1(5) con6 seg0 idle"
	struct lab l;
	int i;

	(void)state;
	set_up(&l);
	(void)start(&l, 0, 100, 10, QD "cmd1 SELECT");
	(void)start(&l, 0, 101, 11, QE "cmd1 slice1 MPPEXEC SELECT");
	(void)start(&l, 0, 200, 20, "postgres: 5, bob dw [local] con8 idle");
	(void)start(&l, 0, 201, 21, "postgres: 6, bob dw [local] con8 seg0 idle");
	(void)start(&l, 0, 102, 10, DETECTOR);
	(void)start(&l, 0, 202, 20, DETECTOR);
	tick(&l);
	(void)start(&l, 0, 103, 11, DETECTS);
	(void)start(&l, 0, 203, 21, DETECTS);
	for (i = 0; i < 7; i++)
		tick(&l);
	assert_ptr_equal(session(&l, 6), session(&l, 4));
	assert_ptr_equal(session(&l, 7), session(&l, 5));
	assert_ptr_not_equal(session(&l, 4), session(&l, 5));
	tear_down(&l);
}

/* Ports of segments show to which cluster executors belong. */
static void test_catalog_knows_segments(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	greenplum(&l);
	(void)start(&l, 0, 200, 20,
	    "postgres:  5000, alice shop [local] con7 cmd1 SELECT");
	(void)start(&l, 0, 100, 10, QD "cmd1 SELECT");
	(void)backend(&l, -1, 100, 7, "active");
	tick(&l);
	(void)start(&l, 1, 101, 11, QE "cmd1 slice1 MPPEXEC SELECT");
	tick(&l);
	assert_ptr_not_equal(session(&l, 0), session(&l, 1));
	assert_ptr_equal(session(&l, 2), session(&l, 1));
	assert_null(session(&l, 0)->backend);
	assert_non_null(session(&l, 1)->backend);
	tear_down(&l);
}

/* A connection to a segment, past the coordinator. */
static void test_utility_mode(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	(void)start(&l, 1, 300, 20,
	    "postgres:  6002, alice shop [local] con7 cmd1 SELECT");
	(void)start(&l, 0, 100, 10, QD "cmd1 SELECT");
	(void)start(&l, 1, 200, 20, QE "cmd1 slice1 MPPEXEC SELECT");
	tick(&l);
	assert_ptr_not_equal(session(&l, 0), session(&l, 1));
	assert_ptr_equal(session(&l, 2), session(&l, 1));
	assert_int_equal(session(&l, 0)->n_procs, 1);
	tear_down(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} all[] = {
		{ "labels", test_labels },
		{ "states", test_states },
		{ "start must fit", test_start_must_fit },
		{ "without process", test_without_process },
		{ "own backend", test_own_backend },
		{ "parallel workers", test_parallel_workers },
		{ "two clusters", test_two_clusters },
		{ "two detectors", test_two_detectors },
		{ "catalog knows segments", test_catalog_knows_segments },
		{ "utility mode", test_utility_mode },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(all); i++)
		cases_add(&c, all[i].name, all[i].fn, NULL);
	return cases_run(&c, "catalog");
}
