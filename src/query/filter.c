/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.c - conditions on rows: the evaluator.  filter_parse.c compiles them.
 */
#include "query/filter.h"

#include <stdlib.h>
#include <string.h>

#include "query/filter_int.h"
#include "query/sort.h"

void filter_free(struct filter *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->n; i++) {
		if (f->node[i].has_regex)
			regfree(&f->node[i].regex);
		free(f->node[i].word);
	}
	buf_release(&f->scratch);
	filter_forget(f);
	filter_table_release(f);
	free(f);
}

static bool match_regex(struct filter *f, const struct node *n,
	const struct cell *c)
{
	if (c->kind != CELL_TEXT)
		return false;
	buf_reset(&f->scratch);
	buf_add(&f->scratch, c->text, c->len);
	return (regexec(&n->regex, buf_str(&f->scratch), 0, NULL, 0) == 0) ==
	    (n->op == OP_MATCH);
}

/* The number of one side; false: it is absent. */
static bool term_value(const struct filter *f, const struct term *t,
	const struct node *n, const struct grid_row *row, double *ret)
{
	bool r = false;

	switch (t->kind) {
	case TERM_VALUE:
		r = filter_number(&n->value, ret);
		break;
	case TERM_COLUMN:
		r = filter_number(filter_cell(f, row, t->col), ret);
		break;
	case TERM_USUAL:
	case TERM_SPREAD:
		r = filter_past_value(f, t, row->id, ret);
		break;
	case TERM_SLOPE:
		r = filter_slope_value(f, t, row->id, ret);
		break;
	case TERM_PEERS:
	case TERM_SHARE:
	case TERM_SUM:
	case TERM_ROWS:
		r = filter_table_value(f, t, row, ret);
		break;
	}
	*ret *= t->factor;
	return r;
}

static bool holds(enum op op, int r)
{
	return op == OP_EQ ? r == 0 : op == OP_NE ? r != 0
	    : op == OP_LT ? r < 0 : op == OP_LE ? r <= 0
	    : op == OP_GT ? r > 0 : op == OP_GE && r >= 0;
}

static bool is_plain(const struct node *n)
{
	return n->of.kind == TERM_COLUMN && n->with.kind == TERM_VALUE;
}

/* With functions, or of two columns. */
static bool compare_terms(struct filter *f, const struct node *n,
	const struct grid_row *row)
{
	double a = 0, b = 0;

	if (!term_value(f, &n->of, n, row, &a) ||
	    !term_value(f, &n->with, n, row, &b)) {
		f->missed = true;
		return false;
	}
	return holds(n->op, (a > b) - (a < b));
}

static bool compare(struct filter *f, const struct node *n,
	const struct cell *c)
{
	bool text = c->kind == CELL_TEXT;
	int r;

	if (n->op == OP_ABSENT || n->op == OP_PRESENT)
		return (c->kind == CELL_ABSENT) == (n->op == OP_ABSENT);
	if (n->op == OP_MAX || n->op == OP_NOT_MAX)
		return (c->kind == CELL_MAX) == (n->op == OP_MAX);
	if (c->kind == CELL_ABSENT) {
		f->missed = true;
		return false;
	}
	if (n->has_regex)
		return match_regex(f, n, c);
	if (text != (n->value.kind == CELL_TEXT))
		return false;
	if (c->kind == CELL_MAX)
		return n->op == OP_NE; /* it is no number */
	if (text && (n->op == OP_EQ || n->op == OP_NE) &&
	    c->len != n->value.len)
		return n->op == OP_NE;
	r = sort_compare_cells(c, &n->value);
	return holds(n->op, r);
}

/* The depth is that of brackets and nots. */
static bool eval(struct filter *f, size_t index, const struct grid_row *row)
{
	const struct node *n = &f->node[index];
	size_t i;

	if (n->op == OP_AND || n->op == OP_OR) {
		for (i = n->first; i != NO_NODE; i = f->node[i].next) {
			if (eval(f, i, row) == (n->op == OP_OR))
				return n->op == OP_OR;
		}
		return n->op == OP_AND;
	}
	if (n->op == OP_NOT)
		return !eval(f, n->first, row);
	return is_plain(n) ? compare(f, n, filter_cell(f, row, n->col))
	                   : compare_terms(f, n, row);
}

bool filter_match(struct filter *f, const struct grid_row *row)
{
	return filter_match_made(f, row, NULL);
}

bool filter_match_made(struct filter *f, const struct grid_row *row,
	const struct row_cells *cells)
{
	f->missed = false;
	f->cells = cells;
	return eval(f, f->root, row);
}

static bool may_hold(const struct node *n, const struct filter_bounds *b)
{
	double v = n->value.kind == CELL_INT ? (double)n->value.i
	                                     : n->value.r;

	if (!b->known || (n->value.kind != CELL_INT &&
	    n->value.kind != CELL_REAL))
		return true;
	switch (n->op) {
	case OP_EQ:
		return b->low <= v && v <= b->high;
	case OP_LT:
		return b->low < v;
	case OP_LE:
		return b->low <= v;
	case OP_GT:
		return b->high > v;
	case OP_GE:
		return b->high >= v;
	default:
		return true;
	}
}

static bool may_match(const struct filter *f, size_t index,
	const struct filter_bounds *b)
{
	const struct node *n = &f->node[index];
	size_t i;

	if (n->op == OP_AND || n->op == OP_OR) {
		for (i = n->first; i != NO_NODE; i = f->node[i].next) {
			if (may_match(f, i, b) == (n->op == OP_OR))
				return n->op == OP_OR;
		}
		return n->op == OP_AND;
	}
	return n->op == OP_NOT || !is_plain(n) || may_hold(n, &b[n->col]);
}

bool filter_may_match(const struct filter *f, const struct filter_bounds *b)
{
	if (f->n_past_col > 0 || f->n_slope > 0)
		return true; /* earlier values are learnt row by row */
	return may_match(f, f->root, b);
}

bool filter_missed(const struct filter *f)
{
	return f->missed;
}

static enum filter_side side_of(const struct node *n)
{
	if (n->with.kind == TERM_VALUE && n->value.kind != CELL_INT &&
	    n->value.kind != CELL_REAL)
		return FILTER_USED;
	return n->op == OP_LT || n->op == OP_LE ? FILTER_LEAST : FILTER_MOST;
}

enum filter_side filter_side(const struct filter *f, size_t col)
{
	enum filter_side side = FILTER_UNUSED;
	size_t i;

	for (i = 0; i < f->n; i++) {
		enum filter_side one = side_of(&f->node[i]);

		if (f->node[i].op <= OP_NOT)
			continue;
		if (side == FILTER_UNUSED && (f->node[i].of.col == col ||
		    f->node[i].with.col == col))
			side = FILTER_USED;
		if (f->node[i].col != col)
			continue;
		if (side <= FILTER_USED || one == FILTER_MOST)
			side = one;
	}
	return side;
}

void filter_texts(const struct filter *f, size_t col,
	void (*fn)(void *ctx, const char *text), void *ctx)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		const struct node *n = &f->node[i];

		if (n->op == OP_EQ && n->col == col && n->word &&
		    n->value.kind == CELL_TEXT)
			fn(ctx, n->word);
	}
}

/* A column is the first word of a comparison or of a function's brackets; the
 * name of a function is none. */
void filter_names(const char *text, void (*fn)(void *ctx, struct span name),
	void *ctx)
{
	struct gs_err err; /* of a quote that is not closed */
	struct filter_scan p = FILTER_SCAN_INIT(text, &err);
	bool begins = true, is = false; /* after "is" */
	struct span last = { NULL, NULL }; /* not yet known to be a column */

	while (filter_scan(&p) == GS_OK) {
		const struct token *t = &p.tok;
		bool word = t->kind == T_WORD || t->kind == T_QUOTED;

		if (last.ptr && t->kind != T_OPEN)
			fn(ctx, last);
		last = (struct span) { NULL, NULL };
		if (t->kind == T_END)
			return;
		if (t->kind == T_WORD && begins)
			last = t->text;
		begins = t->kind == T_AND || t->kind == T_OR ||
		    t->kind == T_OPEN || (t->kind == T_NOT && !is);
		is = word && !last.ptr && filter_word_is(t->text, "is");
	}
	if (last.ptr)
		fn(ctx, last);
}

void filter_grid(struct filter *f, struct grid *g)
{
	size_t i, n = 0;

	filter_table(f, g);
	for (i = 0; i < g->n_row; i++) {
		if (filter_match(f, &g->row[i]))
			g->row[n++] = g->row[i];
	}
	g->n_row = n;
	g->n_total = n;
}
