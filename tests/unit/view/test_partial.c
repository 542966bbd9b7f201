/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts of rows that were seen in a part of the range: a lower bound if the
 * row was there before or after, exact if it began and ended in the range.
 */
#include "cases.h"

#include <string.h>

#include "simcluster.h"
#include "view/ask.h"

#define SECOND_US 1000000u

struct lab {
	struct simcluster c;
	struct ask *ask;
	struct view_use *use;
	struct grid *g;
	size_t old, late, gone, ended; /* control groups */
	size_t whole, born, joined, idle; /* processes */
};

static size_t control_group(struct simhost *h, const char *path)
{
	size_t i = simhost_open(h, ENTITY_CGROUP, OPEN_APPEARED);

	SIM_TEXT(h, CGROUP, i, PATH, path);
	SIM_CELL(h, CGROUP, i, CPU, 50 * SECOND_US);
	SIM_CELL(h, CGROUP, i, MEMORY, 100);
	return i;
}

static void work(struct simhost *h, size_t i)
{
	simhost_add(h, ENTITY_CGROUP, i, COL(CGROUP, CPU), SECOND_US);
}

static void begin(struct lab *l, const struct ask_words *words)
{
	static const char *const hosts[] = { "alpha", "beta", NULL };
	struct gs_err err;

	*l = (struct lab) { .ask = NULL };
	simcluster_init(&l->c, hosts, false);
	l->c.absent[1] = true;
	if (ask_new(words, &l->ask, &err) < 0)
		fail_msg("%s", err.msg);
	l->use = view_open(ask_view(l->ask), &l->c.engine,
	    ask_of_view(l->ask));
	(void)simcluster_server(&l->c.host[0], 100, 6000, "/a");
	l->old = control_group(&l->c.host[0], "/old");
	l->gone = control_group(&l->c.host[0], "/gone");
	l->ended = control_group(&l->c.host[0], "/ended");
	l->whole = simcluster_process(&l->c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres: 6000, ann x [local] con5 cmd1 SELECT");
	l->idle = simcluster_process(&l->c.host[0], OPEN_APPEARED, 105, 100,
	    "postgres: 6000, cid x [local] con7 cmd1 SELECT");
}

/* The range begins here. */
static void restart(struct lab *l)
{
	engine_begin(&l->c.engine, true);
	engine_restart(&l->c.engine);
}

static void work_all(struct lab *l)
{
	struct simhost *h = &l->c.host[0];

	work(h, l->old);
	work(h, l->gone);
	work(h, l->ended);
	SIM_ADD(h, l->whole, CPU, SECOND_US);
	SIM_ADD(h, l->idle, CPU, SECOND_US);
	simcluster_tick(&l->c);
}

/* Some come in the middle of the range. */
static void join(struct lab *l)
{
	struct simhost *h = &l->c.host[0];

	l->late = control_group(h, "/late");
	l->born = simcluster_process(h, OPEN_BORN, 102, 100,
	    "postgres: 6000, bob x [local] con6 cmd1 SELECT");
	l->joined = simcluster_process(h, OPEN_APPEARED, 103, 100,
	    "postgres: 6000, ann x [local] con5 cmd1 slice1 SELECT");
	work_all(l);
}

static void work_late(struct lab *l)
{
	struct simhost *h = &l->c.host[0];

	work(h, l->late);
	SIM_ADD(h, l->joined, CPU, SECOND_US);
	SIM_ADD(h, l->born, CPU, SECOND_US);
	work_all(l);
}

static void part(struct lab *l)
{
	struct simhost *h = &l->c.host[0];

	simhost_close(h, ENTITY_CGROUP, l->gone, CLOSE_LEFT);
	simhost_close(h, ENTITY_CGROUP, l->ended, CLOSE_EXITED);
	simhost_close(h, ENTITY_PROCESS, l->born, CLOSE_EXITED);
	simhost_close(h, ENTITY_PROCESS, l->idle, CLOSE_LEFT);
	simcluster_tick(&l->c);
	simcluster_tick(&l->c);
}

static void end(struct lab *l)
{
	l->g = view_grid(l->use, &l->c.engine);
}

static void tear_down(struct lab *l)
{
	grid_free(l->g);
	view_close(l->use);
	ask_free(l->ask);
	simcluster_release(&l->c);
}

static bool is_key(const struct cell *c, const char *key)
{
	char text[32];

	if (c->kind == CELL_TEXT)
		return span_eq(cell_span(c), key);
	(void)snprintf(text, sizeof(text), "%lld", (long long)c->i);
	return c->kind == CELL_INT && strcmp(text, key) == 0;
}

/* The figure and its mark, '=' if it is exact. */
static void is(const struct lab *l, const char *by, const char *key,
	const char *name, double want, char mark)
{
	int at = grid_find_col(l->g, by, strlen(by));
	int col = grid_find_col(l->g, name, strlen(name));
	size_t i;

	assert_true(at >= 0 && col >= 0);
	for (i = 0; i < l->g->n_row; i++) {
		const struct cell *c = &l->g->row[i].cell[col];

		if (!is_key(&l->g->row[i].cell[at], key))
			continue;
		if (c->kind != CELL_REAL || c->r < want - 1e-6 ||
		    c->r > want + 1e-6 || (c->mark ? c->mark : '=') != mark)
			fail_msg("%s of %s: %g, mark %c; expected %g, %c",
			    name, key, c->r, c->mark ? c->mark : '=', want,
			    mark);
		return;
	}
	fail_msg("no row %s", key);
}

static void run(struct lab *l, const char *view, const char *group_by)
{
	const struct ask_words words = { .view = view, .group_by = group_by };

	begin(l, &words);
	simcluster_tick(&l->c);
	restart(l);
	work_all(l);
	join(l);
	work_late(l);
	part(l);
	end(l);
}

static void groups(void **state)
{
	struct lab l;

	(void)state;
	run(&l, "cgroups", NULL);
	is(&l, "cgroup", "/old", "cpu_seconds", 3, '=');
	is(&l, "cgroup", "/late", "cpu_seconds", 1, '>');
	is(&l, "cgroup", "/gone", "cpu_seconds", 3, '>');
	is(&l, "cgroup", "/ended", "cpu_seconds", 3, '=');
	/* rates are of the time for which it was seen; levels of now */
	is(&l, "cgroup", "/late", "cpu_percent", 100.0 / 3, '=');
	is(&l, "cgroup", "/gone", "cpu_percent", 100, '=');
	is(&l, "cgroup", "/late", "memory", 100 * 1024, '=');
	tear_down(&l);
}

static void processes(void **state)
{
	struct lab l;

	(void)state;
	run(&l, "processes", NULL);
	is(&l, "pid", "101", "cpu_seconds", 3, '=');
	is(&l, "pid", "102", "cpu_seconds", 2, '='); /* 1 s at its birth */
	is(&l, "pid", "103", "cpu_seconds", 1, '>');
	is(&l, "pid", "105", "cpu_seconds", 3, '>');
	tear_down(&l);
}

/* A sum with a lower bound is one. */
static void sessions(void **state)
{
	struct lab l;

	(void)state;
	run(&l, "sessions", NULL);
	is(&l, "session", "con5", "cpu_seconds", 4, '>');
	is(&l, "session", "con6", "cpu_seconds", 2, '=');
	is(&l, "session", "con7", "cpu_seconds", 3, '>');
	tear_down(&l);
	run(&l, "processes", "user");
	is(&l, "user", "ann", "cpu_seconds", 4, '>');
	is(&l, "user", "bob", "cpu_seconds", 2, '=');
	tear_down(&l);
}

/* What was there when the range began is known from then on. */
static void range(void **state)
{
	const struct ask_words words = { .view = "cgroups" };
	struct lab l;

	(void)state;
	begin(&l, &words);
	simcluster_tick(&l.c);
	restart(&l);
	work_all(&l);
	join(&l);
	restart(&l);
	work_late(&l);
	end(&l);
	is(&l, "cgroup", "/late", "cpu_seconds", 1, '=');
	grid_free(l.g);
	part(&l);
	restart(&l);
	simcluster_tick(&l.c);
	end(&l);
	is(&l, "cgroup", "/late", "cpu_seconds", 0, '=');
	tear_down(&l);
}

/* Rows of a host that comes late cover what the host does. */
static void late_host(void **state)
{
	const struct ask_words words = { .view = "cgroups" };
	struct lab l;
	size_t of_late;

	(void)state;
	begin(&l, &words);
	simcluster_tick(&l.c);
	restart(&l);
	work_all(&l);
	of_late = control_group(&l.c.host[1], "/host2");
	l.c.absent[1] = false;
	work_all(&l);
	work(&l.c.host[1], of_late);
	work_all(&l);
	l.c.absent[1] = true;
	work_all(&l);
	end(&l);
	is(&l, "cgroup", "/host2", "cpu_seconds", 1, '=');
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "control groups", groups, NULL);
	cases_add(&c, "processes", processes, NULL);
	cases_add(&c, "sessions", sessions, NULL);
	cases_add(&c, "range", range, NULL);
	cases_add(&c, "late host", late_host, NULL);
	return cases_run(&c, "view partial");
}
