/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "query/filter.h"
#include "query/sort.h"
#include "view/asked.h"
#include "view/find.h"
#include "view/report.h"

/* What all tables of the run cover together. */
struct coverage {
	struct find *find;
	int64_t from_ns, to_ns;
	int64_t covered_ns;
	int64_t *host_ns; /* of each host, by index */
	size_t host_cap;
	size_t n_ticks, n_tables;
	struct report all; /* its holes and marks */
	size_t hole_cap, mark_cap;
	struct asked asked;
};

/* Limit of earlier holes to compare with. */
#define HOLES_BACK ((size_t)4096)

/* A hole is in each table that it touches, whole or in part: it counts once. */
static struct report_hole *same_hole(const struct coverage *c,
	const char *why, int64_t from_ns)
{
	size_t i, n = GS_MIN(c->all.n_hole, HOLES_BACK);

	for (i = 0; i < n; i++) {
		struct report_hole *h = &c->all.hole[c->all.n_hole - 1 - i];

		if (from_ns <= h->to_ns && strcmp(h->why, why) == 0)
			return h;
	}
	return NULL;
}

static void add_holes(struct coverage *c, const struct engine *e)
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
		GS_GROW(c->all.hole, &c->hole_cap, c->all.n_hole + 1);
		c->all.hole[c->all.n_hole++] = (struct report_hole) { from,
			h->to_ns == INT64_MAX ? e->to_ns : h->to_ns,
			gs_strdup(h->why) };
	}
}

static void add_covered(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		size_t old = c->host_cap;

		GS_GROW(c->host_ns, &c->host_cap, (size_t)h->index + 1);
		memset(c->host_ns + old, 0,
		    (c->host_cap - old) * sizeof(*c->host_ns));
		c->host_ns[h->index] = gs_sum(c->host_ns[h->index],
		    rollup_covered_ns(grouping_rollup(e->grouping[0]), h));
	}
}

static void add_marks(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_event; i++) {
		if (e->event[i].kind != EVENT_MARK)
			continue;
		GS_GROW(c->all.mark, &c->mark_cap, c->all.n_mark + 1);
		c->all.mark[c->all.n_mark++] = (struct report_mark) {
			e->event[i].wall_ns, gs_strdup(e->event[i].text) };
	}
}

static int add_table(void *ctx, const struct engine *e)
{
	struct coverage *c = ctx;

	if (c->n_tables++ == 0)
		c->from_ns = e->from_ns;
	c->to_ns = e->to_ns;
	c->covered_ns = gs_sum(c->covered_ns, e->skipped ? e->skipped_ns
	                                                 : engine_covered_ns(e));
	c->n_ticks += e->n_ticks;
	add_covered(c, e);
	add_holes(c, e);
	add_marks(c, e);
	asked_add(&c->asked, e);
	find_take(c->find, e);
	return 0;
}

/* Of all tables together. */
static void fill_covers(struct report *rep, const struct coverage *c,
	const struct engine *e)
{
	size_t i;

	report_drop_covers(rep);
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		int64_t ns = h->index < c->host_cap ? c->host_ns[h->index] : 0;
		double s = (double)ns / 1e9;

		if (engine_is_less(e, h,
		    (double)gs_difference(c->covered_ns, ns) / 1e9))
			rep->cover[rep->n_cover++] = (struct report_cover) {
				gs_strdup(h->name ? h->name : "?"), s,
				presence_was_there(e->presence, h) };
	}
}

/* The head covers the whole range. */
static void fill_report(struct report *rep, struct coverage *c)
{
	struct report all = c->all;

	c->all = (struct report) { .hole = rep->hole, .n_hole = rep->n_hole,
		.mark = rep->mark, .n_mark = rep->n_mark };
	rep->hole = all.hole;
	rep->n_hole = all.n_hole;
	rep->mark = all.mark;
	rep->n_mark = all.n_mark;
	rep->from_ns = c->from_ns;
	rep->to_ns = c->to_ns;
	rep->covered_s = (double)c->covered_ns / 1e9;
	rep->elapsed_s = (double)(c->to_ns - c->from_ns) / 1e9;
	rep->n_ticks = c->n_ticks;
	rep->every_ns = 0;
}

static void note(struct report *rep, const struct show_find *o,
	const char *text)
{
	if (o->has_notes)
		report_add_note(rep, text);
	else
		o->out->note(o->out->ctx, text);
}

/* What was not found may be missing because it was not recorded. */
static bool note_unasked(struct report *rep, const struct coverage *c,
	const struct view *v, const struct show_find *o)
{
	struct buf b = BUF_INIT;
	bool r = asked_note(&c->asked, v, &b);

	if (r)
		note(rep, o, buf_str(&b));
	buf_release(&b);
	return r;
}

static void note_hosts(struct report *rep, const struct find *f,
	const struct engine *e, const struct show_find *o)
{
	struct buf b = BUF_INIT;

	if (find_note_hosts(f, e->world, &b))
		note(rep, o, buf_str(&b));
	buf_release(&b);
}

static struct when_env when_of(const struct show_source *src)
{
	return (struct when_env) { .zone = &src->zone,
		.first_ns = src->first_ns, .last_ns = src->last_ns,
		.now_ns = gs_clock_wall_ns() };
}

static void set_title(const struct show_find *o, int64_t every_ns,
	struct grid *g)
{
	char span[WHEN_SPAN_MAX];
	struct buf b = BUF_INIT;

	buf_printf(&b, "when %s", o->expression);
	when_span(span, every_ns);
	if (every_ns > 0)
		buf_printf(&b, ", on average of %s", span);
	g->title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	buf_release(&b);
}

static int refine(const struct show_find *o, struct grid *g,
	struct gs_err *err)
{
	const struct ask_words *words = &o->words;
	struct when_env when = when_of(o->source);
	struct filter *f = words->where
	    ? filter_new(words->where, g, &when, err) : NULL;
	int r = GS_OK;

	if (words->where && !f) {
		gs_err_prefix(err, "--where");
		return GS_E_USAGE;
	}
	if (f)
		filter_grid(f, g);
	filter_free(f);
	r = sort_grid(g, words->sort ? words->sort : "+start", err);
	if (r == GS_OK)
		grid_limit(g, words->limit);
	if (r == GS_OK && words->columns)
		r = grid_choose(g, words->columns, err);
	return r;
}

static int print(const struct show_find *o, int64_t every_ns,
	const struct report *rep, struct grid *g, struct gs_err *err)
{
	const struct show_output *out = o->out;
	int r = refine(o, g, err);

	g->from_ns = rep->from_ns;
	g->to_ns = rep->to_ns;
	g->covered_s = rep->covered_s;
	set_title(o, every_ns, g);
	if (r == GS_OK && out->begin(out->ctx, rep) && out->grid(out->ctx, g))
		(void)out->end(out->ctx); /* it reports a failure */
	return r;
}

static int open_find(const struct show_find *o, struct ask **ret_ask,
	struct find **ret, struct gs_err *err)
{
	struct when_env when = when_of(o->source);
	struct ask_words words = o->words;
	const char *view = strcmp(words.view, "overview") != 0 ? words.view
	    : words.group_by ? "sessions" : NULL;
	int r = GS_OK;

	if (view && !view_find(view)) /* for its message */
		r = ask_new(&(struct ask_words) { .view = view }, ret_ask,
		    err);
	if (r == GS_OK)
		r = find_view(o->expression, view, &view, err);
	if (r == GS_OK) {
		words.view = view;
		words.where = words.sort = words.columns = NULL;
		r = ask_new(&words, ret_ask, err);
	}
	if (r == GS_OK)
		r = find_new(o->expression, ask_view(*ret_ask),
		    ask_of_view(*ret_ask), &when, ret, err);
	if (r < 0)
		gs_err_prefix(err, "--find");
	return r;
}

int show_find(const struct show_find *o, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err)
{
	const struct show_source *src = o->source;
	struct range steps = { r->from_ns, r->to_ns,
		r->every_ns ? r->every_ns : RANGE_EACH_TICK };
	struct coverage c = { .find = NULL };
	struct range_result res = { 0 };
	struct report rep = { .n_file = 0 };
	struct ask *ask = NULL;
	struct grid *g = NULL;
	struct engine e;
	int status;

	*ret = (struct show_result) { 0 };
	engine_init(&e, src->interval_ns);
	status = open_find(o, &ask, &c.find, err);
	if (status < 0)
		goto out;
	e.leaps = src->leaps && ask_leaps(ask);
	find_open(c.find, &e, e.leaps && steps.every_ns == RANGE_EACH_TICK);
	status = range_run(&steps, src->cursor, &e, add_table, &c, &res, err);
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
	note_hosts(&rep, c.find, &e, o);
	status = print(o, r->every_ns, &rep, g, err);
out:
	report_release(&rep);
	grid_free(g);
	find_free(c.find);
	ask_free(ask);
	engine_release(&e);
	report_release(&c.all);
	free(c.host_ns);
	asked_release(&c.asked);
	return status;
}
