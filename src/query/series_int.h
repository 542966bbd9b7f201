/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series_int.h - shared by series.c (what is kept), series_table.c and
 * series_lines.c (tables of it).
 */
#ifndef GS_QUERY_SERIES_INT_H
#define GS_QUERY_SERIES_INT_H

#include <uthash.h>

#include "base/buf.h"
#include "query/series.h"
#include "query/view_key.h"

#define SERIES_SHOWN_MAX (VIEW_KEY_COLS + 1)

/* The figures of a row in one step. */
struct series_point {
	uint32_t step;
	struct cell *cell; /* one per metric */
};

/* A row of the view, over all steps. */
struct series_line {
	uint64_t id; /* of the view's rows; 0: none yet */
	uint64_t name;
	bool named;
	size_t number; /* in the order of their first steps */
	bool kept;
	bool residual; /* grid_row.residual */
	struct cell *shown; /* what identifies it; texts are the series' */
	struct series_point *point; /* rising */
	size_t n_point, cap;
	double rank; /* by the first metric; NAN: it has none */
	char *label; /* set by series_choose() */
	UT_hash_handle by_id, by_name;
};

struct series {
	const struct series_ask *ask;
	struct arena *arena;
	int64_t *at_ns; /* start of each step */
	double *covered_s;
	size_t n_step, step_cap, covered_cap;
	size_t n_points;
	struct grid_col metric[SERIES_METRICS_MAX];
	size_t n_metric;
	struct grid_col shown[SERIES_SHOWN_MAX]; /* what identifies rows */
	size_t n_shown, n_named; /* the first of them are the view's key */
	size_t shown_at[SERIES_SHOWN_MAX]; /* positions in the tables */
	size_t metric_at[SERIES_METRICS_MAX];
	size_t n_col; /* of the tables; 0: none yet */
	struct series_line *by_id, *by_name;
	struct series_line **line; /* in the order of their numbers */
	size_t n_line, line_cap;
	int64_t from_ns, to_ns; /* of all steps */
	const char *by; /* keys of groups; NULL: none */
};

/* Lines that are kept, the first n of which are shown alone. */
struct series_choice {
	struct series_line **line; /* ordered */
	size_t n, n_all;
};

/* With labels that differ.  The caller frees choice.line. */
struct series_choice series_choose(struct series *s, size_t limit);

/* The figure of a line in a step; an absent cell if it has none. */
const struct cell *series_at(const struct series_line *l, size_t step,
	size_t metric);

/* The sum of lines in a step, as grid_limit() makes it. */
struct cell series_sum(struct series_line *const *line, size_t n,
	size_t step, size_t metric);

/* "CPU% of sessions, every 5s" */
void series_title(const struct series *s, const struct series_look *look,
	struct buf *to);

double series_number(const struct cell *c);

#endif
