/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_int.h - what compare.c (rows) and compare_cells.c (columns, cells)
 * share.
 */
#ifndef GS_QUERY_COMPARE_INT_H
#define GS_QUERY_COMPARE_INT_H

#include "query/compare.h"

enum part { PART_NOW, PART_BASE, PART_COUNT };

/* One line of the table to be: what there is of it in each range. */
struct compare_pair {
	struct cell *cell[PART_COUNT]; /* as the grids' columns; NULL: none */
	size_t n[PART_COUNT]; /* rows that were summed up */
	bool residual;
	size_t order; /* of those that are now, then of those that are gone */
	size_t at[PART_COUNT]; /* its first row in each grid */
	size_t behind; /* place of the row now that it stands behind */
	double weight; /* difference in what is looked at first */
};

struct compare {
	const struct grid *grid[PART_COUNT];
	const struct compare_ask *ask;
	struct grid *to;
	bool *key; /* per column: it says which row it is */
	bool *compared; /* per column */
	size_t first; /* compared column that is looked at first */
	bool sorts_by_figure; /* the view does, or has no order of its own */
	size_t n_narrow; /* compared columns on narrow screens */
	bool several; /* rows were summed up */
	double scale; /* covered time now by that of the baseline */
	bool scaled; /* it is not 1 */
	double db_time_s; /* of the range that has more; 0: none is told */
	int seconds; /* column of a time that has shares in DB time; -1 */
	struct compare_pair *pair;
	size_t n_pair, pair_cap;
};

/* Which columns are compared, and what noise is. */
void compare_look(struct compare *c);

void compare_columns(struct compare *c);

/* Adds the row of a pair. */
void compare_row(struct compare *c, const struct compare_pair *p);

/* How much the pair differs in the column that is looked at first. */
double compare_weight(const struct compare *c, const struct compare_pair *p);

#endif
