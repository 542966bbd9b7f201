/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process whose title says nothing, until the catalog lists it: from then on it is of
 * its backend's session, also while it sleeps.
 */
#include "cases.h"

#include <string.h>

#include "simcluster.h"
#include "view/ask.h"

/* Has what the only table has in that column, of the session; "": it has no such
 * row. */
static void cell_of(struct view_use *use, const struct engine *e,
	const char *session, const char *column, char ret[64])
{
	struct grid *g = view_grid(use, e);
	int of = grid_find_col(g, "session", strlen("session"));
	int col = grid_find_col(g, column, strlen(column));
	size_t i;

	assert_true(of >= 0 && col >= 0);
	ret[0] = '\0';
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = &g->row[i].cell[col];

		if (!span_eq(cell_span(&g->row[i].cell[of]), session))
			continue;
		if (c->kind == CELL_INT)
			(void)snprintf(ret, 64, "%lld", (long long)c->i);
		else
			(void)snprintf(ret, 64, "%.*s",
			    (int)span_len(cell_span(c)), cell_span(c).ptr);
	}
	grid_free(g);
}

static void assert_cell(struct view_use *use, const struct engine *e,
	const char *session, const char *column, const char *want)
{
	char got[64];

	cell_of(use, e, session, column, got);
	assert_string_equal(got, want);
}

static void test_sleeper(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct ask_words words = { .view = "sessions" };
	struct ask *ask = NULL;
	struct view_use *use;
	struct simcluster c;
	size_t i;

	(void)state;
	simcluster_init(&c, hosts, true);
	(void)simcluster_server(&c.host[0], 100, 5432, "/a");
	i = simhost_open(&c.catalog, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_TEXT(&c.catalog, CLUSTER, i, HOST, "alpha");
	SIM_CELL(&c.catalog, CLUSTER, i, PORT, 5432);
	(void)simcluster_process(&c.host[0], OPEN_APPEARED, 101, 100,
	    "postgres");
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c.engine, ask_of_view(ask));
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	simcluster_tick(&c);
	assert_cell(use, &c.engine, "sid 101", "processes", "1");
	(void)simcluster_backend(&c, -1, 101, 0, "idle", "select 1", 3);
	simcluster_tick(&c);
	assert_cell(use, &c.engine, "101", "processes", "1");
	assert_cell(use, &c.engine, "sid 101", "state", "ended");
	view_close(use);
	ask_free(ask);
	simcluster_release(&c);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "a process that sleeps", test_sleeper, NULL);
	return cases_run(&c, "switched");
}
