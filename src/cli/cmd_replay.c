/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_replay.c - gpsnap replay: tables of recordings.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/cmds.h"
#include "cli/follow.h"
#include "cli/meter.h"
#include "cli/replay_opts.h"
#include "cli/start.h"
#include "cli/tables.h"
#include "cli/terminal.h"
#include "query/sample_at.h"
#include "replay/archive.h"
#include "view/report.h"

/* Read before the sample of --at: since when a backend waits. */
#define BEFORE_SAMPLE_NS (300 * GS_NSEC_PER_SEC)

struct work {
	struct replay_options o;
	struct archive *archive;
	struct show_source source;
	struct range range;
	struct tables tables;
	size_t found; /* --find */
	char *unseen; /* --series */
	struct follow follow;
	struct meter meter;
	struct buf place; /* followed if none is named */
	const char *path; /* the first one */
	char *const *read;
	size_t n_read;
	char *one[1];
};

static void head(void *ctx, struct report *rep)
{
	const struct work *w = ctx;

	tables_head(w->archive, &w->source.zone, rep);
}

static int set_source(struct work *w, struct gs_err *err)
{
	struct show_source *s = &w->source;

	s->cursor = meter_cursor(&w->meter, archive_cursor(w->archive));
	s->interval_ns = archive_header(w->archive)->interval_ns;
	s->leaps = !w->o.no_summaries;
	s->is_pipe = !archive_bounds(w->archive, &s->first_ns, &s->last_ns);
	s->head = head;
	s->ctx = w;
	return times_zone(&w->o.when, archive_utc_offset(w->archive), &s->zone,
	    err);
}

static int check_pipe(struct work *w, struct gs_err *err)
{
	const struct replay_options *o = &w->o;
	int r;

	if (!w->source.is_pipe)
		return GS_OK;
	if (o->windows_by_view)
		w->o.n_window = 0;
	r = times_check_pipe(&o->when, err);
	if (r < 0)
		return r;
	if (o->n_window > 0 || o->baseline)
		return gs_fail(err, GS_E_USAGE, "a pipe can be read once "
		    "only: --%s needs a file",
		    o->baseline ? "baseline" : "window");
	return GS_OK;
}

/* A range without length means a sample. */
static int set_moment(struct work *w, struct gs_err *err)
{
	struct show_source *s = &w->source;
	struct range *r = &w->range;
	int found = 0;

	if (r->from_ns != r->to_ns)
		return GS_OK;
	if (!s->is_pipe)
		found = sample_at(archive_cursor(w->archive), s->interval_ns,
		    r->to_ns, r, err);
	if (found > 0)
		s->before_ns = BEFORE_SAMPLE_NS;
	if (found == 0)
		times_widen(s->interval_ns, &r->from_ns, &r->to_ns);
	return GS_MIN(found, GS_OK);
}

static int set_range(struct work *w, struct gs_err *err)
{
	const struct show_source *s = &w->source;
	int r = check_pipe(w, err);

	w->range.every_ns = w->o.ticks ? RANGE_EACH_TICK : w->o.every_ns;
	if (r < 0)
		return r;
	w->o.when.grows = w->o.follow;
	r = times_range(&w->o.when, &s->zone, s->first_ns, s->last_ns,
	    &w->range.from_ns, &w->range.to_ns, err);
	if (r == GS_OK)
		meter_range(&w->meter, &s->zone, w->range.from_ns,
		    w->range.to_ns, s->first_ns, s->last_ns);
	return r == GS_OK ? set_moment(w, err) : r;
}

/* A recording may grow while it is shown. */
static void refresh(void *ctx, struct tui_source *s)
{
	struct show_source *src = ctx;
	struct work *w = src->ctx;
	int64_t was = s->last_ns;
	struct gs_err err;

	/* what can't be read now may be readable the next time */
	if (w->o.follow)
		(void)archive_refresh(w->archive, &err);
	if (!archive_range(w->archive, &src->first_ns, &src->last_ns))
		return;
	s->first_ns = src->first_ns;
	s->last_ns = src->last_ns;
	s->grows |= s->last_ns > was;
}

static int travel(struct work *w, struct show_result *res, struct gs_err *err)
{
	struct terminal t = { .o = &w->o, .from = &w->source,
		.name = w->path, .refresh = refresh, .grows = w->o.follow };

	if (w->o.follow)
		follow_let_signals();
	*res = (struct show_result) { .any = true };
	return terminal_run(&t, &w->range, err);
}

/* The baseline, which is read first. */
static int read_baseline(struct work *w, struct gs_err *err)
{
	const struct show_source *s = &w->source;
	struct range base = { 0, 0, 0 };
	int r;

	if (!w->o.baseline)
		return GS_OK;
	/* back from where the baseline ends */
	w->range.from_ns = GS_MAX(w->range.from_ns, s->first_ns);
	r = times_baseline(w->o.baseline, &s->zone, s->first_ns, s->last_ns,
	    w->range.from_ns, w->range.to_ns, &base.from_ns, &base.to_ns,
	    err);
	if (r == GS_OK)
		r = show_against(w->tables.show, &base, err);
	return r;
}

static int show(struct work *w, struct show_result *res, struct gs_err *err)
{
	int r;

	if (w->o.format == OUTPUT_TUI)
		return travel(w, res, err);
	if (w->o.find) {
		r = tables_find(&w->tables, &w->o, &w->source, &w->range,
		    res, &w->found, err);
	} else if (w->o.series) {
		r = tables_series(&w->tables, &w->o, &w->source, &w->range,
		    res, &w->unseen, err);
	} else {
		r = tables_show(&w->tables, &w->o, &w->source, err);
		if (r == GS_OK)
			r = read_baseline(w, err);
		if (r == GS_OK)
			r = show_range(w->tables.show, &w->range, res, err);
	}
	if (r == GS_OK && !res->any)
		r = report_nothing(&w->range, &res->hole, &w->source.zone,
		    w->source.first_ns, w->source.last_ns, err);
	return r;
}

static int follow(struct work *w, struct show_result *res,
	struct gs_err *err)
{
	struct range *r = &w->range;
	int status = tables_show(&w->tables, &w->o, &w->source, err);

	if (status < 0)
		return status;
	w->follow.source = &w->source;
	w->follow.show = w->tables.show;
	w->source.is_over = follow_is_over;
	w->tables.printer.redraws = render_can(w->o.format, RENDER_FOR_PEOPLE) &&
	    isatty(STDOUT_FILENO);
	r->every_ns = r->every_ns ? r->every_ns : RANGE_EACH_TICK;
	if (!w->o.when.from) {
		r->from_ns = follow_from(&w->follow);
		if (w->o.when.duration_ns > 0)
			r->to_ns = r->from_ns + w->o.when.duration_ns;
	}
	return follow_run(&w->follow, r, res, err);
}

static int run(struct work *w, struct show_result *res, struct gs_err *err)
{
	int r = set_source(w, err);

	if (r == GS_OK)
		r = tables_check(&w->o, err);
	if (r == GS_OK)
		r = set_range(w, err);
	if (r == GS_OK)
		r = w->o.follow && w->o.format != OUTPUT_TUI
		    ? follow(w, res, err) : show(w, res, err);
	return r;
}

/* No archive: it was interrupted before one was opened. */
static int open_archive(struct work *w, struct gs_err *err)
{
	struct follow *f = &w->follow;
	int r;

	if (!w->o.follow)
		return archive_open(w->read, w->n_read, &w->archive, err);
	f->o = &w->o;
	r = follow_open(f, w->read, w->n_read, err);
	w->archive = f->archive;
	return w->read != w->one ? r : cli_no_default_dir(w->one[0],
	    "name what is being recorded", r, err);
}

/* Without a name the usual directory is followed. */
static int confine(struct work *w, const struct opt_rest *rest)
{
	w->read = rest->arg;
	w->n_read = (size_t)rest->n;
	if (w->o.follow && rest->n == 0) {
		w->one[0] = (char *)(uintptr_t)cli_default_dir(&w->place);
		w->read = w->one;
		w->n_read = 1;
	}
	w->path = rest->n > 0 ? rest->arg[0] : "";
	return cli_confine(&replay_opts, &(struct confine) {
	    .read = w->read, .n_read = w->n_read, .follow = w->o.follow,
	    .has_terminal = w->o.format == OUTPUT_TUI });
}

static void print_end(const struct follow *f)
{
	if (f->killed)
		cli_notice("%s: its recorder ended without closing it",
		    archive_newest(f->archive));
	else if (f->ended)
		cli_notice("%s: the recorder has ended",
		    archive_newest(f->archive));
}

/* A named file or host is not shown. */
static bool is_part(const struct work *w)
{
	return w->archive && archive_is_part(w->archive, w->range.from_ns,
	    w->range.to_ns);
}

/* What was asked for by name and is in no table; NULL: all is. */
static const char *unseen(const struct work *w)
{
	return w->tables.show ? show_unseen(w->tables.show) : w->unseen;
}

/* What was not found may be in the data that is missing. */
static int exit_status(const struct work *w, const struct show_result *res)
{
	if (res->n_holes || w->follow.killed || is_part(w))
		return EXIT_GAPS;
	if (unseen(w))
		return EXIT_NOTHING;
	if (res->unrecorded)
		return EXIT_GAPS;
	return w->o.find && w->found == 0 ? EXIT_NOTHING : EXIT_DONE;
}

int cmd_replay(int argc, char **argv)
{
	struct work w = { .place = BUF_INIT,
		.range = { INT64_MIN, INT64_MAX, 0 } };
	struct show_result res = { 0 };
	struct opt_rest rest;
	struct gs_err err = { .status = GS_OK };
	int status = replay_start(argc, argv, &w.o, &rest);
	int r;

	if (status == CLI_GO)
		status = confine(&w, &rest);
	if (status != CLI_GO) {
		buf_release(&w.place);
		return status;
	}
	tables_init(&w.tables, &w.o);
	meter_init(&w.meter, !w.o.follow && w.o.format != OUTPUT_TUI);
	r = open_archive(&w, &err);
	if (r == GS_OK && w.archive)
		r = run(&w, &res, &err);
	if (w.tables.show)
		show_end(w.tables.show);
	meter_end(&w.meter);
	print_end(&w.follow);
	if (r == GS_OK && unseen(&w) && !(w.tables.show &&
	    show_says_unseen(w.tables.show)))
		cli_notice("%s", unseen(&w));
	if (r == GS_OK)
		status = exit_status(&w, &res);
	else
		status = cli_fail(&replay_opts, &err);
	tables_release(&w.tables);
	free(w.unseen);
	archive_free(w.archive);
	buf_release(&w.place);
	return cli_finish(status);
}
