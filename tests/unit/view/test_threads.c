/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads in groups: by names and by what their processes are, also when these
 * change, end, or are not recorded.
 */
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"
#include "view/ask.h"

#define THREAD_(l, i, sym, v) \
	simhost_set(&(l)->h, ENTITY_THREAD, (i), COL(THREAD, sym), (v))

struct lab {
	struct simhost h;
	struct tick_encoder *m;
	struct engine e;
	struct ask *ask;
	struct view_use *use;
	struct grid *g;
};

static size_t thread(struct lab *l, uint64_t pid, uint64_t tid,
	const char *name)
{
	size_t i = simhost_open(&l->h, ENTITY_THREAD, OPEN_APPEARED);

	THREAD_(l, i, PID, pid);
	THREAD_(l, i, TID, tid);
	THREAD_(l, i, START, 1000 + tid);
	THREAD_(l, i, CPU, 500);
	simhost_set_text(&l->h, ENTITY_THREAD, i, COL(THREAD, COMM), name);
	return i;
}

static void works(struct lab *l, size_t i, uint64_t usec)
{
	simhost_add(&l->h, ENTITY_THREAD, i, COL(THREAD, CPU), usec);
}

static void name_process(struct lab *l, size_t i, const char *name)
{
	simhost_set_text(&l->h, ENTITY_PROCESS, i, COL(PROCESS, COMM), name);
}

static void tick(struct lab *l)
{
	struct gs_err err;

	simhost_tick(&l->h, SIM_SECOND);
	encoder_begin(l->m, l->h.clock.wall_ns);
	encoder_block(l->m, 0, l->h.world);
	if (engine_tick(&l->e, encoder_end(l->m), &err) < 0)
		fail_msg("%s", err.msg);
}

static void set_up(struct lab *l, const char *group_by)
{
	const struct ask_words words = { .view = "threads",
		.group_by = group_by };
	struct gs_err err;

	*l = (struct lab) { .ask = NULL };
	simhost_init(&l->h, "alpha");
	l->m = encoder_new(header_new());
	engine_init(&l->e, SIM_SECOND);
	if (ask_new(&words, &l->ask, &err) < 0)
		fail_msg("%s", err.msg);
	l->use = view_open(ask_view(l->ask), &l->e, ask_of_view(l->ask));
}

static void begin(struct lab *l)
{
	tick(l);
	engine_begin(&l->e, true);
	engine_restart(&l->e);
}

static void tear_down(struct lab *l)
{
	grid_free(l->g);
	view_close(l->use);
	ask_free(l->ask);
	engine_release(&l->e);
	encoder_free(l->m);
	simhost_release(&l->h);
}

static const struct cell *cell(const struct lab *l, size_t row,
	const char *name)
{
	int col = grid_find_col(l->g, name, strlen(name));

	if (col < 0)
		fail_msg("no column %s", name);
	return &l->g->row[row].cell[col];
}

/* "" stands for an absent text. */
static bool is_text(const struct cell *c, const char *want)
{
	return c->kind == CELL_TEXT ? span_eq(cell_span(c), want) : *want == '\0';
}

/* The group of these texts has so many threads and CPU seconds. */
static void has(const struct lab *l, const char *key, const char *of,
	const char *name, int64_t threads, double cpu)
{
	size_t i;

	for (i = 0; i < l->g->n_row; i++) {
		const struct cell *c = cell(l, i, "cpu_seconds");

		if (!is_text(cell(l, i, key), of) ||
		    !is_text(cell(l, i, "thread"), name))
			continue;
		assert_int_equal(cell(l, i, "threads")->i, threads);
		if (c->kind != CELL_REAL || c->r < cpu - 1e-9 ||
		    c->r > cpu + 1e-9)
			fail_msg("%s, %s: %g s, not %g", of, name, c->r, cpu);
		return;
	}
	fail_msg("no group %s, %s", of, name);
}

static void names(void **state)
{
	struct lab l;
	size_t first, second, io, other, lost;

	(void)state;
	set_up(&l, "command,thread");
	first = simhost_process(&l.h, OPEN_APPEARED, 100, 1, "a");
	second = simhost_process(&l.h, OPEN_APPEARED, 200, 1, "b");
	name_process(&l, first, "alpha");
	name_process(&l, second, "beta");
	(void)thread(&l, 100, 100, "main");
	io = thread(&l, 100, 101, "io");
	other = thread(&l, 200, 200, "main");
	lost = thread(&l, 999, 999, "lost");
	begin(&l);
	works(&l, io, 10000);
	works(&l, other, 20000);
	works(&l, lost, 5000);
	tick(&l);
	/* the process changes its name; of its threads nothing changes */
	name_process(&l, first, "gamma");
	tick(&l);
	/* a process ends, and its thread; another works under the new name */
	works(&l, io, 30000);
	SIM_EXIT(&l.h, second);
	simhost_close(&l.h, ENTITY_THREAD, other, CLOSE_EXITED);
	tick(&l);
	l.g = view_grid(l.use, &l.e);
	has(&l, "command", "alpha", "io", 0, 0.01);
	has(&l, "command", "gamma", "io", 1, 0.03);
	has(&l, "command", "gamma", "main", 1, 0);
	has(&l, "command", "beta", "main", 0, 0.02);
	has(&l, "command", "", "lost", 1, 0.005);
	tear_down(&l);
}

#define TITLE "postgres:  5432, amy dw [local] con7 "

/* A session's state changes, and its threads change groups. */
static void states(void **state)
{
	struct lab l;
	size_t p, t;

	(void)state;
	set_up(&l, "state,thread");
	(void)simhost_process(&l.h, OPEN_APPEARED, 10, 1, "postgres -D x");
	p = simhost_process(&l.h, OPEN_APPEARED, 100, 10, TITLE "cmd1 SELECT");
	SIM_SET(&l.h, p, POSTMASTER, 10);
	t = thread(&l, 100, 100, "main");
	begin(&l);
	works(&l, t, 10000);
	tick(&l);
	SIM_TITLE(&l.h, p, TITLE "cmd2 idle");
	tick(&l);
	tick(&l);
	l.g = view_grid(l.use, &l.e);
	has(&l, "state", "idle", "main", 1, 0);
	has(&l, "state", "active", "main", 0, 0.01);
	tear_down(&l);
}

/* A thread's own control group comes before its process's. */
static void cgroups(void **state)
{
	struct lab l;
	size_t p, t;

	(void)state;
	set_up(&l, "cgroup,thread");
	p = simhost_process(&l.h, OPEN_APPEARED, 100, 1, "a");
	simhost_set_text(&l.h, ENTITY_PROCESS, p, COL(PROCESS, CGROUP), "/p");
	(void)thread(&l, 100, 100, "main");
	t = thread(&l, 100, 101, "io");
	simhost_set_text(&l.h, ENTITY_THREAD, t, COL(THREAD, CGROUP), "/p/t");
	begin(&l);
	tick(&l);
	l.g = view_grid(l.use, &l.e);
	has(&l, "cgroup", "/p", "main", 1, 0);
	has(&l, "cgroup", "/p/t", "io", 1, 0);
	tear_down(&l);
}

static void of_processes(void **state)
{
	const struct ask_words words = { .view = "processes",
		.group_by = "command,thread" };
	struct ask *ask;
	struct gs_err err;

	(void)state;
	assert_int_equal(ask_new(&words, &ask, &err), GS_E_USAGE);
	assert_non_null(strstr(err.msg, "-V threads"));
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "names", names, NULL);
	cases_add(&c, "states", states, NULL);
	cases_add(&c, "control groups", cgroups, NULL);
	cases_add(&c, "not of processes", of_processes, NULL);
	return cases_run(&c, "threads");
}
