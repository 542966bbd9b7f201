/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_int.h - shared by the files of filter.h:
 *
 *   filter_parse.c   from a text to nodes
 *   filter.c         evaluation
 *   filter_past.c    usual(), spread(): what a row was before
 *   filter_slope.c   slope(): how fast a value changes
 *   filter_table.c   peers(), share(), sum(), rows(): the other rows
 *
 * Limits: NODES_MAX nodes, DEPTH_MAX levels of brackets and nots, so that no
 * expression can exhaust the stack.
 */
#ifndef GS_QUERY_FILTER_INT_H
#define GS_QUERY_FILTER_INT_H

#include <regex.h>

#include "base/buf.h"
#include "query/filter.h"
#include "query/filter_scan.h"

#define NODES_MAX 256
#define DEPTH_MAX 64

/* Columns of which functions are used, in one condition. */
#define FUNCTION_COLS 16

enum term_kind {
	TERM_VALUE, /* node.value */
	TERM_COLUMN,
	TERM_USUAL, /* median of the row's earlier values */
	TERM_SPREAD, /* half of the range of the middle two thirds of them */
	TERM_SLOPE, /* change per second of the row's last ten minutes */
	TERM_PEERS, /* median of the other rows of the table */
	TERM_SHARE, /* percentage of the sum of all rows */
	TERM_SUM, /* of all rows */
	TERM_ROWS /* their number */
};

/* One side of a comparison: factor times what kind says. */
struct term {
	enum term_kind kind;
	double factor;
	size_t col; /* FILTER_NO_COL: none */
	size_t slot; /* of the column among those of the filter's functions */
};

#define FILTER_NO_COL SIZE_MAX
#define NO_NODE SIZE_MAX

struct node {
	enum op op;
	size_t first; /* of what OP_AND, OP_OR and OP_NOT join */
	size_t next; /* the one after it that the same node joins; NO_NODE: none */
	size_t col; /* the left side, if it is a column; else FILTER_NO_COL */
	struct term of, with; /* the left and the right side */
	struct cell value; /* text points to word */
	char *word;
	regex_t regex;
	bool has_regex;
};

/* The earlier values of one row. */
struct past;

/* The values of the last minutes of one row. */
struct course;

/* One column in all rows of the table. */
struct whole {
	size_t col;
	double *v; /* present values, ascending */
	size_t n, cap;
	double sum;
};

struct filter {
	struct node node[NODES_MAX];
	size_t n;
	size_t root;
	bool missed;
	const struct row_cells *cells; /* of the row at hand; NULL: row.cell */
	struct buf scratch; /* for regexec(), which wants a NUL */
	size_t past_col[FUNCTION_COLS]; /* of usual() and spread() */
	size_t n_past_col;
	struct past *past; /* by id of the row */
	size_t slope_col[FUNCTION_COLS];
	size_t n_slope;
	struct course *course; /* by id of the row */
	struct whole whole[FUNCTION_COLS]; /* of peers(), share(), sum() */
	size_t n_whole;
	size_t n_row; /* of the table */
	bool of_table; /* some function is of the table */
};

static inline const struct cell *filter_cell(const struct filter *f,
	const struct grid_row *row, size_t col)
{
	return f->cells ? f->cells->get(f->cells, col) : &row->cell[col];
}

/* The number of a cell; false: it has none. */
static inline bool filter_number(const struct cell *c, double *ret)
{
	if (c->kind != CELL_INT && c->kind != CELL_REAL)
		return false;
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return true;
}

/* False: too few values are known of the row. */
bool filter_past_value(const struct filter *f, const struct term *t,
	uint64_t id, double *ret);

/* False: it is not known for long enough. */
bool filter_slope_value(const struct filter *f, const struct term *t,
	uint64_t id, double *ret);
void filter_slope_note(struct filter *f, const struct grid *g);
void filter_slope_forget(struct filter *f);

/* False: the row has no value, or too few others have one. */
bool filter_table_value(const struct filter *f, const struct term *t,
	const struct grid_row *row, double *ret);
void filter_table_release(struct filter *f);

#endif
