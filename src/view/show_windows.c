/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_windows.c - tables of windows, which end together: one after the other,
 * or side by side.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/when.h"
#include "model/walk.h"
#include "view/report.h"
#include "view/show_int.h"

/* ---- windows side by side ---------------------------------------------- */

struct pass {
	struct engine engine;
	struct view_use *use;
};

static int nothing(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

/* "recorded: 20s of 1m, 20s of 5m" */
static void add_part(const struct show *s, struct buf *to, int64_t window_ns,
	int64_t to_ns)
{
	char span[WHEN_SPAN_MAX];

	when_span(span, window_ns);
	buf_printf(to, "%s%.0fs of %s", to->len > 0 ? ", " : "recorded: ",
	    (double)(to_ns - s->src->first_ns) / 1e9, span);
}

/* One table of all windows, each with the results of its pass. */
static int show_beside(struct show *s, struct pass *pass, size_t n)
{
	struct view_window w[VIEW_WINDOWS_MAX];
	const struct engine *last = &pass[n - 1].engine;
	struct buf text = BUF_INIT;
	struct grid *g;
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		int64_t ns = s->o->window_ns[i];

		w[i] = (struct view_window) { pass[i].use, &pass[i].engine,
			ns, show_missing(s, ns, last->to_ns) == 0 };
		if (!w[i].filled)
			add_part(s, &text, ns, last->to_ns);
	}
	show_fill_report(s, last);
	g = view_grid_beside(w, n);
	show_set_title(g, &text);
	r = show_refine(s, g);
	ask_note_server(s->ask, last, g);
	ask_note_session(s->ask, last, g);
	show_note_seen(s, g);
	if (r == GS_OK)
		(void)(show_grid(s, g) && show_count(s)); /* s reports it */
	grid_free(g);
	report_release(&s->report);
	return r;
}

static int run_beside(struct show *s, int64_t to_ns, struct show_result *ret,
	struct gs_err *err)
{
	size_t i, n = s->o->n_window;
	struct pass *pass = gs_calloc(n, sizeof(*pass));
	struct range_result res = { .any = false };
	struct range r;
	int status = GS_OK;

	s->err = err;
	for (i = 0; i < n && status == GS_OK; i++) {
		r = (struct range) { to_ns - s->o->window_ns[i], to_ns, 0 };
		s->range = r;
		engine_init(&pass[i].engine, s->src->interval_ns);
		pass[i].use = view_open(ask_view(s->ask), &pass[i].engine,
		    ask_of_view(s->ask));
		status = range_run(&r, s->src->cursor, &pass[i].engine,
		    nothing, NULL, &res, err);
	}
	ret->any |= res.any;
	ret->hole = res.hole;
	ret->n_holes += res.n_holes;
	if (status == GS_OK && res.any)
		status = show_beside(s, pass, n);
	ret->unrecorded = show_is_unrecorded(s);
	ret->stopped = s->stopped || s->done;
	while (i-- > 0) {
		view_close(pass[i].use);
		engine_release(&pass[i].engine);
	}
	free(pass);
	return status;
}

static bool is_beside(const struct show *s)
{
	return s->o->for_people && view_is_beside(ask_view(s->ask),
	    ask_of_view(s->ask), s->o->n_window, s->o->width);
}

static int run_windows(struct show *s, int64_t to_ns,
	struct show_result *ret, struct gs_err *err)
{
	int status = GS_OK;

	if (is_beside(s))
		return run_beside(s, to_ns, ret, err);
	for (s->window = 0; s->window < s->o->n_window; s->window++) {
		struct range r = { to_ns - s->o->window_ns[s->window], to_ns, 0 };

		status = show_pass(s, &r, ret, err);
		if (status != GS_OK || ret->stopped)
			break;
	}
	return status;
}

/* ---- where windows end ------------------------------------------------ */

struct ends {
	int64_t *at_ns; /* of ticks; NULL: multiples of the step, computed, as a hole may
	                 * have millions of them */
	size_t n, cap;
	int64_t first_ns, step_ns, last_ns;
};

static int64_t end_at(const struct ends *e, size_t i)
{
	if (e->at_ns)
		return e->at_ns[i];
	return i + 1 == e->n ? e->last_ns : e->first_ns + (int64_t)i * e->step_ns;
}

static void add_end(struct ends *e, int64_t at_ns)
{
	GS_GROW(e->at_ns, &e->cap, e->n + 1);
	e->at_ns[e->n++] = at_ns;
}

/* At each tick. */
static int end_at_ticks(const struct show *s, int64_t from_ns, int64_t to_ns,
	struct ends *ret, struct gs_err *err)
{
	const struct tick *t = NULL;
	int r = cursor_seek(s->src->cursor, from_ns, err);

	while (r >= 0) {
		r = walk_next_new(s->src->cursor, &t, err);
		if (r == 0 || (r > 0 && t->wall_ns > to_ns))
			return GS_OK;
		if (r > 0 && t->wall_ns > from_ns)
			add_end(ret, t->wall_ns);
	}
	return r;
}

/* At multiples of the step, and at the end unless that is the tick of the
 * multiple before. */
static void end_at_steps(const struct show *s, const struct range *r,
	int64_t to_ns, struct ends *ret)
{
	int64_t at_ns = GS_MAX(r->from_ns, s->src->first_ns);

	at_ns -= at_ns % r->every_ns;
	ret->step_ns = r->every_ns;
	ret->first_ns = at_ns + r->every_ns;
	ret->n = (size_t)((to_ns - at_ns) / r->every_ns);
	ret->last_ns = at_ns + (int64_t)ret->n * r->every_ns;
	if (ret->n == 0 || to_ns - ret->last_ns >= s->src->interval_ns / 4) {
		ret->last_ns = to_ns;
		ret->n++;
	}
}

/* The first end from number i on that is not before then; n: none is. */
static size_t next_end(const struct ends *e, size_t i, int64_t at_ns)
{
	/* of multiples of a step the last end is only ever later */
	if (!e->at_ns && at_ns > end_at(e, i))
		i = GS_MIN(e->n - 1, i + (size_t)((at_ns - end_at(e, i)) / e->step_ns));
	while (i < e->n && end_at(e, i) < at_ns)
		i++;
	return i;
}

/* The first end from number i on that has a tick before it and after end i - 1; n: none
 * has. */
static int skip_hole(const struct show *s, const struct ends *e, size_t *i,
	struct gs_err *err)
{
	const struct tick *t = NULL;
	int64_t after_ns = end_at(e, *i - 1);
	int r = cursor_seek(s->src->cursor, after_ns, err);

	while (r >= 0) {
		r = walk_next_new(s->src->cursor, &t, err);
		if (r > 0 && t->wall_ns <= after_ns)
			continue;
		if (r >= 0)
			*i = r > 0 && *i < e->n ? next_end(e, *i, t->wall_ns) : e->n;
		return GS_MIN(r, 0);
	}
	return r;
}

/* In a hole that is longer than all windows, nothing ends. */
static int run_ends(struct show *s, const struct ends *e,
	struct show_result *ret, struct gs_err *err)
{
	bool any = false;
	size_t i = 0;
	int r = GS_OK;

	while (r == GS_OK && !ret->stopped && i < e->n) {
		ret->any = false;
		r = run_windows(s, end_at(e, i++), ret, err);
		if (r == GS_OK && !ret->any && !ret->stopped)
			r = skip_hole(s, e, &i, err);
		any |= ret->any;
	}
	ret->any = any;
	return r;
}

int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	int64_t from_ns = GS_MAX(r->from_ns, s->src->first_ns);
	int64_t to_ns = GS_MIN(r->to_ns, s->src->last_ns);
	struct ends ends = { 0 };
	int status = GS_OK;

	*ret = (struct show_result) { .n_holes = s->baseline.report.n_hole };
	if (s->o->n_window == 0)
		return show_pass(s, r, ret, err);
	if (r->every_ns == RANGE_EACH_TICK)
		status = end_at_ticks(s, from_ns, to_ns, &ends, err);
	else if (r->every_ns > 0 && to_ns > from_ns)
		end_at_steps(s, r, to_ns, &ends);
	else
		add_end(&ends, to_ns);
	if (ends.n > 0)
		s->last_end_ns = end_at(&ends, ends.n - 1);
	if (status == GS_OK)
		status = run_ends(s, &ends, ret, err);
	free(ends.at_ns);
	return status;
}
