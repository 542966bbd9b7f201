/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/shot.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/when.h"
#include "model/walk.h"

static void add_grid(struct shot *shot, struct grid *g)
{
	shot->grid = gs_realloc(shot->grid, (shot->n_grid + 1) *
	    sizeof(struct grid *));
	shot->grid[shot->n_grid++] = g;
}

/* Those that follow one, which loses them. */
static void add_more(struct shot *shot, struct grid *g)
{
	struct grid *more = g->more;

	g->more = NULL;
	while (more) {
		struct grid *next = more->more;

		more->more = NULL;
		add_grid(shot, more);
		more = next;
	}
}

/* Keeps the grids that the overview shows. */
static bool keep(void *ctx, struct grid *g)
{
	add_grid(ctx, grid_take(g));
	return true;
}

static int no_table(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

/* The table beside its baseline, in place of g. */
static struct grid *compared(struct shot *shot, const struct ask *ask,
	struct grid *g)
{
	struct grid *to;

	if (!shot->baseline.grid)
		return g;
	if (baseline_compare(&shot->baseline, ask, g, &to, NULL) < 0) {
		baseline_release(&shot->baseline);
		return g;
	}
	grid_free(g);
	return to;
}

static int read_baseline(struct shot *shot, const struct tui_source *s,
	struct cursor c, const struct ask *ask, const struct range *base,
	struct gs_err *err)
{
	const struct show_source src = { .cursor = c,
		.interval_ns = s->interval_ns, .first_ns = s->first_ns,
		.last_ns = s->last_ns, .zone = s->zone };
	int r;

	if (!base || shot->overview)
		return GS_OK;
	r = baseline_read(&shot->baseline, &src, ask, base, err);
	shot->baseline.report.zone = &s->zone; /* src is gone soon */
	return r;
}

/* ---- windows ------------------------------------------------------------ */

static int read_window(struct shot_window *w, const struct tui_source *s,
	struct cursor c, const struct ask *ask, int64_t to_ns,
	struct gs_err *err)
{
	struct range r = { to_ns - w->length_ns, to_ns, 0 };
	struct range_result res = { 0 };

	w->engine = gs_calloc(1, sizeof(*w->engine));
	engine_init(w->engine, s->interval_ns);
	w->use = view_open(ask_view(ask), w->engine, ask_of_view(ask));
	return range_run(&r, c, w->engine, no_table, NULL, &res, err);
}

/* None is shorter than an interval. */
static int64_t window_ns(const struct shot_windows *windows, size_t i,
	const struct tui_source *s)
{
	return GS_MAX(windows->length_ns[i], s->interval_ns);
}

/* One of them is the range itself, which is not read twice. */
static bool have_range(const struct shot_windows *windows,
	const struct tui_source *s)
{
	size_t i;

	for (i = 0; i < windows->n; i++) {
		if (window_ns(windows, i, s) == windows->range_ns)
			return true;
	}
	return false;
}

/* A table of each window, and none of the range. */
static bool wants_windows(const struct ask *ask,
	const struct shot_windows *windows)
{
	return windows && windows->n > 0 &&
	    !view_is_overview(ask_view(ask)) && !view_is_page(ask_view(ask));
}

static int read_windows(struct shot *shot, const struct tui_source *s,
	struct cursor c, const struct ask *ask,
	const struct shot_windows *windows, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	if (!wants_windows(ask, windows))
		return GS_OK;
	shot->width = windows->width;
	shot->room = windows->room;
	shot->window = gs_calloc(windows->n, sizeof(*shot->window));
	for (i = 0; i < windows->n && r == GS_OK; i++) {
		int64_t ns = window_ns(windows, i, s);
		struct shot_window *w = &shot->window[shot->n_window];

		if (shot->n_window > 0 && ns <= w[-1].length_ns)
			continue;
		shot->n_window++;
		w->length_ns = ns;
		w->filled = shot->range.to_ns - ns >=
		    s->first_ns - s->interval_ns;
		if (ns != windows->range_ns) {
			r = read_window(w, s, c, ask, shot->range.to_ns, err);
			continue;
		}
		w->engine = shot->engine;
		w->use = shot->use;
	}
	return r;
}

static void free_windows(struct shot *shot)
{
	size_t i;

	for (i = 0; i < shot->n_window; i++) {
		if (shot->window[i].engine == shot->engine)
			continue;
		view_close(shot->window[i].use);
		engine_release(shot->window[i].engine);
		free(shot->window[i].engine);
	}
	free(shot->window);
}

/* "last 5m, 2m of it recorded" */
static void name_window(const struct shot *shot, const struct shot_window *w,
	const struct tui_source *s, struct grid *g)
{
	char span[WHEN_SPAN_MAX], part[WHEN_SPAN_MAX];
	struct buf text = BUF_INIT;

	when_span(span, w->length_ns);
	buf_printf(&text, "last %s", span);
	if (!w->filled) {
		when_age(part, (double)(shot->range.to_ns - s->first_ns) / 1e9);
		buf_printf(&text, ", %s of it recorded", part);
	}
	if (g->title)
		buf_printf(&text, "; %s", g->title);
	g->title = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

#define ROWS_LEAST 3

/* As many rows as fit, if each has a title, a heading and a blank line. */
static size_t rows_of_window(const struct shot *shot)
{
	size_t lines = shot->room / shot->n_window;

	return GS_MAX(lines, (size_t)ROWS_LEAST + 4) - 4;
}

static int make_below(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct when_env *when, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; i < shot->n_window && r == GS_OK; i++) {
		struct shot_window *w = &shot->window[i];
		struct grid *g;

		view_ask_again(w->use, ask_of_view(ask));
		g = view_grid(w->use, w->engine);
		add_grid(shot, g);
		r = ask_refine(ask, g, when, err);
		if (r < 0)
			break;
		name_window(shot, w, s, g);
		if (shot->n_window > 1)
			grid_limit(g, rows_of_window(shot));
	}
	return r;
}

/* "recorded: 24.0s of 1m, 24.0s of 5m": why columns of these are empty. */
static void name_parts(const struct shot *shot, const struct tui_source *s,
	struct grid *g)
{
	char span[WHEN_SPAN_MAX], part[WHEN_SPAN_MAX];
	struct buf text = BUF_INIT;
	size_t i;

	when_age(part, (double)(shot->range.to_ns - s->first_ns) / 1e9);
	for (i = 0; i < shot->n_window; i++) {
		if (shot->window[i].filled)
			continue;
		when_span(span, shot->window[i].length_ns);
		buf_printf(&text, "%s%s of %s", text.len > 0 ? ", "
		    : "recorded: ", part, span);
	}
	if (text.len > 0)
		g->title = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

static int make_beside(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct when_env *when, struct gs_err *err)
{
	struct view_window w[VIEW_WINDOWS_MAX];
	struct grid *g;
	size_t i;

	for (i = 0; i < shot->n_window; i++) {
		const struct shot_window *of = &shot->window[i];

		w[i] = (struct view_window) { of->use, of->engine,
			of->length_ns, of->filled };
	}
	g = view_grid_beside(w, shot->n_window);
	name_parts(shot, s, g);
	add_grid(shot, g);
	return ask_refine(ask, g, when, err);
}

static int make_windows(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct when_env *when, struct gs_err *err)
{
	if (view_is_beside(ask_view(ask), ask_of_view(ask), shot->n_window,
	    shot->width))
		return make_beside(shot, s, ask, when, err);
	return make_below(shot, s, ask, when, err);
}

/* ---- tables ------------------------------------------------------------- */

static int make_grids(struct shot *shot, const struct tui_source *s,
	struct ask *ask, struct gs_err *err)
{
	struct when_env when = { .zone = &s->zone, .first_ns = s->first_ns,
		.last_ns = s->last_ns, .now_ns = gs_clock_wall_ns() };
	struct grid *g;
	int r;

	if (shot->overview) {
		overview_ask_again(shot->overview, ask_of_view(ask)->brief);
		(void)overview_show(shot->overview, shot->engine, keep,
		    shot); /* keep() takes all */
		return GS_OK;
	}
	if (shot->n_window > 0)
		return make_windows(shot, s, ask, &when, err);
	g = view_head(shot->use, shot->engine);
	if (g)
		add_grid(shot, g);
	shot->n_head = shot->n_grid;
	view_ask_again(shot->use, ask_of_view(ask));
	g = compared(shot, ask, view_grid(shot->use, shot->engine));
	add_grid(shot, g);
	r = ask_refine(ask, g, &when, err);
	ask_note_server(ask, shot->engine, g);
	ask_note_session(ask, shot->engine, g);
	add_more(shot, g);
	return r;
}

enum shot_result shot_make(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct range *r, const struct range *base,
	const struct shot_windows *windows, struct gs_err *err)
{
	struct range_result res = { 0 };
	struct patience patience;
	struct cursor c = patience_cursor(&patience, s);
	int status;

	shot->engine = gs_calloc(1, sizeof(*shot->engine));
	engine_init(shot->engine, s->interval_ns);
	shot->range = *r;
	if (view_is_overview(ask_view(ask)))
		shot->overview = overview_open(shot->engine,
		    r->to_ns - r->from_ns, r->to_ns - r->from_ns, &s->zone,
		    NULL);
	else if (!wants_windows(ask, windows) || have_range(windows, s))
		shot->use = view_open(ask_view(ask), shot->engine,
		    ask_of_view(ask));
	status = range_run(r, c, shot->engine, no_table, NULL, &res, err);
	/* a tick before the window is no tick in it */
	shot->any = res.any && (shot->engine->n_ticks > 0 ||
	    walk_is_near(shot->engine->to_ns, r->to_ns, s->interval_ns));
	if (status == GS_OK && shot->any)
		status = read_baseline(shot, s, c, ask, base, err);
	if (status == GS_OK && shot->any)
		status = read_windows(shot, s, c, ask, windows, err);
	if (status == GS_OK && shot->any)
		status = make_grids(shot, s, ask, err);
	if (status == GS_OK)
		return SHOT_DONE;
	shot_release(shot);
	return patience.lost ? SHOT_INTERRUPTED : SHOT_FAILED;
}

static void free_grids(struct shot *shot)
{
	size_t i;

	for (i = 0; i < shot->n_grid; i++)
		grid_free(shot->grid[i]);
	free(shot->grid);
}

enum shot_result shot_again(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct shot_beside *beside, struct shot *ret,
	struct gs_err *err)
{
	struct shot made = *shot;
	struct patience patience;
	int r = GS_OK;

	made.grid = NULL;
	made.n_grid = made.n_head = 0;
	if (!beside->same) {
		made.baseline = (struct baseline) { 0 };
		r = read_baseline(&made, s, patience_cursor(&patience, s),
		    ask, beside->range, err);
	}
	if (r == GS_OK)
		r = make_grids(&made, s, ask, err);
	if (beside->same)
		shot->baseline = made.baseline;
	if (r == GS_OK) {
		*ret = made;
		return SHOT_DONE;
	}
	free_grids(&made);
	if (beside->same)
		return SHOT_FAILED;
	baseline_release(&made.baseline);
	return patience.lost ? SHOT_INTERRUPTED : SHOT_FAILED;
}

void shot_replace(struct shot *shot, const struct shot *by)
{
	free_grids(shot);
	if (shot->baseline.grid != by->baseline.grid)
		baseline_release(&shot->baseline);
	*shot = *by;
}

void shot_release(struct shot *shot)
{
	free_grids(shot);
	view_close(shot->use);
	overview_close(shot->overview);
	baseline_release(&shot->baseline);
	free_windows(shot);
	if (shot->engine)
		engine_release(shot->engine);
	free(shot->engine);
	*shot = (struct shot) { 0 };
}
