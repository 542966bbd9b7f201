/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_findings.c - the view of findings (findings/findings.h), and the tables
 * of other views that its rules look at.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "view/findings_view.h"
#include "view/view_int.h"

/* A view of the last tick, for rules. */
struct rows_of {
	const struct view *view;
	struct view_pick pick;
	struct view_ask ask;
	struct view_use *use;
};

static struct view_pick pick_of(const struct findings_pick *p)
{
	return (struct view_pick) { .col = p->col, .n_col = p->n_col,
		.keep_made = p->keep, .ctx = p->ctx };
}

static struct grid *columns(const char *name, const struct findings_pick *p)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	const struct view *v = view_find(name);
	struct view_ask ask = plain;
	struct view_pick pick;

	if (!v || v->grouping < 0)
		return NULL; /* the overview, or a view with a table of its
		              * own */
	if (p) {
		pick = pick_of(p);
		ask.pick = &pick;
	}
	return view_columns(v, &ask);
}

static void *open_view(const char *name, struct engine *e,
	const struct findings_pick *p)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct rows_of *t = gs_calloc(1, sizeof(*t));

	t->view = view_find(name);
	t->pick = pick_of(p);
	t->ask = plain;
	t->ask.pick = &t->pick;
	t->ask.last_tick = true;
	t->use = view_open(t->view, e, &t->ask);
	return t;
}

/* Rows of the entity, on any host. */
static bool has_entity(const struct world *w, enum entity_id entity)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		if (world_host(w, i)->table[entity].n_live > 0)
			return true;
	}
	return false;
}

static bool has_rows(const void *use, const struct engine *e)
{
	const struct rows_of *t = use;

	if (t->view == &view_events)
		return e->tick_event < e->n_event;
	if (t->view == &view_locks)
		return has_entity(e->world, ENTITY_LOCK);
	if (t->view->catalog && !world_catalog(e->world, 0))
		return false;
	if (t->view->grouping == GROUPING_ROW && !t->view->rows)
		return has_entity(e->world, t->view->entity);
	return true;
}

static struct grid *grid_of(const void *use, const struct engine *e)
{
	return view_grid(((const struct rows_of *)use)->use, e);
}

static void close_view(void *use)
{
	struct rows_of *t = use;

	view_close(t->use);
	free(t);
}

const struct findings_from findings_views = { columns, open_view, has_rows,
	grid_of, close_view };

/* ---- the view ----------------------------------------------------------- */

static void *open_findings(struct engine *e, const struct view_ask *ask)
{
	return findings_new(&findings_views, e, ask->zone);
}

static struct grid *findings(void *self, const struct engine *e)
{
	return findings_grid(self, e, 0);
}

static void close_findings(void *self)
{
	findings_free(self);
}

static const struct view_table table = { .open = open_findings, .grid = findings,
	.close = close_findings, .col = findings_cols, .n_col = FINDINGS_COLS };

const struct view view_findings = {
	.name = "findings",
	.help = "what was wrong, when, how bad, who, and what shows it",
	.grouping = TABLE,
	.entity = ENTITY_HOST,
	.sort = "",
	.table = &table,
};
