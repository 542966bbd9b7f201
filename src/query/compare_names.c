/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_names.c - names of keys as classes: a row of one side matches that of
 * the other whose name is of the same class, and a class that has one name on
 * both sides together is shown by that name.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "query/compare_int.h"
#include "query/normal.h"

static void add_column(struct normal *n, const struct grid *g, size_t col)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		const struct cell *cell = &g->row[i].cell[col];

		if (cell->kind == CELL_TEXT)
			normal_add(n, cell_span(cell));
	}
}

void compare_names(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i;

	c->classes = gs_calloc(g->n_col + 1, sizeof(*c->classes));
	for (i = 0; c->ask->normalize && i < g->n_col; i++) {
		enum normal_kind kind = normal_kind_of(g->col[i].name);

		if (!c->key[i] || kind == NORMAL_NONE)
			continue;
		c->classes[i] = normal_new(kind);
		add_column(c->classes[i], g, i);
		add_column(c->classes[i], c->grid[PART_BASE], i);
	}
}

void compare_names_free(struct compare *c)
{
	size_t i;

	for (i = 0; i < c->grid[PART_NOW]->n_col; i++)
		normal_free(c->classes[i]);
	free(c->classes);
}

struct span compare_class(const struct compare *c, size_t col,
	const struct cell *cell)
{
	return c->classes[col]
	    ? span_str(normal_class(c->classes[col], cell_span(cell))) : cell_span(cell);
}

struct span compare_name(const struct compare *c, size_t col,
	const struct cell *cell)
{
	return span_str(normal_name(c->classes[col], cell_span(cell)));
}
