/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocking sessions: queues in order, modes that conflict or not, locks of
 * several segments, pg_blocking_pids(), deadlocks.
 */
#include "analysis/lockgraph.h"
#include "cases.h"
#include "simhost.h"

#define REL 16384

struct lab {
	struct simhost host;
	struct lockgraph *graph;
};

static void set_up(struct lab *l)
{
	*l = (struct lab) { .graph = NULL };
	simhost_init(&l->host, "catalog");
	(void)simhost_open(&l->host, ENTITY_CLUSTER, OPEN_APPEARED);
	simhost_tick(&l->host, SIM_SECOND); /* so it is one */
}

static void tear_down(struct lab *l)
{
	lockgraph_free(l->graph);
	simhost_release(&l->host);
}

static void look(struct lab *l)
{
	simhost_tick(&l->host, SIM_SECOND);
	lockgraph_free(l->graph);
	l->graph = lockgraph_new(l->host.world,
	    world_catalog(l->host.world, 0), NULL, NULL);
}

#define SET(h, E, i, SYM, v) \
	simhost_set((h), ENTITY_##E, (i), COL(E, SYM), (uint64_t)(v))

static size_t backend(struct lab *l, int content, uint64_t pid, int session)
{
	struct simhost *h = &l->host;
	size_t i = simhost_open(h, ENTITY_BACKEND, OPEN_APPEARED);

	SET(h, BACKEND, i, CONTENT, (int64_t)content);
	SET(h, BACKEND, i, PID, pid);
	SET(h, BACKEND, i, START, SIM_EPOCH / 1000);
	if (session)
		SET(h, BACKEND, i, SESSION, session);
	return i;
}

/* since: seconds of its wait; 0: it is held. */
static size_t lock(struct lab *l, int content, uint64_t pid, int session,
	const char *mode, uint64_t relation, int since)
{
	struct simhost *h = &l->host;
	size_t i = simhost_open(h, ENTITY_LOCK, OPEN_APPEARED);

	SET(h, LOCK, i, CONTENT, (int64_t)content);
	SET(h, LOCK, i, PID, pid);
	simhost_set_text(h, ENTITY_LOCK, i, COL(LOCK, TYPE), "relation");
	simhost_set_text(h, ENTITY_LOCK, i, COL(LOCK, MODE), mode);
	SET(h, LOCK, i, DATABASE, 5);
	SET(h, LOCK, i, RELATION, relation);
	SET(h, LOCK, i, GRANTED, since == 0);
	if (session)
		SET(h, LOCK, i, SESSION, session);
	if (since)
		SET(h, LOCK, i, WAIT_START, SIM_EPOCH / 1000 +
		    since * 1000000);
	return i;
}

static const struct locknode *of_pid(const struct lab *l, uint64_t pid)
{
	size_t i = lockgraph_find_pid(l->graph, -1, pid);

	if (i == LOCKGRAPH_NONE)
		fail_msg("no node of pid %d", (int)pid);
	return lockgraph_get(l->graph, i);
}

static const struct locknode *of_session(const struct lab *l, int session)
{
	size_t i = lockgraph_find_session(l->graph, session);

	if (i == LOCKGRAPH_NONE)
		fail_msg("no node of session %d", session);
	return lockgraph_get(l->graph, i);
}

static uint64_t root_pid(const struct lab *l, const struct locknode *n)
{
	return n->root == LOCKGRAPH_NONE
	    ? 0 : lockgraph_get(l->graph, n->root)->pid;
}

/* A long SELECT, then an ALTER, then four SELECTs. */
static void pile_up(struct lab *l)
{
	uint64_t pid;

	for (pid = 101; pid <= 106; pid++)
		(void)backend(l, -1, pid, 0);
	/* the order of rows has no meaning */
	(void)lock(l, -1, 106, 0, "AccessShareLock", REL, 34);
	(void)lock(l, -1, 105, 0, "AccessShareLock", REL, 33);
	(void)lock(l, -1, 104, 0, "AccessShareLock", REL, 32);
	(void)lock(l, -1, 103, 0, "AccessShareLock", REL, 31);
	(void)lock(l, -1, 102, 0, "AccessExclusiveLock", REL, 20);
	(void)lock(l, -1, 101, 0, "AccessShareLock", REL, 0);
}

static void expect_pile_up(const struct lab *l)
{
	uint64_t pid;

	assert_int_equal(of_pid(l, 101)->blocks, 5);
	assert_false(of_pid(l, 101)->waits);
	assert_int_equal(root_pid(l, of_pid(l, 101)), 101);
	assert_int_equal(of_pid(l, 102)->blocks, 4);
	assert_true(of_pid(l, 102)->waits);
	assert_int_equal(root_pid(l, of_pid(l, 102)), 101);
	for (pid = 103; pid <= 106; pid++) {
		assert_int_equal(of_pid(l, pid)->blocks, 0);
		assert_int_equal(root_pid(l, of_pid(l, pid)), 101);
		assert_false(of_pid(l, pid)->deadlock);
	}
}

static void test_selects_behind_an_alter_wait_for_it(void **state)
{
	struct lab l;
	size_t alter, select;

	(void)state;
	set_up(&l);
	pile_up(&l);
	look(&l);
	expect_pile_up(&l);
	alter = lockgraph_find_pid(l.graph, -1, 102);
	select = lockgraph_find_pid(l.graph, -1, 104);
	assert_true(lockgraph_waits(l.graph, select, alter));
	assert_true(lockgraph_waits(l.graph, select,
	    lockgraph_find_pid(l.graph, -1, 101)));
	assert_false(lockgraph_waits(l.graph, alter, select));
	assert_true(of_pid(&l, 102)->since_exact);
	assert_int_equal(of_pid(&l, 102)->since_ns,
	    SIM_EPOCH + 20 * SIM_SECOND);
	assert_int_equal(row_text(l.host.world, of_pid(&l, 101)->holds,
	    COL(LOCK, MODE)).ptr[6], 'S');
	tear_down(&l);
}

/* Without waitstart: by the first sample of the wait, then by the query's
 * start. */
static void test_order_without_times_of_waits(void **state)
{
	struct lab l;
	uint64_t pid;
	size_t i;

	(void)state;
	set_up(&l);
	for (pid = 101; pid <= 106; pid++) {
		i = backend(&l, -1, pid, 0);
		SET(&l.host, BACKEND, i, QUERY_START, SIM_EPOCH / 1000 +
		    (int64_t)pid);
	}
	(void)lock(&l, -1, 101, 0, "AccessShareLock", REL, 0);
	for (pid = 106; pid >= 102; pid--) {
		i = lock(&l, -1, pid, 0, pid == 102 ? "AccessExclusiveLock"
		    : "AccessShareLock", REL, 0);
		SET(&l.host, LOCK, i, GRANTED, 0);
	}
	look(&l);
	expect_pile_up(&l);
	assert_false(of_pid(&l, 103)->since_exact);
	tear_down(&l);
}

static void test_blocking_pids_count_in_place_of_locks(void **state)
{
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	(void)backend(&l, -1, 101, 0);
	(void)backend(&l, -1, 102, 0);
	b = backend(&l, -1, 103, 0);
	simhost_set_text(&l.host, ENTITY_BACKEND, b, COL(BACKEND, BLOCKERS),
	    "102,0");
	(void)lock(&l, -1, 101, 0, "ExclusiveLock", REL, 0);
	(void)lock(&l, -1, 103, 0, "ExclusiveLock", REL, 7);
	look(&l);
	assert_int_equal(of_pid(&l, 102)->blocks, 1);
	assert_int_equal(of_pid(&l, 101)->blocks, 0);
	assert_int_equal(root_pid(&l, of_pid(&l, 103)), 102);
	tear_down(&l);
}

/* It waits on segment 2 for a session that waits on segment 0. */
static void test_sessions_wait_across_segments(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	(void)backend(&l, -1, 50, 7);
	(void)backend(&l, -1, 60, 8);
	(void)backend(&l, -1, 70, 9);
	(void)lock(&l, 2, 901, 7, "AccessExclusiveLock", REL, 5);
	(void)lock(&l, 2, 902, 8, "AccessShareLock", REL, 0);
	(void)lock(&l, 0, 802, 8, "RowExclusiveLock", REL + 1, 4);
	(void)lock(&l, 0, 803, 9, "ShareLock", REL + 1, 0);
	/* the same pid on another segment is another process */
	(void)lock(&l, 1, 803, 11, "AccessShareLock", REL + 1, 0);
	look(&l);
	assert_int_equal(of_session(&l, 9)->blocks, 2);
	assert_int_equal(of_session(&l, 8)->blocks, 1);
	assert_int_equal(root_pid(&l, of_session(&l, 7)), 70);
	assert_int_equal(of_session(&l, 7)->pid, 50);
	assert_int_equal(of_session(&l, 7)->content, -1);
	assert_int_equal(lockgraph_find_session(l.graph, 11),
	    LOCKGRAPH_NONE);
	tear_down(&l);
}

static void test_a_deadlock_over_segments_is_one(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	(void)lock(&l, 0, 11, 1, "ExclusiveLock", REL, 0);
	(void)lock(&l, 0, 12, 2, "ExclusiveLock", REL, 3);
	(void)lock(&l, 1, 21, 1, "ExclusiveLock", REL, 4);
	(void)lock(&l, 1, 22, 2, "ExclusiveLock", REL, 0);
	(void)lock(&l, 1, 23, 3, "ExclusiveLock", REL, 9);
	look(&l);
	assert_true(of_session(&l, 1)->deadlock);
	assert_true(of_session(&l, 2)->deadlock);
	assert_false(of_session(&l, 3)->deadlock);
	assert_int_equal(of_session(&l, 1)->blocks, 2);
	assert_int_equal(of_session(&l, 2)->blocks, 2);
	assert_int_equal(of_session(&l, 3)->blocks, 0);
	assert_true(lockgraph_get(l.graph,
	    of_session(&l, 3)->root)->deadlock);
	tear_down(&l);
}

static void test_parallel_workers_are_their_leader(void **state)
{
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	(void)backend(&l, -1, 101, 0);
	b = backend(&l, -1, 102, 0);
	SET(&l.host, BACKEND, b, LEADER, 101);
	(void)backend(&l, -1, 103, 0);
	(void)lock(&l, -1, 102, 0, "AccessShareLock", REL, 0);
	(void)lock(&l, -1, 101, 0, "AccessShareLock", REL, 0);
	(void)lock(&l, -1, 103, 0, "AccessExclusiveLock", REL, 9);
	look(&l);
	assert_int_equal(lockgraph_count(l.graph), 2);
	assert_int_equal(of_pid(&l, 101)->blocks, 1);
	tear_down(&l);
}

/* Three want a row that 101 changed: 102 has its tuple, and waits for the
 * transaction; 103 and 104 for the tuple. */
static void test_the_table_of_a_transaction(void **state)
{
	struct lab l;
	size_t i;
	uint64_t pid;

	(void)state;
	set_up(&l);
	for (pid = 101; pid <= 102; pid++) {
		i = lock(&l, -1, pid, 0, pid == 101 ? "ExclusiveLock"
		    : "ShareLock", 0, pid == 101 ? 0 : 5);
		simhost_set_text(&l.host, ENTITY_LOCK, i, COL(LOCK, TYPE),
		    "transactionid");
		simhost_unset(&l.host, ENTITY_LOCK, i, COL(LOCK, RELATION));
		SET(&l.host, LOCK, i, XID, 7461);
	}
	for (pid = 102; pid <= 103; pid++) {
		i = lock(&l, -1, pid, 0, "ExclusiveLock", REL,
		    pid == 102 ? 0 : 6);
		simhost_set_text(&l.host, ENTITY_LOCK, i, COL(LOCK, TYPE),
		    "tuple");
		SET(&l.host, LOCK, i, PAGE, 26);
		SET(&l.host, LOCK, i, TUPLE, 104);
	}
	(void)lock(&l, -1, 105, 0, "AccessShareLock", REL + 1, 0);
	(void)lock(&l, -1, 106, 0, "AccessExclusiveLock", REL + 1, 7);
	look(&l);
	for (pid = 101; pid <= 103; pid++) {
		const struct locknode *n = of_pid(&l, pid);
		const struct row *r = lockgraph_relation(l.graph,
		    n->waits ? n->wants : n->holds);
		uint64_t v = 0;

		assert_non_null(r);
		assert_true(row_get(r, COL(LOCK, RELATION), &v));
		assert_int_equal(v, REL);
	}
	assert_null(lockgraph_relation(l.graph, of_pid(&l, 106)->wants));
	tear_down(&l);
}

static void test_nobody_holds_a_queue(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = lock(&l, -1, 101, 1, "ExclusiveLock", REL, 0);
	b = lock(&l, -1, 102, 2, "ExclusiveLock", REL, 5);
	simhost_set_text(&l.host, ENTITY_LOCK, a, COL(LOCK, TYPE),
	    "resource queue");
	simhost_set_text(&l.host, ENTITY_LOCK, b, COL(LOCK, TYPE),
	    "resource queue");
	look(&l);
	assert_int_equal(lockgraph_count(l.graph), 0);
	tear_down(&l);
}

static void test_a_prepared_transaction_blocks(void **state)
{
	const struct locknode *n;
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	i = lock(&l, -1, 0, 0, "ExclusiveLock", REL, 0);
	simhost_unset(&l.host, ENTITY_LOCK, i, COL(LOCK, PID));
	simhost_set_text(&l.host, ENTITY_LOCK, i,
	    COL(LOCK, VIRTUAL_TRANSACTION), "-1/777");
	(void)lock(&l, -1, 102, 0, "AccessExclusiveLock", REL, 5);
	look(&l);
	n = lockgraph_get(l.graph, of_pid(&l, 102)->root);
	assert_false(n->has_pid);
	assert_int_equal(n->blocks, 1);
	tear_down(&l);
}

/* pg_blocking_pids() says 0 for it. */
static void test_a_prepared_transaction_among_told_blockers(void **state)
{
	const struct locknode *n;
	struct lab l;
	size_t i, b;

	(void)state;
	set_up(&l);
	b = backend(&l, -1, 102, 0);
	simhost_set_text(&l.host, ENTITY_BACKEND, b, COL(BACKEND, BLOCKERS),
	    "0");
	i = lock(&l, -1, 0, 0, "ExclusiveLock", REL, 0);
	simhost_unset(&l.host, ENTITY_LOCK, i, COL(LOCK, PID));
	simhost_set_text(&l.host, ENTITY_LOCK, i,
	    COL(LOCK, VIRTUAL_TRANSACTION), "7/3");
	(void)lock(&l, -1, 103, 0, "AccessShareLock", REL, 0);
	(void)lock(&l, -1, 102, 0, "AccessExclusiveLock", REL, 5);
	look(&l);
	assert_int_not_equal(of_pid(&l, 102)->root, LOCKGRAPH_NONE);
	n = lockgraph_get(l.graph, of_pid(&l, 102)->root);
	assert_false(n->has_pid);
	assert_int_equal(n->blocks, 1);
	tear_down(&l);
}

static void test_more_sessions_than_are_looked_at(void **state)
{
	struct lab l;
	uint64_t pid;

	(void)state;
	set_up(&l);
	(void)lock(&l, -1, 1, 0, "AccessExclusiveLock", REL, 0);
	for (pid = 2; pid < LOCKGRAPH_NODES_MAX + 100; pid++)
		(void)lock(&l, -1, pid, 0, "AccessShareLock", REL, 5);
	look(&l);
	assert_int_equal(lockgraph_count(l.graph), LOCKGRAPH_NODES_MAX);
	assert_int_equal(of_pid(&l, 1)->blocks, LOCKGRAPH_NODES_MAX - 1);
	tear_down(&l);
}

static void test_no_catalog_no_graph(void **state)
{
	struct simhost h;
	struct lockgraph *g;

	(void)state;
	simhost_init(&h, "alpha");
	simhost_tick(&h, SIM_SECOND);
	g = lockgraph_new(h.world, NULL, NULL, NULL);
	assert_int_equal(lockgraph_count(g), 0);
	lockgraph_free(g);
	simhost_release(&h);
}

struct pair {
	const char *name;
	const char *a, *b;
	bool conflict;
};

static const struct pair pairs[] = {
	{ "two readers", "AccessShareLock", "AccessShareLock", false },
	{ "reader and ALTER", "AccessShareLock", "AccessExclusiveLock",
	    true },
	{ "two writers", "RowExclusiveLock", "RowExclusiveLock", false },
	{ "writer and CREATE INDEX", "RowExclusiveLock", "ShareLock", true },
	{ "two CREATE INDEX", "ShareLock", "ShareLock", false },
	{ "two VACUUM", "ShareUpdateExclusiveLock",
	    "ShareUpdateExclusiveLock", true },
	{ "VACUUM and writer", "ShareUpdateExclusiveLock",
	    "RowExclusiveLock", false },
	{ "SELECT FOR UPDATE and Greenplum's DELETE", "RowShareLock",
	    "ExclusiveLock", true },
	{ "predicate lock", "SIReadLock", "AccessExclusiveLock", false },
};

static void expect_modes(const char *held, const char *wanted, bool conflict)
{
	struct lab l;
	size_t holder;

	set_up(&l);
	(void)backend(&l, -1, 10, 0);
	(void)backend(&l, -1, 11, 0);
	(void)lock(&l, -1, 10, 0, held, REL, 0);
	(void)lock(&l, -1, 11, 0, wanted, REL, 3);
	look(&l);
	holder = lockgraph_find_pid(l.graph, -1, 10);
	assert_int_equal(holder != LOCKGRAPH_NONE &&
	    lockgraph_get(l.graph, holder)->blocks > 0, conflict);
	if (conflict)
		assert_true(of_pid(&l, 11)->waits);
	tear_down(&l);
}

static void test_modes(void **state)
{
	const struct pair *p = *state;

	expect_modes(p->a, p->b, p->conflict);
	expect_modes(p->b, p->a, p->conflict);
}

/* Locks are older than the rows of backends. */
static void test_what_ended_since_locks_were_asked_for(void **state)
{
	struct lab l;
	size_t c, holder, waiter, at;

	(void)state;
	set_up(&l);
	at = (size_t)(SIM_EPOCH / 1000);
	c = simhost_open(&l.host, ENTITY_COLLECTOR, OPEN_APPEARED);
	simhost_set_text(&l.host, ENTITY_COLLECTOR, c, COL(COLLECTOR, NAME),
	    "locks");
	SET(&l.host, COLLECTOR, c, LAST, at + 10000000);
	holder = backend(&l, -1, 10, 0);
	waiter = backend(&l, -1, 11, 0);
	SET(&l.host, BACKEND, holder, XACT_START, at + 1000000);
	SET(&l.host, BACKEND, waiter, XACT_START, at + 2000000);
	SET(&l.host, BACKEND, waiter, QUERY_START, at + 3000000);
	simhost_set_text(&l.host, ENTITY_BACKEND, waiter,
	    COL(BACKEND, WAIT_TYPE), "Lock");
	(void)lock(&l, -1, 10, 0, "AccessExclusiveLock", REL, 0);
	(void)lock(&l, -1, 11, 0, "AccessShareLock", REL, 3);
	look(&l);
	assert_true(of_pid(&l, 11)->waits);
	assert_int_equal(of_pid(&l, 10)->blocks, 1);
	/* the holder has another transaction now */
	SET(&l.host, BACKEND, holder, XACT_START, at + 11000000);
	look(&l);
	assert_int_equal(lockgraph_find_pid(l.graph, -1, 10),
	    LOCKGRAPH_NONE);
	/* and the waiter has another statement */
	SET(&l.host, BACKEND, holder, XACT_START, at + 1000000);
	SET(&l.host, BACKEND, waiter, QUERY_START, at + 12000000);
	look(&l);
	assert_int_equal(lockgraph_find_pid(l.graph, -1, 11),
	    LOCKGRAPH_NONE);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;
	static const struct { const char *name; CMUnitTestFunction fn; }
	alone[] = {
		{ "SELECTs after an ALTER wait for it",
		    test_selects_behind_an_alter_wait_for_it },
		{ "order without times of waits",
		    test_order_without_times_of_waits },
		{ "pg_blocking_pids() counts in place of locks",
		    test_blocking_pids_count_in_place_of_locks },
		{ "sessions wait across segments",
		    test_sessions_wait_across_segments },
		{ "a deadlock over segments is one",
		    test_a_deadlock_over_segments_is_one },
		{ "parallel workers are their leader",
		    test_parallel_workers_are_their_leader },
		{ "the table of a transaction",
		    test_the_table_of_a_transaction },
		{ "nobody holds a queue", test_nobody_holds_a_queue },
		{ "a prepared transaction blocks",
		    test_a_prepared_transaction_blocks },
		{ "a prepared transaction among told blockers",
		    test_a_prepared_transaction_among_told_blockers },
		{ "more sessions than are looked at",
		    test_more_sessions_than_are_looked_at },
		{ "what ended since locks were asked for",
		    test_what_ended_since_locks_were_asked_for },
		{ "no catalog, no graph", test_no_catalog_no_graph },
	};
	size_t i;

	for (i = 0; i < sizeof(alone) / sizeof(alone[0]); i++)
		cases_add(&c, alone[i].name, alone[i].fn, NULL);
	CASES_TABLE(&c, test_modes, pairs);
	return cases_run(&c, "lockgraph");
}
