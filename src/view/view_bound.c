/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_bound.c - which groups are kept where few rows are shown: those that come
 * first in the order that was asked for.
 *
 * Only groups that have ended are summed up, and only by figures that stay as they
 * are from then on.
 */
#include <math.h>

#include "base/compiler.h"
#include "query/labelcol.h"
#include "view/metric_figure.h"
#include "view/view_use.h"

/* Groups kept beside the shown ones, so that folding is rare and a group whose
 * rank changes a little later still exists. */
#define KEPT_AT_LEAST 1024

static struct figure_env env_of(const struct view_use *u, struct grid *texts)
{
	return (struct figure_env) { .engine = u->engine,
		.grouping = u->grouping, .rollup = grouping_rollup(u->grouping),
		.disks = u->disks, .processes = u->processes,
		.threads = u->threads, .grid = texts, .state = u->state };
}

/* ---- by a number --------------------------------------------------------- */

static double rank(void *ctx, const struct group *g)
{
	const struct view_use *u = ctx;
	const struct figure_env env = env_of(u, NULL);
	struct cell c = u->order->fn(&env, u->order, g);

	if (c.kind != CELL_INT && c.kind != CELL_REAL)
		return -HUGE_VAL; /* absent comes last in either order */
	return u->direction * (c.kind == CELL_INT ? (double)c.i : c.r);
}

/* It is a sum of counters or levels, or does not change. */
static bool can_rank(const struct figure *f)
{
	return f->fn == labelcol_began || (f->n_from > 0 &&
	    f->col.quantity != Q_TEXT && metric_figure_is_sum(f));
}

/* ---- by labels ----------------------------------------------------------- */

/* The label of a group that has ended, with its session, stays. */
static bool is_label(const struct figure *f)
{
	static const figure_fn label[] = { labelcol_session, labelcol_query,
		labelcol_cmd, labelcol_user, labelcol_text_of_label,
		labelcol_text_of_session, labelcol_state, labelcol_age,
		labelcol_title, labelcol_pid, labelcol_process_state,
		labelcol_started, labelcol_ended, labelcol_segment,
		labelcol_slice, labelcol_command_counter, labelcol_host,
		labelcol_key };
	size_t i;

	for (i = 0; i < GS_LEN(label) && f->fn != label[i]; i++)
		;
	return i < GS_LEN(label);
}

static bool can_order(const struct view_use *u, const struct sort_keys *keys)
{
	bool ok = is_label(&u->figure[0]);
	size_t i;

	for (i = 0; ok && i < keys->n; i++) {
		const struct figure *f = &u->figure[keys->key[i].col];

		ok = is_label(f) || can_rank(f);
	}
	return ok;
}

/* Columns of the grid: the first figure, by which equal rows are ordered, then the
 * keys. */
static void add_group(const struct view_use *u, struct grid *g,
	const struct group *of)
{
	const struct figure_env env = env_of(u, g);
	struct grid_row *row = grid_add_row(g);
	size_t i;

	row->id = g->n_row - 1;
	row->cell[0] = u->figure[0].fn(&env, &u->figure[0], of);
	for (i = 0; i < u->labels.n; i++) {
		const struct figure *f = &u->figure[u->labels.key[i].col];

		row->cell[i + 1] = f->fn(&env, f, of);
	}
}

static void rank_by_labels(void *ctx, const struct group *const *g, size_t n,
	double *ret)
{
	const struct view_use *u = ctx;
	struct grid *rows = grid_new("", NULL);
	struct sort_keys keys = u->labels;
	size_t i;

	grid_add_col(rows, &u->figure[0].col);
	for (i = 0; i < keys.n; i++) {
		grid_add_col(rows, &u->figure[keys.key[i].col].col);
		keys.key[i].col = i + 1;
	}
	for (i = 0; i < n; i++)
		add_group(u, rows, g[i]);
	sort_grid_by(rows, &keys);
	for (i = 0; i < n; i++)
		ret[rows->row[i].id] = -(double)i;
	grid_free(rows);
}

/* ---- which ---------------------------------------------------------------- */

static bool parse(const struct view_use *u, const char *sort,
	struct sort_keys *ret)
{
	struct grid *g = grid_new("", NULL);
	size_t i;
	int r;

	for (i = 0; i < u->n_figure; i++)
		grid_add_col(g, &u->figure[i].col);
	r = sort_parse(g, sort, ret, NULL);
	grid_free(g);
	return r == GS_OK;
}

static void bound_by(struct view_use *u, struct grouping *l,
	const struct sort_keys *keys, size_t keep)
{
	const struct figure *first = &u->figure[keys->key[0].col];

	u->bounded = true;
	if (can_rank(first)) {
		u->order = first;
		u->direction = keys->key[0].order == SORT_ASCENDING ? -1 : 1;
		grouping_bound(l, keep, rank, u);
	} else if (can_order(u, keys)) {
		u->labels = *keys;
		grouping_bound_order(l, keep, rank_by_labels, u);
	} else {
		u->bounded = false;
	}
}

void view_bound(struct view_use *u, struct grouping *l,
	const struct view_ask *ask)
{
	struct sort_keys keys;

	/* moving averages of folded groups would be lost */
	if (ask->most == 0 || ask->n_ema > 0 || ask->nested || u->view->living ||
	    u->view->rows || u->view->last_tick ||
	    u->view->entity != ENTITY_PROCESS || !ask->sort ||
	    !parse(u, ask->sort, &keys))
		return;
	bound_by(u, l, &keys, GS_MAX(ask->most, (size_t)KEPT_AT_LEAST));
}
