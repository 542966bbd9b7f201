/*
 * cmd_replay.c - gpsnap replay: tables of recordings.
 */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/replay_opts.h"
#include "cli/replay_report.h"
#include "cli/show.h"
#include "cli/show_find.h"
#include "cli/start.h"
#include "replay/archive.h"

/* All that one replay needs. */
struct work {
	struct replay_options o;
	struct archive *archive;
	struct show_source source;
	struct range range;
	struct show *show;
	struct printer output;
	size_t found; /* --find */
};

static void head(void *ctx, struct report *rep)
{
	const struct work *w = ctx;

	report_archive(rep, w->archive, &w->source.zone);
}

static int set_source(struct work *w, struct gs_err *err)
{
	struct show_source *s = &w->source;
	const struct header *h = archive_header(w->archive);

	s->cursor = archive_cursor(w->archive);
	s->interval_ns = h->interval_ns;
	s->is_pipe = !archive_range(w->archive, &s->first_ns, &s->last_ns);
	if (s->is_pipe)
		s->first_ns = s->last_ns = h->started_ns;
	s->head = head;
	s->ctx = w;
	return replay_zone(&w->o, archive_utc_offset(w->archive), &s->zone,
	    err);
}

static int check_pipe(struct work *w, struct gs_err *err)
{
	const struct replay_options *o = &w->o;

	if (!w->source.is_pipe)
		return GS_OK;
	if (o->windows_by_view)
		w->o.n_window = 0;
	if ((o->from && o->from[0] == '-') || (o->to && o->to[0] == '-'))
		return gs_fail(err, GS_E_USAGE, "the end of a pipe is not "
		    "known before it comes: a time before the end needs a "
		    "file");
	if (o->n_window > 0)
		return gs_fail(err, GS_E_USAGE, "a pipe can be read once "
		    "only: --window needs a file");
	return GS_OK;
}

static int set_range(struct work *w, struct gs_err *err)
{
	const struct show_source *s = &w->source;
	int r = check_pipe(w, err);

	w->range.every_ns = w->o.ticks ? RANGE_EACH_TICK : w->o.every_ns;
	if (r < 0)
		return r;
	return replay_range(&w->o, &s->zone, s->first_ns, s->last_ns,
	    &w->range.from_ns, &w->range.to_ns, err);
}

static int show(struct work *w, struct show_result *res, struct gs_err *err)
{
	int r;

	if (w->o.find)
		return show_find(&w->o, &w->source, &w->output, &w->range,
		    res, &w->found, err);
	r = show_new(&w->o, &w->source, &w->output, &w->show, err);
	if (r == GS_OK)
		r = show_range(w->show, &w->range, res, err);
	return r;
}

static int run(struct work *w, struct show_result *res, struct gs_err *err)
{
	int r = set_source(w, err);

	if (r == GS_OK && w->o.find)
		r = show_find_check(&w->o, err);
	if (r == GS_OK)
		r = set_range(w, err);
	if (r == GS_OK)
		r = show(w, res, err);
	if (r == GS_OK && !res->any)
		r = report_nothing(&w->range, &w->source.zone,
		    w->source.first_ns, w->source.last_ns, err);
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

int cmd_replay(int argc, char **argv)
{
	struct work w = { .range = { INT64_MIN, INT64_MAX, 0 } };
	struct show_result res = { 0 };
	struct opt_rest rest;
	struct gs_err err = { .status = GS_OK };
	int status = replay_start(argc, argv, &w.o, &rest);
	int r;

	if (status != CLI_GO)
		return status;
	cli_many_files();
	output_init(&w.output, (enum render_format)w.o.format,
	    (size_t)w.o.width, (enum output_color)w.o.color);
	r = archive_open(rest.arg, (size_t)rest.n, &w.archive, &err);
	if (r == GS_OK)
		r = run(&w, &res, &err);
	if (w.show)
		show_end(w.show);
	if (r == GS_OK)
		status = w.o.find && w.found == 0 ? EXIT_NOTHING
		    : res.n_holes || is_part(&w) ? EXIT_GAPS : EXIT_DONE;
	else if (r == GS_E_USAGE)
		status = cli_usage(&replay_opts, "%s", err.msg);
	else
		status = cli_cannot(&err);
	show_free(w.show);
	output_release(&w.output);
	archive_free(w.archive);
	return cli_finish(status);
}
