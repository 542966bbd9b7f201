/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.h - the tables of two ranges side by side: --baseline.
 *
 * Rows that are the same thing in both stand in one line; which columns say
 * so is in view_key.c.  Several rows of one range that are the same (queries
 * with one text) are summed up: amounts and levels, not rates.
 *
 * Each number that can be compared has three columns behind it: NAME_base,
 * NAME_diff, NAME_ratio.  Amounts, which grow with the length of the range,
 * are scaled to the covered time of the range that is shown, and marked as
 * estimates where that is not the same.  There is a ratio only where the
 * difference is more than noise.
 */
#ifndef GS_QUERY_COMPARE_H
#define GS_QUERY_COMPARE_H

#include "base/err.h"
#include "query/grid.h"

struct compare_ask {
	const char *view;
	size_t n_key; /* rows are grouped by the first so many columns; 0: not */
	const char *sort; /* what the view is sorted by of itself */
	bool fixed; /* rows stand in an order that must stay */
};

/*
 * now and base are of one view, asked for the same, with all their rows; both
 * stay the caller's and may go before *ret does, but for names of columns.
 * Rows are in order: of the largest difference in what the view is sorted by;
 * where that is no number, as the view's.  Fails with GS_E_USAGE if there is
 * nothing to compare.
 */
int compare_grids(const struct grid *now, const struct grid *base,
	const struct compare_ask *ask, struct grid **ret, struct gs_err *err);

/* True if numbers of that kind can be compared. */
bool compare_quantity(enum quantity q);

/* Differences below this are noise, whatever else is known. */
double compare_floor(enum quantity q);

#endif
