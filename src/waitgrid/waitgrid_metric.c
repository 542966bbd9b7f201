/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_metric.c - the distribution of a column over processes, in buckets
 * of powers of two.
 */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "waitgrid/waitgrid_int.h"

enum { METRIC, AT_LEAST, LESS_THAN, PROCESSES, PERCENT, CUMULATIVE, BAR,
	N_COLS };

/* Bucket k has values in [2^(k-1), 2^k) of the unit; values outside of the
 * exponents are in the first and the last bucket. */
#define LEAST_EXPONENT (-10)
#define MOST_EXPONENT 60
#define BUCKETS (MOST_EXPONENT - LEAST_EXPONENT + 2)

struct spread {
	size_t bucket[BUCKETS];
	size_t none, absent, all;
	int least; /* exponent where the first bucket ends */
};

/* Smaller values need not be distinguished. */
static int least_of(enum quantity q)
{
	switch (q) {
	case Q_BYTES:
	case Q_BYTES_RATE:
		return 10;
	case Q_PERCENT:
	case Q_RATE:
		return -3;
	case Q_COUNT:
	case Q_ID:
		return 0;
	case Q_TEXT:
	case Q_NUMBER:
	case Q_SECONDS:
	case Q_LATENCY:
	case Q_AGE:
	case Q_TIME:
	case Q_BY_ROW:
		break;
	}
	return LEAST_EXPONENT;
}

static size_t bucket_of(const struct spread *s, double v)
{
	int e;

	(void)frexp(v, &e); /* v in [2^(e-1), 2^e) */
	e = GS_MIN(GS_MAX(e, s->least), MOST_EXPONENT);
	return (size_t)(e - s->least);
}

static void add_value(struct spread *s, const struct cell *c)
{
	double v = c->kind == CELL_INT ? (double)c->i : c->r;

	s->all++;
	if ((c->kind != CELL_INT && c->kind != CELL_REAL) || !isfinite(v))
		s->absent++;
	else if (v <= 0)
		s->none++;
	else
		s->bucket[bucket_of(s, v)]++;
}

static void put(struct grid *g, const struct spread *s, const char *name,
	double from, double to, size_t n, size_t *below)
{
	struct grid_row *r = grid_add_row(g);
	double share = (double)n / (double)s->all;
	size_t marks = (size_t)(share * 50 + 0.5);
	char bar[51];

	*below += n;
	r->cell[METRIC] = wait_text(g, name);
	if (from >= 0) {
		r->cell[AT_LEAST] = cell_real(from);
		r->cell[LESS_THAN] = cell_real(to);
	}
	r->cell[PROCESSES] = cell_int((int64_t)n);
	r->cell[PERCENT] = cell_real(100 * share);
	r->cell[CUMULATIVE] = cell_real(100 * (double)*below /
	    (double)s->all);
	memset(bar, '#', marks);
	bar[marks] = '\0';
	r->cell[BAR] = wait_text(g, bar);
}

static void put_all(struct grid *g, const struct spread *s, const char *name)
{
	size_t k, first = BUCKETS, last = 0, below = 0;

	for (k = 0; k < BUCKETS; k++) {
		if (s->bucket[k] == 0)
			continue;
		first = GS_MIN(first, k);
		last = k;
	}
	if (s->none > 0)
		put(g, s, name, 0, 0, s->none, &below);
	/* empty buckets in between are shown */
	for (k = first; k <= last && first < BUCKETS; k++)
		put(g, s, name, k == 0 ? 0 : ldexp(1, (int)k - 1 + s->least),
		    ldexp(1, (int)k + s->least), s->bucket[k], &below);
	if (s->absent > 0)
		put(g, s, "(not known)", -1, -1, s->absent, &below);
}

struct grid *waitgrid_metric(const struct grid *of, size_t col)
{
	struct grid *g = grid_new("histogram", NULL);
	const struct grid_col *c = &of->col[col];
	struct spread s = { .least = least_of(c->quantity) };
	size_t i;

	for (i = 0; i < N_COLS; i++) {
		/* its own columns, then those that all histograms end with */
		struct grid_col to = wait_histogram_cols[i <= PROCESSES
		    ? WAIT_RUN_COLS + i : WAIT_RUN_COLS - N_COLS + i];

		if (i == AT_LEAST || i == LESS_THAN)
			to.quantity = c->quantity;
		grid_add_col(g, &to);
	}
	g->from_ns = of->from_ns;
	g->to_ns = of->to_ns;
	g->covered_s = of->covered_s;
	for (i = 0; i < of->n_row; i++) {
		if (!of->row[i].residual && !of->row[i].others)
			add_value(&s, &of->row[i].cell[col]);
	}
	if (s.all > 0)
		put_all(g, &s, c->name);
	g->n_total = g->n_row;
	return g;
}
