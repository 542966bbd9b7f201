/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/when.h"
#include "cli/show_baseline.h"
#include "cli/start.h"
#include "model/walk.h"
#include "view/ask.h"
#include "view/asked.h"
#include "view/overview.h"
#include "view/report.h"

struct show {
	const struct replay_options *o;
	const struct show_source *src;
	struct printer *out;
	struct ask *ask;
	struct baseline baseline;
	struct report report;
	bool begun; /* the output */
	bool stopped; /* the output failed */
	int64_t n_shown; /* tables */
	bool done; /* as many as were asked for, or it is over */
	/* of the current pass through a range */
	struct range range;
	struct engine engine;
	struct range_run *run;
	struct range_result ran;
	bool streams; /* each table is on its own */
	struct view_use *use;
	struct overview *overview;
	size_t window; /* number of the current one */
	char *unseen; /* asked for, and in no table so far */
	bool seen; /* it was in one */
	int refused; /* status of a table that failed */
	struct asked asked; /* of all tables so far */
	bool told_unasked; /* the output says what was not recorded */
	struct gs_err *err;
};

void show_words(const struct replay_options *o, struct ask_words *ret)
{
	*ret = (struct ask_words) { .view = o->view, .group_by = o->group_by,
		.ema = o->ema, .where = o->where, .session = o->session,
		.server = o->server,
		.sort = o->sort, .columns = o->columns,
		.compared = o->baseline != NULL,
		.limit = (size_t)o->limit,
		.wait = { .classes = o->class, .event = o->event,
		    .query_id = o->query_id, .pid = (int)o->pid,
		    .metric = o->metric,
		    .min_percent = o->min_percent,
		    .top = (unsigned)o->top } };
}

static bool has_events(const struct view *v)
{
	return view_is_of_waits(v) || strcmp(view_name(v), "active") == 0;
}

static int make_ask(const struct replay_options *o, struct ask **ret,
	struct gs_err *err)
{
	struct ask_words words;
	int r;

	show_words(o, &words);
	r = ask_new(&words, ret, err);
	if (r == GS_OK && o->no_header &&
	    !render_can(o->format, RENDER_HAS_HEADINGS))
		r = gs_fail(err, GS_E_USAGE, "--no-header goes with -f text "
		    "and -f csv");
	if (r == GS_OK && view_is_overview(ask_view(*ret)) &&
	    render_can(o->format, RENDER_ONE_INSTANT))
		r = gs_fail(err, GS_E_USAGE, "-f openmetrics needs a "
		    "view: -V sessions, -V hosts, ...");
	if (r == GS_OK && (o->event || o->class) && !has_events(ask_view(*ret)))
		r = gs_fail(err, GS_E_USAGE, "--event and --class are of "
		    "waits: expected -V waits, -V system_event, -V active, "
		    "..., not %s", view_name(ask_view(*ret)));
	if (r == GS_OK && strcmp(o->view, "histogram") == 0 && !o->event &&
	    !o->class && !o->metric)
		r = gs_fail(err, GS_E_USAGE, "a histogram is of an event's "
		    "waits or of a column of processes: expected "
		    "--event EVENT, --class CLASS or --metric COLUMN");
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
	r = make_ask(o, &s->ask, err);
	if (r < 0) {
		show_free(s);
		return r;
	}
	if (o->no_header)
		output_no_header(out);
	*ret = s;
	return GS_OK;
}

bool show_is_overview(const struct show *s)
{
	return view_is_overview(ask_view(s->ask));
}

/* ---- tables ---------------------------------------------------------- */

static void look_for(struct show *s, const struct grid *g)
{
	s->seen = s->seen || !g->unseen;
	free(s->unseen);
	s->unseen = s->seen ? NULL : gs_strdup(g->unseen);
}

const char *show_unseen(const struct show *s)
{
	return s->unseen;
}

static bool show_grid(void *ctx, struct grid *g)
{
	struct show *s = ctx;

	look_for(s, g);
	if (!s->begun)
		s->stopped = !output_begin(s->out, &s->report);
	s->begun = true;
	s->stopped = s->stopped || !output_grid(s->out, g);
	return !s->stopped;
}

void show_again(struct show *s)
{
	if (!s->out->redraws || !s->begun)
		return;
	output_again(s->out);
	s->begun = false;
}

/* Fewer samples: fewer digits. */
static void note_intervals(struct report *rep)
{
	char was[WHEN_SPAN_MAX], now[WHEN_SPAN_MAX], text[160];

	if (!rep->baseline || rep->baseline->interval_ns == rep->interval_ns)
		return;
	when_span(was, rep->baseline->interval_ns);
	when_span(now, rep->interval_ns);
	(void)snprintf(text, sizeof(text), "ticks are every %s, those of the "
	    "baseline every %s: what comes and goes between them was seen "
	    "differently", now, was); /* fits */
	report_add_note(rep, text);
}

/* What was asked for may be missing because it was not recorded. */
static void note_unasked(struct show *s, const struct engine *e)
{
	struct asked now = { .n = 0 };
	struct buf b = BUF_INIT;

	asked_add(&now, e);
	asked_add(&s->asked, e);
	if (asked_note(&now, ask_view(s->ask), &b)) {
		report_add_note(&s->report, buf_str(&b));
		s->told_unasked |= !s->begun ||
		    render_can(s->o->format, RENDER_NOTES_EACH);
	}
	buf_release(&b);
	asked_release(&now);
}

static void fill_report(struct show *s, const struct engine *e)
{
	const struct show_source *src = s->src;
	const struct range *r = &s->range;

	report_release(&s->report);
	src->head(src->ctx, &s->report);
	report_fill(&s->report, e, r, src->last_ns, &src->zone);
	s->report.baseline = s->baseline.grid ? &s->baseline.report : NULL;
	note_intervals(&s->report);
	note_unasked(s, e);
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

/* Time of a window before the first tick. */
static int64_t missing_of(const struct show *s, int64_t window_ns,
	int64_t to_ns)
{
	int64_t missing_ns = s->src->first_ns - (to_ns - window_ns);

	return missing_ns > s->src->interval_ns ? missing_ns : 0;
}

/* "last 5m, of which 62s have passed" */
static void add_window(const struct show *s, struct buf *to,
	int64_t window_ns, int64_t to_ns)
{
	char span[WHEN_SPAN_MAX];

	when_span(span, window_ns);
	buf_printf(to, "last %s", span);
	if (missing_of(s, window_ns, to_ns) > 0)
		buf_printf(to, ", of which %.0fs have passed",
		    (double)(to_ns - s->src->first_ns) / 1e9);
}

static void set_title(struct grid *g, struct buf *text)
{
	if (g->title)
		buf_printf(text, "%s%s", text->len > 0 ? "; " : "",
		    g->title);
	g->title = grid_text(g, buf_str(text), text->len + 1).ptr;
	buf_release(text);
}

/* A window that began before the first tick has no figures yet. */
static void mark_window(const struct show *s, struct grid *g)
{
	int64_t window_ns = s->o->window[s->window];
	struct buf text = BUF_INIT;

	add_window(s, &text, window_ns, g->to_ns);
	g->window_s = (double)window_ns / 1e9;
	if (missing_of(s, window_ns, g->to_ns) > 0) {
		g->n_row = 0;
		g->title = NULL;
	}
	set_title(g, &text);
}

static int refine(struct show *s, struct grid *g)
{
	const struct show_source *src = s->src;
	struct when_env when = { .zone = &src->zone,
		.first_ns = src->first_ns, .last_ns = src->last_ns,
		.now_ns = gs_clock_wall_ns() };

	return ask_refine(s->ask, g, &when, s->err);
}

/* The current table, beside that of the baseline if there is one. */
static int make_table(struct show *s, const struct engine *e,
	struct grid **ret)
{
	struct grid *now = view_grid(s->use, e);
	int r;

	if (!s->baseline.grid) {
		*ret = now;
		return GS_OK;
	}
	r = baseline_compare(&s->baseline, s->ask, now, ret, s->err);
	grid_free(now);
	return r;
}

static int emit_view(struct show *s, const struct engine *e)
{
	struct grid *g = render_can(s->o->format, RENDER_FOR_PEOPLE)
	    ? view_head(s->use, e) : NULL;
	int r;

	if (g && !show_grid(s, g)) {
		grid_free(g);
		return 1;
	}
	grid_free(g);
	g = NULL;
	r = make_table(s, e, &g);
	if (r == GS_OK)
		r = refine(s, g);
	s->refused = r;
	if (r == GS_OK)
		ask_note_server(s->ask, e, g);
	if (s->o->n_window > 0)
		mark_window(s, g);
	if (r == GS_OK && !show_grid(s, g))
		r = 1;
	grid_free(g);
	return r;
}

/* Counts a table; true if that is enough. */
static bool count_table(struct show *s)
{
	s->n_shown++;
	s->done = s->done || s->n_shown == s->o->count ||
	    (s->src->is_over && s->src->is_over(s->src->ctx));
	return s->done;
}

static int emit(void *ctx, const struct engine *e)
{
	struct show *s = ctx;
	int r;

	if (s->done)
		return 1;
	if (s->streams)
		show_again(s);
	fill_report(s, e);
	if (s->overview) {
		report_add_database(&s->report, e);
		r = overview_show(s->overview, e, show_grid, s) ? 0 : 1;
	} else {
		r = emit_view(s, e);
	}
	if (s->o->n_window > 0 && s->window + 1 < s->o->n_window)
		return r; /* those of one instant count as one */
	return r == GS_OK && count_table(s) ? 1 : r;
}

/* Length of the range, if known before it is read; 0: unknown. */
static int64_t range_length(const struct show *s, const struct range *r)
{
	const struct show_source *src = s->src;
	int64_t from = GS_MAX(r->from_ns,
	    tick_nominal(src->first_ns, src->interval_ns));
	int64_t to = GS_MIN(r->to_ns,
	    tick_nominal(src->last_ns, src->interval_ns));

	if (s->src->is_pipe)
		return 0;
	return r->every_ns > 0 ? r->every_ns : GS_MAX(to - from, 0);
}

static void enter(struct show *s, const struct range *r, struct gs_err *err)
{
	engine_init(&s->engine, s->src->interval_ns);
	s->range = *r;
	s->err = err;
	s->refused = GS_OK;
	if (view_is_overview(ask_view(s->ask)))
		s->overview = overview_open(&s->engine, range_length(s, r));
	else
		s->use = view_open(ask_view(s->ask), &s->engine,
		    ask_of_view(s->ask));
	s->run = range_open(&s->range, s->src->cursor, &s->engine, emit, s,
	    &s->ran);
}

static bool is_unrecorded(const struct show *s)
{
	struct buf b = BUF_INIT;
	bool r = asked_note(&s->asked, ask_view(s->ask), &b);

	buf_release(&b);
	return r;
}

static void leave(struct show *s, struct show_result *ret)
{
	range_close(s->run);
	s->run = NULL;
	ret->any |= s->ran.any;
	ret->n_holes += s->ran.n_holes;
	ret->unrecorded = is_unrecorded(s);
	ret->stopped = s->stopped || s->done;
	view_close(s->use);
	overview_close(s->overview);
	s->use = NULL;
	s->overview = NULL;
	/* texts of hosts and holes are the engine's: they were written */
	report_release(&s->report);
	engine_release(&s->engine);
}

/* One pass through a range. */
static int run(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	int status;

	enter(s, r, err);
	status = range_go(s->run, err);
	if (status >= 0)
		range_end(s->run);
	status = GS_MIN(status, s->refused);
	leave(s, ret);
	return status;
}

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
		int64_t ns = s->o->window[i];

		w[i] = (struct view_window) { pass[i].use, &pass[i].engine,
			ns, missing_of(s, ns, last->to_ns) == 0 };
		if (!w[i].filled)
			add_part(s, &text, ns, last->to_ns);
	}
	fill_report(s, last);
	g = view_grid_beside(w, n);
	set_title(g, &text);
	r = refine(s, g);
	ask_note_server(s->ask, last, g);
	if (r == GS_OK)
		(void)(show_grid(s, g) && count_table(s)); /* s reports it */
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
		r = (struct range) { to_ns - s->o->window[i], to_ns, 0 };
		s->range = r;
		engine_init(&pass[i].engine, s->src->interval_ns);
		pass[i].use = view_open(ask_view(s->ask), &pass[i].engine,
		    ask_of_view(s->ask));
		status = range_run(&r, s->src->cursor, &pass[i].engine,
		    nothing, NULL, &res, err);
	}
	ret->any |= res.any;
	ret->n_holes += res.n_holes;
	if (status == GS_OK && res.any)
		status = show_beside(s, pass, n);
	ret->unrecorded = is_unrecorded(s);
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
	size_t width = s->o->width ? (size_t)s->o->width : cli_width();

	return render_can(s->o->format, RENDER_FOR_PEOPLE) && view_is_beside(
	    ask_view(s->ask), ask_of_view(s->ask), s->o->n_window, width);
}

static int run_windows(struct show *s, int64_t to_ns,
	struct show_result *ret, struct gs_err *err)
{
	int status = GS_OK;

	if (is_beside(s))
		return run_beside(s, to_ns, ret, err);
	for (s->window = 0; s->window < s->o->n_window; s->window++) {
		struct range r = { to_ns - s->o->window[s->window], to_ns, 0 };

		status = run(s, &r, ret, err);
		if (status != GS_OK || ret->stopped)
			break;
	}
	return status;
}

/* ---- where windows end ------------------------------------------------ */

struct ends {
	int64_t *at_ns;
	size_t n, cap;
};

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
	int64_t step_ns = r->every_ns;
	int64_t at_ns = GS_MAX(r->from_ns, s->src->first_ns);

	at_ns -= at_ns % step_ns;
	while (to_ns - at_ns >= step_ns) {
		at_ns += step_ns;
		add_end(ret, at_ns);
	}
	if (ret->n == 0 || to_ns - at_ns >= s->src->interval_ns / 4)
		add_end(ret, to_ns);
}

int show_against(struct show *s, const struct range *r, struct gs_err *err)
{
	return baseline_read(&s->baseline, s->src, s->ask, r, err);
}

int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	int64_t from_ns = GS_MAX(r->from_ns, s->src->first_ns);
	int64_t to_ns = GS_MIN(r->to_ns, s->src->last_ns);
	struct ends ends = { 0 };
	int status = GS_OK;
	size_t i;

	*ret = (struct show_result) { .n_holes = s->baseline.report.n_hole };
	if (s->o->n_window == 0)
		return run(s, r, ret, err);
	if (r->every_ns == RANGE_EACH_TICK)
		status = end_at_ticks(s, from_ns, to_ns, &ends, err);
	else if (r->every_ns > 0 && to_ns > from_ns)
		end_at_steps(s, r, to_ns, &ends);
	else
		add_end(&ends, to_ns);
	for (i = 0; status == GS_OK && !ret->stopped && i < ends.n; i++)
		status = run_windows(s, ends.at_ns[i], ret, err);
	free(ends.at_ns);
	return status;
}

void show_open(struct show *s, const struct range *r)
{
	enter(s, r, NULL);
	s->streams = true;
}

int show_more(struct show *s, struct gs_err *err)
{
	int status;

	s->err = err;
	status = range_go(s->run, err);
	return s->refused < 0 ? s->refused : status;
}

int show_close(struct show *s, struct show_result *ret, struct gs_err *err)
{
	s->err = err;
	range_end(s->run);
	leave(s, ret);
	s->streams = false;
	return s->refused;
}

/* If it is above no table. */
static void say_unasked(const struct show *s)
{
	struct buf b = BUF_INIT;
	bool told = s->told_unasked &&
	    render_can(s->o->format, RENDER_HAS_NOTES);

	if (!told && s->begun && asked_note(&s->asked, ask_view(s->ask), &b))
		cli_notice("%s", buf_str(&b));
	buf_release(&b);
}

/* Notes that the output has no room for go to the standard error. */
static void say_notes(const struct show *s)
{
	struct report rep = { .zone = &s->src->zone };
	size_t i;

	say_unasked(s);
	if (render_can(s->o->format, RENDER_HAS_NOTES))
		return;
	s->src->head(s->src->ctx, &rep);
	for (i = 0; i < rep.n_note; i++)
		cli_notice("%s", rep.note[i]);
	report_release(&rep);
}

void show_end(struct show *s)
{
	if (s->begun && !s->stopped)
		(void)output_end(s->out); /* cli_finish() reports it */
	say_notes(s);
}

void show_free(struct show *s)
{
	if (!s)
		return;
	report_release(&s->report);
	baseline_release(&s->baseline);
	asked_release(&s->asked);
	ask_free(s->ask);
	free(s->unseen);
	free(s);
}
