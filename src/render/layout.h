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

/* The text of one cell, a part of the layout's text.  There are as many as cells:
 * millions in a long table. */
struct piece {
	size_t at;
	uint32_t len;
	uint32_t width; /* columns */
};

struct layout {
	const struct grid *g; /* not owned */
	struct cell_style style;
	struct piece *piece; /* row by row, n_col each; then the titles */
	struct buf text;
	size_t *natural; /* width of each column */
	size_t *width; /* as shown */
	bool *shown;
	bool *empty; /* no row has a value */
	bool *alarms; /* some row has more than 0 */
	bool has_below; /* the caller prints grid_col.below itself */
	bool short_names; /* without "public." */
	bool timed; /* the first column is the time, also of others */
};

/* Makes the texts of the columns that a screen of that width may show. */
void layout_init(struct layout *l, const struct grid *g,
	const struct cell_style *style, size_t screen);
void layout_release(struct layout *l);

/* Chooses columns and their widths: those meant for a screen of that width, as
 * far as they fit.  The label of the row of others is in a shown column. */
void layout_fit(struct layout *l, size_t screen, size_t room);

/* Columns of tables that follow each other. */
struct layout_memory {
	size_t n; /* columns; 0: nothing was laid out yet */
	size_t *natural, *width;
	bool *shown, *empty;
	bool short_names; /* names are shown without "public." */
};

/* As layout_fit(), in the places of the tables before it: texts that are longer
 * than theirs are cut.  True: a number or a column that no table had before needs
 * other places, or it is the first table; with room to spare for the next ones. */
bool layout_fit_as(struct layout *l, size_t screen, struct layout_memory *m);
void layout_forget(struct layout_memory *m);

/* One piece per column of the grid, whether shown or not. */
const struct piece *layout_row(const struct layout *l, size_t row);
const struct piece *layout_titles(const struct layout *l);

/* The text that was appended to the layout's since p->at is the piece's. */
void layout_end_piece(const struct layout *l, struct piece *p);

/* Appends p, cut to columns; an ellipsis marks a cut.  Returns the columns
 * used. */
size_t layout_add_cut(struct buf *to, const char *p, size_t len,
	size_t columns, bool utf8);

#endif
