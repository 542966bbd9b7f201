/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.h - the tables of two ranges side by side: --baseline.
 *
 * Rows with the same key in both ranges share one line; view_key.c lists the
 * key columns.  Several rows of one range with the same key (queries with one
 * text) are summed up: amounts and levels, not rates.
 *
 * Each number that can be compared is followed by three columns: NAME_base,
 * NAME_diff, NAME_ratio.  Amounts, which grow with the length of the range, are
 * scaled to the covered time of the range that is shown, and marked as
 * estimates if the covered times differ.  A ratio is shown only if the
 * difference is more than noise.
 */
#ifndef GS_QUERY_COMPARE_H
#define GS_QUERY_COMPARE_H

#include "base/err.h"
#include "query/grid.h"

struct compare_ask {
	const char *view;
	size_t n_key; /* rows are grouped by the first n_key columns; 0: not
	               * grouped */
	const char *sort; /* the view's default order */
	bool fixed; /* rows have a fixed order */
};

/*
 * now and base are of the same view and options, with all their rows; they stay
 * the caller's and may be freed before *ret, except names of columns.  Rows are
 * ordered by the difference in the view's sort column, largest first; if that
 * is not a number, in the view's order.  Fails with GS_E_USAGE if no column can
 * be compared.
 */
int compare_grids(const struct grid *now, const struct grid *base,
	const struct compare_ask *ask, struct grid **ret, struct gs_err *err);

/* Smaller differences are always noise; 0: such numbers are not compared. */
double compare_floor(enum quantity q);

#endif
