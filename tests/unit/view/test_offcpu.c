/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table offcpu: the parts of a process's time are never more than the time,
 * whatever the kernel counts; what is not known is absent.
 */
#include "cases.h"

#include <math.h>
#include <string.h>

#include "simcluster.h"
#include "view/ask.h"
#include "view/uncounted.h"

/* What a process does in the second of the range, in ms; NONE: not recorded. */
#define NONE UINT64_MAX

struct use {
	uint64_t threads, cpu, wait, run_delay, blkio, ticks, swapin, reclaim,
	    thrash;
};

struct lab {
	struct simcluster c;
	struct ask *ask;
	struct view_use *view;
	struct grid *g;
};

static void add(struct simhost *h, size_t i, unsigned col, uint64_t v)
{
	if (v != NONE)
		simhost_add(h, ENTITY_PROCESS, i, col, v);
}

static void set_zero(struct simhost *h, size_t i, unsigned col, uint64_t v)
{
	if (v != NONE)
		simhost_set(h, ENTITY_PROCESS, i, col, 0);
}

/* Calls fn with each counter and its value in us (or clock ticks). */
static void each(struct simhost *h, size_t i, const struct use *u,
	void (*fn)(struct simhost *h, size_t i, unsigned col, uint64_t v))
{
	const struct {
		unsigned col;
		uint64_t v;
	} all[] = {
		{ COL(PROCESS, CPU), u->cpu },
		{ COL(PROCESS, DELAY_CPU), u->wait },
		{ COL(PROCESS, RUN_DELAY), u->run_delay },
		{ COL(PROCESS, DELAY_BLKIO), u->blkio },
		{ COL(PROCESS, DELAY_SWAPIN), u->swapin },
		{ COL(PROCESS, DELAY_RECLAIM), u->reclaim },
		{ COL(PROCESS, DELAY_THRASHING), u->thrash },
	};
	size_t k;

	for (k = 0; k < GS_LEN(all); k++)
		fn(h, i, all[k].col, all[k].v == NONE ? NONE
		    : all[k].v * 1000);
	fn(h, i, COL(PROCESS, BLKIO_DELAY), u->ticks == NONE ? NONE
	    : u->ticks / 10);
}

/* Threads that are rows; what each waited for a CPU in the range, in ms. */
struct rows {
	size_t n;
	uint64_t wait[2];
};

static void open_threads(struct simhost *h, const struct rows *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		(void)simhost_open(h, ENTITY_THREAD, OPEN_APPEARED);
		SIM_CELL(h, THREAD, i, PID, 101);
		SIM_CELL(h, THREAD, i, TID, 101 + i);
		SIM_CELL(h, THREAD, i, START, 1);
		SIM_CELL(h, THREAD, i, RUN_DELAY, 0);
		SIM_CELL(h, THREAD, i, BLKIO_DELAY, 0);
	}
}

static void add_threads(struct simhost *h, const struct rows *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		simhost_add(h, ENTITY_THREAD, i, COL(THREAD, RUN_DELAY),
		    t->wait[i] * 1000);
}

static void set_up_view(struct lab *l, const char *view, const struct use *u,
	const struct rows *threads, uint64_t version)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct ask_words words = { .view = view };
	struct simhost *h = &l->c.host[0];
	struct gs_err err;
	size_t i;

	*l = (struct lab) { .ask = NULL };
	simcluster_init(&l->c, hosts, false);
	(void)simcluster_server(h, 100, 5432, "/a");
	i = simcluster_process(h, OPEN_APPEARED, 101, 100, "x");
	SIM_CELL(h, PROCESS, i, THREADS, u->threads);
	simhost_set(h, ENTITY_HOST, 0, COL(HOST, TASKSTATS_VERSION), version);
	each(h, i, u, set_zero);
	open_threads(h, threads);
	if (ask_new(&words, &l->ask, &err) < 0)
		fail_msg("%s", err.msg);
	l->view = view_open(ask_view(l->ask), &l->c.engine,
	    ask_of_view(l->ask));
	simcluster_tick(&l->c);
	engine_begin(&l->c.engine, true);
	engine_restart(&l->c.engine);
	each(h, i, u, add);
	add_threads(h, threads);
	simcluster_tick(&l->c);
	l->g = view_grid(l->view, &l->c.engine);
}

static void set_up(struct lab *l, const struct use *u,
	const struct rows *threads, uint64_t version)
{
	set_up_view(l, "offcpu", u, threads, version);
}

static void tear_down(struct lab *l)
{
	grid_free(l->g);
	view_close(l->view);
	ask_free(l->ask);
	simcluster_release(&l->c);
}

static const struct cell *cell(const struct lab *l, const char *name)
{
	int col = grid_find_col(l->g, name, strlen(name));
	size_t i;

	if (col < 0)
		fail_msg("no column %s", name);
	for (i = 0; i < l->g->n_row; i++) {
		if (l->g->row[i].cell[0].i == 101)
			return &l->g->row[i].cell[col];
	}
	fail_msg("no process");
	return NULL;
}

/* want in ms; negative: absent. */
static void expect(const struct lab *l, const char *name, int want, char mark)
{
	const struct cell *c = cell(l, name);

	if (want < 0) {
		assert_int_equal(c->kind, CELL_ABSENT);
		return;
	}
	if (c->kind != CELL_REAL || c->r < want / 1e3 - 1e-6 ||
	    c->r > want / 1e3 + 1e-6 || c->mark != mark)
		fail_msg("%s: kind %d, %g%c, not %d ms", name, c->kind, c->r,
		    c->mark ? c->mark : ' ', want);
}

struct offcase {
	const char *name;
	struct use use;
	uint64_t version;
	int wall, queue, io, sleep; /* ms */
	const char *cause;
	char mark; /* of io and sleep */
};

static const struct offcase cases[] = {
	{ "a hog", { 1, 400, 600, 10, 0, 0, 0, 0, 0 }, 16,
	    1000, 600, 0, 0, "runq", 0 },
	{ "a reader", { 1, 100, 100, 0, 700, 0, 0, 0, 0 }, 16,
	    1000, 100, 700, 100, "blkio", 0 },
	{ "thrashing is block IO as well", { 1, 100, 50, 0, 700, 0, 0, 0, 600 },
	    16, 1000, 50, 700, 150, "thrash", 0 },
	{ "reclaim is CPU time as well", { 1, 700, 50, 0, 100, 0, 0, 600, 0 },
	    16, 1000, 50, 100, 150, "reclaim", 0 },
	{ "a sleeper", { 1, 10, 10, 0, 10, 0, 0, 0, 0 }, 16,
	    1000, 10, 10, 970, "sleep", 0 },
	{ "more block IO than time", { 1, 300, 300, 0, 5000, 0, 0, 0, 0 }, 16,
	    1000, 300, 400, 0, "blkio", '~' },
	{ "two threads", { 2, 1000, 900, 0, 100, 0, 0, 0, 0 }, 16,
	    2000, 900, 100, 0, "runq", 0 },
	{ "swap-in was apart", { 1, 100, 100, 0, 200, 0, 500, 0, 0 }, 10,
	    1000, 100, 200, 100, "swapin", 0 },
	{ "swap-in is within", { 1, 100, 100, 0, 600, 0, 500, 0, 0 }, 11,
	    1000, 100, 600, 200, "swapin", 0 },
	{ "by stat and schedstat",
	    { 1, 100, NONE, 300, NONE, 500, NONE, NONE, NONE }, 16,
	    1000, 300, 500, 100, "blkio", 0 },
	{ "block IO is not known",
	    { 1, 100, 300, 0, NONE, NONE, NONE, NONE, NONE }, 16,
	    1000, 300, -1, -1, NULL, 0 },
	{ "the rest can not be more",
	    { 1, 100, 600, 0, NONE, NONE, NONE, NONE, NONE }, 16,
	    1000, 600, -1, -1, "runq", 0 },
	{ "nothing is known",
	    { 1, 100, NONE, NONE, NONE, NONE, NONE, NONE, NONE }, 16,
	    1000, -1, -1, -1, NULL, 0 },
};

static void expect_cause(const struct lab *l, const char *want)
{
	const struct cell *c = cell(l, "cause");

	if (!want)
		assert_int_equal(c->kind, CELL_ABSENT);
	else if (c->kind != CELL_TEXT || !span_eq(cell_span(c), want))
		fail_msg("cause: not %s", want);
}

static void run_case(void **state)
{
	const struct offcase *k = *state;
	static const struct rows none;
	struct lab l;

	set_up(&l, &k->use, &none, k->version);
	expect(&l, "wall_seconds", k->wall, 0);
	expect(&l, "cpu_seconds", (int)k->use.cpu, 0);
	expect(&l, "run_queue_seconds", k->queue, 0);
	expect(&l, "block_io_seconds", k->io, k->mark);
	expect(&l, "sleep_seconds", k->sleep, k->mark);
	expect_cause(&l, k->cause);
	tear_down(&l);
}

/* What only the main thread tells is a lower bound for the others. */
struct threadcase {
	const char *name;
	struct use use;
	struct rows rows;
	int queue, io, sleep; /* ms */
	const char *cause;
	char queue_mark, io_mark;
	int percent; /* RUNQ% */
	char percent_mark;
};

#define MAIN_ONLY(N, CPU, WAIT) \
	{ N, CPU, NONE, WAIT, NONE, 0, NONE, NONE, NONE }

static const struct threadcase thread_cases[] = {
	{ "one of two threads is known", MAIN_ONLY(2, 1000, 1), { 0, { 0 } },
	    1, 0, -1, NULL, '>', '>', 0, '>' },
	{ "the main thread waits for most of the time",
	    MAIN_ONLY(2, 200, 950), { 0, { 0 } },
	    950, 0, -1, "runq", '>', '>', 95, '>' },
	{ "both threads are rows", MAIN_ONLY(2, 1000, 1), { 2, { 1, 899 } },
	    900, 0, 100, "runq", 0, 0, 90, 0 },
	{ "one of two threads is a row", MAIN_ONLY(2, 1000, 1), { 1, { 1 } },
	    1, 0, -1, NULL, '>', '>', 0, '>' },
	{ "a single thread", MAIN_ONLY(1, 100, 1), { 0, { 0 } },
	    1, 0, 899, "sleep", 0, 0, 0, 0 },
	{ "the kernel tells of all",
	    { 2, 1000, 900, 1, 50, 0, 0, 0, 0 }, { 0, { 0 } },
	    900, 50, 50, "runq", 0, 0, 90, 0 },
	{ "more run queue than time",
	    { 1, 700, 600, 0, 100, 0, 0, 0, 0 }, { 0, { 0 } },
	    300, 0, 0, "runq", '~', '~', 60, 0 },
};

static void run_thread_case(void **state)
{
	const struct threadcase *k = *state;
	const struct cell *c;
	struct lab l;

	set_up(&l, &k->use, &k->rows, 16);
	expect(&l, "run_queue_seconds", k->queue, k->queue_mark);
	expect(&l, "block_io_seconds", k->io, k->io_mark);
	expect(&l, "sleep_seconds", k->sleep, k->queue_mark);
	expect_cause(&l, k->cause);
	tear_down(&l);
	set_up_view(&l, "processes", &k->use, &k->rows, 16);
	c = cell(&l, "run_queue_percent");
	if (c->kind != CELL_REAL || c->mark != k->percent_mark ||
	    fabs(c->r - k->percent) > 0.2)
		fail_msg("RUNQ%%: %g%c, not %d", c->r, c->mark ? c->mark : ' ',
		    k->percent);
	tear_down(&l);
}

#define HELPS ": sysctl kernel.task_delayacct=1 counts them, for processes " \
	"started afterwards"
#define LACKS "offcpu: BLKIO and delays of memory are not counted"

/* kernel.task_delayacct of the first hosts. */
struct notecase {
	const char *name;
	const char *view;
	unsigned n;
	uint64_t on[SIMCLUSTER_HOSTS];
	const char *note;
};

static const struct notecase note_cases[] = {
	{ "counted", "offcpu", 1, { 1 }, "" },
	{ "an older kernel", "offcpu", 1, { NONE }, "" },
	{ "not counted", "offcpu", 1, { 0 }, LACKS HELPS },
	{ "on one of two hosts", "offcpu", 2, { 1, 0 }, LACKS " on b" HELPS },
	{ "on many hosts", "offcpu", 4, { 0, 0, 0, 0 },
	    LACKS " on a, b, c and 1 more" HELPS },
	{ "another view", "processes", 1, { 0 }, "" },
};

static void run_note_case(void **state)
{
	const struct notecase *k = *state;
	static const char *const names[] = { "a", "b", "c", "d" };
	const char *hosts[SIMCLUSTER_HOSTS + 1] = { NULL };
	struct buf note = BUF_INIT;
	struct simcluster c;
	unsigned i;

	for (i = 0; i < k->n; i++)
		hosts[i] = names[i];
	simcluster_init(&c, hosts, false);
	for (i = 0; i < k->n; i++) {
		if (k->on[i] != NONE)
			simhost_set(&c.host[i], ENTITY_HOST, 0,
			    COL(HOST, TASK_DELAYACCT), k->on[i]);
	}
	simcluster_tick(&c);
	assert_int_equal(uncounted_note(&c.engine, view_find(k->view), &note),
	    k->note[0] != '\0');
	assert_string_equal(buf_str(&note), k->note);
	buf_release(&note);
	simcluster_release(&c);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, run_case, cases);
	CASES_TABLE(&c, run_thread_case, thread_cases);
	CASES_TABLE(&c, run_note_case, note_cases);
	return cases_run(&c, "offcpu");
}
