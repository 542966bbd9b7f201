/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/start.h"
#include "query/filter.h"
#include "query/sort.h"
#include "view/asked.h"
#include "view/find.h"
#include "view/report.h"

/* What all tables of the run cover together. */
struct coverage {
	struct find *find;
	int64_t from_ns, to_ns;
	double covered_s;
	double *host_s; /* of each host, by index */
	size_t host_cap;
	size_t n_ticks, n_tables;
	struct report_hole *hole;
	size_t n_hole, hole_cap;
	struct report_mark *mark;
	size_t n_mark, mark_cap;
	struct asked asked;
};

int show_find_check(const struct replay_options *o, struct gs_err *err)
{
	if (o->n_window > 0)
		return gs_fail(err, GS_E_USAGE, "--find looks at samples, or "
		    "at steps of --every: not at windows");
	if (o->baseline)
		return gs_fail(err, GS_E_USAGE, "--find and --baseline: "
		    "expected only one of them");
	if (o->session)
		return gs_fail(err, GS_E_USAGE, "--find with --session: "
		    "expected the session in the expression: "
		    "\"... and session = %.60s\"", o->session);
	if (render_can(o->format, RENDER_ONE_INSTANT))
		return gs_fail(err, GS_E_USAGE, "-f openmetrics shows one "
		    "instant: not with --find");
	return GS_OK;
}

/* Limit of earlier holes to compare with. */
#define HOLES_BACK ((size_t)4096)

/* A hole is in each table that it touches, whole or in part: it counts once. */
static struct report_hole *same_hole(const struct coverage *c,
	const char *why, int64_t from_ns)
{
	size_t i, n = GS_MIN(c->n_hole, HOLES_BACK);

	for (i = 0; i < n; i++) {
		struct report_hole *h = &c->hole[c->n_hole - 1 - i];

		if (from_ns <= h->to_ns && strcmp(h->why, why) == 0)
			return h;
	}
	return NULL;
}

/* The reason is freed with the table. */
static void keep_holes(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_hole; i++) {
		const struct engine_hole *h = &e->hole[i];
		int64_t from = GS_MAX(h->from_ns, e->from_ns);
		struct report_hole *was = same_hole(c, h->why, from);

		if (was) {
			was->to_ns = GS_MAX(was->to_ns,
			    GS_MIN(h->to_ns, e->to_ns));
			continue;
		}
		GS_GROW(c->hole, &c->hole_cap, c->n_hole + 1);
		c->hole[c->n_hole++] = (struct report_hole) { from,
			h->to_ns == INT64_MAX ? e->to_ns : h->to_ns,
			gs_strdup(h->why) };
	}
}

static void keep_covered(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		size_t old = c->host_cap;

		GS_GROW(c->host_s, &c->host_cap, (size_t)h->index + 1);
		memset(c->host_s + old, 0,
		    (c->host_cap - old) * sizeof(*c->host_s));
		c->host_s[h->index] += engine_host_covered_s(e, h);
	}
}

static void keep_marks(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_event; i++) {
		if (e->event[i].kind != EVENT_MARK)
			continue;
		GS_GROW(c->mark, &c->mark_cap, c->n_mark + 1);
		c->mark[c->n_mark++] = (struct report_mark) {
			e->event[i].wall_ns, gs_strdup(e->event[i].text) };
	}
}

static int take(void *ctx, const struct engine *e)
{
	struct coverage *c = ctx;

	if (c->n_tables++ == 0)
		c->from_ns = e->from_ns;
	c->to_ns = e->to_ns;
	c->covered_s += engine_covered_s(e);
	c->n_ticks += e->n_ticks;
	keep_covered(c, e);
	keep_holes(c, e);
	keep_marks(c, e);
	asked_add(&c->asked, e);
	find_take(c->find, e);
	return 0;
}

static void release(struct coverage *c)
{
	size_t i;

	for (i = 0; i < c->n_hole; i++)
		free((char *)(uintptr_t)c->hole[i].why);
	free(c->hole);
	for (i = 0; i < c->n_mark; i++)
		free((char *)(uintptr_t)c->mark[i].text);
	free(c->mark);
	free(c->host_s);
	asked_release(&c->asked);
}

/* Of all tables together. */
static void fill_covers(struct report *rep, const struct coverage *c,
	const struct engine *e)
{
	size_t i;

	rep->n_cover = 0;
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		double s = h->index < c->host_cap ? c->host_s[h->index] : 0;

		if (engine_is_less(e, h, c->covered_s - s))
			rep->cover[rep->n_cover++] = (struct report_cover) {
				h->name, s,
				presence_was_there(e->presence, h) };
	}
}

/* The head covers the whole range; texts belong to the coverage. */
static void fill_report(struct report *rep, const struct coverage *c)
{
	free(rep->hole);
	rep->from_ns = c->from_ns;
	rep->to_ns = c->to_ns;
	rep->covered_s = c->covered_s;
	rep->elapsed_s = (double)(c->to_ns - c->from_ns) / 1e9;
	rep->n_ticks = c->n_ticks;
	rep->every_ns = 0;
	rep->hole = gs_calloc(c->n_hole + 1, sizeof(*rep->hole));
	if (c->n_hole > 0)
		memcpy(rep->hole, c->hole, c->n_hole * sizeof(*rep->hole));
	rep->n_hole = c->n_hole;
	free(rep->mark);
	rep->mark = gs_calloc(c->n_mark + 1, sizeof(*rep->mark));
	if (c->n_mark > 0)
		memcpy(rep->mark, c->mark, c->n_mark * sizeof(*rep->mark));
	rep->n_mark = c->n_mark;
}

/* What was not found may be missing because it was not recorded. */
static bool note_unasked(struct report *rep, const struct coverage *c,
	const struct view *v, const struct replay_options *o)
{
	struct buf b = BUF_INIT;
	bool r = asked_note(&c->asked, v, &b);

	if (r && render_can(o->format, RENDER_HAS_NOTES))
		report_add_note(rep, buf_str(&b));
	else if (r)
		cli_notice("%s", buf_str(&b));
	buf_release(&b);
	return r;
}

static struct when_env when_of(const struct show_source *src)
{
	return (struct when_env) { .zone = &src->zone,
		.first_ns = src->first_ns, .last_ns = src->last_ns,
		.now_ns = gs_clock_wall_ns() };
}

static void set_title(const struct replay_options *o, struct grid *g)
{
	char span[WHEN_SPAN_MAX];
	struct buf b = BUF_INIT;

	buf_printf(&b, "when %s", o->find);
	when_span(span, o->every_ns);
	if (o->every_ns)
		buf_printf(&b, ", on average of %s", span);
	g->title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	buf_release(&b);
}

static int refine(const struct replay_options *o,
	const struct show_source *src, struct grid *g, struct gs_err *err)
{
	struct when_env when = when_of(src);
	struct filter *f = o->where ? filter_new(o->where, g, &when, err)
	                            : NULL;
	int r = GS_OK;

	if (o->where && !f) {
		gs_err_prefix(err, "--where");
		return GS_E_USAGE;
	}
	if (f)
		filter_grid(f, g);
	filter_free(f);
	r = sort_grid(g, o->sort ? o->sort : "+start", err);
	if (r == GS_OK)
		grid_limit(g, (size_t)o->limit);
	if (r == GS_OK && o->columns)
		r = grid_choose(g, o->columns, err);
	return r;
}

static int print(const struct replay_options *o,
	const struct show_source *src, struct printer *out,
	const struct report *rep, struct grid *g, struct gs_err *err)
{
	int r = refine(o, src, g, err);

	g->from_ns = rep->from_ns;
	g->to_ns = rep->to_ns;
	g->covered_s = rep->covered_s;
	set_title(o, g);
	if (r == GS_OK && output_begin(out, rep) && output_grid(out, g))
		(void)output_end(out); /* cli_finish() reports it */
	return r;
}

static int open_find(const struct replay_options *o,
	const struct show_source *src, struct ask **ret_ask,
	struct find **ret, struct gs_err *err)
{
	struct when_env when = when_of(src);
	struct ask_words words;
	const char *view = strcmp(o->view, "overview") != 0 ? o->view
	    : o->group_by ? "sessions" : NULL;
	int r = GS_OK;

	if (view && !view_find(view)) /* for its message */
		r = ask_new(&(struct ask_words) { .view = view }, ret_ask,
		    err);
	if (r == GS_OK)
		r = find_view(o->find, view, &view, err);
	if (r == GS_OK) {
		show_words(o, &words);
		words.view = view;
		words.where = words.sort = words.columns = NULL;
		r = ask_new(&words, ret_ask, err);
	}
	if (r == GS_OK)
		r = find_new(o->find, ask_view(*ret_ask),
		    ask_of_view(*ret_ask), &when, ret, err);
	if (r < 0)
		gs_err_prefix(err, "--find");
	return r;
}

int show_find(const struct replay_options *o, const struct show_source *src,
	struct printer *out, const struct range *r, struct show_result *ret,
	size_t *ret_found, struct gs_err *err)
{
	struct range steps = { r->from_ns, r->to_ns,
		o->every_ns ? o->every_ns : RANGE_EACH_TICK };
	struct coverage c = { .find = NULL };
	struct range_result res = { 0 };
	struct report rep = { .n_file = 0 };
	struct ask *ask = NULL;
	struct grid *g = NULL;
	struct engine e;
	int status;

	*ret = (struct show_result) { 0 };
	engine_init(&e, src->interval_ns);
	status = open_find(o, src, &ask, &c.find, err);
	if (status < 0)
		goto out;
	find_open(c.find, &e);
	status = range_run(&steps, src->cursor, &e, take, &c, &res, err);
	if (status < 0)
		goto out;
	ret->any = res.any;
	ret->n_holes = res.n_holes;
	g = find_grid(c.find);
	*ret_found = g->n_total;
	if (!res.any)
		goto out;
	src->head(src->ctx, &rep);
	report_fill(&rep, &e, &steps, src->last_ns, &src->zone);
	fill_report(&rep, &c);
	fill_covers(&rep, &c, &e);
	ret->unrecorded = note_unasked(&rep, &c, ask_view(ask), o);
	status = print(o, src, out, &rep, g, err);
out:
	report_release(&rep);
	grid_free(g);
	find_free(c.find);
	ask_free(ask);
	engine_release(&e);
	release(&c);
	return status;
}
