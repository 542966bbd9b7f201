/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of views.def: each has the name of its view, which is found by
 * it.  Which of its columns are summed up in the row of the others.
 */
#include <string.h>

#include "cases.h"
#include "view/view_int.h"

struct view_row {
	const char *name;
	const struct view *view;
};

static const struct view_row rows[] = {
#define VIEW(name) { #name, &view_##name },
#include "view/views.def"
#undef VIEW
};

static void run_row(void **state)
{
	const struct view_row *r = *state;
	const struct view *found = view_find(r->name);

	assert_string_equal(r->view->name, r->name);
	assert_ptr_equal(found, r->view);
}

/* Percentages that are amounts of time per time: those of two rows add up. */
static const char *const times[] = { "cpu_percent", "user_percent",
	"system_percent", "run_queue_percent", "io_delay_percent",
	"process_cpu_percent" };

/* No sum of these means anything. */
static bool never_adds(enum quantity q)
{
	return q == Q_TEXT || q == Q_ID || q == Q_TIME || q == Q_AGE;
}

static bool is_time(const char *name)
{
	size_t i;

	for (i = 0; i < GS_LEN(times); i++) {
		if (strcmp(times[i], name) == 0)
			return true;
	}
	return false;
}

/* Columns of which the row of the others has the sum. */
static void run_sums(void **state)
{
	const struct view_row *r = *state;
	struct grid_col c;
	const char *many;
	size_t i;

	for (i = 0; view_column(r->view, i, &c, &many); i++) {
		if (c.additive && (never_adds(c.quantity) ||
		    (c.quantity == Q_PERCENT && !c.of_server &&
		    !is_time(c.name))))
			fail_msg("%s.%s has a sum", r->name, c.name);
	}
}

static bool stays_wide(const struct grid_col *c)
{
	return c->min_width <= 80 || c->kept || c->stands_for_it || c->stands_in ||
	    c->key > 0;
}

/* A table that is only seen on lines of 80 columns has no texts for wider ones. */
static void run_few_texts(void **state)
{
	const struct view_row *r = *state;
	struct view_ask ask = VIEW_ASK_INIT;
	struct view_use *u;
	struct engine e;
	struct grid *g;
	size_t i;

	if (r->view->table || view_is_overview(r->view))
		skip();
	ask.brief = "";
	ask.settled = ask.few_texts = true;
	ask.width = 80;
	engine_init(&e, 1000000000);
	u = view_open(r->view, &e, &ask);
	g = view_grid_last(u, &e);
	for (i = 1; i < g->n_col; i++) {
		if (g->col[i].quantity == Q_TEXT && !stays_wide(&g->col[i]) &&
		    g->col[i].min_width != GRID_ON_REQUEST)
			fail_msg("%s.%s", r->name, g->col[i].name);
	}
	assert_true(g->n_col > 0);
	grid_free(g);
	view_close(u);
	engine_release(&e);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, run_row, rows);
	CASES_TABLE(&c, run_sums, rows);
	CASES_TABLE(&c, run_few_texts, rows);
	return cases_run(&c, "views");
}
