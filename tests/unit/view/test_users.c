/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users of the operating system: of a session whose processes are in several
 * namespaces, in whatever order they are seen; and as groups.
 */
#include "cases.h"

#include <string.h>

#include "simcluster.h"
#include "view/ask.h"

struct who {
	uint64_t pid;
	const char *user; /* NULL: it has a number only */
};

struct order {
	const char *name;
	struct who who[3];
};

/* Session 50 of the operating system: its first process, and others. */
static const struct order orders[] = {
	{ "the first process first", { { 50, "root" }, { 51, NULL },
	    { 52, "daemon" } } },
	{ "the first process last", { { 51, NULL }, { 52, "daemon" },
	    { 50, "root" } } },
	{ "a number first", { { 51, NULL }, { 50, "root" }, { 52, "daemon" } } },
	{ "names before numbers", { { 51, NULL }, { 52, "root" } } },
};

static void add(struct simhost *h, const struct who *w)
{
	size_t i = simcluster_process(h, OPEN_APPEARED, w->pid, 0, "sh");

	SIM_SET(h, i, ROLE, 0);
	SIM_SET(h, i, OS_SESSION, 50);
	SIM_SET(h, i, UID, 0);
	if (w->user)
		simhost_set_text(h, ENTITY_PROCESS, i, COL(PROCESS, OS_USER),
		    w->user);
}

/* The table of a host whose processes came one after the other. */
static struct grid *table(struct simcluster *c, const struct order *o,
	const char *group_by)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct ask_words words = { .view = "sessions",
		.group_by = group_by };
	struct ask *ask = NULL;
	struct view_use *use;
	struct grid *g;
	size_t i;

	simcluster_init(c, hosts, true);
	(void)simcluster_server(&c->host[0], 100, 6000, "/a");
	(void)simcluster_process(&c->host[0], OPEN_APPEARED, 101, 100,
	    "postgres: root x [local] SELECT");
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c->engine, ask_of_view(ask));
	simcluster_tick(c);
	engine_begin(&c->engine, true);
	for (i = 0; i < GS_LEN(o->who) && o->who[i].pid; i++) {
		add(&c->host[0], &o->who[i]);
		simcluster_tick(c);
	}
	g = view_grid(use, &c->engine);
	view_close(use);
	ask_free(ask);
	return g;
}

static const struct grid_row *row_with(const struct grid *g, const char *name,
	const char *text)
{
	int col = grid_find_col(g, name, strlen(name));
	size_t i;

	assert_true(col >= 0);
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = &g->row[i].cell[col];

		if (c->kind == CELL_TEXT && span_eq(cell_span(c), text))
			return &g->row[i];
	}
	return NULL;
}

static void test_session(void **state)
{
	struct simcluster c;
	struct grid *g = table(&c, *state, NULL);
	int user = grid_find_col(g, "user", strlen("user"));
	const struct grid_row *row = row_with(g, "session", "sid 50");

	assert_non_null(row);
	assert_true(span_eq(cell_span(&row->cell[user]), "root"));
	grid_free(g);
	simcluster_release(&c);
}

static void test_groups(void **state)
{
	static const char *const want[] = { "root", "os:root", "os:uid 0",
		"os:daemon" };
	struct simcluster c;
	struct grid *g = table(&c, &orders[0], "user");
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(want); i++) {
		if (!row_with(g, "user", want[i]))
			fail_msg("no %s", want[i]);
	}
	grid_free(g);
	simcluster_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_session, orders);
	cases_add(&c, "groups", test_groups, NULL);
	return cases_run(&c, "users");
}
