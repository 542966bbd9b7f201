/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nest.h - rows that are parts of other rows: each host, below it its commands.
 *
 * A row of level 1 is part of none, and one of level n of one of level n - 1
 * (grid_row.above).  The figures of a row are its own: nothing is added up here
 * except rows that a limit leaves out.
 *
 * Use: rows in any order; nest_hold() and nest_restore() around what leaves rows
 * out; an order of rows, sort.h; nest_arrange().
 */
#ifndef GS_QUERY_NEST_H
#define GS_QUERY_NEST_H

#include "query/grid.h"

/* The rows of a grid, to be restored. */
struct nest_rows {
	struct grid_row *row;
	size_t n;
};

/* Empty for a grid without nested rows. */
struct nest_rows nest_hold(const struct grid *g);

/* Restores each row of which a part is left; releases held. */
void nest_restore(struct grid *g, struct nest_rows *held);

/*
 * Puts the parts of each row after it, in the order that they have.  Of more
 * than limit parts of one row (0: no limit) the first are kept; the sum of the
 * others, without their parts, is a row after them.  Does nothing to a grid
 * without nested rows.
 */
void nest_arrange(struct grid *g, size_t limit);

bool nest_is_nested(const struct grid *g);

#endif
