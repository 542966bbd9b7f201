#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/quant.h"
#include "base/scan.h"
#include "base/when.h"
#include "cli/replay_report.h"
#include "cli/start.h"
#include "view/filter.h"
#include "view/overview.h"
#include "view/sort.h"
#include "view/view.h"

struct show {
	const struct replay_options *o;
	const struct show_source *src;
	struct printer *out;
	const struct view *view;
	struct view_ask ask;
	struct filter *filter;
	struct report report;
	bool begun; /* the output */
	bool stopped; /* the output takes no more */
	/* of the way through a range at hand */
	const struct range *range;
	struct view_use *use;
	struct overview *overview;
	size_t window; /* number of the one that is shown */
	int refused; /* status of a table that could not be made */
	struct gs_err *err;
};

/* ---- what is asked for ----------------------------------------------- */

static int unknown_view(const char *name, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	const char *near = view_near(name);
	size_t i;

	for (i = 0; view_at(i); i++)
		buf_printf(&names, "%s%s", i ? ", " : "", view_at(i));
	if (near)
		(void)gs_fail(err, GS_E_USAGE,
		    "no view %s (did you mean %s?)", name, near);
	else
		(void)gs_fail(err, GS_E_USAGE, "no view %s; there are:\n%s",
		    name, buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}

static int parse_keys(struct show *s, struct gs_err *err)
{
	int r;

	if (!s->o->group_by)
		return GS_OK;
	r = label_parse(s->o->group_by, s->ask.key, &s->ask.n_key, err);
	if (r == GS_OK && !view_can_group(s->view))
		r = gs_fail(err, GS_E_USAGE, "--group-by sums processes: it "
		    "goes with the views sessions, queries and processes, "
		    "not with %s", view_name(s->view));
	if (r == GS_OK && view_groups_by_session_only(s->view) &&
	    (s->ask.n_key != 1 || s->ask.key[0] != LABEL_SESSION))
		r = gs_fail(err, GS_E_USAGE, "%s can be grouped by session "
		    "only", view_name(s->view));
	return r;
}

static int parse_averages(struct show *s, struct gs_err *err)
{
	struct span all = span_str(s->o->ema ? s->o->ema : ""), one;
	char word[32];
	int r = GS_OK;

	while (r == GS_OK && !span_empty(all)) {
		if (!scan_until(&all, ',', &one)) {
			one = all;
			all.ptr = all.end;
		}
		if (s->ask.n_ema == ROLLUP_EMA_MAX)
			return gs_fail(err, GS_E_USAGE, "--ema: expected at "
			    "most %d times", ROLLUP_EMA_MAX);
		(void)snprintf(word, sizeof(word), "%.*s",
		    (int)GS_MIN(span_len(one), sizeof(word) - 1), one.ptr);
		r = quant_duration(word, &s->ask.ema_ns[s->ask.n_ema], err);
		if (r == GS_OK && s->ask.ema_ns[s->ask.n_ema++] == 0)
			r = gs_fail(err, GS_E_USAGE,
			    "\"%s\": expected more than 0", word);
	}
	if (r < 0)
		gs_err_prefix(err, "--ema");
	else if (s->o->ema && !view_has_averages(s->view))
		r = gs_fail(err, GS_E_USAGE, "--ema goes with the views "
		    "sessions, queries, processes, top and hosts, not with %s",
		    view_name(s->view));
	return r;
}

static int check_overview(const struct replay_options *o, struct gs_err *err)
{
	if (o->sort || o->where || o->columns || o->session)
		return gs_fail(err, GS_E_USAGE, "--sort, --where, --session "
		    "and --columns need a view: -V sessions, -V hosts, ...");
	if (o->format == RENDER_OPENMETRICS)
		return gs_fail(err, GS_E_USAGE, "-f openmetrics needs a "
		    "view: -V sessions, -V hosts, ...");
	return GS_OK;
}

static int choose_view(struct show *s, struct gs_err *err)
{
	const struct replay_options *o = s->o;
	int r;

	/* grouping and choosing need a table of their own */
	s->view = view_find(o->group_by && strcmp(o->view, "overview") == 0
	    ? "sessions" : o->view);
	if (!s->view)
		return unknown_view(o->view, err);
	r = parse_keys(s, err);
	if (r == GS_OK)
		r = parse_averages(s, err);
	if (r == GS_OK && view_is_overview(s->view))
		r = check_overview(o, err);
	s->ask.wait = (struct wait_ask) { .classes = o->class,
		.event = o->event, .query_id = o->query_id,
		.pid = (int)o->pid, .min_percent = o->min_percent,
		.top = (unsigned)o->top };
	s->ask.sort = o->sort ? o->sort : o->group_by ? "cpu_seconds"
	    : view_default_sort(s->view);
	/* What a condition may choose must be kept. */
	s->ask.most = o->where || o->session ? 0 : (size_t)o->limit;
	return r;
}

int show_new(const struct replay_options *o, const struct show_source *src,
	struct printer *out, struct show **ret, struct gs_err *err)
{
	struct show *s = gs_calloc(1, sizeof(*s));
	int r;

	s->o = o;
	s->src = src;
	s->out = out;
	r = choose_view(s, err);
	if (r < 0) {
		show_free(s);
		return r;
	}
	*ret = s;
	return GS_OK;
}

/* ---- tables ---------------------------------------------------------- */

static int make_filter(struct show *s, const struct grid *g)
{
	struct when_env when = { .zone = &s->src->zone,
		.first_ns = s->src->first_ns, .last_ns = s->src->last_ns,
		.now_ns = gs_clock_wall_ns() };

	if (!s->o->where || s->filter)
		return GS_OK;
	s->filter = filter_new(s->o->where, g, &when, s->err);
	if (s->filter)
		return GS_OK;
	gs_err_prefix(s->err, "--where");
	return GS_E_USAGE;
}

static bool is_session(const struct cell *c, const char *name)
{
	char text[64];

	if (c->kind == CELL_INT) {
		(void)snprintf(text, sizeof(text), "%lld", (long long)c->i);
		return strcmp(text, name) == 0;
	}
	if (c->kind != CELL_TEXT)
		return false;
	(void)snprintf(text, sizeof(text), "con%.50s", name);
	return span_eq(c->text, name) || span_eq(c->text, text);
}

/* Only the rows of one session: "7", "con7", or the pid of a backend. */
static int keep_session(struct show *s, struct grid *g)
{
	int col = grid_find_col(g, "session", strlen("session"));
	size_t i, kept = 0;

	if (col < 0)
		return gs_fail(s->err, GS_E_USAGE, "--session: %s has no "
		    "sessions", g->name);
	for (i = 0; i < g->n_row; i++) {
		if (is_session(&g->row[i].cell[col], s->o->session))
			g->row[kept++] = g->row[i];
	}
	g->n_row = g->n_total = kept;
	return GS_OK;
}

static int refine(struct show *s, struct grid *g)
{
	const char *sort = s->ask.sort;
	int r = make_filter(s, g);

	if (r == GS_OK && s->o->session)
		r = keep_session(s, g);
	if (r == GS_OK && s->filter)
		filter_grid(s->filter, g);
	if (r == GS_OK && sort[0] != '\0')
		r = sort_grid(g, sort, s->err);
	if (r == GS_OK && !view_is_fixed(s->view))
		grid_limit(g, (size_t)s->o->limit);
	if (r == GS_OK && s->o->columns)
		r = grid_choose(g, s->o->columns, s->err);
	return r;
}

static bool show_grid(void *ctx, struct grid *g)
{
	struct show *s = ctx;

	if (!s->begun)
		s->stopped = !output_begin(s->out, &s->report);
	s->begun = true;
	s->stopped = s->stopped || !output_grid(s->out, g);
	return !s->stopped;
}

static void fill_report(struct show *s, const struct engine *e)
{
	const struct show_source *src = s->src;
	const struct range *r = s->range;

	report_release(&s->report);
	src->head(src->ctx, &s->report);
	report_fill(&s->report, e, r, src->last_ns, &src->zone);
	s->report.window_ns = s->o->window;
	s->report.n_window = s->o->n_window;
	if (s->o->n_window > 0) /* the head is about all of them */
		s->report.from_ns = GS_MAX(src->first_ns, e->to_ns -
		    s->o->window[s->o->n_window - 1]);
	if (r->every_ns && !src->is_pipe && s->o->n_window == 0) {
		/* the head is about all tables */
		s->report.from_ns = GS_MAX(r->from_ns, src->first_ns);
		s->report.to_ns = GS_MIN(r->to_ns, src->last_ns);
	}
}

/* A window that began before there was anything has no figures yet. */
static void mark_window(const struct show *s, struct grid *g)
{
	int64_t window_ns = s->o->window[s->window];
	int64_t missing_ns = s->src->first_ns - (g->to_ns - window_ns);
	char span[WHEN_SPAN_MAX], text[2 * WHEN_SPAN_MAX + 32];

	when_span(span, window_ns);
	(void)snprintf(text, sizeof(text), "last %s", span);
	g->window_s = (double)window_ns / 1e9;
	if (missing_ns > s->src->interval_ns) {
		g->n_row = 0;
		(void)snprintf(text, sizeof(text),
		    "last %s, of which %.0fs have passed", span,
		    (double)(g->to_ns - s->src->first_ns) / 1e9);
	}
	g->title = grid_text(g, text, strlen(text) + 1).ptr;
}

static int emit(void *ctx, const struct engine *e)
{
	struct show *s = ctx;
	struct grid *g;
	int r;

	fill_report(s, e);
	if (s->overview) {
		report_add_database(&s->report, e);
		return overview_show(s->overview, e, show_grid, s) ? 0 : 1;
	}
	g = s->o->format == RENDER_TEXT ? view_head(s->use, e) : NULL;
	if (g && !show_grid(s, g)) {
		grid_free(g);
		return 1;
	}
	grid_free(g);
	g = view_grid(s->use, e);
	r = refine(s, g);
	s->refused = r;
	if (s->o->n_window > 0)
		mark_window(s, g);
	if (r == GS_OK && !show_grid(s, g))
		r = 1;
	grid_free(g);
	return r;
}

/* Of the range, as far as it is known before it is read; 0: not. */
static int64_t range_length(const struct show *s, const struct range *r)
{
	int64_t from = GS_MAX(r->from_ns, s->src->first_ns);
	int64_t to = GS_MIN(r->to_ns, s->src->last_ns);

	if (s->src->is_pipe)
		return 0;
	return r->every_ns > 0 ? r->every_ns : GS_MAX(to - from, 0);
}

/* Once through a range. */
static int run(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	struct range_result res;
	struct engine e;
	int status;

	engine_init(&e, s->src->interval_ns);
	s->range = r;
	s->err = err;
	s->refused = GS_OK;
	if (view_is_overview(s->view))
		s->overview = overview_open(&e, range_length(s, r));
	else
		s->use = view_open(s->view, &e, &s->ask);
	status = range_run(r, s->src->cursor, &e, emit, s, &res, err);
	if (status == GS_OK)
		status = s->refused;
	ret->any |= res.any;
	ret->n_holes += res.n_holes;
	ret->stopped = s->stopped;
	view_close(s->use);
	overview_close(s->overview);
	s->use = NULL;
	s->overview = NULL;
	/* what is said of hosts and holes is the engine's: it was written */
	report_release(&s->report);
	engine_release(&e);
	return status;
}

static int run_windows(struct show *s, int64_t to_ns,
	struct show_result *ret, struct gs_err *err)
{
	int status = GS_OK;

	for (s->window = 0; s->window < s->o->n_window; s->window++) {
		struct range r = { to_ns - s->o->window[s->window], to_ns, 0 };

		status = run(s, &r, ret, err);
		if (status != GS_OK || s->stopped)
			break;
	}
	return status;
}

int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	int64_t from_ns = GS_MAX(r->from_ns, s->src->first_ns);
	int64_t to_ns = GS_MIN(r->to_ns, s->src->last_ns);
	int64_t step_ns = r->every_ns, at_ns;
	int status;

	*ret = (struct show_result) { 0 };
	if (s->o->n_window == 0)
		return run(s, r, ret, err);
	if (step_ns == RANGE_EACH_TICK)
		step_ns = s->src->interval_ns;
	if (step_ns <= 0 || to_ns <= from_ns)
		return run_windows(s, to_ns, ret, err);
	/* windows end at multiples of the step, and at the end */
	at_ns = from_ns - from_ns % step_ns;
	do {
		at_ns = GS_MIN(at_ns + step_ns, to_ns);
		status = run_windows(s, at_ns, ret, err);
	} while (status == GS_OK && !s->stopped && at_ns < to_ns);
	return status;
}

/* What has no place in the output stands beside it. */
static void say_notes(const struct show *s)
{
	struct report rep = { .zone = &s->src->zone };
	size_t i;

	if (s->o->format == RENDER_TEXT || s->o->format == RENDER_JSON)
		return;
	s->src->head(s->src->ctx, &rep);
	for (i = 0; i < rep.n_note; i++)
		cli_notice("%s", rep.note[i]);
	report_release(&rep);
}

void show_end(struct show *s)
{
	if (s->begun && !s->stopped)
		(void)output_end(s->out); /* cli_finish() knows */
	say_notes(s);
}

void show_free(struct show *s)
{
	if (!s)
		return;
	report_release(&s->report);
	filter_free(s->filter);
	free(s);
}
