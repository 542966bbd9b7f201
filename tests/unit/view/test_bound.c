/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a table does not show is not kept: of thousands of sessions that came, ran
 * one query, and left, there are fewer groups than sessions.  The rows that it shows
 * are those of a table of all.  Columns that no line shows are none of it, and cells
 * of processes that ended are packed.
 */
#include "cases.h"

#include <string.h>

#include "query/sort.h"
#include "simcluster.h"
#include "view/ask.h"
#include "view/view_use.h"

#define SESSIONS 3000
#define SHOWN 20
#define USERS 61

struct shown {
	const char *name, *view, *sort;
};

/* One that works from one tick to the next. */
static size_t begin_session(struct simhost *h, uint64_t pid)
{
	char title[80];
	size_t i;

	(void)snprintf(title, sizeof(title), "postgres: bob%u shop [local] "
	    "SELECT", (unsigned)(pid * 37 % USERS));
	i = simcluster_process(h, OPEN_BORN, pid, 100, title);
	SIM_SET(h, i, CPU, 1000 * pid);
	if (pid == 300)
		SIM_SET(h, i, SPILL, 4096);
	return i;
}

static void run_sessions(struct simcluster *c, size_t n)
{
	struct simhost *h = &c->host[0];
	size_t i, last = 0;

	for (i = 0; i < n; i++) {
		if (i > 0)
			SIM_EXIT(h, last);
		last = begin_session(h, 200 + i);
		simcluster_tick(c);
	}
}

static struct view_use *open_view(struct simcluster *c, const struct shown *is,
	size_t limit, struct ask **ret)
{
	const struct ask_words words = { .view = is->view, .sort = is->sort,
		.limit = limit };

	assert_int_equal(ask_new(&words, ret, NULL), GS_OK);
	return view_open(ask_view(*ret), &c->engine, ask_of_view(*ret));
}

static void assert_same_first(struct grid *a, struct grid *b,
	const char *sort)
{
	size_t i;

	assert_int_equal(sort_grid(a, sort, NULL), GS_OK);
	assert_int_equal(sort_grid(b, sort, NULL), GS_OK);
	assert_true(a->n_row >= SHOWN);
	for (i = 0; i < SHOWN; i++)
		assert_int_equal(sort_compare_cells(&a->row[i].cell[0],
		    &b->row[i].cell[0]), 0);
}

/* The last table of a use is what it would have been, and leaves no group that has
 * ended. */
static void assert_same_last(struct view_use *use, const struct engine *e,
	const struct grid *before)
{
	struct grid *g = view_grid_last(use, e);
	size_t i;

	assert_int_equal(g->n_row, before->n_row);
	for (i = 0; i < g->n_row; i++)
		assert_int_equal(g->row[i].id, before->row[i].id);
	if (use->grouping && !use->view->rows)
		assert_in_range(rollup_count(grouping_rollup(use->grouping)),
		    0, SHOWN);
	grid_free(g);
}

static void test_bound(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct shown *is = *state;
	struct simcluster c;
	struct ask *ask = NULL, *whole = NULL;
	struct view_use *use, *all;
	struct grid *g, *h;

	simcluster_init(&c, hosts, true);
	(void)simcluster_server(&c.host[0], 100, 6000, "/a");
	use = open_view(&c, is, SHOWN, &ask);
	all = open_view(&c, is, 0, &whole);
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	run_sessions(&c, SESSIONS);
	g = view_grid(use, &c.engine);
	h = view_grid(all, &c.engine);
	assert_same_last(all, &c.engine, h);
	assert_in_range(use->grouping
	    ? rollup_count(grouping_rollup(use->grouping)) : g->n_row, 1,
	    SESSIONS * 3 / 4);
	assert_true(g->n_row > 0);
	if (is->sort)
		assert_same_first(g, h, is->sort);
	grid_free(g);
	grid_free(h);
	view_close(use);
	view_close(all);
	ask_free(ask);
	ask_free(whole);
	simcluster_release(&c);
}

/* A table for one output. */
struct settled {
	const char *name;
	struct ask_words words;
	const char *has, *lacks; /* columns */
};

static const struct settled settled[] = {
	{ "on request", { .view = "processes" }, "cpu_percent", "user_percent" },
	{ "sorted by", { .view = "processes", .sort = "user_percent" },
	    "user_percent", "system_percent" },
	{ "asked for", { .view = "processes", .columns = "+user_percent" },
	    "user_percent", "system_percent" },
	{ "compared", { .view = "processes", .where = "user_percent > 1" },
	    "user_percent", "system_percent" },
	{ "compared with", { .view = "processes",
	    .where = "cpu_percent > user_percent" }, "user_percent",
	    "system_percent" },
	{ "a message names all", { .view = "processes", .where = "foo > 1" },
	    "system_percent", NULL },
	{ "for wider lines", { .view = "processes", .width = 80 },
	    "cpu_percent", "context_switches_per_second" },
	{ "of both sides", { .view = "processes", .width = 80,
	    .compared = true }, "context_switches_per_second",
	    "user_percent" },
};

static bool has_column(const struct grid *g, const char *name)
{
	return grid_find_col(g, name, strlen(name)) >= 0;
}

/* Of processes that ended. */
static size_t resting(const struct rollup *r)
{
	size_t i, n = 0;

	for (i = 0; i < rollup_count(r); i++) {
		const struct group *g = rollup_get(r, i);

		n += g->row && g->row->closed && !g->row->now.val;
	}
	return n;
}

static void test_settled(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct settled *is = *state;
	struct ask_words words = is->words;
	struct simcluster c;
	struct ask *ask = NULL;
	struct view_use *use;
	struct grid *g;

	words.brief = words.settled = true;
	simcluster_init(&c, hosts, true);
	(void)simcluster_server(&c.host[0], 100, 6000, "/a");
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c.engine, ask_of_view(ask));
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	run_sessions(&c, SHOWN);
	g = view_grid(use, &c.engine);
	assert_int_equal(g->n_row, SHOWN + 1);
	assert_true(has_column(g, is->has));
	assert_false(is->lacks && has_column(g, is->lacks));
	assert_int_equal(resting(grouping_rollup(use->grouping)), SHOWN - 1);
	grid_free(g);
	view_close(use);
	ask_free(ask);
	simcluster_release(&c);
}

int main(void)
{
	static const struct shown shown[] = {
		{ "sessions", "sessions", NULL },
		{ "queries", "queries", NULL },
		{ "processes", "processes", NULL },
		{ "spill", "spill", NULL }, { "query", "query", NULL },
		{ "by a number", "sessions", "cpu" },
		{ "by a text", "sessions", "user" },
		{ "by two", "sessions", "-user,+session" },
		{ "by a text and a number", "sessions", "user,-cpu" },
		{ "queries by a text", "queries", "user" },
		{ "by pid", "processes", "pid" },
		{ "by state", "processes", "state,-pid" },
		{ "by the end", "processes", "+ended" },
	};
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_bound, shown);
	CASES_TABLE(&c, test_settled, settled);
	return cases_run(&c, "bound");
}
