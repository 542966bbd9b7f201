/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - the columns of each view, from one run to the next.
 */
#include <string.h>

#include "base/mem.h"
#include "tui/keep.h"
#include "tui/looks.h"
#include "tui/tui_int.h"

static bool forgets;

int looks_set_columns(const char *value, struct gs_err *err)
{
	if (strcmp(value, "keep") != 0 && strcmp(value, "forget") != 0)
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected keep or "
		    "forget", value);
	forgets = strcmp(value, "forget") == 0;
	return GS_OK;
}

bool looks_keep_columns(void)
{
	return !forgets;
}

/* The settings of a view that nothing was zoomed into. */
static struct level *base_of(struct tui *t, const char *view)
{
	size_t i;

	for (i = 0; i < t->n_base; i++) {
		if (strcmp(t->base[i].view, view) == 0)
			return &t->base[i];
	}
	return NULL;
}

/* The view has all of them, or metrics of those names. */
static bool has_all(const struct view *v, const char *columns)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct grid *g = view_columns(v, &plain);
	struct span rest = span_str(columns), name;
	struct view_metric m;
	bool has = g != NULL;

	while (has && grid_next_name(&rest, &name)) {
		name.ptr += !span_empty(name) && *name.ptr == '+';
		has = grid_find_col(g, name.ptr, span_len(name)) >= 0 ||
		    view_find_metric(v, name.ptr, span_len(name), &m);
	}
	grid_free(g);
	return has;
}

/* Those of the command line win. */
static void take(void *ctx, const char *view, const char *columns)
{
	const struct view *v = view_find(view);
	struct level *l = base_of(ctx, view);

	if (!l || l->columns || view_is_overview(v))
		return;
	if (!has_all(v, columns)) {
		tui_error(ctx, "kept columns are ignored: a view has others "
		    "now");
		return;
	}
	level_set(&l->columns, columns);
	l->keeps = true;
}

static void tell(struct tui *t, const char *what, const struct gs_err *err)
{
	tui_message(t, "%s: %s", what, err->msg);
	t->trouble = true;
}

void columns_load(struct tui *t, const char *path)
{
	struct gs_err err;

	level_set(&t->state, path);
	if (t->state && keep_read(t->state, take, t, &err) < 0)
		tell(t, "kept columns are ignored", &err);
}

void columns_inherit(struct tui *t, struct level *l)
{
	const struct level *base = base_of(t, l->view);

	if (base && base->keeps)
		level_set(&l->columns, base->columns);
}

/* Groups have columns of their own, which are not kept. */
void columns_keep(struct tui *t)
{
	const struct level *l = tui_level(t);
	struct level *base = base_of(t, l->view);
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	if (!base || l->group_by)
		return;
	if (base != l)
		level_set(&base->columns, l->columns);
	base->keeps = true;
	for (i = 0; i < t->n_base; i++) {
		if (t->base[i].keeps && t->base[i].columns)
			keep_add(&b, t->base[i].view, t->base[i].columns);
	}
	if (t->state && keep_write(t->state, &b, &err) < 0)
		tell(t, "the columns are not kept", &err);
	buf_release(&b);
}
