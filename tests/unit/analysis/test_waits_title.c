/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activity of backends without a catalog: from titles and states of processes,
 * also for segments.
 */
#include "analysis/waits.h"
#include "base/compiler.h"
#include "cases.h"
#include "simhost.h"

struct lab {
	struct simhost h;
	struct sessions *sessions;
	struct waits *s;
};

static void set_up(struct lab *l, unsigned by)
{
	*l = (struct lab) { .s = NULL };
	simhost_init(&l->h, "mdw");
	l->sessions = sessions_new();
	l->s = waits_new(by, SIM_SECOND, NULL, NULL);
	(void)simhost_process(&l->h, OPEN_APPEARED, 100, 1,
	    "/usr/lib/postgresql/15/bin/postgres -D /data");
}

static void tear_down(struct lab *l)
{
	waits_free(l->s);
	sessions_free(l->sessions);
	simhost_release(&l->h);
}

static size_t process(struct lab *l, uint64_t pid, const char *title,
	char state)
{
	size_t i = simhost_process(&l->h, OPEN_APPEARED, pid, 100, title);

	SIM_SET(&l->h, i, STATE, (uint64_t)state);
	SIM_SET(&l->h, i, CPU, 0);
	SIM_SET(&l->h, i, RUN_DELAY, 0);
	return i;
}

static void tick(struct lab *l, int64_t dt_ns)
{
	simhost_tick(&l->h, dt_ns);
	sessions_tick(l->sessions, l->h.world, l->h.clock.wall_ns);
	waits_tick(l->s, l->h.world, l->sessions);
}

struct kind_case {
	const char *name;
	const char *title;
	char state;
	int kind; /* -1: not counted */
	const char *class, *event;
};

#define PG "postgres: app shop [local] "
#define GP "postgres:  6000, bob dw 10.0.0.1(4000) con7 cmd3 "

static const struct kind_case kinds[] = {
	{ "idle", PG "idle", 'S', WAIT_IDLE, "Client", "ClientRead" },
	{ "idle in a transaction", PG "idle in transaction", 'S',
	    WAIT_IDLE_TX, "IdleTx", "" },
	{ "runs", PG "SELECT", 'R', WAIT_CPU, "CPU*", "" },
	{ "waits for a disk", PG "SELECT", 'D', WAIT_EVENT, "IO",
	    "BlockDevice" },
	{ "sleeps", PG "SELECT", 'S', WAIT_EVENT, "Unknown", "" },
	{ "waits for a lock", PG "UPDATE waiting", 'S', WAIT_EVENT, "Lock",
	    "" },
	{ "waits for a standby",
	    PG "COMMIT waiting for 0/3000060", 'S', WAIT_EVENT,
	    "Replication", "" },
	{ "checkpointer at rest", "postgres: checkpointer", 'S', WAIT_IDLE,
	    "Activity", "" },
	{ "checkpointer that writes", "postgres: checkpointer", 'D',
	    WAIT_EVENT, "IO", "BlockDevice" },
	{ "Greenplum, sleeps", GP "SELECT", 'S', WAIT_EVENT, "Unknown", "" },
	{ "Greenplum, waits for its queue", GP "SELECT queuing", 'S',
	    WAIT_EVENT, "Queue", "" },
	{ "Greenplum, of nobody knows which server",
	    "postgres:  6002, checkpointer process", 'D', -1, NULL, NULL },
};

static void test_kind(void **state)
{
	const struct kind_case *c = *state;
	struct lab l;

	set_up(&l, 0);
	(void)process(&l, 110, c->title, c->state);
	tick(&l, SIM_SECOND);
	tick(&l, SIM_SECOND);
	assert_int_equal(waits_count(l.s), c->kind < 0 ? 0 : 1);
	if (c->kind >= 0) {
		const struct wait_row *r = waits_get(l.s, 0);

		assert_int_equal(r->event->kind, c->kind);
		assert_string_equal(r->event->class, c->class);
		assert_string_equal(r->event->event, c->event);
		assert_int_equal(r->sum->time_ns, SIM_SECOND);
	}
	tear_down(&l);
}

/* Session 7 works on two segments; its coordinator process sleeps.  Session
 * 8 is active on a segment alone. */
static void test_a_session_counts_once(void **state)
{
	struct lab l;
	struct waits_total t;
	size_t i;

	(void)state;
	set_up(&l, 0);
	(void)process(&l, 110, GP "SELECT", 'S');
	(void)process(&l, 111, "postgres:  6002, bob dw 10.0.0.1(4000) con7 "
	    "seg0 cmd4 slice1 SELECT", 'R');
	(void)process(&l, 112, "postgres:  6003, bob dw 10.0.0.1(4000) con7 "
	    "seg1 cmd4 slice1 SELECT", 'S');
	(void)process(&l, 113, "postgres:  6000, bob dw 10.0.0.1(4001) con8 "
	    "cmd1 idle", 'S');
	(void)process(&l, 114, "postgres:  6002, bob dw 10.0.0.1(4001) con8 "
	    "seg0 cmd1 slice1 SELECT", 'R');
	for (i = 0; i < 5; i++)
		tick(&l, SIM_SECOND);
	waits_settle(l.s);
	waits_total(l.s, &t);
	assert_int_equal(t.covered_ns, 4 * SIM_SECOND);
	assert_int_equal(t.db_time_ns, 4 * SIM_SECOND);
	assert_int_equal(t.segment_time_ns, 12 * SIM_SECOND);
	assert_int_equal(t.session_time_ns, 8 * SIM_SECOND);
	assert_true(t.segments);
	for (i = 0; i < waits_count(l.s); i++) {
		const struct wait_row *r = waits_get(l.s, i);

		/* segments are not in the coordinator's sums */
		if (r->event->kind == WAIT_CPU) {
			assert_int_equal(r->sum->time_ns, 0);
			assert_int_equal(r->segment->time_ns, 8 * SIM_SECOND);
		}
	}
	tear_down(&l);
}

static void test_a_leader_and_its_workers_are_one_session(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	(void)process(&l, 110, PG "SELECT", 'R');
	(void)process(&l, 111, "postgres: parallel worker for PID 110 ", 'R');
	(void)process(&l, 112, "postgres: parallel worker for PID 110 ", 'R');
	tick(&l, SIM_SECOND);
	tick(&l, 2 * SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.db_time_ns, 6 * SIM_SECOND);
	assert_int_equal(t.session_time_ns, 2 * SIM_SECOND);
	assert_int_equal(t.part_ns[WAIT_FOREGROUND], 6 * SIM_SECOND);
	tear_down(&l);
}

/* State R is on a CPU or waits for one: no time is left over. */
static void test_who_runs_is_split(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, 0);
	i = process(&l, 110, PG "SELECT", 'R');
	tick(&l, SIM_SECOND);
	SIM_ADD(&l.h, i, CPU, 300000);
	SIM_ADD(&l.h, i, RUN_DELAY, 100000);
	tick(&l, SIM_SECOND);
	assert_int_equal(waits_get(l.s, 0)->sum->cpu_ns, 3 * SIM_SECOND / 4);
	assert_int_equal(waits_get(l.s, 0)->sum->queue_ns, SIM_SECOND / 4);
	tear_down(&l);
}

static void test_ends_are_kept(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, WAITS_BY_BACKEND);
	i = process(&l, 110, PG "SELECT", 'R');
	tick(&l, SIM_SECOND);
	tick(&l, SIM_SECOND);
	SIM_EXIT(&l.h, i);
	tick(&l, SIM_SECOND);
	tick(&l, SIM_SECOND);
	assert_int_equal(waits_backends(l.s), 1);
	assert_false(waits_backend(l.s, 0)->open);
	assert_int_equal(waits_backend(l.s, 0)->db_time_ns, SIM_SECOND);
	tear_down(&l);
}

static void test_a_range_begins_at_its_tick(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	(void)process(&l, 110, PG "SELECT", 'R');
	tick(&l, SIM_SECOND);
	tick(&l, SIM_SECOND);
	waits_restart(l.s, false);
	tick(&l, SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.covered_ns, SIM_SECOND);
	assert_int_equal(t.db_time_ns, SIM_SECOND);
	tear_down(&l);
}

/* Idle processes are counted later, together; those that wait for a lock are
 * looked at in each sample.  Both must come to the same. */
static const char *const quiet[] = { PG "idle", PG "UPDATE waiting" };

static void expect_run(const struct lab *l, size_t row, uint64_t samples,
	uint64_t runs, uint64_t longest)
{
	const struct wait_sum *sum = waits_get(l->s, row)->sum;

	assert_int_equal(sum->samples, samples);
	assert_int_equal(sum->time_ns, (int64_t)samples * SIM_SECOND);
	assert_int_equal(sum->runs, runs);
	assert_int_equal(sum->longest, longest);
	assert_int_equal(sum->longest_ns,
	    ((int64_t)longest - 1) * SIM_SECOND);
}

static void test_who_sleeps_is_counted(void **state)
{
	const char *title = *(const char **)*state;
	struct lab l;
	size_t i, k;

	set_up(&l, WAITS_BY_BACKEND);
	i = process(&l, 110, title, 'S');
	for (k = 0; k < 7; k++)
		tick(&l, SIM_SECOND);
	waits_settle(l.s);
	expect_run(&l, 0, 6, 1, 6);
	tick(&l, SIM_SECOND);
	SIM_TITLE(&l.h, i, PG "SELECT");
	tick(&l, SIM_SECOND);
	SIM_TITLE(&l.h, i, title);
	for (k = 0; k < 3; k++)
		tick(&l, SIM_SECOND);
	SIM_EXIT(&l.h, i);
	tick(&l, SIM_SECOND);
	waits_settle(l.s);
	expect_run(&l, 0, 10, 2, 7);
	assert_int_equal(waits_get(l.s, 0)->sum->bucket[1], 1); /* 3 */
	assert_int_equal(waits_get(l.s, 0)->sum->bucket[2], 1); /* 7 */
	assert_int_equal(waits_backend(l.s, 0)->work.covered_ns,
	    12 * SIM_SECOND); /* it has ended, and works no more */
	tear_down(&l);
}

static void test_sleep_ends_with_the_range(void **state)
{
	const char *title = *(const char **)*state;
	struct lab l;
	size_t k;

	set_up(&l, WAITS_BY_BACKEND);
	(void)process(&l, 110, title, 'S');
	for (k = 0; k < 5; k++)
		tick(&l, SIM_SECOND);
	waits_restart(l.s, true);
	assert_int_equal(waits_count(l.s), 0);
	for (k = 0; k < 4; k++)
		tick(&l, SIM_SECOND);
	waits_settle(l.s);
	expect_run(&l, 0, 4, 1, 4);
	tear_down(&l);
}

/* The host's clock is set back by a minute. */
static void test_the_clock_goes_back(void **state)
{
	const char *title = *(const char **)*state;
	struct lab l;
	size_t k;

	set_up(&l, 0);
	(void)process(&l, 110, title, 'S');
	for (k = 0; k < 8; k++) {
		if (k == 5)
			l.h.clock.wall_ns -= 60 * SIM_SECOND;
		tick(&l, SIM_SECOND);
	}
	waits_settle(l.s);
	assert_int_equal(waits_get(l.s, 0)->sum->longest, 7);
	assert_int_equal(waits_get(l.s, 0)->sum->longest_ns, 3 * SIM_SECOND);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;
	size_t i;

	CASES_TABLE(&c, test_kind, kinds);
	cases_add(&c, "a session counts once",
	    test_a_session_counts_once, NULL);
	cases_add(&c, "a leader and its workers are one session",
	    test_a_leader_and_its_workers_are_one_session, NULL);
	cases_add(&c, "who runs is split",
	    test_who_runs_is_split, NULL);
	cases_add(&c, "who ended keeps its time",
	    test_ends_are_kept, NULL);
	cases_add(&c, "a range begins at its tick",
	    test_a_range_begins_at_its_tick, NULL);
	for (i = 0; i < GS_LEN(quiet); i++) {
		cases_add(&c, "who sleeps is counted",
		    test_who_sleeps_is_counted, &quiet[i]);
		cases_add(&c, "sleep ends with the range",
		    test_sleep_ends_with_the_range, &quiet[i]);
		cases_add(&c, "the clock goes back",
		    test_the_clock_goes_back, &quiet[i]);
	}
	return cases_run(&c, "waits_title");
}
