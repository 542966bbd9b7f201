/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_top.h - rows that are cut off need few cells: those that a row of others
 * sums up, and those that rows are sorted by.  Which rows are first is known as
 * rows come: a row after as many as are shown is made without the rest.
 */
#ifndef GS_VIEW_VIEW_TOP_H
#define GS_VIEW_VIEW_TOP_H

#include "query/sort.h"

/* More rows are shown only where all are made. */
#define VIEW_TOP_MAX 64

struct view_top {
	bool *late; /* by column: for the first rows only; NULL: all cells of all
	             * rows are made */
	struct sort_key by;
	size_t most, n;
	const struct cell *best[VIEW_TOP_MAX]; /* of the first so far, in order */
};

/* most: rows that are shown, 0: all; sort: their order; g has the columns and no
 * row. */
void view_top_open(struct view_top *t, size_t most, const char *sort,
	const struct grid *g);
void view_top_close(struct view_top *t);

/* Whether a row may be among the first; its other cells are made. */
bool view_top_take(struct view_top *t, const struct grid_row *row);

#endif
