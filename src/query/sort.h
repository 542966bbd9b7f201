/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort.h - the order of a grid's rows.
 */
#ifndef GS_QUERY_SORT_H
#define GS_QUERY_SORT_H

#include "base/err.h"
#include "query/grid.h"

/*
 * Sorts by a list "cpu,+name": numbers from large to small and text from A to
 * Z, unless a leading - (descending) or + (ascending) says otherwise.  Absent
 * cells come last either way; equal rows are ordered by the first column and
 * then stay as they were; the row of others stays last.  Fails with
 * GS_E_USAGE and leaves the order as it was.
 */
int sort_grid(struct grid *g, const char *list, struct gs_err *err);

/* -1, 0, 1: numbers before text before absent cells. */
int sort_compare_cells(const struct cell *a, const struct cell *b);

#define SORT_KEYS_MAX 8

/* The columns of a list, that which decides first in front. */
struct sort_keys {
	struct sort_key {
		size_t col;
		enum { SORT_NATURAL, SORT_ASCENDING, SORT_DESCENDING } order;
	} key[SORT_KEYS_MAX];
	size_t n;
};

/* The same by keys. */
void sort_grid_by(struct grid *g, const struct sort_keys *keys);

/* Errors as those of sort_grid(); then *ret is not to be used. */
int sort_parse(const struct grid *g, const char *list, struct sort_keys *ret,
	struct gs_err *err);

/* Negative: x is before y. */
int sort_compare_by(const struct sort_key *k, const struct cell *x,
	const struct cell *y);

/* The columns of a list are for every screen.  NULL: none. */
void sort_show_keys(struct grid *g, const char *keys);

#endif
