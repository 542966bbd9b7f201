/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a table does not show is not kept: of thousands of sessions that came, ran
 * one query, and left, there are fewer groups than sessions.
 */
#include "cases.h"

#include "simcluster.h"
#include "view/ask.h"
#include "view/view_use.h"

#define SESSIONS 3000
#define SHOWN 20

/* One that works from one tick to the next. */
static size_t begin_session(struct simhost *h, uint64_t pid)
{
	size_t i = simcluster_process(h, OPEN_BORN, pid, 100,
	    "postgres: bob shop [local] SELECT");

	SIM_SET(h, i, CPU, 1000 * pid);
	if (pid == 300)
		SIM_SET(h, i, SPILL, 4096);
	return i;
}

static void run_sessions(struct simcluster *c)
{
	struct simhost *h = &c->host[0];
	size_t i, last = 0;

	for (i = 0; i < SESSIONS; i++) {
		if (i > 0)
			SIM_EXIT(h, last);
		last = begin_session(h, 200 + i);
		simcluster_tick(c);
	}
}

static void test_bound(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct ask_words words = { .view = *state, .limit = SHOWN };
	struct simcluster c;
	struct ask *ask = NULL;
	struct view_use *use;
	struct grid *g;

	simcluster_init(&c, hosts, true);
	(void)simcluster_server(&c.host[0], 100, 6000, "/a");
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c.engine, ask_of_view(ask));
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	run_sessions(&c);
	g = view_grid(use, &c.engine);
	assert_in_range(use->grouping
	    ? rollup_count(grouping_rollup(use->grouping)) : g->n_row, 1,
	    SESSIONS * 3 / 4);
	assert_true(g->n_row > 0);
	grid_free(g);
	view_close(use);
	ask_free(ask);
	simcluster_release(&c);
}

int main(void)
{
	static const char *const views[] = { "sessions", "queries",
		"processes", "spill", "query" };
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(views); i++)
		cases_add(&c, views[i], test_bound, views[i]);
	return cases_run(&c, "bound");
}
