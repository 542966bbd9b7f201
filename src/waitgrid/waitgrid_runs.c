/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_runs.c - histogram of runs of samples, whose lengths bound the
 * lengths of waits.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "waitgrid/waitgrid_int.h"

const struct grid_col wait_histogram_cols[11] = {
	GRID_COL("event", "EVENT", Q_TEXT, 80, "class and event"),
	GRID_COL("longer_than_seconds", "LONGER", Q_SECONDS, 80,
	    "lower bound: the waits took longer than this; waits shorter than the interval are in the first line, if they were seen at all",
	    .names = true),
	GRID_COL("shorter_than_seconds", "SHORTER", Q_SECONDS, 80,
	    "upper bound: the waits took less than this", .names = true),
	GRID_COL("waits", "WAITS", Q_COUNT, 80, "runs of samples of that length"),
	GRID_COL("percent", "%", Q_PERCENT, 80, "share of all runs"),
	GRID_COL("cumulative_percent", "CUM%", Q_PERCENT, 80, "share of all runs up to this line"),
	GRID_COL("bar", "SHARE", Q_TEXT, 80, "a # for 2 %", .flexible = true),
	GRID_COL("metric", "METRIC", Q_TEXT, 80,
	    "with --metric: the column of processes; (not known): processes without a value"),
	GRID_COL("at_least", "FROM", Q_NUMBER, 80,
	    "with --metric: lowest value of the line, in the unit of that column", .names = true),
	GRID_COL("less_than", "BELOW", Q_NUMBER, 80,
	    "with --metric: values are less than this; 0: values are 0", .names = true),
	GRID_COL("processes", "PROCS", Q_COUNT, 80,
	    "with --metric: processes of the range with such a value, ended ones too"),
};

enum { EVENT, LONGER, SHORTER, WAITS, PERCENT, CUMULATIVE, BAR };

/* Average seconds between samples. */
static double weight_s(const struct waits_total *t)
{
	return t->samples > 0
	    ? (double)t->covered_ns / 1e9 / (double)t->samples : 0;
}

static struct grid_row *bucket_row(struct grid *g,
	const struct wait_event *e, size_t k, double weight)
{
	struct grid_row *r = grid_add_row(g);
	char name[WAIT_NAME_MAX];

	(void)wait_event_name(e, name);
	r->cell[EVENT] = wait_text(g, name);
	/* n samples: (n - 1, n + 1) intervals; n from 2^k up */
	r->cell[LONGER] = cell_real(weight * (double)((UINT64_C(1) << k) -
	    1));
	if (k < WAITS_BUCKETS - 1)
		r->cell[SHORTER] = cell_real(weight *
		    (double)(UINT64_C(2) << k));
	return r;
}

static void event_rows(struct grid *g, const struct wait_item *it,
	double weight)
{
	const struct wait_sum *sum = it->sum;
	uint64_t below = 0;
	char bar[51];
	size_t k, n;

	for (k = 0; k < WAITS_BUCKETS; k++) {
		struct grid_row *r;
		double share;

		if (sum->bucket[k] == 0)
			continue;
		below += sum->bucket[k];
		share = GS_MIN((double)sum->bucket[k] / (double)sum->runs, 1);
		r = bucket_row(g, it->event, k, weight);
		r->cell[WAITS] = cell_count(sum->bucket[k]);
		r->cell[PERCENT] = cell_real(100 * share);
		r->cell[CUMULATIVE] = cell_real(100 * (double)below /
		    (double)sum->runs);
		n = (size_t)(share * 50 + 0.5);
		memset(bar, '#', n);
		bar[n] = '\0';
		r->cell[BAR] = wait_text(g, bar);
	}
}

static struct grid *alone(const struct wait_window *w,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("histogram", wait_histogram_cols,
	    WAIT_RUN_COLS, w);
	struct wait_items of;
	size_t i;

	wait_items_init(&of, w->waits, a, 0);
	for (i = 0; i < of.n; i++) {
		if (wait_event_works(of.item[i].event))
			event_rows(g, &of.item[i], weight_s(&of.total));
	}
	g->n_total = g->n_row;
	wait_items_release(&of);
	return g;
}

/* ---- windows side by side -------------------------------------------- */

static void add_cols(const struct wait_lines *l, struct grid *g)
{
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		const struct wait_window *w = &l->window[k];
		struct grid_col count = { .quantity = Q_COUNT,
			.title = wait_window_title(g, w, "LAST "),
			.name = wait_window_title(g, w, "waits_"),
			.min_width = 80, .help = "runs in that window" };
		struct grid_col share = { .quantity = Q_PERCENT, .title = "%",
			.name = wait_window_title(g, w, "percent_"),
			.min_width = 80, .help = "share of all runs in that window" };

		grid_add_col(g, &count);
		grid_add_col(g, &share);
	}
}

static void beside_row(const struct wait_lines *l, struct grid *g,
	const struct wait_event *e, size_t bucket)
{
	struct grid_row *r = bucket_row(g, e, bucket,
	    weight_s(&wait_lines_all(l)->total));
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		const struct wait_item *it = wait_items_find(&l->of[k], e);
		uint64_t runs = it ? it->sum->runs : 0;
		uint64_t count = it ? it->sum->bucket[bucket] : 0;
		struct cell *c = &r->cell[WAITS + 2 * k];

		if (!l->window[k].filled)
			continue;
		c[0] = cell_count(count);
		if (runs > 0)
			c[1] = cell_real(100 * (double)count / (double)runs);
	}
}

/* In a window, a run that began before it counts from the window's start, so a
 * short window may have lengths that the long one lacks. */
static bool has_any(const struct wait_lines *l, const struct wait_event *e,
	size_t bucket)
{
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		const struct wait_item *it = wait_items_find(&l->of[k], e);

		if (it && it->sum->bucket[bucket] > 0)
			return true;
	}
	return false;
}

static struct grid *beside(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("histogram", wait_histogram_cols,
	    WAITS, &w[n - 1]);
	const struct wait_items *all;
	struct wait_lines l;
	size_t i, k;

	wait_lines_init(&l, w, n, a, 0);
	add_cols(&l, g);
	all = wait_lines_all(&l);
	for (i = 0; i < all->n; i++) {
		const struct wait_event *e = all->item[i].event;

		for (k = 0; k < WAITS_BUCKETS && wait_event_works(e); k++) {
			if (has_any(&l, e, k))
				beside_row(&l, g, e, k);
		}
	}
	g->n_total = g->n_row;
	wait_lines_release(&l);
	return g;
}

struct grid *waitgrid_runs(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	return n > 1 ? beside(w, n, a) : alone(w, a);
}
