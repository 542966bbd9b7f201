/* SPDX-License-Identifier: Apache-2.0 */
#include "query/nest.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

bool nest_is_nested(const struct grid *g)
{
	return g->n_row > 0 && g->row[0].level > 0;
}

struct nest_rows nest_hold(const struct grid *g)
{
	struct nest_rows held = { NULL, 0 };

	if (!nest_is_nested(g))
		return held;
	held.n = g->n_row;
	held.row = gs_calloc(held.n, sizeof(*held.row));
	memcpy(held.row, g->row, held.n * sizeof(*held.row));
	return held;
}

static size_t highest(const struct grid_row *row, size_t n)
{
	size_t i, most = 0;

	for (i = 0; i < n; i++)
		most = GS_MAX(most, GS_MAX(row[i].nest, row[i].above));
	return most;
}

/* Marks a row and all that it is part of; above: by number. */
static void keep(bool *kept, const size_t *above, size_t nest)
{
	while (nest > 0 && !kept[nest]) {
		kept[nest] = true;
		nest = above[nest];
	}
}

void nest_restore(struct grid *g, struct nest_rows *held)
{
	size_t most = highest(held->row, held->n), i, n = 0;
	size_t *above;
	bool *kept;

	if (held->n == 0)
		return;
	above = gs_calloc(most + 1, sizeof(*above));
	kept = gs_calloc(most + 1, sizeof(*kept));
	for (i = 0; i < held->n; i++)
		above[held->row[i].nest] = held->row[i].above;
	for (i = 0; i < g->n_row; i++)
		keep(kept, above, g->row[i].nest);
	for (i = 0; i < held->n; i++) {
		if (kept[held->row[i].nest])
			g->row[n++] = held->row[i];
	}
	g->n_row = g->n_total = n;
	free(above);
	free(kept);
	free(held->row);
	*held = (struct nest_rows) { NULL, 0 };
}

/* ---- parts after their row ---------------------------------------------- */

struct tree {
	struct grid *g;
	size_t limit;
	size_t *first; /* part of a row, by number; 0: the rows of level 1 */
	size_t *next; /* in the old order; SIZE_MAX ends it */
	struct grid_row *row; /* the new rows */
	size_t n_row, row_cap;
};

static void find_parts(struct tree *t)
{
	const struct grid *g = t->g;
	size_t most = highest(g->row, g->n_row), i;

	t->first = gs_calloc(most + 1, sizeof(*t->first));
	t->next = gs_calloc(g->n_row, sizeof(*t->next));
	for (i = 0; i <= most; i++)
		t->first[i] = SIZE_MAX;
	for (i = g->n_row; i-- > 0;) {
		size_t above = g->row[i].above;

		t->next[i] = t->first[above];
		t->first[above] = i;
	}
}

static void put(struct tree *t, const struct grid_row *row)
{
	GS_GROW(t->row, &t->row_cap, t->n_row + 1);
	t->row[t->n_row++] = *row;
}

/* The sum of the rows that are left out: it is named like the first of them, up
 * to its own level. */
static void put_others(struct tree *t, const struct grid_row *rows, size_t n)
{
	struct grid *g = t->g;
	struct grid_row others = { .others = true, .n_others = n,
		.level = rows->level, .above = rows->above };
	char label[GRID_LABEL_MAX];
	size_t i, len = grid_others_label(&others, label);

	others.cell = arena_zalloc(g->arena, g->n_col * sizeof(*others.cell));
	grid_sum_rows(g, rows, n, &others);
	for (i = 0; i < g->n_col; i++) {
		if (g->col[i].names || (g->col[i].key > 0 &&
		    g->col[i].key < rows->level))
			others.cell[i] = rows->cell[i];
		else if (g->col[i].key == rows->level)
			others.cell[i] = cell_text(grid_text(g, label, len));
	}
	put(t, &others);
}

/* No deeper than there are keys. */
static void put_parts(struct tree *t, size_t above)
{
	const struct grid_row *row = t->g->row;
	struct grid_row *rest = NULL;
	size_t i, shown = 0, n = 0, cap = 0;

	for (i = t->first[above]; i != SIZE_MAX; i = t->next[i]) {
		if (t->limit > 0 && shown == t->limit) {
			GS_GROW(rest, &cap, n + 1);
			rest[n++] = row[i];
			continue;
		}
		put(t, &row[i]);
		put_parts(t, row[i].nest);
		shown++;
	}
	if (n > 0)
		put_others(t, rest, n);
	free(rest);
}

void nest_arrange(struct grid *g, size_t limit)
{
	struct tree t = { .g = g, .limit = limit };

	if (!nest_is_nested(g))
		return;
	g->n_total = g->n_row;
	find_parts(&t);
	put_parts(&t, 0);
	free(g->row);
	g->row = t.row;
	g->n_row = t.n_row;
	g->row_cap = t.row_cap;
	free(t.first);
	free(t.next);
}
