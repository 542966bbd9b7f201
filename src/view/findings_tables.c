/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_tables.c - the tables of views that rules of findings look at.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "view/findings_tables.h"
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

struct grid *findings_columns(const void *ctx, const char *name,
	const struct findings_pick *p)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	const struct view *v = ((const struct view_finder *)ctx)->find(name);
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

void *findings_open(const void *ctx, const char *name, struct engine *e,
	const struct findings_pick *p)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct rows_of *t = gs_calloc(1, sizeof(*t));

	t->view = ((const struct view_finder *)ctx)->find(name);
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

/* A server was asked. */
static bool has_catalog(const struct world *w)
{
	const struct host *h;
	size_t i;

	for (i = 0; (h = world_catalog(w, i)) != NULL; i++) {
		if (h->table[ENTITY_CLUSTER].n_live > 0)
			return true;
	}
	return false;
}

bool findings_has_rows(const void *use, const struct engine *e,
	bool *ret_recorded)
{
	const struct rows_of *t = use;
	const struct view *v = t->view;

	*ret_recorded = v == &view_events ||
	    ((v->catalog || v == &view_locks) && has_catalog(e->world));
	if (v == &view_events)
		return e->tick_event < e->n_event;
	if (v == &view_locks)
		return has_entity(e->world, ENTITY_LOCK);
	if (v->catalog && !world_catalog(e->world, 0))
		return false;
	if (v->grouping == GROUPING_ROW && !v->rows)
		return has_entity(e->world, v->entity);
	return true;
}

struct grid *findings_grid_of(const void *use, const struct engine *e)
{
	return view_grid(((const struct rows_of *)use)->use, e);
}

void findings_close(void *use)
{
	struct rows_of *t = use;

	view_close(t->use);
	free(t);
}
