/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.h - conditions on the rows of a grid: --where.
 *
 *   cpu > 50% and (user = gpadmin or title ~ 'vacuum') and not host = "sdw1"
 *
 * A comparison has a column (machine name or title) on its left, one of = == !=
 * <> < <= > >= ~ !~ and a value on its right: a bare word, or text in quotes.
 * ~ matches a POSIX extended regular expression.  Numbers may have units: 10M
 * (of bytes 1024, of counts 1000), 5s, 2h, 50%; times are written as for
 * --from.  "is absent", "is present", "is not absent" ask whether there is a
 * value; every other comparison with an absent value is false, != too.  "is max":
 * nothing limits it; of such a value only != holds besides.  and, && bind more
 * than or, ||; not, ! more than both.  A column may be prefixed with
 * the singular of its view: session.cpu (query/view_key.h).
 *
 * In place of a number on the right there may be another column, or a function,
 * either with a factor; functions may stand on the left, too:
 *
 *   await > 5 * usual(await) and await > 3 * peers(await)
 *
 * usual(c): median of the row's earlier values, spread(c): half of the range of
 * the middle two thirds of them; peers(c): median of the other rows, of at least
 * two; share(c): percentage of the sum of all rows, which sum(c) is; rows():
 * their number; slope(c): change per second, of the row's last ten minutes, of at
 * least two.  Where it is unknown it is absent.
 */
#ifndef GS_QUERY_FILTER_H
#define GS_QUERY_FILTER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/when.h"
#include "query/grid.h"

struct filter;

/*
 * Compiles text against the columns of g; when (may be NULL) is for comparisons
 * with instants.  The filter does not keep g, and applies to any grid with the
 * same columns.  NULL and GS_E_USAGE in err, with the position and what was
 * expected there.
 */
struct filter *filter_new(const char *text, const struct grid *g,
	const struct when_env *when, struct gs_err *err);

/* The same, of a condition on rows of many tables, one after the other: usual(),
 * spread() and slope() are allowed. */
struct filter *filter_new_over_time(const char *text, const struct grid *g,
	const struct when_env *when, struct gs_err *err);
void filter_free(struct filter *f);

/* Begins a table, before filter_match() on its rows. */
void filter_table(struct filter *f, const struct grid *g);

/* True if rows matter for which it does not hold, so that none may be left out
 * before: it compares with other rows, or with earlier values. */
bool filter_needs_rows(const struct filter *f);

/* Adds a row's values to its earlier ones, by its id. */
void filter_learn(struct filter *f, const struct grid_row *row);

/* Drops all earlier values. */
void filter_forget(struct filter *f);

bool filter_match(struct filter *f, const struct grid_row *row);

/* The cells of a row that is being made, on demand. */
struct row_cells {
	const struct cell *(*get)(const struct row_cells *of, size_t col);
};

/* The same of a row whose cells are made when they are needed; of row only the
 * id is used. */
bool filter_match_made(struct filter *f, const struct grid_row *row,
	const struct row_cells *cells);

/* What the cells of a column are between; low > high: all are absent. */
struct filter_bounds {
	bool known; /* else anything */
	double low, high;
};

/* False: no row matches whose cells are absent or within the bounds, one for each
 * column of the grid. */
bool filter_may_match(const struct filter *f, const struct filter_bounds *b);

/* True if the last filter_match() compared with an absent value: a mismatch is
 * then no proof. */
bool filter_missed(const struct filter *f);

/* How a condition uses a column. */
enum filter_side {
	FILTER_UNUSED,
	FILTER_USED, /* in some way */
	FILTER_MOST, /* a number: more than, or equal */
	FILTER_LEAST /* a number: is it less than */
};

enum filter_side filter_side(const struct filter *f, size_t col);

/* Calls fn with each text that column col must equal, in one comparison of
 * several or in all. */
void filter_texts(const struct filter *f, size_t col,
	void (*fn)(void *ctx, const char *text), void *ctx);

/* Calls fn with each column name in text, in order, as written.  Text is not
 * checked otherwise: filter_new() reports errors. */
void filter_names(const char *text, void (*fn)(void *ctx, struct span name),
	void *ctx);

/* Removes the rows that do not match. */
void filter_grid(struct filter *f, struct grid *g);

#endif
