/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data from the catalog beside process titles: the process of a backend, the
 * activity of its session, and the limits of queries.
 */
#include <inttypes.h>

#include "analysis/sessions.h"
#include "base/compiler.h"
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

static void set_up(struct lab *l)
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

static void tear_down(struct lab *l)
{
	sessions_free(l->s);
	world_free(l->w);
	encoder_free(l->encoder);
	simhost_release(&l->h[0]);
	simhost_release(&l->h[1]);
	simhost_release(&l->catalog);
}

static void tick_of(struct lab *l, bool catalog)
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

static void tick(struct lab *l)
{
	tick_of(l, true);
}

/* ---- rows ------------------------------------------------------------- */

static size_t start(struct lab *l, int host, uint64_t pid, uint64_t server,
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

static int64_t now_us(const struct lab *l)
{
	return l->h[0].clock.wall_ns / 1000;
}

#define CAT_SET(l, e, i, sym, v) \
	simhost_set(&(l)->catalog, ENTITY_##e, (i), COL(e, sym), \
	    (uint64_t)(v))
#define CAT_TEXT(l, e, i, sym, v) \
	simhost_set_text(&(l)->catalog, ENTITY_##e, (i), COL(e, sym), (v))

static void segment(struct lab *l, int content, char role, uint64_t port,
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

static void cluster(struct lab *l, const char *host, uint64_t port)
{
	size_t i = simhost_open(&l->catalog, ENTITY_CLUSTER, OPEN_APPEARED);

	CAT_SET(l, CLUSTER, i, START, now_us(l) - 1000000);
	CAT_TEXT(l, CLUSTER, i, HOST, host);
	CAT_SET(l, CLUSTER, i, PORT, port);
}

/* A Greenplum of one coordinator and one segment. */
static void greenplum(struct lab *l)
{
	cluster(l, "mdw", 6000);
	segment(l, -1, 'p', 6000, "mdw");
	segment(l, 0, 'p', 6002, "sdw1");
	segment(l, 0, 'm', 7002, "mdw");
}

static size_t backend(struct lab *l, int content, uint64_t pid, int session,
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
static void runs(struct lab *l, size_t i, int64_t ms_ago, const char *text)
{
	CAT_TEXT(l, BACKEND, i, STATE, "active");
	CAT_TEXT(l, BACKEND, i, QUERY, text);
	CAT_SET(l, BACKEND, i, QUERY_START, now_us(l) - ms_ago * 1000);
}

static void title(struct lab *l, size_t i, const char *text)
{
	simhost_set_text(&l->h[l->proc[i].host], ENTITY_PROCESS,
	    l->proc[i].row, COL(PROCESS, TITLE), text);
}

static void proc_exit(struct lab *l, size_t i)
{
	simhost_close(&l->h[l->proc[i].host], ENTITY_PROCESS, l->proc[i].row,
	    CLOSE_EXITED);
}

static void backend_exit(struct lab *l, size_t i)
{
	simhost_close(&l->catalog, ENTITY_BACKEND, i, CLOSE_EXITED);
}

static struct proc *proc(const struct lab *l, size_t i)
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

static struct session *session(const struct lab *l, size_t i)
{
	return proc(l, i)->session;
}

static struct session *named(const struct lab *l, const char *name)
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

/* ---- queries ------------------------------------------------------------ */

static void test_query_start_decides(void **state)
{
	struct query_charge c;
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	b = backend(&l, -1, 100, 0, "active");
	runs(&l, b, 0, "SELECT 1");
	tick(&l);
	n = session(&l, 0);
	assert_int_equal(n->query->number, 1);
	/* the title is the same, the query is not: began 1/4 s into the
	 * tick */
	runs(&l, b, -250, "SELECT 2");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_int_equal(c.to->number, 1);
	assert_non_null(c.also);
	assert_int_equal(c.also->number, 2);
	assert_int_equal(c.share, CHARGE_WHOLE / 4);
	assert_true(c.to->estimated && c.also->estimated);
	/* it continues: another title is another activity */
	title(&l, 0, "postgres: alice shop [local] COMMIT");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to == n->query);
	/* idle, then the next one: all of the tick is the next one's */
	CAT_TEXT(&l, BACKEND, b, STATE, "idle");
	title(&l, 0, "postgres: alice shop [local] idle");
	tick(&l);
	assert_null(n->query);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to->number == 2);
	runs(&l, b, -900, "SELECT 3");
	tick(&l);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to->number == 3);
	assert_false(n->query->estimated);
	tear_down(&l);
}

/* A query seen in titles gets its start when the catalog answers; without it
 * titles decide again. */
static void test_catalog_comes_and_goes(void **state)
{
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	tick(&l);
	n = session(&l, 0);
	assert_false(n->query->has_start);
	assert_false(n->since_known);
	b = backend(&l, -1, 100, 0, "active");
	CAT_SET(&l, BACKEND, b, START, now_us(&l) - 1000000);
	runs(&l, b, 700, "SELECT 1");
	tick(&l);
	assert_int_equal(n->query->number, 1);
	assert_true(n->query->has_start);
	backend_exit(&l, b);
	tick(&l);
	assert_int_equal(n->query->number, 1);
	tick(&l);
	title(&l, 0, "postgres: alice shop [local] INSERT");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	assert_ptr_equal(sessions_charge_of(l.s, proc(&l, 0)).to, &n->mixed);
	tear_down(&l);
}

/* The catalog is sampled less often than titles. */
static void test_title_is_newer(void **state)
{
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	b = backend(&l, -1, 100, 0, "active");
	runs(&l, b, 0, "SELECT 1");
	tick(&l);
	n = session(&l, 0);
	title(&l, 0, "postgres: alice shop [local] idle");
	tick_of(&l, false);
	assert_int_equal(n->state, TITLE_IDLE);
	assert_null(n->query);
	CAT_TEXT(&l, BACKEND, b, STATE, "idle");
	simhost_tick(&l.catalog, SIM_SECOND); /* late */
	tick(&l);
	assert_int_equal(n->state, TITLE_IDLE);
	assert_true(n->since_known);
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
		{ "query start decides", test_query_start_decides },
		{ "catalog comes and goes", test_catalog_comes_and_goes },
		{ "title is newer", test_title_is_newer },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(all); i++)
		cases_add(&c, all[i].name, all[i].fn, NULL);
	return cases_run(&c, "catalog");
}
