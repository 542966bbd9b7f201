/*
 * cmd_replay.c - gpsnap replay: tables of recordings.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/quant.h"
#include "base/when.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/start.h"
#include "replay/archive.h"
#include "view/filter.h"
#include "view/overview.h"
#include "view/range.h"
#include "view/sort.h"
#include "view/view.h"

#define DEFAULT_LIMIT "20"

struct replay {
	const char *from, *to;
	const char *every;
	const char *view;
	const char *sort;
	int64_t limit;
	const char *where;
	const char *group_by;
	const char *columns;
	bool utc;
	const char *tz;
	struct output_options out;
};

static const struct opt options[] = {
	{ OPT_TIME, 0, "from", "TIME",
	    "begin there: 14:05, 14:05:30, 2026-11-20 14:05, ISO 8601, "
	    "seconds since 1970, -1h before the end, now, yesterday",
	    .group = "Range", .offset = OPT_AT(struct replay, from) },
	{ OPT_TIME, 0, "to", "TIME", "end there; also +5m after --from",
	    .offset = OPT_AT(struct replay, to) },
	{ OPT_TEXT, 0, "every", "TIME",
	    "a table for every such stretch; tick: one per sample",
	    .offset = OPT_AT(struct replay, every) },
	{ OPT_FLAG, 0, "utc", NULL, "times in UTC",
	    .offset = OPT_AT(struct replay, utc) },
	{ OPT_TEXT, 0, "tz", "ZONE",
	    "times in this zone: Europe/Berlin, +01:00; without it: the "
	    "recording's", .offset = OPT_AT(struct replay, tz) },
	{ OPT_TEXT, 'V', "view", "VIEW",
	    "overview, sessions, queries, processes, hosts, cpus, disks, "
	    "nets, filesystems, cgroups, agents",
	    .group = "What is shown", .dflt = "overview",
	    .offset = OPT_AT(struct replay, view) },
	{ OPT_TEXT, 's', "sort", "[-]COLUMN,...",
	    "order of rows: largest first, +COLUMN: smallest first",
	    .offset = OPT_AT(struct replay, sort) },
	{ OPT_INT, 'l', "limit", "N",
	    "rows before the others are one; 0: all", .dflt = DEFAULT_LIMIT,
	    .offset = OPT_AT(struct replay, limit), .min = 0,
	    .max = 1000000000 },
	{ OPT_TEXT, 'w', "where", "EXPR",
	    "only rows for which it holds: 'cpu > 50% and user = etl'",
	    .offset = OPT_AT(struct replay, where) },
	{ OPT_TEXT, 'g', "group-by", "KEY,...",
	    "sum processes by session, query, process, user, database, "
	    "client, state, host, segment, command, cgroup",
	    .offset = OPT_AT(struct replay, group_by) },
	{ OPT_TEXT, 'c', "columns", "[+]COLUMN,...",
	    "these columns; with +: these as well",
	    .offset = OPT_AT(struct replay, columns) },
	OUTPUT_OPTS(struct replay, out),
};

static const char *const usage[] = {
	"PATH... [--from TIME] [--to TIME] [-V VIEW] [OPTION...]", NULL
};

static const char *const about[] = {
	"Shows what recordings hold, on any machine, without a database or "
	"privileges. PATH is a file, a directory of files, or - for the "
	"standard input. Without --every there is one table for the whole "
	"range; figures are of the time that was really covered, and holes "
	"are named.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap replay incident.gpsnap", "the overview" },
	{ "gpsnap replay ~/gpsnap --from 14:00 --to 14:05 -V sessions",
	    "which sessions, in five minutes" },
	{ "gpsnap replay a.gpsnap -V hosts --every 1m -f csv",
	    "a line per host and minute" },
	{ "gpsnap replay a.gpsnap -V processes --where 'state = D'",
	    "who waits for a disk" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done, but part of the range is missing or damaged" },
	{ EXIT_CANNOT, "no recording, or it cannot be read" },
	{ EXIT_WRONG_USAGE, "wrong usage" },
	{ 0, NULL }
};

const struct opt_cmd replay_opts = {
	.name = "replay",
	.summary = "show what a recording holds",
	.usage = usage,
	.about = about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = exits,
};

/* All that one replay needs. */
struct work {
	const struct replay *o;
	struct archive *archive;
	struct zone zone;
	struct range range;
	const struct view *view;
	struct engine engine;
	struct view_use *use;
	struct overview *overview;
	struct filter *filter;
	bool filter_made;
	struct output output;
	struct when_env when;
	struct gs_err err;
	int status; /* of the emits */
};

/* ---- options ----------------------------------------------------------- */

static int set_zone(struct work *w)
{
	const struct replay *o = w->o;

	w->zone = zone_fixed(o->utc ? 0 : archive_utc_offset(w->archive));
	if (o->tz && o->utc)
		return gs_fail(&w->err, GS_E_USAGE,
		    "--utc and --tz exclude each other");
	return o->tz ? zone_parse(&w->zone, o->tz, &w->err) : GS_OK;
}

static int set_range(struct work *w)
{
	const struct replay *o = w->o;
	int r = GS_OK;

	w->range = (struct range) { INT64_MIN, INT64_MAX, 0 };
	w->when = (struct when_env) { .zone = &w->zone,
		.now_ns = gs_clock_wall_ns() };
	if (!archive_range(w->archive, &w->when.first_ns, &w->when.last_ns)) {
		if ((o->from && o->from[0] == '-') ||
		    (o->to && o->to[0] == '-'))
			return gs_fail(&w->err, GS_E_USAGE, "a time before "
			    "the end needs a file: the end of a pipe is not "
			    "known yet");
		w->when.first_ns = w->when.last_ns =
		    archive_header(w->archive)->started_ns;
	}
	if (o->from)
		r = when_parse(o->from, &w->when, &w->range.from_ns,
		    &w->err);
	w->when.is_end = true;
	w->when.has_start = o->from != NULL;
	w->when.start_ns = w->range.from_ns;
	if (r == GS_OK && o->to)
		r = when_parse(o->to, &w->when, &w->range.to_ns, &w->err);
	if (r == GS_OK && w->range.to_ns < w->range.from_ns)
		r = gs_fail(&w->err, GS_E_USAGE,
		    "--to %s lies before --from %s", o->to, o->from);
	return r;
}

static int set_every(struct work *w)
{
	const char *text = w->o->every;

	if (!text)
		return GS_OK;
	if (strcmp(text, "tick") == 0) {
		w->range.every_ns = RANGE_EACH_TICK;
		return GS_OK;
	}
	if (quant_duration(text, &w->range.every_ns, &w->err) < 0)
		return (int)w->err.status;
	if (w->range.every_ns < GS_NSEC_PER_MSEC)
		return gs_fail(&w->err, GS_E_USAGE,
		    "--every %s: expected at least 1ms, or tick", text);
	return GS_OK;
}

static int open_view(struct work *w)
{
	enum label_kind key[LABEL_COUNT];
	const char *name = w->o->view;
	size_t n_key = 0;

	/* grouping needs processes */
	if (w->o->group_by && strcmp(name, "overview") == 0)
		name = "sessions";
	w->view = view_find(name);
	if (!w->view)
		return gs_fail(&w->err, GS_E_USAGE, "view \"%s\": expected "
		    "overview, sessions, queries, processes, hosts, cpus, "
		    "disks, nets, filesystems, cgroups or agents", name);
	if (w->o->group_by) {
		int r = label_parse(w->o->group_by, key, &n_key, &w->err);

		if (r < 0)
			return r;
		if (!view_can_group(w->view))
			return gs_fail(&w->err, GS_E_USAGE,
			    "--group-by sums processes: it goes with the "
			    "views sessions, queries and processes, not %s",
			    name);
	}
	engine_init(&w->engine, archive_header(w->archive)->interval_ns);
	if (view_is_overview(w->view))
		w->overview = overview_open(&w->engine);
	else
		w->use = view_open(w->view, &w->engine, key, n_key);
	return GS_OK;
}

/* ---- tables ------------------------------------------------------------ */

static int refine(struct work *w, struct grid *g)
{
	const char *sort = w->o->sort ? w->o->sort
	                              : view_default_sort(w->view);
	int r = GS_OK;

	if (w->o->group_by && !w->o->sort)
		sort = "cpu_seconds";
	if (w->o->where && !w->filter_made) {
		w->filter = filter_new(w->o->where, g, &w->when, &w->err);
		w->filter_made = true;
		r = w->filter ? GS_OK : GS_E_USAGE;
	}
	if (r == GS_OK && w->filter)
		filter_grid(w->filter, g);
	if (r == GS_OK)
		r = sort_grid(g, sort, &w->err);
	if (r == GS_OK)
		grid_limit(g, (size_t)w->o->limit);
	if (r == GS_OK && w->o->columns)
		r = grid_choose(g, w->o->columns, &w->err);
	return r;
}

static int show_view(struct work *w)
{
	struct grid *g = view_grid(w->use, &w->engine);
	int r = refine(w, g);

	if (r == GS_OK && !output_grid(&w->output, g))
		r = GS_E_IO;
	grid_free(g);
	return r;
}

static int emit(void *ctx, const struct engine *e)
{
	struct work *w = ctx;

	output_report(&w->output, w->archive, e, &w->range, &w->zone);
	if (!w->overview) {
		w->status = show_view(w);
		return w->status;
	}
	w->status = overview_show(w->overview, e, &w->zone,
	    output_grid_cb, &w->output) ? GS_OK : GS_E_IO;
	return w->status;
}

static int check_overview(struct work *w)
{
	const struct replay *o = w->o;

	if (w->overview && (o->sort || o->where || o->columns))
		return gs_fail(&w->err, GS_E_USAGE, "--sort, --where and "
		    "--columns need a view: -V sessions, -V hosts, ...");
	return GS_OK;
}

static int run(struct work *w, struct range_result *res)
{
	int r = set_zone(w);

	if (r == GS_OK)
		r = set_range(w);
	if (r == GS_OK)
		r = set_every(w);
	if (r == GS_OK)
		r = open_view(w);
	if (r == GS_OK)
		r = check_overview(w);
	if (r < 0)
		return r;
	output_begin(&w->output, &w->o->out, w->range.every_ns != 0);
	r = range_run(&w->range, archive_cursor(w->archive), &w->engine,
	    emit, w, res, &w->err);
	if (r == GS_OK)
		r = w->status;
	if (r == GS_OK && !res->any)
		r = gs_fail(&w->err, GS_E_NOTFOUND, "%s",
		    output_no_data(&w->output, &w->range, &w->when));
	return r;
}

static void release(struct work *w)
{
	filter_free(w->filter);
	view_close(w->use);
	overview_close(w->overview);
	if (w->engine.world)
		engine_release(&w->engine);
	archive_free(w->archive);
}

int cmd_replay(int argc, char **argv)
{
	struct replay o;
	struct opt_rest rest;
	struct work w = { .o = &o };
	struct range_result res = { 0 };
	int status = cli_start(&replay_opts, argc, argv, &o, &rest);
	int r;

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&replay_opts,
		    "which recording? expected a file, a directory or -");
	r = archive_open(rest.arg, (size_t)rest.n, &w.archive, &w.err);
	if (r == GS_OK)
		r = run(&w, &res);
	if (r == GS_OK && !output_end(&w.output))
		r = GS_E_IO;
	status = r == GS_OK ? (res.n_holes ? EXIT_GAPS : EXIT_DONE)
	       : r == GS_E_USAGE ? cli_usage(&replay_opts, "%s", w.err.msg)
	       : w.output.failed ? EXIT_CANNOT : cli_cannot(&w.err);
	output_release(&w.output);
	release(&w);
	return cli_finish(status);
}
