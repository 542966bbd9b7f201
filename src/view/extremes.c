/* SPDX-License-Identifier: Apache-2.0 */
#include "view/extremes.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/reap.h"
#include "base/arith.h"
#include "base/mem.h"
#include "query/engine.h"
#include "view/view.h"

/* What --find asks of sessions; the others cost more than they save.  A column may
 * stand here if it is 0 or unchanged in a tick in which no process of the session did
 * anything, since such rows are looked at in the first table only: no age is. */
static const char *const of_sessions[] = { "cpu_percent", "memory",
	"io_bytes_per_second", "read_bytes_per_second",
	"write_bytes_per_second" };

static const struct {
	const char *name;
	const char *const *col; /* NULL: all */
	size_t n_col;
} views[] = {
	{ "hosts", NULL, 0 },
	{ "disks", NULL, 0 },
	{ "sessions", of_sessions, GS_LEN(of_sessions) },
};

/* A column. */
struct extreme {
	bool unknown; /* some cell is not a number that can be compared */
	double low, high;
};

struct of_view {
	const struct view *view;
	struct view_use *use;
	struct view_ask ask;
	struct view_pick pick;
	struct grid *columns;
	struct extreme *col;
};

/* Of no row, and of rows that did nothing: levels are those of the first table. */
static const struct extreme none = { .low = HUGE_VAL, .high = -HUGE_VAL };
static const struct extreme still = { .low = 0, .high = 0 };

struct extremes {
	bool begun; /* the engine is at a tick */
	size_t n_table; /* of the stretch */
	bool holed; /* a table of the stretch has a hole, which must be told */
	bool owed; /* sums over processes depend on ticks before the stretch */
	int64_t covered_ns; /* of its tables together */
	struct engine engine;
	struct of_view view[GS_LEN(views)];
	struct reap_debts *debts; /* of an engine that ended at this tick; NULL: none
	                           * did */
	uint64_t debts_seq;
	int64_t debts_ns;
};

static void forget(struct extremes *x)
{
	size_t i, k;

	x->holed = x->owed = false;
	x->covered_ns = 0;
	x->n_table = 0;
	for (i = 0; i < GS_LEN(views); i++) {
		struct of_view *v = &x->view[i];

		v->pick.stirred = false;
		for (k = 0; k < v->columns->n_col; k++)
			v->col[k] = v->ask.pick ? still : none;
	}
}

static void take_cell(struct extreme *e, const struct cell *c)
{
	double v = c->kind == CELL_INT ? (double)c->i : c->r;

	if (c->kind != CELL_INT && c->kind != CELL_REAL) {
		e->unknown |= c->kind != CELL_ABSENT;
		return;
	}
	e->unknown |= isnan(v);
	e->low = GS_MIN(e->low, v);
	e->high = GS_MAX(e->high, v);
}

/* Of a table no row is kept. */
static bool take_row(void *ctx, const struct grid_row *row)
{
	struct of_view *v = ctx;
	size_t i;

	for (i = 0; i < v->columns->n_col; i++)
		take_cell(&v->col[i], &row->cell[i]);
	return false;
}

static void choose(struct of_view *v, size_t i)
{
	v->view = view_find(views[i].name);
	v->ask = (struct view_ask)VIEW_ASK_INIT;
	v->pick = (struct view_pick) { .col = views[i].col,
		.n_col = views[i].n_col, .n_first = views[i].n_col,
		.keep = take_row, .ctx = v };
	if (views[i].col)
		v->ask.pick = &v->pick;
	v->columns = view_columns(v->view, &v->ask);
	v->col = gs_calloc(v->columns->n_col, sizeof(*v->col));
}

struct extremes *extremes_new(void)
{
	struct extremes *x = gs_calloc(1, sizeof(*x));
	size_t i;

	for (i = 0; i < GS_LEN(views); i++)
		choose(&x->view[i], i);
	forget(x);
	return x;
}

static void close_engine(struct extremes *x)
{
	size_t i;

	if (!x->begun)
		return;
	for (i = 0; i < GS_LEN(views); i++)
		view_close(x->view[i].use);
	engine_release(&x->engine);
	x->begun = false;
}

static void forget_debts(struct extremes *x)
{
	reap_debts_free(x->debts);
	x->debts = NULL;
}

static void begin(void *self)
{
	forget(self);
	close_engine(self);
}

void extremes_free(struct extremes *x)
{
	size_t i;

	if (!x)
		return;
	begin(x);
	forget_debts(x);
	for (i = 0; i < GS_LEN(views); i++) {
		grid_free(x->view[i].columns);
		free(x->view[i].col);
	}
	free(x);
}

static void take_table(struct of_view *v, const struct engine *e)
{
	struct grid *g = view_grid(v->use, e);
	size_t i;

	for (i = 0; i < g->n_row; i++)
		(void)take_row(v, &g->row[i]);
	grid_free(g);
	v->pick.stirred = true;
}

static void open_views(struct extremes *x)
{
	size_t i;

	for (i = 0; i < GS_LEN(views); i++)
		x->view[i].use = view_open(x->view[i].view, &x->engine,
		    &x->view[i].ask);
	x->begun = true;
}

/* A table of each tick after the first one. */
static void take_tables(struct extremes *x)
{
	size_t i;

	engine_note_absent(&x->engine);
	x->holed |= x->engine.n_hole > 0;
	x->owed |= reap_used_debts(x->engine.reap);
	x->covered_ns = gs_sum(x->covered_ns, engine_covered_ns(&x->engine));
	for (i = 0; i < GS_LEN(views); i++)
		take_table(&x->view[i], &x->engine);
	x->n_table++;
	engine_restart(&x->engine);
}

static void tick(void *self, const struct tick *t, bool again)
{
	struct extremes *x = self;
	bool first = !x->begun;
	struct gs_err err;

	if (first) {
		engine_init(&x->engine, 0);
		open_views(x);
	}
	if (again) {
		(void)engine_repeat(&x->engine, t, &err); /* it was applied */
		return;
	}
	if (engine_tick(&x->engine, t, &err) < 0)
		begin(x);
	else if (first)
		engine_begin(&x->engine, true);
	else
		take_tables(x);
}

/* ---- ticks of another engine -------------------------------------------- */

static void tick_beside(void *self, const struct engine *of)
{
	struct extremes *x = self;

	(void)of; /* the one of restart_beside() */
	if (!x->begun)
		return;
	engine_tick_beside(&x->engine);
	take_tables(x);
}

/* It begins at its last tick. */
static void restart_beside(void *self, const struct engine *of)
{
	struct extremes *x = self;

	close_engine(x);
	engine_init_beside(&x->engine, of);
	open_views(x);
	engine_tick_beside(&x->engine);
	engine_begin(&x->engine, true);
	if (x->debts && x->debts_seq == of->to_seq &&
	    x->debts_ns == of->to_ns)
		reap_take_debts(x->engine.reap, of->world, x->debts);
	forget_debts(x);
}

/* Another one may go on where it ends. */
static void end_beside(void *self)
{
	struct extremes *x = self;

	if (!x->begun)
		return;
	forget_debts(x);
	x->debts = reap_debts(x->engine.reap);
	x->debts_seq = x->engine.to_seq;
	x->debts_ns = x->engine.to_ns;
	close_engine(x);
}

/* ---- summaries ---------------------------------------------------------- */

static bool is_figure(const struct grid_col *c)
{
	return c->quantity != Q_TEXT && c->quantity != Q_TIME;
}

static void add_figures(const struct of_view *v, struct summary *to)
{
	struct buf name = BUF_INIT;
	size_t i;

	for (i = 0; i < v->columns->n_col; i++) {
		const struct grid_col *c = &v->columns->col[i];

		if (v->col[i].unknown || !is_figure(c))
			continue;
		buf_reset(&name);
		buf_printf(&name, "%s.%s", view_name(v->view), c->name);
		summary_add_figure(to, span_of(buf_str(&name), name.len),
		    v->col[i].low, v->col[i].high);
	}
	buf_release(&name);
}

static bool knows_figure(const struct of_view *v, struct span name)
{
	size_t i;

	for (i = 0; i < v->columns->n_col; i++) {
		const struct grid_col *c = &v->columns->col[i];

		if (is_figure(c) && summary_name_is(name, view_name(v->view), c->name))
			return true;
	}
	return false;
}

bool extremes_know(void *self, struct span name)
{
	const struct extremes *x = self;
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		if (knows_figure(&x->view[i], name))
			return true;
	}
	return false;
}

static void end(void *self, struct summary *to)
{
	struct extremes *x = self;
	size_t i;

	if (to && !x->holed && x->n_table == to->n_ticks) {
		to->covered_ns = x->covered_ns;
		for (i = 0; i < GS_LEN(views); i++) {
			if (!x->owed || !view_sums_processes(x->view[i].view))
				add_figures(&x->view[i], to);
		}
	}
	forget(x);
}

/* Of other ticks nothing is left. */
static void begin_beside(void *self)
{
	forget(self);
}

struct stretch_also extremes_also(struct extremes *x)
{
	return (struct stretch_also) { x, tick, end, begin };
}

struct stretch_also extremes_beside(struct extremes *x,
	struct follower *ret_follower)
{
	*ret_follower = (struct follower) { .self = x, .tick = tick_beside,
		.restart = restart_beside, .end = end_beside };
	return (struct stretch_also) { x, NULL, end, begin_beside };
}
