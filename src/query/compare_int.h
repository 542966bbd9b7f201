/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_int.h - shared by compare.c (rows), compare_columns.c,
 * compare_cells.c, compare_lines.c (the lines form), compare_names.c (classes of names),
 * compare_fuzzy.c (rows of similar names) and compare_nested.c (rows below rows).
 */
#ifndef GS_QUERY_COMPARE_INT_H
#define GS_QUERY_COMPARE_INT_H

#include "query/compare.h"

enum part { PART_NOW, PART_BASE, PART_COUNT };

/* One line of the new table: its row in each range. */
struct compare_pair {
	const struct cell *cell[PART_COUNT]; /* in the order of the grids'
	                                      * columns, of a row there, or
	                                      * sum; NULL: no row */
	struct cell *sum[PART_COUNT]; /* of several rows */
	size_t n[PART_COUNT]; /* rows that were summed up */
	bool residual;
	bool similar; /* its rows have similar names, not the same ones */
	unsigned level; /* of nested rows */
	size_t order; /* rows of now first, then rows of base only */
	size_t at[PART_COUNT]; /* its first row in each grid */
	size_t behind; /* index of the row of now that it follows */
	double weight; /* difference in the column `first`, or in another amount
	                * of time */
};

#define COMPARE_ORDER_MAX 8

struct compare {
	const struct grid *grid[PART_COUNT];
	const struct compare_ask *ask;
	struct grid *to;
	bool *key; /* per column: part of the key */
	bool *compared; /* per column */
	bool *told; /* per column: a text that changes while the row stays, beside
	             * what it was */
	bool tells; /* there are such columns */
	struct normal **classes; /* per column: those of its names; NULL: it has
	                          * none */
	size_t first; /* compared column that decides the order */
	bool picks; /* each row has its place by the amount that differs most, which
	             * it names */
	bool sorts_by_figure; /* as the view does, or the view has no order */
	size_t n_narrow; /* compared columns on narrow screens */
	bool several; /* rows were summed up */
	double scale; /* covered time of now divided by that of the baseline */
	bool scaled; /* scale is not 1 */
	double db_time_s; /* of the range with more DB time; 0: not known */
	int seconds; /* column of a time with shares of DB time; -1: none */
	size_t size[2]; /* columns that tell the size of groups */
	size_t n_size;
	size_t order[COMPARE_ORDER_MAX]; /* figures whose difference each line
	                                  * has */
	size_t n_order;
	bool *made; /* per column of the whole table: has cells, in the grid */
	struct cell *row; /* one of the whole table */
	struct compare_pair *pair;
	size_t n_pair, pair_cap;
};

/* Chooses the columns to compare, and their noise. */
void compare_look(struct compare *c);

/* Chooses the texts that are beside what they were. */
void compare_find_told(struct compare *c);

/* The columns of the table: all, of which compare_pick_made() leaves those that lines
 * of a width may show; 0: all. */
void compare_columns(struct compare *c);
void compare_pick_made(struct compare *c, size_t width);

/* Adds the row of a pair. */
void compare_row(struct compare *c, const struct compare_pair *p);

/* Sets which of the nested rows of a grid are part of which. */
void compare_nest(struct grid *g);

/* compare_names.c: puts the names of both sides into classes; the class of a
 * cell, and what the names of the class are shown as, both valid until the next
 * call with the column. */
void compare_names(struct compare *c);
void compare_names_free(struct compare *c);
struct span compare_class(const struct compare *c, size_t col,
	const struct cell *cell);
struct span compare_name(const struct compare *c, size_t col,
	const struct cell *cell);

/* The cell of a part of the pair; of the baseline it is scaled. */
struct cell compare_cell(const struct compare *c,
	const struct compare_pair *p, enum part part, size_t col);

/* Its value; a missing row counts as 0 in columns that can be added up. */
bool compare_value(const struct compare *c, const struct compare_pair *p,
	enum part part, size_t col, double *ret);

struct cell compare_difference(const struct compare *c,
	const struct compare_pair *p, size_t col);

/* True if the difference is noise or not known. */
bool compare_is_noise(const struct compare *c, const struct compare_pair *p,
	size_t col);

/* The least value that is not noise. */
double compare_floor_of(const struct compare *c, size_t col);

/* A cell that says which row it is: of now, or of a row that is gone. */
struct cell compare_shown(struct compare *c, const struct compare_pair *p,
	size_t col);

/* Matches what only one side has by similar names in the key columns. */
void compare_fuzzy(struct compare *c, const size_t *key, size_t n_key);

/* "~NAME", the name in the baseline, of rows with similar names. */
struct cell compare_similar(struct compare *c, const struct compare_pair *p);

/* "new", "gone", absent; or compare_similar(). */
struct cell compare_change(struct compare *c, const struct compare_pair *p);

/* True if the column is an amount: it grows with the length of the range. */
bool compare_is_amount(const struct grid_col *col);

/* Columns and rows of the lines form. */
void compare_line_columns(struct compare *c);
void compare_lines(struct compare *c, const struct compare_pair *p);

/* Difference of the pair in the column `first`; where that is an amount of time, in
 * the one of those shown that differs most.  Sets in which. */
double compare_weight(const struct compare *c, const struct compare_pair *p,
	size_t *ret_col);

#endif
