/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/when.h"
#include "base/zone.h"
#include "query/series.h"
#include "view/coverage.h"
#include "view/report.h"

/* Steps of a range for which none are asked for: at most. */
#define STEPS_MAX 60

struct pass {
	const struct show_series *o;
	struct ask *ask;
	struct view_ask of_view;
	struct view_use *use;
	struct series *series;
	struct coverage coverage;
	struct when_env when;
	int64_t step_ns;
	bool each_tick;
	bool any; /* a step was added */
	bool seen; /* what was asked for by name */
	char *unseen;
	int status;
	struct gs_err *err;
};

/* ---- steps ---------------------------------------------------------------- */

/* Round lengths, in seconds. */
static const int64_t nice[] = { 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600,
	900, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 2 * 86400,
	7 * 86400, 14 * 86400, 28 * 86400 };

/* Whole intervals. */
static int64_t usual_step(int64_t length_ns, int64_t interval_ns, int64_t most)
{
	int64_t ns = 0;
	size_t i;

	for (i = 0; i < GS_LEN(nice); i++) {
		ns = nice[i] * GS_NSEC_PER_SEC;
		if (ns >= interval_ns && ns % interval_ns == 0 &&
		    length_ns / ns < most)
			return ns;
	}
	ns = GS_MAX(length_ns / most, interval_ns);
	return (ns + interval_ns - 1) / interval_ns * interval_ns;
}

/* As many as lines have signs. */
static int64_t most_steps(const struct show_series *o)
{
	size_t n_metric = 1;
	const char *p;

	for (p = o->metrics; *p; p++)
		n_metric += *p == ',';
	return !o->lines ? STEPS_MAX : GS_MIN(STEPS_MAX,
	    (int64_t)series_signs(o->width, n_metric));
}

static int choose_step(const struct show_series *o, struct range *r,
	struct gs_err *err)
{
	const struct show_source *src = o->source;
	int64_t from = GS_MAX(r->from_ns, src->first_ns);
	int64_t to = GS_MIN(r->to_ns, src->last_ns);
	int64_t interval_ns = GS_MAX(src->interval_ns, INT64_C(1));

	if (r->every_ns != 0)
		return GS_OK;
	if (src->is_pipe)
		return gs_fail(err, GS_E_USAGE, "--series of a pipe, whose "
		    "length is not known: expected --every STEP or --ticks");
	r->every_ns = usual_step(GS_MAX(to - from, INT64_C(0)), interval_ns,
	    most_steps(o));
	if (r->every_ns <= interval_ns)
		r->every_ns = RANGE_EACH_TICK;
	return GS_OK;
}

/* ---- the pass ------------------------------------------------------------- */

/* The table of a step that is followed by a hole covers the hole, too: the steps
 * in it have none. */
static int add_gaps(struct pass *p, const struct engine *e)
{
	int64_t interval = GS_MAX(e->interval_ns, INT64_C(1));
	int64_t to = tick_instant(e->to_ns, engine_pace(e));
	int64_t at = tick_instant(e->from_ns, engine_pace(e));
	int status = GS_OK;

	if (p->each_tick)
		to = e->to_ns - interval / 2; /* it may have come late */
	else
		at -= at % p->step_ns;
	for (at += p->step_ns; at < to && status == GS_OK; at += p->step_ns)
		status = series_gap(p->series, at, p->err);
	return status;
}

static void note_unseen(struct pass *p, const struct engine *e,
	struct grid *g)
{
	ask_note_server(p->ask, e, g);
	ask_note_session(p->ask, e, g);
	p->seen = p->seen || !g->unseen;
	free(p->unseen);
	p->unseen = p->seen ? NULL : gs_strdup(g->unseen);
}

/* The last tick of a recorder that was interrupted has an event only: it is no
 * step of its own. */
static bool is_bare(const struct pass *p, const struct engine *e)
{
	return (e->n_hole == 0 && e->n_ticks == 0) ||
	    (p->any && engine_is_bare(e));
}

static int add_table(void *ctx, const struct engine *e)
{
	struct pass *p = ctx;
	struct grid *g;

	coverage_add(&p->coverage, e);
	if (is_bare(p, e))
		return 0;
	p->any = true;
	g = view_grid(p->use, e);
	p->status = series_step(p->series, g, p->err);
	if (p->status < 0)
		gs_err_prefix(p->err, "--series");
	else
		p->status = ask_keep(p->ask, g, &p->when, p->err);
	if (p->status == GS_OK) {
		series_keep(p->series, g);
		note_unseen(p, e, g);
		p->status = add_gaps(p, e);
	}
	grid_free(g);
	return p->status == GS_OK ? 0 : 1;
}

/* ---- the table ------------------------------------------------------------ */

static void add_notes(struct report *rep, const struct pass *p,
	struct show_result *ret)
{
	const struct asked *asked = &p->coverage.asked;
	const struct view *v = ask_view(p->ask);
	const struct show_series *o = p->o;
	struct buf b = BUF_INIT;

	ret->unrecorded = asked_note(asked, v, &b);
	if (b.len == 0)
		(void)asked_rare_notes(asked, v, &b); /* its text tells */
	if (b.len > 0 && o->has_notes)
		report_add_note(rep, buf_str(&b));
	else if (b.len > 0)
		o->out->note(o->out->ctx, buf_str(&b));
	buf_release(&b);
}

static void print(struct pass *p, const struct engine *e,
	const struct range *r, struct show_result *ret)
{
	const struct show_series *o = p->o;
	const struct show_output *out = o->out;
	struct report rep = { .n_file = 0 };
	char span[WHEN_SPAN_MAX];
	struct series_look look = { .limit = o->words.limit,
		.width = o->width, .signs = o->signs, .utf8 = o->utf8,
		.span = span };
	struct grid *g;

	coverage_report(&p->coverage, o->source, r, e, &rep);
	add_notes(&rep, p, ret);
	when_span(span, p->step_ns);
	look.dated = !zone_same_date(&o->source->zone, rep.from_ns, rep.to_ns);
	g = o->lines ? series_lines(p->series, &look)
	             : series_table(p->series, &look);
	g->from_ns = rep.from_ns;
	g->to_ns = rep.to_ns;
	g->covered_s = rep.covered_s;
	if (out->begin(out->ctx, &rep) && out->grid(out->ctx, g))
		(void)out->end(out->ctx); /* it reports a failure */
	grid_free(g);
	report_release(&rep);
}

/* Names that are no columns may be metrics: each is asked for in addition. */
static void add_wanted(const char *metrics, struct buf *to)
{
	struct span rest = span_str(metrics), name;

	while (grid_next_name(&rest, &name)) {
		buf_printf(to, "%s+", to->len ? "," : "");
		buf_add(to, name.ptr, span_len(name));
	}
}

/* Groups of the overview are those of sessions. */
static int check(const struct show_series *o, struct gs_err *err)
{
	const struct view *v = view_find(o->words.view);
	bool grouped = o->words.group_by != NULL;

	if (v && ((view_is_overview(v) && !grouped) || view_is_page(v)))
		return gs_fail(err, GS_E_USAGE, "--series needs a view that is "
		    "one table: -V hosts, -V sessions, ..., not %s",
		    view_name(v));
	if (o->words.nested)
		return gs_fail(err, GS_E_USAGE, "--series and --nested: "
		    "expected only one of them");
	return GS_OK;
}

static int run(struct pass *p, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	const struct show_source *src = p->o->source;
	const struct view *v = ask_view(p->ask);
	struct series_ask ask = { .metrics = p->o->metrics,
		.view = view_name(v), .n_key = p->of_view.n_key,
		.fixed = view_is_fixed(v) };
	struct range_result res = { .any = false };
	struct engine e;
	int status;

	engine_init(&e, src->interval_ns);
	e.leaps = src->leaps && ask_leaps(p->ask);
	p->series = series_new(&ask);
	p->use = view_open(v, &e, &p->of_view);
	p->each_tick = r->every_ns == RANGE_EACH_TICK;
	p->step_ns = p->each_tick ? GS_MAX(src->interval_ns, INT64_C(1))
	                          : r->every_ns;
	status = range_run(r, src->cursor, &e, add_table, p, &res, err);
	status = status < 0 ? status : p->status;
	ret->any = res.any;
	ret->hole = res.hole;
	ret->n_holes = res.n_holes;
	if (status == GS_OK && res.any)
		print(p, &e, r, ret);
	view_close(p->use);
	series_free(p->series);
	engine_release(&e);
	return status;
}

int show_series(const struct show_series *o, const struct range *r,
	struct show_result *ret, char **ret_unseen, struct gs_err *err)
{
	const struct show_source *src = o->source;
	struct range steps = *r;
	struct ask_words words = o->words;
	struct pass p = { .o = o, .err = err,
		.when = { .zone = &src->zone, .first_ns = src->first_ns,
		    .last_ns = src->last_ns, .now_ns = gs_clock_wall_ns() } };
	struct buf wanted = BUF_INIT;
	int status = check(o, err);

	*ret = (struct show_result) { .any = false };
	add_wanted(o->metrics, &wanted);
	words.columns = buf_str(&wanted);
	words.rates = true;
	words.zone = &src->zone;
	if (status == GS_OK)
		status = choose_step(o, &steps, err);
	if (status == GS_OK)
		status = ask_new(&words, &p.ask, err);
	if (status == GS_OK) {
		p.of_view = *ask_of_view(p.ask);
		p.of_view.most = 0; /* any row may be shown */
		status = run(&p, &steps, ret, err);
	}
	*ret_unseen = p.unseen;
	coverage_release(&p.coverage);
	ask_free(p.ask);
	buf_release(&wanted);
	return status;
}
