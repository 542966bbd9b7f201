/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_brief.c - tables without the numbers, and texts, that nobody asked for: those
 * that are shown on request, or on wider lines.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/view_use.h"

const char *view_brief(struct buf *to, const char *sort, const char *columns)
{
	buf_printf(to, "%s%s%s", sort ? sort : "", sort && columns ? "," : "",
	    columns ? columns : "");
	return buf_str(to);
}

void view_ask_again(struct view_use *u, const struct view_ask *ask)
{
	u->brief = ask->brief;
}

/* Lines have no fewer columns for this (grid_col.min_width). */
#define LEAST_WIDTH ((size_t)80)

static bool is_on_request(const struct grid_col *c, size_t width)
{
	bool wide = width > 0 && c->min_width < WHERE_UNEVEN &&
	    c->min_width > GS_MAX(width, LEAST_WIDTH);

	return c->min_width == GRID_ON_REQUEST || wide;
}

/* A text that stands for another, or names rows, may be shown without room of its
 * own. */
static bool can_go(const struct grid_col *c, const struct view_ask *ask)
{
	if (!is_on_request(c, ask->width) || c->stands_in || c->key > 0)
		return false;
	if (c->quantity == Q_TEXT)
		return ask->few_texts && !c->kept && !c->stands_for_it;
	return c->quantity != Q_ID && !c->names;
}

/* What unattributed.c compares with the usage of hosts. */
static const char *const always[] = { "cpu_seconds", "io_bytes_per_second" };

static void keep_always(const struct grid *g, bool *out)
{
	size_t i;

	for (i = 0; i < GS_LEN(always); i++) {
		int col = grid_find_col(g, always[i], strlen(always[i]));

		if (col >= 0)
			out[col] = false;
	}
}

/* False: the table has no such column, but what is made of it may. */
static bool keep_named(const struct grid *g, const char *names, bool *out)
{
	struct span rest = span_str(names), name;

	while (grid_next_name(&rest, &name)) {
		int col;

		name.ptr += !span_empty(name) && strchr("+-", *name.ptr);
		if (span_empty(name))
			continue;
		col = grid_find_col(g, name.ptr, span_len(name));
		if (col < 0)
			return false;
		out[col] = false;
	}
	return true;
}

/* False: it does not fit the table, which then is to say so. */
static bool keep_compared(const struct grid *g, const char *where, bool *out)
{
	struct filter *f = where ? filter_new(where, g, NULL, NULL) : NULL;
	size_t i;

	for (i = 0; f && i < g->n_col; i++)
		out[i] &= filter_side(f, i) == FILTER_UNUSED;
	filter_free(f);
	return !where || f;
}

bool *view_left_out(const struct view_use *u, const struct grid *g)
{
	bool *out;
	size_t i;

	if (!u->brief)
		return NULL;
	out = gs_calloc(g->n_col + 1, sizeof(*out));
	for (i = 0; i < g->n_col; i++)
		out[i] = can_go(&g->col[i], u->ask);
	out[0] = out[0] && g->col[0].quantity != Q_TEXT; /* orders equal rows */
	keep_always(g, out);
	if (keep_named(g, u->brief, out) &&
	    keep_compared(g, u->ask->where, out))
		return out;
	free(out);
	return NULL;
}

void view_drop_figures(struct view_use *u)
{
	struct grid *g = grid_new(u->view->name, NULL);
	bool *out;
	size_t i, n = 0;

	for (i = 0; i < u->n_figure; i++)
		grid_add_col(g, &u->figure[i].col);
	out = view_left_out(u, g);
	for (i = 0; out && i < u->n_figure; i++) {
		if (!out[i])
			u->figure[n++] = u->figure[i];
	}
	if (out)
		u->n_figure = n;
	u->brief = NULL; /* no more can go */
	free(out);
	grid_free(g);
}
