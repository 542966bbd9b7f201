/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of a coordinator process: its own, or its executors'; and the state
 * of a session with a waiting executor.
 */
#include "analysis/waits.h"
#include "base/compiler.h"
#include "cases.h"
#include "simgreenplum.h"

#define LEADER 70
#define EXECUTOR 400

struct executor {
	int content;
	const char *title; /* after "seg" and the number */
	char state;
	const char *wchan; /* NULL: not readable */
};

struct part {
	const char *class, *event;
	int64_t ms; /* of a second; 0: no more of these */
};

struct split_case {
	const char *name;
	const char *activity; /* of the leading process */
	char state;
	const char *wait; /* Greenplum 6's reason; NULL: no wait */
	struct executor executor[4];
	struct part part[4];
	const char *shown; /* class shown for the backend */
	enum title_state session;
};

#define RUNS " cmd4 slice1 MPPEXEC SELECT", 'R', ""
#define MOVES " cmd4 slice1 MPPEXEC SELECT", 'S', "poll_schedule_timeout"
#define LOCKED " cmd4 MPPEXEC UPDATE waiting", 'S', "do_semtimedop"

static const struct split_case splits[] = {
	{ "one runs, three wait for its rows", "SELECT", 'S', NULL,
	    { { 0, RUNS }, { 0, MOVES }, { 1, MOVES }, { 1, MOVES } },
	    { { "CPU*", "", 1000 } }, "CPU*", TITLE_ACTIVE },
	{ "all wait for each other", "SELECT", 'S', NULL,
	    { { 0, MOVES }, { 1, MOVES } },
	    { { "Motion", "", 1000 } }, "Motion", TITLE_ACTIVE },
	{ "two run, one waits for a lock, one for a disk", "UPDATE", 'S',
	    NULL, { { 0, RUNS }, { 0, RUNS }, { 1, LOCKED },
	    { 1, " cmd4 slice1 MPPEXEC SELECT", 'D', "" } },
	    { { "CPU*", "", 500 }, { "Lock", "", 250 },
	    { "IO", "BlockDevice", 250 } }, "Lock", TITLE_WAITING },
	{ "an executor waits for a lock", "UPDATE", 'S', NULL,
	    { { 0, " idle in transaction", 'S', "unix_stream_read" },
	    { 1, LOCKED } },
	    { { "Lock", "", 1000 } }, "Lock", TITLE_WAITING },
	{ "a mirror that is dead", "COMMIT", 'S', NULL,
	    { { 0, " idle", 'S', NULL },
	    { 1, " Distributed Prepare waiting for 0/38254680 replication",
	    'S', NULL } },
	    { { "Replication", "", 1000 } }, "Replication",
	    TITLE_REPLICATION },
	{ "thirds add up", "SELECT", 'S', NULL,
	    { { 0, RUNS }, { 1, LOCKED },
	    { 1, " cmd4 slice1 MPPEXEC SELECT", 'D', "" } },
	    { { "CPU*", "", 333 }, { "Lock", "", 333 },
	    { "IO", "BlockDevice", 334 } }, "Lock", TITLE_WAITING },
	{ "a lightweight lock", "SELECT", 'S', NULL,
	    { { 0, " cmd4 slice1 MPPEXEC SELECT", 'S', "do_semtimedop" } },
	    { { "LWLock", "", 1000 } }, "LWLock", TITLE_ACTIVE },
	{ "asleep where the kernel does not tell", "SELECT", 'S', NULL,
	    { { 0, " cmd4 slice1 MPPEXEC SELECT", 'S', NULL } },
	    { { "Unknown", "", 1000 } }, "Unknown", TITLE_ACTIVE },
	{ "nothing is known of one, the other runs", "SELECT", 'S', NULL,
	    { { 0, " cmd4 slice1 MPPEXEC SELECT", 'S', NULL }, { 1, RUNS } },
	    { { "CPU*", "", 1000 } }, "CPU*", TITLE_ACTIVE },
	{ "no executor is at work", "SELECT", 'S', NULL,
	    { { 0, " idle", 'S', NULL } },
	    { { "Unknown", "", 1000 } }, "Unknown", TITLE_ACTIVE },
	{ "it runs itself", "COPY", 'R', NULL,
	    { { 0, LOCKED } },
	    { { "CPU*", "", 1000 } }, "CPU*", TITLE_WAITING },
	{ "it waits for a lock itself", "UPDATE waiting", 'S', "lock",
	    { { 0, RUNS } },
	    { { "Lock", "", 1000 } }, "Lock", TITLE_WAITING },
	{ "it waits for its resource queue", "SELECT queuing", 'S', "lock",
	    { { 0, " idle", 'S', NULL } },
	    { { "Queue", "ResourceQueue", 1000 } }, "Queue", TITLE_QUEUED },
};

static void add_executor(struct simgreenplum *c, uint64_t pid,
	const struct executor *x)
{
	char title[160];
	size_t i;

	(void)snprintf(title, sizeof(title), "postgres: %d, app sales "
	    "10.0.0.1(5000) con7 seg%d%s", 16000 + x->content, x->content,
	    x->title);
	i = simgreenplum_executor(c, x->content, pid, title, x->state);
	if (x->wchan)
		simhost_set_text(&c->h[SIM_SDW], ENTITY_PROCESS, i,
		    COL(PROCESS, WCHAN), x->wchan);
}

static void add_session(struct simgreenplum *c, const struct split_case *x,
	bool catalog)
{
	char title[160];
	size_t i;

	(void)snprintf(title, sizeof(title), "postgres: 16432, app sales "
	    "[local] con7 cmd3 %s", x->activity);
	(void)simgreenplum_leader(c, LEADER, title, x->state);
	for (i = 0; i < GS_LEN(x->executor) && x->executor[i].title; i++)
		add_executor(c, EXECUTOR + i, &x->executor[i]);
	if (!catalog)
		return;
	i = simgreenplum_backend(c, -1, LEADER, 7, "active");
	SIM_CAT(c, BACKEND, i, WAITING, x->wait != NULL);
	if (x->wait)
		SIM_CAT_TEXT(c, BACKEND, i, WAIT_TYPE, x->wait);
}

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct proc *p = sessions_proc_of_backend(ctx, backend);

	return p ? p->row : NULL;
}

static const struct wait_row *find(const struct waits *s, const char *class,
	const char *event)
{
	size_t i;

	for (i = 0; i < waits_count(s); i++) {
		const struct wait_event *e = waits_get(s, i)->event;

		if (strcmp(e->class, class) == 0 &&
		    (!event || strcmp(e->event, event) == 0))
			return waits_get(s, i);
	}
	return NULL;
}

static void expect_parts(const struct waits *s, const struct split_case *x,
	bool catalog)
{
	int64_t sum_ns = 0;
	size_t i;

	for (i = 0; i < GS_LEN(x->part) && x->part[i].ms; i++) {
		/* titles have no events of queues */
		const struct wait_row *r = find(s, x->part[i].class,
		    catalog ? x->part[i].event : NULL);

		if (!r)
			fail_msg("no %s:%s", x->part[i].class,
			    x->part[i].event);
		assert_in_range(r->sum->time_ns / 1000000 + 2,
		    2 * x->part[i].ms, 2 * x->part[i].ms + 4);
		assert_int_equal(r->sum->samples, 2);
		assert_int_equal(r->sum->runs, 1);
		assert_int_equal(r->sum->longest, 2);
		sum_ns += r->sum->time_ns;
	}
	assert_int_equal(sum_ns, 2 * SIM_SECOND);
}

static const struct wait_backend *leader_of(const struct waits *s)
{
	size_t i;

	for (i = 0; i < waits_backends(s); i++) {
		if (waits_backend(s, i)->pid == LEADER)
			return waits_backend(s, i);
	}
	return NULL;
}

/* Two samples, a second each. */
static void look(const struct split_case *x, bool catalog)
{
	struct simgreenplum c;
	struct waits_total t;
	struct waits *s;
	int i;

	simgreenplum_init(&c);
	if (!catalog)
		simhost_unset(&c.catalog, ENTITY_COLLECTOR, c.activity,
		    COL(COLLECTOR, NAME));
	add_session(&c, x, catalog);
	s = waits_new(0, SIM_SECOND, process_of, c.s);
	for (i = 0; i < 3; i++) {
		simgreenplum_tick(&c);
		waits_tick(s, c.w, c.s);
	}
	waits_total(s, &t);
	assert_int_equal(t.db_time_ns, 2 * SIM_SECOND);
	expect_parts(s, x, catalog);
	assert_string_equal(leader_of(s)->event->class, x->shown);
	assert_int_equal(leader_of(s)->content, -1);
	for (i = 0; i < (int)sessions_count(c.s); i++) {
		const struct session *n = sessions_get(c.s, (size_t)i);

		if (n->kind == SESSION_GREENPLUM)
			assert_int_equal(n->state, x->session);
	}
	waits_free(s);
	simgreenplum_release(&c);
}

static void test_split(void **state)
{
	look(*state, true);
	look(*state, false);
}

/* The segment whose executor waits is known. */
static void test_where(void **state)
{
	const struct split_case *x = &splits[3];
	struct simgreenplum c;
	struct waits *s;

	(void)state;
	simgreenplum_init(&c);
	add_session(&c, x, true);
	s = waits_new(0, SIM_SECOND, process_of, c.s);
	simgreenplum_tick(&c);
	waits_tick(s, c.w, c.s);
	assert_true(leader_of(s)->has_at);
	assert_int_equal(leader_of(s)->at, 1);
	waits_free(s);
	simgreenplum_release(&c);
}

/* From pg_locks, if titles do not show it. */
static void test_a_queue_without_titles(void **state)
{
	struct simgreenplum c;
	struct waits *s;
	size_t i;

	(void)state;
	simgreenplum_init(&c);
	i = simgreenplum_backend(&c, -1, LEADER, 7, "active");
	SIM_CAT(&c, BACKEND, i, WAITING, 1);
	SIM_CAT_TEXT(&c, BACKEND, i, WAIT_TYPE, "lock");
	i = simhost_open(&c.catalog, ENTITY_LOCK, OPEN_APPEARED);
	SIM_CAT(&c, LOCK, i, CONTENT, (int64_t)-1);
	SIM_CAT(&c, LOCK, i, PID, LEADER);
	SIM_CAT(&c, LOCK, i, GRANTED, 0);
	SIM_CAT_TEXT(&c, LOCK, i, TYPE, "resource queue");
	s = waits_new(0, SIM_SECOND, process_of, c.s);
	simgreenplum_tick(&c);
	waits_tick(s, c.w, c.s);
	assert_string_equal(leader_of(s)->event->class, "Queue");
	assert_int_equal(sessions_in(c.s, SESSION_WAITING), 1);
	/* this one waits for a lock */
	SIM_CAT_TEXT(&c, LOCK, i, TYPE, "relation");
	simgreenplum_tick(&c);
	waits_tick(s, c.w, c.s);
	assert_string_equal(leader_of(s)->event->class, "Lock");
	waits_free(s);
	simgreenplum_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_split, splits);
	cases_add(&c, "where it waits", test_where, NULL);
	cases_add(&c, "a queue without titles", test_a_queue_without_titles,
	    NULL);
	return cases_run(&c, "waits_split");
}
