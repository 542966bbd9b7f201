/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h - the columns of a grid on lines of a given width: which are shown,
 * how wide, and the text of each cell.
 *
 * Use: layout_init(), layout_fit() as often as the width changes,
 * layout_row() and layout_titles(), layout_release().
 */
#ifndef GS_RENDER_LAYOUT_H
#define GS_RENDER_LAYOUT_H

#include "base/buf.h"
#include "query/grid.h"
#include "render/cell.h"

#define LAYOUT_GAP ((size_t)2) /* blanks between columns */

/* The text of one cell, within the layout's. */
struct piece {
	size_t at, len;
	size_t width; /* columns */
};

struct layout {
	const struct grid *g; /* not owned */
	struct piece *piece; /* row by row, n_col each; then the titles */
	struct buf text;
	size_t *natural; /* width of each column */
	size_t *width; /* as shown */
	bool *shown;
	bool *empty; /* no row has a value */
};

/* Texts of the columns that a screen of that width may show. */
void layout_init(struct layout *l, const struct grid *g,
	const struct cell_style *style, size_t screen);
void layout_release(struct layout *l);

/* Chooses columns and their widths: those that a screen of that width shows,
 * as far as there is room for them.  The row of others is labelled in a column
 * that is shown. */
void layout_fit(struct layout *l, size_t screen, size_t room);

/* One piece per column of the grid, shown or not. */
const struct piece *layout_row(const struct layout *l, size_t row);
const struct piece *layout_titles(const struct layout *l);

/* Appends p cut to columns, with an ellipsis where something was cut.
 * Returns the columns used. */
size_t layout_add_cut(struct buf *to, const char *p, size_t len,
	size_t columns, bool utf8);

#endif
