/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks of processes that the coordinator does not list: sessions in utility
 * mode, executors that outlived their coordinator process.
 */
#include "analysis/lockgraph.h"
#include "cases.h"
#include "simgreenplum.h"

#define REL 16384
#define MANY 400u
#define HOLDER 500
#define WAITER 400

struct unlisted {
	const char *name;
	const char *title; /* of the holder's process; NULL: it has ended */
	int session; /* of its lock */
	bool holds;
};

/* Session 7 waits on segment 1 for a lock of process 500 there. */
static const struct unlisted unlisted[] = {
	{ "a session in utility mode",
	    "postgres: 16001, gpadmin sales [local] idle in transaction",
	    -1, true },
	{ "a session in utility mode, at work",
	    "postgres: 16001, gpadmin sales [local] ALTER TABLE", -1, true },
	{ "an executor whose coordinator process is gone",
	    "postgres: 16001, app sales 10.0.0.1(5000) con55 seg1 idle in "
	    "transaction", 55, true },
	{ "an executor that holds nothing any more",
	    "postgres: 16001, app sales 10.0.0.1(5000) con55 seg1 idle", 55,
	    false },
	{ "a process that is gone", NULL, -1, false },
};

/* Counted by the code under test: processes, servers, pairs of modes. */
static size_t n_looks;

bool __real_lockwants_conflict(int mode, int with);
bool __wrap_lockwants_conflict(int mode, int with);

uint64_t __real_process_postmaster(const struct row *r);
uint64_t __wrap_process_postmaster(const struct row *r);
const struct instance *__real_instances_get(const struct instances *t,
	size_t i);
const struct instance *__wrap_instances_get(const struct instances *t,
	size_t i);

uint64_t __wrap_process_postmaster(const struct row *r)
{
	n_looks++;
	return __real_process_postmaster(r);
}

const struct instance *__wrap_instances_get(const struct instances *t,
	size_t i)
{
	n_looks++;
	return __real_instances_get(t, i);
}

bool __wrap_lockwants_conflict(int mode, int with)
{
	n_looks++;
	return __real_lockwants_conflict(mode, with);
}

static void lock(struct simgreenplum *c, uint64_t pid, int session,
	const char *mode, bool granted)
{
	size_t i = simhost_open(&c->catalog, ENTITY_LOCK, OPEN_APPEARED);

	SIM_CAT(c, LOCK, i, CONTENT, 1);
	SIM_CAT(c, LOCK, i, PID, pid);
	SIM_CAT_TEXT(c, LOCK, i, TYPE, "relation");
	SIM_CAT_TEXT(c, LOCK, i, MODE, mode);
	SIM_CAT(c, LOCK, i, DATABASE, 5);
	SIM_CAT(c, LOCK, i, RELATION, REL);
	SIM_CAT(c, LOCK, i, GRANTED, granted);
	SIM_CAT(c, LOCK, i, SESSION, (int64_t)session);
}

/* Locks are sampled now; all began before. */
static void set_up(struct simgreenplum *c, int session)
{
	size_t b;

	simgreenplum_init(c);
	SIM_CAT(c, COLLECTOR, c->locks, LAST, simgreenplum_now_us(c) +
	    10000000);
	(void)simgreenplum_leader(c, 70, "postgres: 16432, app sales [local] "
	    "con7 cmd2 UPDATE", 'S');
	(void)simgreenplum_executor(c, 1, WAITER, "postgres: 16001, app sales "
	    "10.0.0.1(5001) con7 seg1 cmd3 MPPEXEC UPDATE waiting", 'S');
	b = simgreenplum_backend(c, -1, 70, 7, "active");
	SIM_CAT(c, BACKEND, b, XACT_START, simgreenplum_now_us(c));
	SIM_CAT(c, BACKEND, b, QUERY_START, simgreenplum_now_us(c));
	lock(c, HOLDER, session, "AccessExclusiveLock", true);
	lock(c, WAITER, 7, "RowExclusiveLock", false);
}

static void expect_root(const struct lockgraph *g, const struct unlisted *u)
{
	size_t at = lockgraph_find_session(g, 7);
	const struct locknode *n, *root;

	assert_true(at != LOCKGRAPH_NONE);
	n = lockgraph_get(g, at);
	assert_true(n->waits);
	if (!u->holds) {
		assert_true(n->root == LOCKGRAPH_NONE);
		return;
	}
	assert_true(n->root != LOCKGRAPH_NONE);
	root = lockgraph_get(g, n->root);
	assert_int_equal(root->pid, HOLDER);
	assert_int_equal(root->content, 1);
	assert_int_equal(root->blocks, 1);
	assert_null(root->backend);
	assert_non_null(root->proc);
}

static void test_the_root_is_in_no_list(void **state)
{
	const struct unlisted *u = *state;
	struct simgreenplum c;
	struct instances *t;
	struct lockgraph *g;

	set_up(&c, u->session);
	if (u->title)
		(void)simgreenplum_executor(&c, 1, HOLDER, u->title, 'S');
	simgreenplum_tick(&c);
	t = instances_new(c.w, c.s);
	g = lockgraph_new(c.w, world_catalog(c.w, 0), c.s, t);
	expect_root(g, u);
	lockgraph_free(g);
	instances_free(t);
	simgreenplum_release(&c);
}

/* Its host is not recorded: the lock is assumed to exist. */
static void test_a_holder_on_a_host_that_is_not_recorded(void **state)
{
	const struct locknode *n;
	struct simgreenplum c;
	struct lockgraph *g;

	(void)state;
	set_up(&c, -1);
	simgreenplum_tick(&c);
	g = lockgraph_new(c.w, world_catalog(c.w, 0), NULL, NULL);
	n = lockgraph_get(g, lockgraph_find_session(g, 7));
	assert_true(n->root != LOCKGRAPH_NONE);
	assert_int_equal(lockgraph_get(g, n->root)->pid, HOLDER);
	lockgraph_free(g);
	simgreenplum_release(&c);
}

/* Its executor's title shows that the wait is over, before locks are sampled
 * again. */
static void test_a_wait_that_ended(void **state)
{
	struct simgreenplum c;
	struct instances *t;
	struct lockgraph *g;

	(void)state;
	set_up(&c, -1);
	(void)simgreenplum_executor(&c, 1, HOLDER, unlisted[0].title, 'S');
	SIM_TITLE(&c.h[SIM_SDW], 3 - 1, "postgres: 16001, app sales "
	    "10.0.0.1(5001) con7 seg1 cmd3 MPPEXEC UPDATE");
	simgreenplum_tick(&c);
	t = instances_new(c.w, c.s);
	g = lockgraph_new(c.w, world_catalog(c.w, 0), c.s, t);
	assert_true(lockgraph_find_session(g, 7) == LOCKGRAPH_NONE);
	lockgraph_free(g);
	instances_free(t);
	simgreenplum_release(&c);
}

/* Seconds that session 7 has waited, by the catalog's blockers alone. */
static int waited_for(struct simgreenplum *c, size_t backend,
	const char *blockers)
{
	const struct locknode *n;
	struct lockgraph *g;
	int seconds;

	SIM_CAT_TEXT(c, BACKEND, backend, BLOCKERS, blockers);
	simgreenplum_tick(c);
	g = lockgraph_new(c->w, world_catalog(c->w, 0), c->s, NULL);
	n = lockgraph_get(g, lockgraph_find_session(g, 7));
	assert_true(n->waits);
	assert_false(n->since_exact);
	seconds = (int)((lockgraph_catalog(g)->clock.wall_ns - n->since_ns) /
	    SIM_SECOND);
	lockgraph_free(g);
	return seconds;
}

/* Its title says UPDATE waiting at each tick, and locks were not sampled. */
static void test_two_waits_are_not_one(void **state)
{
	struct simgreenplum c;
	size_t b;

	(void)state;
	simgreenplum_init(&c);
	(void)simgreenplum_leader(&c, 70, "postgres: 16432, app sales [local] "
	    "con7 cmd2 UPDATE waiting", 'S');
	b = simgreenplum_backend(&c, -1, 70, 7, "active");
	(void)simgreenplum_backend(&c, -1, 80, 8, "idle in transaction");
	(void)simgreenplum_backend(&c, -1, 90, 9, "idle in transaction");
	assert_int_equal(waited_for(&c, b, "80"), 0);
	assert_int_equal(waited_for(&c, b, "80"), 1);
	/* a queue becomes longer and shorter */
	assert_int_equal(waited_for(&c, b, "80,90"), 2);
	assert_int_equal(waited_for(&c, b, "80"), 3);
	assert_int_equal(waited_for(&c, b, "90"), 0);
	assert_int_equal(waited_for(&c, b, "90"), 1);
	/* another statement has begun since */
	SIM_CAT(&c, BACKEND, b, QUERY_START, simgreenplum_now_us(&c));
	assert_int_equal(waited_for(&c, b, "90"), 1);
	simgreenplum_release(&c);
}

/* A file may name one pid many times: as many processes that are the
 * coordinator's neighbours, as many locks of it. */
static void many_of_one_pid(struct simgreenplum *c, bool waits)
{
	unsigned i;

	set_up(c, -1);
	for (i = 0; i < MANY; i++) {
		size_t p = simgreenplum_process(c, SIM_SDW, 1000 + i,
		    SIM_SEGMENT(0), unlisted[0].title, 'S');

		SIM_SET(&c->h[SIM_SDW], p, NS_PID, HOLDER);
		lock(c, HOLDER, -1, "AccessShareLock", true);
		SIM_CAT(c, LOCK, c->catalog.n[ENTITY_LOCK] - 1, RELATION,
		    waits ? REL : REL + 1);
	}
}

static size_t looks_of(struct simgreenplum *c)
{
	struct instances *t;

	simgreenplum_tick(c);
	t = instances_new(c->w, c->s);
	n_looks = 0;
	lockgraph_free(lockgraph_new(c->w, world_catalog(c->w, 0), c->s, t));
	instances_free(t);
	return n_looks;
}

/* Each process is looked up once, however many locks there are. */
static void test_many_locks_of_many_processes(void **state)
{
	struct simgreenplum c;

	(void)state;
	many_of_one_pid(&c, true);
	assert_in_range(looks_of(&c), MANY, 2 * MANY);
	simgreenplum_release(&c);
}

/* A queue is not compared with itself pair by pair. */
static void test_a_long_queue(void **state)
{
	struct simgreenplum c;
	unsigned i;

	(void)state;
	set_up(&c, -1);
	for (i = 0; i < MANY; i++)
		lock(&c, 1000 + i, 1000 + (int)i, "RowExclusiveLock", false);
	simhost_unset(&c.catalog, ENTITY_COLLECTOR, c.locks,
	    COL(COLLECTOR, LAST)); /* so all still exist */
	assert_in_range(looks_of(&c), 1, 10 * MANY);
	simgreenplum_release(&c);
}

/* No holder is looked up for a lock that nobody wants. */
static void test_locks_that_nobody_wants(void **state)
{
	struct simgreenplum c;
	size_t i;

	(void)state;
	many_of_one_pid(&c, false);
	for (i = 0; i < 2; i++) /* those of set_up() */
		SIM_CAT(&c, LOCK, i, GRANTED, 1);
	assert_int_equal(looks_of(&c), 0);
	simgreenplum_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_the_root_is_in_no_list, unlisted);
	cases_add(&c, "a holder on a host that is not recorded",
	    test_a_holder_on_a_host_that_is_not_recorded, NULL);
	cases_add(&c, "a wait that ended", test_a_wait_that_ended, NULL);
	cases_add(&c, "two waits are not one", test_two_waits_are_not_one,
	    NULL);
	cases_add(&c, "many locks of many processes",
	    test_many_locks_of_many_processes, NULL);
	cases_add(&c, "a long queue", test_a_long_queue, NULL);
	cases_add(&c, "locks that nobody wants", test_locks_that_nobody_wants,
	    NULL);
	return cases_run(&c, "lockholders");
}
