/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activity of backends from samples: weights, gaps, runs, kinds.
 */
#include "analysis/waits.h"
#include "base/compiler.h"
#include "cases.h"
#include "simhost.h"

#define B(sym) COL(BACKEND, sym)

struct lab {
	struct simhost h;
	struct waits *s;
	size_t collector;
	const struct row *process; /* of every backend */
};

static const struct row *process_of(void *ctx, const struct row *backend)
{
	(void)backend;
	return ((struct lab *)ctx)->process;
}

static void set_up(struct lab *l, unsigned by)
{
	*l = (struct lab) { .process = NULL };
	simhost_init(&l->h, "catalog");
	/* not a host: the database */
	simhost_close(&l->h, ENTITY_HOST, 0, CLOSE_LEFT);
	simhost_set(&l->h, ENTITY_CLUSTER, simhost_open(&l->h, ENTITY_CLUSTER,
	    OPEN_APPEARED), COL(CLUSTER, START), 1);
	l->collector = simhost_open(&l->h, ENTITY_COLLECTOR, OPEN_APPEARED);
	simhost_set_text(&l->h, ENTITY_COLLECTOR, l->collector,
	    COL(COLLECTOR, NAME), "activity");
	l->s = waits_new(by, SIM_SECOND, process_of, l);
}

static void tear_down(struct lab *l)
{
	waits_free(l->s);
	simhost_release(&l->h);
}

static size_t backend(struct lab *l, uint64_t pid, const char *type)
{
	size_t i = simhost_open(&l->h, ENTITY_BACKEND, OPEN_APPEARED);

	simhost_set(&l->h, ENTITY_BACKEND, i, B(CONTENT), (uint64_t)-1);
	simhost_set(&l->h, ENTITY_BACKEND, i, B(PID), pid);
	simhost_set_text(&l->h, ENTITY_BACKEND, i, B(TYPE), type);
	return i;
}

static void does(struct lab *l, size_t i, const char *state,
	const char *class, const char *event)
{
	simhost_set_text(&l->h, ENTITY_BACKEND, i, B(STATE), state);
	if (class) {
		simhost_set_text(&l->h, ENTITY_BACKEND, i, B(WAIT_TYPE),
		    class);
		simhost_set_text(&l->h, ENTITY_BACKEND, i, B(WAIT_EVENT),
		    event);
	} else {
		simhost_unset(&l->h, ENTITY_BACKEND, i, B(WAIT_TYPE));
		simhost_unset(&l->h, ENTITY_BACKEND, i, B(WAIT_EVENT));
	}
}

/* The database answers, dt_ns after its answer before. */
static void sample(struct lab *l, int64_t dt_ns)
{
	simhost_set(&l->h, ENTITY_COLLECTOR, l->collector,
	    COL(COLLECTOR, LAST),
	    (uint64_t)((l->h.clock.wall_ns + dt_ns) / 1000));
	simhost_tick(&l->h, dt_ns);
	waits_tick(l->s, l->h.world, NULL);
}

static const struct wait_row *row_of(const struct lab *l, const char *class,
	const char *event)
{
	size_t i;

	for (i = 0; i < waits_count(l->s); i++) {
		const struct wait_row *r = waits_get(l->s, i);

		if (strcmp(r->event->class, class) == 0 &&
		    strcmp(r->event->event, event) == 0)
			return r;
	}
	return NULL;
}

static double seconds(const struct lab *l, const char *class,
	const char *event)
{
	const struct wait_row *r = row_of(l, class, event);

	return r ? (double)r->sum->time_ns / 1e9 : 0;
}

/* The offset comes from a file; the sanitizer build detects the overflow. */
static void test_offset_out_of_bounds(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", NULL, NULL);
	l.h.clock.offset_ns = INT64_MIN;
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	assert_int_equal(waits_count(l.s), 1);
	tear_down(&l);
}

static void test_time_is_the_sum_of_weights(void **state)
{
	struct lab l;
	struct waits_total t;
	size_t a, b;

	(void)state;
	set_up(&l, 0);
	a = backend(&l, 10, "client backend");
	b = backend(&l, 11, "client backend");
	does(&l, a, "active", "IO", "DataFileRead");
	does(&l, b, "active", NULL, NULL);
	sample(&l, SIM_SECOND); /* a baseline: nothing counts */
	assert_int_equal(waits_count(l.s), 0);
	sample(&l, SIM_SECOND);
	sample(&l, 2 * SIM_SECOND);
	does(&l, a, "idle", "Client", "ClientRead");
	does(&l, b, "idle in transaction", "Client", "ClientRead");
	sample(&l, SIM_SECOND);
	assert_float_equal(seconds(&l, "IO", "DataFileRead"), 3, 1e-9);
	assert_float_equal(seconds(&l, "CPU*", ""), 3, 1e-9);
	assert_float_equal(seconds(&l, "Client", "ClientRead"), 1, 1e-9);
	assert_float_equal(seconds(&l, "IdleTx", ""), 1, 1e-9);
	waits_total(l.s, &t);
	assert_int_equal(t.db_time_ns, 6 * SIM_SECOND);
	assert_int_equal(t.covered_ns, 4 * SIM_SECOND);
	assert_int_equal(t.samples, 3);
	assert_int_equal(t.peak_ns / t.peak_weight_ns, 2);
	tear_down(&l);
}

static void test_a_gap_is_no_data(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", "Lock",
	    "relation");
	sample(&l, SIM_SECOND);
	sample(&l, 100 * SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.covered_ns, WAITS_GAP_INTERVALS * SIM_SECOND);
	assert_int_equal(t.db_time_ns, WAITS_GAP_INTERVALS * SIM_SECOND);
	tear_down(&l);
}

static void test_a_tick_without_an_answer_is_no_sample(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	simhost_tick(&l.h, SIM_SECOND);
	waits_tick(l.s, l.h.world, NULL);
	sample(&l, SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.samples, 1);
	assert_int_equal(t.covered_ns, 2 * SIM_SECOND);
	tear_down(&l);
}

/* After the gap there is no data; the next answer starts again. */
static void test_a_silent_database_is_no_data(void **state)
{
	struct lab l;
	struct waits_total t;
	int i;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	for (i = 0; i < 10; i++) {
		simhost_tick(&l.h, SIM_SECOND);
		waits_tick(l.s, l.h.world, NULL);
	}
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.samples, 2);
	assert_int_equal(t.covered_ns, 2 * SIM_SECOND);
	tear_down(&l);
}

/* What they were seen to do counts up to the last tick that has the catalog. */
static void test_segments_up_to_the_end(void **state)
{
	struct lab l;
	struct waits_total t;
	size_t segments, i;

	(void)state;
	set_up(&l, 0);
	segments = simhost_open(&l.h, ENTITY_COLLECTOR, OPEN_APPEARED);
	simhost_set_text(&l.h, ENTITY_COLLECTOR, segments,
	    COL(COLLECTOR, NAME), "segment_activity");
	simhost_set(&l.h, ENTITY_COLLECTOR, segments, COL(COLLECTOR, PERIOD), 5000);
	simhost_set(&l.h, ENTITY_COLLECTOR, segments, COL(COLLECTOR, LAST),
	    (uint64_t)((l.h.clock.wall_ns + SIM_SECOND) / 1000));
	i = backend(&l, 10, "client backend");
	simhost_set(&l.h, ENTITY_BACKEND, i, B(CONTENT), 1);
	does(&l, i, "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	simhost_close(&l.h, ENTITY_BACKEND, i, CLOSE_EXITED);
	simhost_close(&l.h, ENTITY_COLLECTOR, segments, CLOSE_EXITED);
	simhost_close(&l.h, ENTITY_COLLECTOR, l.collector, CLOSE_EXITED);
	simhost_tick(&l.h, SIM_SECOND);
	waits_tick(l.s, l.h.world, NULL);
	waits_total(l.s, &t);
	assert_int_equal(t.segment_time_ns, 2 * SIM_SECOND);
	tear_down(&l);
}

/* A range that begins between two answers does not count time before its start. */
static void test_an_answer_counts_from_the_beginning(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	simhost_tick(&l.h, SIM_SECOND);
	waits_tick(l.s, l.h.world, NULL);
	waits_restart(l.s, false);
	sample(&l, SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.covered_ns, SIM_SECOND);
	tear_down(&l);
}

static void test_parts(void **state)
{
	struct lab l;
	struct waits_total t;

	(void)state;
	set_up(&l, 0);
	does(&l, backend(&l, 10, "client backend"), "active", NULL, NULL);
	does(&l, backend(&l, 11, "autovacuum worker"), "active", NULL, NULL);
	does(&l, backend(&l, 12, "checkpointer"), "", "IO", "DataFileWrite");
	does(&l, backend(&l, 13, "io worker"), "", "IO", "DataFileRead");
	does(&l, backend(&l, 14, "io worker"), "", "Activity",
	    "IoWorkerMain");
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	waits_total(l.s, &t);
	assert_int_equal(t.db_time_ns, 3 * SIM_SECOND);
	assert_int_equal(t.part_ns[WAIT_FOREGROUND], SIM_SECOND);
	assert_int_equal(t.part_ns[WAIT_MAINTENANCE], SIM_SECOND);
	assert_int_equal(t.part_ns[WAIT_BACKGROUND], SIM_SECOND);
	assert_int_equal(t.part_ns[WAIT_IO_WORKER], SIM_SECOND);
	assert_int_equal(t.io_workers_ns, 2 * SIM_SECOND);
	assert_int_equal(t.session_time_ns, SIM_SECOND);
	tear_down(&l);
}

static void test_runs_are_bounds(void **state)
{
	struct lab l;
	const struct wait_row *r;
	size_t a;
	int i;

	(void)state;
	set_up(&l, WAITS_BY_BACKEND);
	a = backend(&l, 10, "client backend");
	does(&l, a, "idle", "Client", "ClientRead");
	sample(&l, SIM_SECOND);
	does(&l, a, "active", "Lock", "tuple");
	for (i = 0; i < 5; i++)
		sample(&l, SIM_SECOND);
	does(&l, a, "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	does(&l, a, "active", "Lock", "tuple");
	sample(&l, SIM_SECOND);
	/* another statement, the same wait: another run */
	simhost_set(&l.h, ENTITY_BACKEND, a, B(QUERY_START), 12345);
	sample(&l, SIM_SECOND);
	r = row_of(&l, "Lock", "tuple");
	assert_non_null(r);
	assert_int_equal(r->sum->samples, 7);
	assert_int_equal(r->sum->runs, 3);
	assert_int_equal(r->sum->longest, 5);
	assert_int_equal(r->sum->longest_ns, 4 * SIM_SECOND);
	assert_int_equal(r->sum->bucket[0], 2); /* of one sample */
	assert_int_equal(r->sum->bucket[1], 0);
	assert_int_equal(r->sum->bucket[2], 1); /* of 4 to 7 */
	tear_down(&l);
}

static void test_a_restart_forgets(void **state)
{
	struct lab l;
	const struct wait_row *r;
	size_t a;

	(void)state;
	set_up(&l, WAITS_BY_BACKEND);
	a = backend(&l, 10, "client backend");
	does(&l, a, "active", "Lock", "tuple");
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	waits_restart(l.s, false);
	assert_int_equal(waits_count(l.s), 0);
	sample(&l, SIM_SECOND);
	r = row_of(&l, "Lock", "tuple");
	assert_non_null(r);
	assert_int_equal(r->sum->runs, 1);
	assert_int_equal(r->sum->longest, 1);
	assert_int_equal(r->sum->time_ns, SIM_SECOND);
	assert_int_equal(r->backend->db_time_ns, SIM_SECOND);
	tear_down(&l);
}

static void test_queries_by_id_or_text(void **state)
{
	struct lab l;
	size_t a, b, i, n = 0;

	(void)state;
	set_up(&l, WAITS_BY_QUERY);
	a = backend(&l, 10, "client backend");
	b = backend(&l, 11, "client backend");
	does(&l, a, "active", NULL, NULL);
	does(&l, b, "active", NULL, NULL);
	simhost_set(&l.h, ENTITY_BACKEND, a, B(QUERY_ID), (uint64_t)-5);
	simhost_set_text(&l.h, ENTITY_BACKEND, a, B(QUERY), "SELECT ?");
	simhost_set_text(&l.h, ENTITY_BACKEND, b, B(QUERY), "SELECT ?");
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	assert_int_equal(waits_count(l.s), 2);
	for (i = 0; i < 2; i++) {
		const struct wait_query *q = waits_get(l.s, i)->query;

		assert_string_equal(q->text, "SELECT ?");
		n += q->has_id && q->id == -5;
	}
	assert_int_equal(n, 1);
	tear_down(&l);
}

struct kind_case {
	const char *name;
	const char *type, *state, *class, *event;
	int waiting; /* -1: the server has wait events */
	const char *application;
	int kind; /* -1: not counted */
	const char *want;
};

static const struct kind_case kinds[] = {
	{ "on a CPU", "client backend", "active", NULL, NULL, -1, "",
	    WAIT_CPU, "CPU*" },
	{ "fast path", "client backend", "fastpath function call", NULL, NULL,
	    -1, "", WAIT_CPU, "CPU*" },
	{ "an idle client that still shows a wait", "client backend", "idle",
	    "LWLock", "WALWrite", -1, "", WAIT_IDLE, "Client" },
	{ "ourselves", "client backend", "active", NULL, NULL, -1, "gpsnap",
	    -1, NULL },
	{ "state hidden", "client backend", "", NULL, NULL, -1, "", -1, NULL },
	{ "aborted transaction", "client backend",
	    "idle in transaction (aborted)", "Client", "ClientRead", -1, "",
	    WAIT_IDLE_TX, "IdleTx" },
	{ "background at rest", "checkpointer", "", "Activity",
	    "CheckpointerMain", -1, "", WAIT_IDLE, "Activity" },
	{ "background that paces itself", "checkpointer", "", "Timeout",
	    "CheckpointWriteDelay", -1, "", WAIT_IDLE, "Timeout" },
	{ "background at work", "walwriter", "", NULL, NULL, -1, "",
	    WAIT_CPU, "CPU*" },
	{ "pg_sleep counts", "client backend", "active", "Timeout", "PgSleep",
	    -1, "", WAIT_EVENT, "Timeout" },
	{ "vacuum that paces itself", "autovacuum worker", "active",
	    "Timeout", "VacuumDelay", -1, "", WAIT_IDLE, "Timeout" },
	{ "Greenplum 6, waits for a lock", "", "active", "lock", NULL, 1, "",
	    WAIT_EVENT, "Lock" },
	{ "Greenplum 6, waits for its group", "", "active", "resgroup", NULL,
	    1, "", WAIT_EVENT, "Queue" },
	{ "Greenplum 6, does not wait", "", "active", NULL, NULL, 0, "",
	    WAIT_CPU, "CPU*" },
};

static void test_kind(void **state)
{
	const struct kind_case *c = *state;
	struct lab l;
	size_t i;

	set_up(&l, 0);
	i = backend(&l, 10, c->type);
	does(&l, i, c->state, NULL, NULL);
	if (c->class)
		simhost_set_text(&l.h, ENTITY_BACKEND, i, B(WAIT_TYPE),
		    c->class);
	if (c->event)
		simhost_set_text(&l.h, ENTITY_BACKEND, i, B(WAIT_EVENT),
		    c->event);
	if (c->waiting >= 0)
		simhost_set(&l.h, ENTITY_BACKEND, i, B(WAITING),
		    (uint64_t)c->waiting);
	simhost_set_text(&l.h, ENTITY_BACKEND, i, B(APPLICATION),
	    c->application);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	assert_int_equal(waits_count(l.s), c->kind < 0 ? 0 : 1);
	if (c->kind >= 0) {
		assert_int_equal(waits_get(l.s, 0)->event->kind, c->kind);
		assert_string_equal(waits_get(l.s, 0)->event->class, c->want);
	}
	tear_down(&l);
}

static void test_who_ended_keeps_its_time(void **state)
{
	struct lab l;
	size_t a;

	(void)state;
	set_up(&l, WAITS_BY_BACKEND);
	a = backend(&l, 10, "client backend");
	does(&l, a, "active", NULL, NULL);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	simhost_close(&l.h, ENTITY_BACKEND, a, CLOSE_EXITED);
	sample(&l, SIM_SECOND);
	sample(&l, SIM_SECOND);
	assert_int_equal(waits_backends(l.s), 1);
	assert_false(waits_backend(l.s, 0)->open);
	assert_int_equal(waits_backend(l.s, 0)->db_time_ns, SIM_SECOND);
	assert_float_equal(seconds(&l, "CPU*", ""), 1, 1e-9);
	waits_restart(l.s, false);
	assert_int_equal(waits_backends(l.s), 0);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "time is the sum of weights",
	    test_time_is_the_sum_of_weights, NULL);
	cases_add(&c, "an offset out of bounds",
	    test_offset_out_of_bounds, NULL);
	cases_add(&c, "a gap is no data",
	    test_a_gap_is_no_data, NULL);
	cases_add(&c, "a tick without an answer is no sample",
	    test_a_tick_without_an_answer_is_no_sample, NULL);
	cases_add(&c, "a silent database is no data",
	    test_a_silent_database_is_no_data, NULL);
	cases_add(&c, "segments up to the end",
	    test_segments_up_to_the_end, NULL);
	cases_add(&c, "an answer counts from the beginning of the range",
	    test_an_answer_counts_from_the_beginning, NULL);
	cases_add(&c, "whose time it is", test_parts, NULL);
	cases_add(&c, "runs are bounds",
	    test_runs_are_bounds, NULL);
	cases_add(&c, "a restart forgets",
	    test_a_restart_forgets, NULL);
	cases_add(&c, "queries by id or text",
	    test_queries_by_id_or_text, NULL);
	cases_add(&c, "who ended keeps its time",
	    test_who_ended_keeps_its_time, NULL);
	CASES_TABLE(&c, test_kind, kinds);
	return cases_run(&c, "waits");
}
