/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series.h - figures over time: the tables of the steps of a range as one table.
 *
 * Use: series_new(); for each step series_step() with all its rows, then
 * series_keep() with those that a condition leaves; series_gap() for a step
 * without a table; then series_table() or series_lines(); series_free().
 *
 * A row is shown if it was kept in any step.  Its figures are those of the tables,
 * untouched.  Of a step in which there was no such row the cell is absent.
 *
 * Limits: SERIES_STEPS_MAX steps, SERIES_POINTS_MAX figures.
 */
#ifndef GS_QUERY_SERIES_H
#define GS_QUERY_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "query/grid.h"

#define SERIES_STEPS_MAX ((size_t)20000)
#define SERIES_POINTS_MAX ((size_t)4000000)
#define SERIES_METRICS_MAX ((size_t)16)

struct series_ask {
	const char *metrics; /* names of columns: "cpu,io" */
	const char *view; /* whose rows they are */
	size_t n_key; /* rows are groups by the first n_key columns; 0: not
	               * grouped */
	bool fixed; /* rows keep the order of the view */
};

struct series;

/* ask is not owned and must outlive it. */
struct series *series_new(const struct series_ask *ask);
void series_free(struct series *s);

/* Takes the rows of a step, and sets their ids.  GS_E_USAGE: there are no such
 * columns, they are no figures, or there are too many steps. */
int series_step(struct series *s, struct grid *g, struct gs_err *err);

/* The rows of the last step that are wanted. */
void series_keep(struct series *s, const struct grid *g);

/* A step without data that begins at that time. */
int series_gap(struct series *s, int64_t at_ns, struct gs_err *err);

/* How a table is made. */
struct series_look {
	size_t limit; /* rows of the view; 0: all */
	size_t width; /* of the screen, which limits them, too; 0: none */
	bool dated; /* instants are shown with dates */
	bool signs; /* lines of signs, not of numbers */
	bool utf8; /* they may be other than ASCII */
	const char *span; /* length of a step, for the title: "5s" */
};

/* How many signs a line has room for on a screen; width 0: on any. */
size_t series_signs(size_t width, size_t n_metric);

/* One row for each step, a column for each row of the view and figure. */
struct grid *series_table(struct series *s, const struct series_look *look);

/* One row for each row of the view and figure: what identifies it, least, mean,
 * most, and the line. */
struct grid *series_lines(struct series *s, const struct series_look *look);

#endif
