/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_brief.c - tables without the numbers that are shown on request and that nobody
 * asked for.
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

static bool can_go(const struct grid_col *c)
{
	return c->min_width == GRID_ON_REQUEST && c->quantity != Q_TEXT &&
	    c->quantity != Q_ID && !c->names && !c->stands_in && c->key == 0;
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

bool *view_left_out(const struct view_use *u, const struct grid *g)
{
	bool *out;
	size_t i;

	if (!u->brief)
		return NULL;
	out = gs_calloc(g->n_col + 1, sizeof(*out));
	for (i = 0; i < g->n_col; i++)
		out[i] = can_go(&g->col[i]);
	if (keep_named(g, u->brief, out))
		return out;
	free(out);
	return NULL;
}
