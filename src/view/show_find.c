/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "query/filter.h"
#include "query/sort.h"
#include "view/asked.h"
#include "view/coverage.h"
#include "view/find.h"
#include "view/report.h"

struct finding {
	struct find *find;
	struct coverage coverage;
	bool each_tick;
};

static int add_table(void *ctx, const struct engine *e)
{
	struct finding *f = ctx;

	coverage_add(&f->coverage, e);
	if (!f->each_tick || !engine_is_bare(e) || e->skipped)
		find_take(f->find, e);
	return 0;
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

	if (b.len > 0)
		note(rep, o, buf_str(&b));
	buf_reset(&b);
	if (asked_rare_notes(&c->asked, v, &b))
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

static int find_and_print(const struct show_find *o, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err)
{
	const struct show_source *src = o->source;
	struct range steps = { r->from_ns, r->to_ns,
		r->every_ns ? r->every_ns : RANGE_EACH_TICK };
	struct finding f = { .each_tick = steps.every_ns == RANGE_EACH_TICK };
	struct range_result res = { 0 };
	struct report rep = { .n_file = 0 };
	struct ask *ask = NULL;
	struct grid *g = NULL;
	struct engine e;
	int status;

	*ret = (struct show_result) { 0 };
	engine_init(&e, src->interval_ns);
	status = open_find(o, &ask, &f.find, err);
	if (status < 0)
		goto out;
	e.leaps = src->leaps && ask_leaps(ask);
	e.gists = src->leaps && find_takes_gists(f.find);
	find_open(f.find, &e, src->leaps && f.each_tick);
	status = range_run(&steps, src->cursor, &e, add_table, &f, &res, err);
	if (status < 0)
		goto out;
	ret->any = res.any;
	ret->hole = res.hole;
	ret->n_holes = res.n_holes;
	g = find_grid(f.find);
	*ret_found = g->n_total;
	if (!res.any)
		goto out;
	coverage_report(&f.coverage, src, &steps, &e, &rep);
	ret->unrecorded = note_unasked(&rep, &f.coverage, ask_view(ask), o);
	note_hosts(&rep, f.find, &e, o);
	status = print(o, r->every_ns, &rep, g, err);
out:
	report_release(&rep);
	grid_free(g);
	find_free(f.find);
	ask_free(ask);
	engine_release(&e);
	coverage_release(&f.coverage);
	return status;
}

int show_find(const struct show_find *o, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err)
{
	int status;

	do /* nothing is printed before all is read */
		status = find_and_print(o, r, ret, ret_found, err);
	while (status == GS_E_AGAIN);
	return status;
}
