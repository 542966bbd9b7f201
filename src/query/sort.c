/* SPDX-License-Identifier: Apache-2.0 */
#include "query/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct item {
	struct grid_row row;
	size_t at; /* original index */
};

static int rank(const struct cell *c)
{
	switch (c->kind) {
	case CELL_INT:
		return 0;
	case CELL_REAL:
		return isnan(c->r) ? 2 : 0;
	case CELL_MAX:
		return 0;
	case CELL_TEXT:
		return 1;
	case CELL_ABSENT:
		return 2;
	}
	return 2;
}

static int compare_text(struct span a, struct span b)
{
	size_t la = span_len(a), lb = span_len(b);
	int r = la && lb ? memcmp(a.ptr, b.ptr, GS_MIN(la, lb)) : 0;

	return r ? (r > 0) - (r < 0) : (la > lb) - (la < lb);
}

static int compare_numbers(const struct cell *a, const struct cell *b)
{
	double x, y;

	if (a->kind == CELL_MAX || b->kind == CELL_MAX) /* after numbers */
		return (a->kind == CELL_MAX) - (b->kind == CELL_MAX);
	if (a->kind == CELL_INT && b->kind == CELL_INT)
		return (a->i > b->i) - (a->i < b->i);
	x = a->kind == CELL_INT ? (double)a->i : a->r;
	y = b->kind == CELL_INT ? (double)b->i : b->r;
	return (x > y) - (x < y);
}

int sort_compare_cells(const struct cell *a, const struct cell *b)
{
	int ra = rank(a), rb = rank(b);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	if (ra == 0)
		return compare_numbers(a, b);
	return ra == 1 ? compare_text(cell_span(a), cell_span(b)) : 0;
}

int sort_compare_by(const struct sort_key *k, const struct cell *x,
	const struct cell *y)
{
	int r = sort_compare_cells(x, y);
	bool descending = k->order == SORT_DESCENDING ||
	    (k->order == SORT_NATURAL && rank(x) == 0);

	if (rank(x) != rank(y))
		return r; /* absent last in any order */
	return descending ? -r : r;
}

static int compare_rows(const struct sort_key *k, const struct grid_row *a,
	const struct grid_row *b)
{
	return sort_compare_by(k, &a->cell[k->col], &b->cell[k->col]);
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct item *a = pa, *b = pb;
	const struct sort_keys *keys = *(const struct sort_keys **)arg;
	static const struct sort_key first = { 0, SORT_ASCENDING };
	size_t i;
	int r;

	if (a->row.others != b->row.others)
		return a->row.others ? 1 : -1;
	for (i = 0; i < keys->n; i++) {
		r = compare_rows(&keys->key[i], &a->row, &b->row);
		if (r)
			return r;
	}
	r = compare_rows(&first, &a->row, &b->row);
	return r ? r : (a->at > b->at) - (a->at < b->at);
}

static int parse_key(const struct grid *g, struct span name,
	struct sort_key *ret, struct gs_err *err)
{
	int col;

	ret->order = SORT_NATURAL;
	if (!span_empty(name) && (*name.ptr == '-' || *name.ptr == '+')) {
		ret->order = *name.ptr == '-' ? SORT_DESCENDING
		                               : SORT_ASCENDING;
		name.ptr++;
	}
	col = grid_find_col(g, name.ptr, span_len(name));
	if (col < 0)
		return grid_no_col(g, name.ptr, span_len(name), err);
	ret->col = (size_t)col;
	return GS_OK;
}

int sort_parse(const struct grid *g, const char *list, struct sort_keys *ret,
	struct gs_err *err)
{
	struct span rest = span_str(list), name;

	ret->n = 0;
	for (;;) {
		bool more = scan_until(&rest, ',', &name);
		int r;

		if (ret->n == SORT_KEYS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "more than %d columns to sort by", SORT_KEYS_MAX);
		r = parse_key(g, more ? name : rest, &ret->key[ret->n++],
		    err);
		if (r < 0 || !more)
			return r;
	}
}

void sort_grid_by(struct grid *g, const struct sort_keys *keys)
{
	struct item *item = gs_calloc(g->n_row + 1, sizeof(*item));
	size_t i;

	for (i = 0; i < g->n_row; i++)
		item[i] = (struct item) { g->row[i], i };
	qsort_r(item, g->n_row, sizeof(*item), compare, &keys);
	for (i = 0; i < g->n_row; i++)
		g->row[i] = item[i].row;
	free(item);
}

int sort_grid(struct grid *g, const char *list, struct gs_err *err)
{
	struct sort_keys keys;
	int r = sort_parse(g, list, &keys, err);

	if (r == GS_OK)
		sort_grid_by(g, &keys);
	return r;
}

void sort_show_keys(struct grid *g, const char *keys)
{
	struct span rest = span_str(keys ? keys : ""), name;

	while (grid_next_name(&rest, &name)) {
		int col;

		name.ptr += !span_empty(name) &&
		    (*name.ptr == '-' || *name.ptr == '+');
		col = span_empty(name) ? -1
		    : grid_find_col(g, name.ptr, span_len(name));
		if (col >= 0)
			g->col[col].min_width = 1;
	}
}
