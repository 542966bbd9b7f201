/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_table.c - a row among the rows of its table: peers(), share(), sum(),
 * rows().
 */
#include <stdlib.h>

#include "base/mem.h"
#include "query/filter_int.h"

/* Other rows that peers() needs: with one other it is not known which of the
 * two is odd. */
#define PEERS_MIN 2u

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void add_column(struct whole *w, const struct grid *g)
{
	size_t i;

	w->n = 0;
	w->sum = 0;
	for (i = 0; i < g->n_row; i++) {
		double v;

		if (g->row[i].others ||
		    !filter_number(&g->row[i].cell[w->col], &v))
			continue;
		GS_GROW(w->v, &w->cap, w->n + 1);
		w->v[w->n++] = v;
		w->sum += v;
	}
	if (w->n > 1)
		qsort(w->v, w->n, sizeof(*w->v), by_value);
}

void filter_table(struct filter *f, const struct grid *g)
{
	size_t i;

	f->n_row = g->n_row;
	filter_slope_note(f, g);
	for (i = 0; i < f->n_whole; i++)
		add_column(&f->whole[i], g);
}

bool filter_needs_rows(const struct filter *f)
{
	return f->of_table || f->n_past_col > 0 || f->n_slope > 0;
}

/* The median without one value v. */
static double median_without(const struct whole *w, double v)
{
	size_t at = 0, n = w->n - 1, lo, hi;

	while (at < n && w->v[at] < v)
		at++;
	lo = (n - 1) / 2;
	hi = n / 2;
	return (w->v[lo + (lo >= at)] + w->v[hi + (hi >= at)]) / 2;
}

bool filter_table_value(const struct filter *f, const struct term *t,
	const struct grid_row *row, double *ret)
{
	const struct whole *w = t->kind == TERM_ROWS ? NULL
	                                             : &f->whole[t->slot];
	double v = 0;

	if (!w) {
		*ret = (double)f->n_row;
		return true;
	}
	*ret = w->sum;
	if (t->kind == TERM_SUM)
		return w->n > 0;
	if (!filter_number(filter_cell(f, row, w->col), &v))
		return false;
	if (t->kind == TERM_SHARE) {
		*ret = w->sum > 0 ? 100 * v / w->sum : 0;
		return true;
	}
	if (w->n < PEERS_MIN + 1)
		return false;
	*ret = median_without(w, v);
	return true;
}

void filter_table_release(struct filter *f)
{
	size_t i;

	for (i = 0; i < f->n_whole; i++)
		free(f->whole[i].v);
}
