/* SPDX-License-Identifier: Apache-2.0 */
/*
 * form.c - which figures people see: both sides, an arrow between them, only the
 * difference, only the percentage.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "diff/diff_int.h"
#include "render/cell.h"

static void hide(struct grid *g, size_t col)
{
	g->col[col].min_width = GRID_ON_REQUEST;
}

/* "12.1 → 54.9" in the place of the first of both cells. */
static void join(struct grid *g, size_t from, size_t to, size_t at, bool utf8)
{
	const struct cell_style style = { .utf8 = utf8,
		.fine = g->col[from].fine };
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		struct grid_row *r = &g->row[i];

		if (cell_is_absent(&r->cell[from]) &&
		    cell_is_absent(&r->cell[to]))
			continue;
		buf_reset(&b);
		cell_add_text(&b, grid_quantity(&g->col[from], r),
		    &r->cell[from], &style);
		buf_add_str(&b, utf8 ? " \xe2\x86\x92 " : " -> ");
		cell_add_text(&b, grid_quantity(&g->col[to], r), &r->cell[to],
		    &style);
		r->cell[at] = cell_text(grid_text(g, buf_str(&b), b.len));
	}
	buf_release(&b);
}

void form_lines(struct grid *g, enum diff_form form, bool utf8)
{
	size_t a = compare_line_col(g, LINE_A);
	size_t b = compare_line_col(g, LINE_B);

	if (form == DIFF_USUAL || form == DIFF_FULL)
		return;
	hide(g, b);
	if (form == DIFF_ARROW) {
		join(g, a, b, a, utf8);
		g->col[a].title = utf8 ? "A \xe2\x86\x92 B" : "A -> B";
		hide(g, compare_line_col(g, LINE_DIFFERENCE));
		return;
	}
	hide(g, a);
	hide(g, compare_line_col(g, form == DIFF_DELTA ? LINE_PERCENT
	                                               : LINE_DIFFERENCE));
}

/* ---- tables ------------------------------------------------------------- */

/* The columns that compare_cells.c makes of one. */
enum { OF_NOW, OF_BASE, OF_DIFF, OF_RATIO, OF_COLS };

static bool begins(const struct grid *g, size_t col)
{
	char name[256];

	if (col + OF_RATIO >= g->n_col)
		return false;
	(void)snprintf(name, sizeof(name), "%s_base", g->col[col].name);
	return strcmp(g->col[col + OF_BASE].name, name) == 0 &&
	    g->col[col + OF_RATIO].quantity == Q_NUMBER;
}

static void choose(struct grid *g, size_t col, enum diff_form form, bool utf8)
{
	struct grid_col *c = &g->col[col];
	unsigned width = c->min_width;
	size_t i;

	if (form == DIFF_FULL) {
		c[OF_DIFF].min_width = c[OF_RATIO].min_width;
		return;
	}
	for (i = 0; i < OF_COLS; i++)
		hide(g, col + i);
	if (form == DIFF_ARROW) {
		join(g, col + OF_BASE, col, col, utf8);
		c->min_width = width;
	} else {
		c[form == DIFF_DELTA ? OF_DIFF : OF_RATIO].min_width = width;
		c[OF_DIFF].title = c->title;
		c[OF_RATIO].title = grid_text(g, c->title,
		    strlen(c->title) + 1).ptr;
	}
}

void form_table(struct grid *g, enum diff_form form, bool utf8)
{
	size_t i;

	for (i = 0; form != DIFF_USUAL && i < g->n_col; i++) {
		if (begins(g, i)) {
			choose(g, i, form, utf8);
			i += OF_COLS - 1;
		}
	}
}

/* ---- titles ------------------------------------------------------------- */

void form_title(struct grid *g, const char *title, size_t n_all)
{
	struct buf b = BUF_INIT;

	buf_add_str(&b, title);
	if (g->n_row < n_all)
		buf_printf(&b, ", %zu of %zu lines (--limit 0: all)", g->n_row,
		    n_all);
	g->title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	buf_release(&b);
}
