/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of groups: resource groups with their control groups on two
 * hosts, and other control groups.
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
};

static size_t control_group(struct simhost *h, const char *path)
{
	size_t i = simhost_open(h, ENTITY_CGROUP, OPEN_APPEARED);

	SIM_TEXT(h, CGROUP, i, PATH, path);
	SIM_CELL(h, CGROUP, i, CPU, 0);
	SIM_CELL(h, CGROUP, i, THROTTLED_TIME, 0);
	SIM_CELL(h, CGROUP, i, PSI_CPU_SOME, 0);
	return i;
}

/* What a group does between the two ticks. */
static void work(struct simhost *h, size_t i, uint64_t cpu, uint64_t psi)
{
	simhost_add(h, ENTITY_CGROUP, i, COL(CGROUP, CPU), cpu);
	simhost_add(h, ENTITY_CGROUP, i, COL(CGROUP, PSI_CPU_SOME), psi);
}

static void limit(struct simhost *h, size_t i, uint64_t quota,
	uint64_t memory, uint64_t memory_max)
{
	SIM_CELL(h, CGROUP, i, CPU_QUOTA, quota);
	SIM_CELL(h, CGROUP, i, CPU_PERIOD, 100000);
	SIM_CELL(h, CGROUP, i, MEMORY, memory);
	SIM_CELL(h, CGROUP, i, MEMORY_MAX, memory_max);
}

static void resource_group(struct simhost *catalog, const char *name,
	const char *kind, uint64_t oid)
{
	size_t i = simhost_open(catalog, ENTITY_GROUP, OPEN_APPEARED);

	SIM_TEXT(catalog, GROUP, i, NAME, name);
	SIM_TEXT(catalog, GROUP, i, KIND, kind);
	SIM_CELL(catalog, GROUP, i, RUNNING, 3);
	SIM_CELL(catalog, GROUP, i, WAITING, 0);
	if (oid)
		SIM_CELL(catalog, GROUP, i, OID, oid);
}

static void process(struct simhost *h, uint64_t pid, const char *title,
	const char *path, const char *of_cpu)
{
	size_t i = simcluster_process(h, OPEN_APPEARED, pid, 100, title);

	simhost_set_text(h, ENTITY_PROCESS, i, COL(PROCESS, CGROUP), path);
	simhost_set_text(h, ENTITY_PROCESS, i, COL(PROCESS, CGROUP_CPU),
	    of_cpu);
}

/* Group etl is on both hosts, with a quota on the first only; session 5 has a
 * process on each, below it. */
static void fill(struct lab *l, size_t at[2])
{
	struct simhost *a = &l->c.host[0], *b = &l->c.host[1];
	size_t i;

	(void)simcluster_server(a, 100, 6000, "/a");
	(void)simcluster_server(b, 100, 6001, "/b");
	resource_group(&l->c.catalog, "etl", "group", 16384);
	resource_group(&l->c.catalog, "queue", "queue", 0);
	at[0] = control_group(a, "/gpdb/16384");
	at[1] = control_group(b, "/gpdb/16384");
	limit(a, at[0], 20000, 100, 1024);
	limit(b, at[1], METRIC_MAX, 200, 2048);
	limit(a, control_group(a, "/gpdb/16384/queries"), METRIC_MAX, 1,
	    METRIC_MAX);
	limit(a, control_group(a, "/gpdb/999"), 10000, 1, METRIC_MAX);
	limit(a, control_group(a, "/idle.slice"), METRIC_MAX, 1, METRIC_MAX);
	limit(a, control_group(a, "/small.slice"), METRIC_MAX, 1, 4);
	i = control_group(a, "/pg.service");
	limit(a, i, METRIC_MAX, 7, METRIC_MAX);
	process(a, 101, "postgres: 6000, ann x [local] con5 cmd1 SELECT",
	    "/mem", "/gpdb/16384/queries");
	process(b, 102, "postgres: 6001, ann x 10.0.0.1(1) con5 seg0 cmd1 "
	    "slice1 SELECT", "/mem", "/gpdb/16384/queries");
	process(a, 103, "postgres: 6000, bob x [local] con6 cmd1 SELECT",
	    "/pg.service", "/");
}

static void set_up(struct lab *l, const char *view, const char *group_by)
{
	static const char *const hosts[] = { "alpha", "beta", NULL };
	const struct ask_words words = { .view = view, .group_by = group_by };
	struct gs_err err;
	size_t at[2];

	*l = (struct lab) { .ask = NULL };
	simcluster_init(&l->c, hosts, true);
	fill(l, at);
	if (ask_new(&words, &l->ask, &err) < 0)
		fail_msg("%s", err.msg);
	l->use = view_open(ask_view(l->ask), &l->c.engine,
	    ask_of_view(l->ask));
	simcluster_tick(&l->c);
	engine_begin(&l->c.engine, true);
	engine_restart(&l->c.engine);
	work(&l->c.host[0], at[0], SECOND_US / 2, SECOND_US / 10);
	work(&l->c.host[1], at[1], SECOND_US / 4, 3 * SECOND_US / 10);
	simcluster_tick(&l->c);
	l->g = view_grid(l->use, &l->c.engine);
}

static void tear_down(struct lab *l)
{
	grid_free(l->g);
	view_close(l->use);
	ask_free(l->ask);
	simcluster_release(&l->c);
}

static const struct cell *cell(const struct lab *l, const char *group,
	const char *name)
{
	int col = grid_find_col(l->g, name, strlen(name));
	size_t i;

	if (col < 0)
		fail_msg("no column %s", name);
	for (i = 0; i < l->g->n_row; i++) {
		if (span_eq(cell_span(&l->g->row[i].cell[0]), group))
			return &l->g->row[i].cell[col];
	}
	return NULL;
}

static void is_number(const struct lab *l, const char *group,
	const char *name, double want)
{
	const struct cell *c = cell(l, group, name);
	double is;

	assert_non_null(c);
	is = c->kind == CELL_INT ? (double)c->i : c->r;
	if ((c->kind != CELL_INT && c->kind != CELL_REAL) ||
	    is < want - 1e-6 || is > want + 1e-6)
		fail_msg("%s of %s: kind %d, %g, not %g", name, group,
		    c->kind, is, want);
}

static void is_kind(const struct lab *l, const char *group,
	const char *name, enum cell_kind want)
{
	const struct cell *c = cell(l, group, name);

	assert_non_null(c);
	if (c->kind != want)
		fail_msg("%s of %s: kind %d, not %d", name, group, c->kind,
		    want);
}

/* Sums over hosts, of pressure the highest; without a quota on one host,
 * there is none in all. */
static void resource_groups(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l, "groups", NULL);
	is_number(&l, "etl", "running", 3);
	is_number(&l, "etl", "sessions", 1);
	is_number(&l, "etl", "cpu_percent", 75);
	is_kind(&l, "etl", "quota_percent", CELL_MAX);
	is_number(&l, "etl", "memory", 300 * 1024);
	is_number(&l, "etl", "memory_max", 3072 * 1024);
	is_number(&l, "etl", "cpu_pressure_percent", 30);
	is_number(&l, "etl", "throttled_percent", 0);
	is_kind(&l, "etl", "memory_pressure_percent", CELL_ABSENT);
	is_number(&l, "queue", "running", 3);
	is_kind(&l, "queue", "sessions", CELL_ABSENT);
	is_kind(&l, "queue", "cpu_percent", CELL_ABSENT);
	tear_down(&l);
}

static void other_groups(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l, "groups", NULL);
	/* a group that no catalog names, with a quota */
	is_number(&l, "/gpdb/999", "quota_percent", 10);
	is_kind(&l, "/gpdb/999", "running", CELL_ABSENT);
	is_number(&l, "/small.slice", "memory_max", 4096);
	is_number(&l, "/small.slice", "sessions", 0);
	is_number(&l, "/pg.service", "sessions", 1);
	is_kind(&l, "/pg.service", "memory_max", CELL_MAX);
	/* part of etl; neither limit nor session */
	assert_null(cell(&l, "/gpdb/16384", "group"));
	assert_null(cell(&l, "/gpdb/16384/queries", "group"));
	assert_null(cell(&l, "/idle.slice", "group"));
	assert_int_equal(l.g->n_row, 5);
	tear_down(&l);
}

/* Where hierarchies differ, each has a key of its own. */
static void keys(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l, "processes", "cgroup_cpu");
	is_number(&l, "/gpdb/16384/queries", "processes", 2);
	is_number(&l, "/", "processes", 1);
	assert_null(cell(&l, "/mem", "processes"));
	tear_down(&l);
	set_up(&l, "processes", "cgroup");
	is_number(&l, "/mem", "processes", 2);
	is_number(&l, "/pg.service", "processes", 1);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "resource groups", resource_groups, NULL);
	cases_add(&c, "other control groups", other_groups, NULL);
	cases_add(&c, "keys of processes", keys, NULL);
	return cases_run(&c, "view groups");
}
