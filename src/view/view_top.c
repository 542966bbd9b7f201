/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view_top.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void view_top_open(struct view_top *t, size_t most, const char *sort,
	const struct grid *g)
{
	struct sort_keys keys;
	size_t i;

	*t = (struct view_top) { .most = most };
	if (most == 0 || most > VIEW_TOP_MAX || !sort ||
	    sort_parse(g, sort, &keys, NULL) < 0)
		return;
	t->by = keys.key[0];
	t->late = gs_calloc(g->n_col, sizeof(*t->late));
	for (i = 0; i < g->n_col; i++)
		t->late[i] = !g->col[i].additive;
	t->late[0] = false; /* equal rows are ordered by it */
	for (i = 0; i < keys.n; i++)
		t->late[keys.key[i].col] = false;
}

void view_top_close(struct view_top *t)
{
	free(t->late);
	t->late = NULL;
}

/* Equal ones stay in: other columns decide. */
bool view_top_take(struct view_top *t, const struct grid_row *row)
{
	const struct cell *c = &row->cell[t->by.col];
	size_t at = t->n;

	while (at > 0 && sort_compare_by(&t->by, c, t->best[at - 1]) < 0)
		at--;
	if (at == t->most)
		return sort_compare_by(&t->by, c, t->best[at - 1]) == 0;
	t->n = GS_MIN(t->n + 1, t->most);
	memmove(t->best + at + 1, t->best + at, (t->n - 1 - at) *
	    sizeof(t->best[0]));
	t->best[at] = c;
	return true;
}
