/*
 * cmd_replay.c - gpsnap replay: tables of recordings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/quant.h"
#include "base/when.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/replay_opts.h"
#include "cli/replay_report.h"
#include "cli/start.h"
#include "view/filter.h"
#include "view/overview.h"
#include "view/sort.h"
#include "view/view.h"

/* All that one replay needs. */
struct work {
	struct replay_options o;
	struct archive *archive;
	int64_t first_ns, last_ns; /* of the recording */
	bool is_pipe;
	struct zone zone;
	struct range range;
	const struct view *view;
	struct view_ask ask;
	struct engine engine;
	struct view_use *use;
	struct overview *overview;
	struct filter *filter;
	struct output output;
	struct report report;
	bool begun; /* the output */
	bool stopped; /* the output takes no more */
	int refused; /* status of a table that could not be made */
	struct gs_err err;
};

static int set_range(struct work *w)
{
	const struct replay_options *o = &w->o;

	w->range = (struct range) { INT64_MIN, INT64_MAX,
		o->ticks ? RANGE_EACH_TICK : o->every_ns };
	w->is_pipe = !archive_range(w->archive, &w->first_ns, &w->last_ns);
	if (w->is_pipe) {
		if ((o->from && o->from[0] == '-') ||
		    (o->to && o->to[0] == '-'))
			return gs_fail(&w->err, GS_E_USAGE, "the end of a "
			    "pipe is not known before it comes: a time "
			    "before the end needs a file");
		w->first_ns = w->last_ns =
		    archive_header(w->archive)->started_ns;
	}
	return replay_range(o, &w->zone, w->first_ns, w->last_ns,
	    &w->range.from_ns, &w->range.to_ns, &w->err);
}

/* Of the range, as far as it is known before it is read; 0: not. */
static int64_t range_length(const struct work *w)
{
	int64_t from = GS_MAX(w->range.from_ns, w->first_ns);
	int64_t to = GS_MIN(w->range.to_ns, w->last_ns);

	if (w->is_pipe)
		return 0;
	return w->range.every_ns > 0 ? w->range.every_ns
	                             : GS_MAX(to - from, 0);
}

static int unknown_view(struct work *w)
{
	struct buf names = BUF_INIT;
	const char *near = view_near(w->o.view);
	size_t i;

	for (i = 0; view_at(i); i++)
		buf_printf(&names, "%s%s", i ? ", " : "", view_at(i));
	if (near)
		(void)gs_fail(&w->err, GS_E_USAGE,
		    "no view %s (did you mean %s?)", w->o.view, near);
	else
		(void)gs_fail(&w->err, GS_E_USAGE, "no view %s; there are:\n%s",
		    w->o.view, buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}

static int parse_keys(struct work *w)
{
	int r;

	if (!w->o.group_by)
		return GS_OK;
	r = label_parse(w->o.group_by, w->ask.key, &w->ask.n_key, &w->err);
	if (r == GS_OK && !view_can_group(w->view))
		r = gs_fail(&w->err, GS_E_USAGE, "--group-by sums processes: "
		    "it goes with the views sessions, queries and processes, "
		    "not with %s", view_name(w->view));
	if (r == GS_OK && view_groups_by_session_only(w->view) &&
	    (w->ask.n_key != 1 || w->ask.key[0] != LABEL_SESSION))
		r = gs_fail(&w->err, GS_E_USAGE, "%s can be grouped by "
		    "session only", view_name(w->view));
	return r;
}

static int parse_averages(struct work *w)
{
	struct span s = span_str(w->o.ema ? w->o.ema : ""), one;
	char word[32];
	int r = GS_OK;

	while (r == GS_OK && !span_empty(s)) {
		if (!scan_until(&s, ',', &one)) {
			one = s;
			s.ptr = s.end;
		}
		if (w->ask.n_ema == ROLLUP_EMA_MAX)
			return gs_fail(&w->err, GS_E_USAGE, "--ema: expected "
			    "at most %d times", ROLLUP_EMA_MAX);
		(void)snprintf(word, sizeof(word), "%.*s",
		    (int)GS_MIN(span_len(one), sizeof(word) - 1), one.ptr);
		r = quant_duration(word, &w->ask.ema_ns[w->ask.n_ema],
		    &w->err);
		if (r == GS_OK && w->ask.ema_ns[w->ask.n_ema++] == 0)
			r = gs_fail(&w->err, GS_E_USAGE,
			    "\"%s\": expected more than 0", word);
	}
	if (r < 0)
		gs_err_prefix(&w->err, "--ema");
	else if (w->o.ema && !view_has_averages(w->view))
		r = gs_fail(&w->err, GS_E_USAGE, "--ema goes with the views "
		    "sessions, queries, processes, top and hosts, not with %s",
		    view_name(w->view));
	return r;
}

static int open_view(struct work *w)
{
	const struct replay_options *o = &w->o;
	int r;

	/* grouping and choosing need a table of their own */
	w->view = view_find(o->group_by && strcmp(o->view, "overview") == 0
	    ? "sessions" : o->view);
	if (!w->view)
		return unknown_view(w);
	r = parse_keys(w);
	if (r == GS_OK)
		r = parse_averages(w);
	if (r < 0)
		return r;
	w->ask.wait = (struct wait_ask) { .classes = o->class,
		.event = o->event, .query_id = o->query_id,
		.pid = (int)o->pid, .min_percent = o->min_percent,
		.top = (unsigned)o->top };
	if (view_is_overview(w->view) && (o->sort || o->where || o->columns ||
	    o->session))
		return gs_fail(&w->err, GS_E_USAGE, "--sort, --where, "
		    "--session and --columns need a view: -V sessions, -V hosts, ...");
	if (view_is_overview(w->view) && o->format == RENDER_OPENMETRICS)
		return gs_fail(&w->err, GS_E_USAGE, "-f openmetrics needs a "
		    "view: -V sessions, -V hosts, ...");
	w->ask.sort = o->sort ? o->sort : o->group_by ? "cpu_seconds"
	    : view_default_sort(w->view);
	w->ask.most = o->where || o->session ? 0 : (size_t)o->limit;
	engine_init(&w->engine, archive_header(w->archive)->interval_ns);
	if (view_is_overview(w->view))
		w->overview = overview_open(&w->engine, range_length(w));
	else
		w->use = view_open(w->view, &w->engine, &w->ask);
	return GS_OK;
}

/* ---- tables ------------------------------------------------------------ */

static int make_filter(struct work *w, const struct grid *g)
{
	struct when_env when = { .zone = &w->zone, .first_ns = w->first_ns,
		.last_ns = w->last_ns, .now_ns = gs_clock_wall_ns() };

	if (!w->o.where || w->filter)
		return GS_OK;
	w->filter = filter_new(w->o.where, g, &when, &w->err);
	if (w->filter)
		return GS_OK;
	gs_err_prefix(&w->err, "--where");
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
static int keep_session(struct work *w, struct grid *g)
{
	int col = grid_find_col(g, "session", strlen("session"));
	size_t i, kept = 0;

	if (col < 0)
		return gs_fail(&w->err, GS_E_USAGE, "--session: %s has no "
		    "sessions", g->name);
	for (i = 0; i < g->n_row; i++) {
		if (is_session(&g->row[i].cell[col], w->o.session))
			g->row[kept++] = g->row[i];
	}
	g->n_row = g->n_total = kept;
	return GS_OK;
}

static int refine(struct work *w, struct grid *g)
{
	const char *sort = w->ask.sort;
	int r = make_filter(w, g);

	if (r == GS_OK && w->o.session)
		r = keep_session(w, g);
	if (r == GS_OK && w->filter)
		filter_grid(w->filter, g);
	if (r == GS_OK && sort[0] != '\0')
		r = sort_grid(g, sort, &w->err);
	if (r == GS_OK && !view_is_fixed(w->view))
		grid_limit(g, (size_t)w->o.limit);
	if (r == GS_OK && w->o.columns)
		r = grid_choose(g, w->o.columns, &w->err);
	return r;
}

static bool begin_output(struct work *w)
{
	if (w->begun)
		return true;
	w->begun = true;
	return output_begin(&w->output, &w->report);
}

static bool show_grid(void *ctx, struct grid *g)
{
	struct work *w = ctx;

	w->stopped = !begin_output(w) || !output_grid(&w->output, g);
	return !w->stopped;
}

static int emit(void *ctx, const struct engine *e)
{
	struct work *w = ctx;
	struct grid *g;
	int r = GS_OK;

	report_fill(&w->report, w->archive, e, &w->range, w->last_ns,
	    &w->zone);
	if (w->range.every_ns && !w->is_pipe) {
		/* the head is about all tables */
		w->report.from_ns = GS_MAX(w->range.from_ns, w->first_ns);
		w->report.to_ns = GS_MIN(w->range.to_ns, w->last_ns);
	}
	if (w->overview)
		return overview_show(w->overview, e, show_grid, w) ? 0 : 1;
	g = w->o.format == RENDER_TEXT ? view_head(w->use, e) : NULL;
	if (g && !show_grid(w, g))
		r = 1;
	grid_free(g);
	if (r)
		return r;
	g = view_grid(w->use, e);
	r = refine(w, g);
	w->refused = r;
	if (r == GS_OK && !show_grid(w, g))
		r = 1;
	grid_free(g);
	return r;
}

static int run(struct work *w, struct range_result *res)
{
	int r = replay_zone(&w->o, archive_utc_offset(w->archive), &w->zone,
	    &w->err);

	if (r == GS_OK)
		r = set_range(w);
	if (r == GS_OK)
		r = open_view(w);
	if (r < 0)
		return r;
	r = range_run(&w->range, archive_cursor(w->archive), &w->engine,
	    emit, w, res, &w->err);
	if (r == GS_OK)
		r = w->refused;
	if (r == GS_OK && !res->any)
		r = report_nothing(&w->range, &w->zone, w->first_ns,
		    w->last_ns, &w->err);
	return r;
}

/* Something of what was named is not shown. */
static bool is_part(const struct work *w)
{
	size_t i, n;
	const struct archive_overlap *o = archive_overlaps(w->archive, &n);

	for (i = 0; i < n; i++) {
		if (o[i].to_ns > w->range.from_ns &&
		    o[i].from_ns < w->range.to_ns)
			return true;
	}
	return archive_refused(w->archive) > 0;
}

/* What has no place in the output stands beside it. */
static void say_notes(const struct work *w)
{
	size_t i;

	if (w->o.format == RENDER_TEXT || w->o.format == RENDER_JSON)
		return;
	for (i = 0; i < w->report.n_note; i++)
		cli_notice("%s", w->report.note[i]);
}

static void release(struct work *w)
{
	output_release(&w->output);
	report_release(&w->report);
	filter_free(w->filter);
	view_close(w->use);
	overview_close(w->overview);
	if (w->engine.world)
		engine_release(&w->engine);
	archive_free(w->archive);
}

int cmd_replay(int argc, char **argv)
{
	struct work w = { .err = { .status = GS_OK } };
	struct range_result res = { 0 };
	struct opt_rest rest;
	int status = replay_start(argc, argv, &w.o, &rest);
	int r;

	if (status != CLI_GO)
		return status;
	cli_many_files();
	r = archive_open(rest.arg, (size_t)rest.n, &w.archive, &w.err);
	if (r == GS_OK) {
		output_init(&w.output, (enum render_format)w.o.format,
		    (size_t)w.o.width, (enum output_color)w.o.color);
		r = run(&w, &res);
	}
	if (w.begun && !w.stopped)
		(void)output_end(&w.output); /* cli_finish() knows */
	say_notes(&w);
	if (r == GS_OK)
		status = res.n_holes || is_part(&w) ? EXIT_GAPS : EXIT_DONE;
	else if (r == GS_E_USAGE)
		status = cli_usage(&replay_opts, "%s", w.err.msg);
	else
		status = cli_cannot(&w.err);
	release(&w);
	return cli_finish(status);
}
