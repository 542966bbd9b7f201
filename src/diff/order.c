/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c - the order of lines: percentages and differences by their size,
 * whatever their sign; rows by the difference of one of their figures, the
 * largest growth first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/diff_int.h"
#include "query/sort.h"

#define KEYS_MAX 8

struct key {
	size_t col;
	bool size; /* by the absolute value */
	double direction; /* -1: descending */
};

struct order {
	const struct grid *g;
	struct key key[KEYS_MAX];
	size_t n;
	size_t change; /* new, gone first by this column; n_col: not */
	size_t difference;
};

/* A row and where it was. */
struct place {
	const struct order *by;
	struct grid_row row;
	size_t at;
};

static bool number(const struct cell *c, double *ret)
{
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return c->kind == CELL_INT || c->kind == CELL_REAL;
}

/* New, gone, on both sides. */
static int rank_of(const struct order *o, const struct grid_row *r)
{
	const struct cell *c;

	if (o->change == o->g->n_col)
		return 0;
	c = &r->cell[o->change];
	return c->kind != CELL_TEXT || span_starts(cell_span(c), "~") ? 2
	    : span_eq(cell_span(c), "new") ? 0 : 1;
}

/* Rows of one side have figures of several kinds: shares of time first. */
static int kind_of(const struct grid_row *r)
{
	static const enum quantity kinds[] = { Q_PERCENT, Q_SECONDS,
		Q_BYTES_RATE, Q_BYTES };
	int i;

	for (i = 0; i < (int)GS_LEN(kinds); i++) {
		if (r->quantity == kinds[i])
			return i;
	}
	return i;
}

/* What grew from nothing has no percentage, and is before all others. */
static bool size_of(const struct order *o, const struct key *k,
	const struct grid_row *r, double *ret)
{
	const double more_than_any = 1e9;
	double v = 0;
	bool known = number(&r->cell[k->col], &v);

	if (!known && k->col != o->difference &&
	    number(&r->cell[o->difference], &v)) {
		known = true;
		v *= more_than_any;
	}
	*ret = fabs(v);
	return known;
}

static int by_key(const struct order *o, const struct key *k,
	const struct grid_row *x, const struct grid_row *y)
{
	double a, b;
	bool p, q;
	int r;

	if (!k->size) {
		r = sort_compare_cells(&x->cell[k->col], &y->cell[k->col]);
		return x->cell[k->col].kind == CELL_ABSENT ||
		    y->cell[k->col].kind == CELL_ABSENT ? r
		    : k->direction < 0 ? -r : r;
	}
	p = size_of(o, k, x, &a);
	q = size_of(o, k, y, &b);
	if (p != q)
		return p ? -1 : 1;
	return !p || a == b ? 0 : (a < b) == (k->direction < 0) ? 1 : -1;
}

static int by_order(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	const struct order *o = a->by;
	int rank = rank_of(o, &a->row), r = rank - rank_of(o, &b->row);
	size_t i;

	if (r == 0 && o->change < o->g->n_col && rank < 2)
		r = kind_of(&a->row) - kind_of(&b->row);
	for (i = 0; r == 0 && i < o->n; i++)
		r = by_key(o, &o->key[i], &a->row, &b->row);
	for (i = 0; r == 0 && i < o->g->n_col; i++) /* by what it is */
		r = sort_compare_cells(&a->row.cell[i], &b->row.cell[i]);
	return r ? r : (a->at > b->at) - (a->at < b->at);
}

/* of: the table whose rows are compared. */
static int no_key(const struct order *o, const struct grid *of,
	struct span name, struct gs_err *err)
{
	int col = span_empty(name) ? -1
	    : grid_find_col(of, name.ptr, span_len(name)), r;
	size_t len;

	if (col >= 0)
		return gs_fail(err, GS_E_USAGE, "--sort: %s has no difference "
		    "that is a number", of->col[col].name);
	r = grid_no_col(o->g, name.ptr, span_len(name), err);
	len = err ? strlen(err->msg) : 0;
	if (err)
		(void)snprintf(err->msg + len, sizeof(err->msg) - len,
		    "; and its figures"); /* cut is fine */
	return r;
}

static int check_twice(const struct order *o, struct gs_err *err)
{
	size_t i;

	for (i = 0; i + 1 < o->n; i++) {
		if (o->key[i].col == o->key[o->n - 1].col)
			return gs_fail(err, GS_E_USAGE, "--sort: %s twice",
			    o->g->col[o->key[i].col].name);
	}
	return GS_OK;
}

static int parse_keys(struct order *o, const struct grid *of,
	const char *keys, struct gs_err *err)
{
	struct span rest = span_str(keys), name;
	size_t percent = compare_line_col(o->g, LINE_PERCENT);

	while (grid_next_name(&rest, &name)) {
		char sign = span_empty(name) ? '\0' : *name.ptr;
		struct key *k = &o->key[o->n];
		int col;

		name.ptr += sign == '-' || sign == '+';
		col = grid_find_col(o->g, name.ptr, span_len(name));
		if (col < 0 || span_empty(name))
			return no_key(o, of, name, err);
		if (o->n++ == KEYS_MAX)
			return gs_fail(err, GS_E_USAGE,
			    "--sort: expected at most %d keys", KEYS_MAX);
		k->col = (size_t)col;
		k->size = k->col == percent || k->col == o->difference;
		k->direction = sign == '-' ? -1 : sign == '+' ? 1
		    : o->g->col[col].quantity == Q_TEXT ? 1 : -1;
		if (check_twice(o, err) < 0)
			return GS_E_USAGE;
	}
	return GS_OK;
}

int order_lines(struct grid *g, const struct grid *of, const char *keys,
	struct gs_err *err)
{
	struct order o = { .g = g, .change = g->n_col,
		.difference = compare_line_col(g, LINE_DIFFERENCE) };
	struct place *all = gs_calloc(g->n_row + 1, sizeof(*all));
	int r = parse_keys(&o, of, keys ? keys : "percent", err);
	size_t i;

	if (!keys)
		o.change = compare_line_col(g, LINE_CHANGE);
	for (i = 0; i < g->n_row; i++)
		all[i] = (struct place) { &o, g->row[i], i };
	if (r == GS_OK && g->n_row > 0)
		qsort(all, g->n_row, sizeof(*all), by_order);
	for (i = 0; i < g->n_row; i++)
		g->row[i] = all[i].row;
	free(all);
	return r;
}
