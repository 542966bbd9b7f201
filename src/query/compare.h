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

#include "base/buf.h"
#include "base/err.h"
#include "query/grid.h"

struct compare_ask {
	const char *view;
	size_t n_key; /* rows are grouped by the first n_key columns; 0: not
	               * grouped */
	const char *sort; /* the view's default order */
	bool fixed; /* rows have a fixed order */
	bool nested; /* rows are parts of rows, nest.h: so are those of the
	              * comparison, to be arranged */
	/* Key columns that rows are matched without: what differs between the
	 * sides on purpose, such as the host. */
	const char *const *without;
	size_t n_without;
	bool fuzzy; /* groups of one side only are matched by similar names, too;
	             * not with nested */
	bool normalize; /* names of keys are classes, normal.h: of both sides */
	bool totals; /* amounts are not scaled */
	size_t width; /* of the lines that it is shown on, without a column asked
	               * for by name: columns for wider ones are left out.  0:
	               * there are all; not with nested */
	bool lines; /* the form of compare_lines.c */
	bool all; /* ... with every column, changed or not */
	const char *metrics; /* ... of these columns, "cpu,memory"; NULL: the
	                      * view's default ones */
	const char *order; /* ... to be sorted by these, "-run_delay,percent";
	                    * of figures among them each line has the
	                    * difference; NULL */
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

/*
 * The lines form: a row for each figure that differs by more than noise, and
 * for rows of one side only; with `all` for each column.  The columns are those
 * of the key; change ("new", "gone", "~NAME" of similar names); metric (the name of the column); unit;
 * section (what it is about, metric/section.h); a
 * (base), b (now), difference, percent (of a).  Figures have the quantity of
 * their row.  Of a text the difference is "same" or "differs".  Then, of groups,
 * how many processes or threads each side had, and how long they stayed; and
 * NAME_diff of figures in ask.order.  The rows are not ordered.
 */
enum compare_line_col { LINE_CHANGE, LINE_METRIC, LINE_UNIT, LINE_SECTION,
	LINE_A, LINE_B, LINE_DIFFERENCE, LINE_PERCENT, LINE_COLS };

/* Position of such a column; the key is before it.  The grid is of the lines
 * form. */
size_t compare_line_col(const struct grid *lines, enum compare_line_col c);

/* Smaller differences are always noise; 0: such numbers are not compared. */
double compare_floor(enum quantity q);

/* Appends the list of columns, each with what it was on the other side, the
 * difference and the ratio, and, before the first of these, what changed; as it is
 * if it names such columns. */
void compare_add_sides(const struct grid *g, const char *list,
	struct buf *to);

/* What amounts of the baseline are multiplied by, if it covers base_s and what is
 * compared with it covered_s; 1: that is the same time. */
double compare_scale(double covered_s, double base_s);

#endif
