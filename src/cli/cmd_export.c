/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_export.c - gpsnap export: everything that was measured, one value per
 * line.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "cli/cmds.h"
#include "cli/export_dir.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/stop.h"
#include "cli/times.h"
#include "history/exposition.h"
#include "history/wide.h"
#include "query/range.h"
#include "render/longform.h"
#include "replay/archive.h"
#include "view/report.h"

#define WRITE_BUFFER ((size_t)64 << 10)

/* Samples that are buffered for sorting. */
#define SORT_MEMORY ((size_t)48 << 20)

struct export_options {
	struct times when;
	int64_t every_ns; /* 0: each sample */
	const char *entities, *metrics, *hosts; /* as written; NULL: all */
	int format; /* index into formats; then enum render_format */
	bool totals;
	bool wide, force, crlf;
	const char *dir; /* of the files of --wide; NULL: standard output */
	uint64_t memory_bytes;
};

/* Those that longform.h and exposition.h write; a table's format need not be
 * one of them. */
static const char *const formats[] = { "json", "csv", "openmetrics", NULL };

#define AT(field) .offset = OPT_AT(struct export_options, field)

static const struct opt options[] = {
	RANGE_OPTIONS(struct export_options, when),
	{ OPT_DURATION, 'e', "every", "STEP",
	    "the last sample of each STEP, with the increases over the STEP; "
	    "default: every sample", AT(every_ns),
	    .min = GS_NSEC_PER_SEC / 10,
	    .max = 366 * 24 * 3600 * GS_NSEC_PER_SEC },
	{ OPT_TEXT, 0, "entities", "NAME,...",
	    "only these: hosts, cpus, disks, nets, processes, backends, "
	    "events, ...", AT(entities) },
	{ OPT_TEXT, 0, "metrics", "NAME,...",
	    "only these of gpsnap-metrics(7), with * and ?: rss, cpu_*, "
	    "process.rss", AT(metrics) },
	{ OPT_TEXT, 0, "hosts", "NAME,...",
	    "only these, with * and ?: sdw1,sdw2*", AT(hosts) },
	{ OPT_ENUM, 'f', "format", "FORMAT", "output format", .dflt = "csv",
	    .values = formats, .group = "How", AT(format) },
	{ OPT_FLAG, 0, "crlf", NULL, "CSV: lines end with CR LF", AT(crlf) },
	{ OPT_FLAG, 0, "totals", NULL,
	    "counters as the kernel has them, not their increase since the "
	    "line before (openmetrics: always)", AT(totals) },
	{ OPT_FLAG, 0, "wide", NULL,
	    "CSV with a line per row and sample and a column per metric: with "
	    "-o a file for each entity, else of the one in --entities",
	    AT(wide) },
	{ OPT_PATH, 'o', "output", "DIR",
	    "for --wide: make DIR/process.csv, DIR/disk.csv and so on, and "
	    "DIR/columns.csv, which says what the columns mean", AT(dir) },
	{ OPT_FLAG, 0, "force", NULL, "replace files in DIR", AT(force) },
	{ OPT_FLAG, 'u', "utc", NULL,
	    "--from and --to are in UTC, not in the recording's zone",
	    AT(when.utc) },
	{ OPT_TEXT, 0, "tz", "ZONE",
	    "--from and --to are in ZONE: Europe/Berlin, +01:00", AT(when.tz) },
	MEMORY_OPTION(struct export_options, memory_bytes),
};

static const char *const usage[] = {
	"PATH... [-f FORMAT] [--from TIME] [--to TIME] [OPTION...]",
	"PATH... --wide -o DIR [OPTION...]",
	NULL
};

static const char *const about[] = {
	"Writes all contents of a recording to the standard output, one value "
	"per line: time, host, entity, identity, metric, value, unit, and the "
	"seconds that an increase covers. PATH is a file, a directory of them, "
	"or - for the standard input. Times are in UTC.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap export incident.gpsnap --every 1m > incident.csv",
	    "all of it, minute by minute" },
	{ "gpsnap export incident.gpsnap -f json --metrics process.rss,"
	    "process.vm_swap", "two metrics of processes, at every sample" },
	{ "gpsnap export incident.gpsnap -f openmetrics --entities "
	    "hosts,disks > hosts.om", "for a time series database" },
	{ "gpsnap export incident.gpsnap --wide -o incident",
	    "a table per entity, for DuckDB, pandas, R" },
	{ NULL, NULL }
};

const struct opt_cmd export_opts = {
	.name = "export",
	.summary = "write every value of a recording for other programs",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

struct work {
	struct export_options o;
	struct archive *archive;
	struct zone zone;
	int64_t first_ns, last_ns;
	struct range range;
	struct meter meter;
	struct choice choice;
	struct harvest *harvest;
	/* openmetrics, --wide; both NULL: longform */
	struct exposition *exposition;
	struct wide *wide;
	struct longform longform;
	struct export_dir dir;
	bool made_dir; /* it was not there */
	struct buf out;
	bool stopped; /* the output failed */
	int status; /* of the harvest */
	struct gs_err *err;
};

/* ---- output ------------------------------------------------------------ */

static bool write_out(void *ctx, const struct buf *text)
{
	struct work *w = ctx;

	w->stopped = w->stopped || !cli_write(buf_str(text), text->len);
	return !w->stopped;
}

static int add_line(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err)
{
	struct work *w = ctx;
	const struct longform_value line = { .time_ns = r->time_ns,
		.host = r->host, .entity = r->entity ? r->entity->name
		    : "event", .identity = r->identity, .metric = v->name,
		.value = v->value, .unit = v->unit, .seconds = v->seconds };

	longform_add(&w->longform, &line);
	if (w->out.len < WRITE_BUFFER)
		return GS_OK;
	if (!write_out(w, &w->out))
		return gs_fail(err, GS_E_GONE, "standard output");
	buf_reset(&w->out);
	return GS_OK;
}

/* A part of a table of --wide. */
static int add_table(void *ctx, const char *table, const struct buf *text,
	struct gs_err *err)
{
	struct work *w = ctx;

	if (w->o.dir)
		return export_dir_add(&w->dir, table, text, err);
	return write_out(w, text) ? GS_OK
	    : gs_fail(err, GS_E_GONE, "standard output");
}

static int fail_stopped(const struct work *w, struct gs_err *err)
{
	return gs_fail(err, GS_E_GONE, "stopped: %s", w->o.dir
	    ? "no file was written" : "the output is not whole");
}

static int emit(void *ctx, const struct engine *e)
{
	struct work *w = ctx;
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++)
		(void)choice_has_host(&w->choice,
		    world_host(e->world, i)->name);
	w->status = stop_asked() ? fail_stopped(w, w->err)
	    : harvest_emit(w->harvest, e, w->err);
	return w->status;
}

static int finish(struct work *w, struct gs_err *err)
{
	if (w->exposition)
		return exposition_write(w->exposition, write_out, w, err);
	if (w->wide) {
		int r = wide_end(w->wide, w->o.dir != NULL, err);

		return r == GS_OK ? export_dir_finish(&w->dir, err) : r;
	}
	(void)write_out(w, &w->out); /* cli_finish() reports it */
	return GS_OK;
}

/* ---- source ------------------------------------------------------------ */

static int set_range(struct work *w, struct gs_err *err)
{
	const struct export_options *o = &w->o;
	int r = GS_OK;

	if (!archive_bounds(w->archive, &w->first_ns, &w->last_ns))
		r = times_check_pipe(&o->when, err);
	w->range.every_ns = o->every_ns ? o->every_ns : RANGE_EACH_TICK;
	if (r == GS_OK)
		r = times_zone(&o->when, archive_utc_offset(w->archive),
		    &w->zone, err);
	if (r == GS_OK)
		r = times_range(&o->when, &w->zone, w->first_ns, w->last_ns,
		    &w->range.from_ns, &w->range.to_ns, err);
	if (r == GS_OK)
		meter_range(&w->meter, &w->zone, w->range.from_ns,
		    w->range.to_ns, w->first_ns, w->last_ns);
	return r;
}

static void begin(struct work *w, struct engine *e)
{
	bool totals = w->o.totals;
	harvest_fn fn = add_line;
	void *ctx = w;

	engine_init(e, archive_header(w->archive)->interval_ns);
	if (w->o.wide) {
		w->wide = wide_new(&w->choice, totals, add_table, w);
		fn = wide_add;
		ctx = w->wide;
	} else if (render_can(w->o.format, RENDER_ONE_INSTANT)) {
		w->exposition = exposition_new(SORT_MEMORY);
		totals = true;
		fn = exposition_add;
		ctx = w->exposition;
	} else {
		longform_init(&w->longform, (enum render_format)w->o.format,
		    &w->out);
		if (w->o.crlf)
			w->longform.eol = "\r\n";
		longform_begin(&w->longform);
	}
	w->harvest = harvest_new(e, &w->choice, totals, fn, ctx);
}

/* Known only at the end: a host may still appear in a pipe. */
static int check_hosts(const struct work *w, const struct world *world,
	struct gs_err *err)
{
	const char *name = choice_unknown_host(&w->choice);
	struct buf names = BUF_INIT;

	if (!name)
		return GS_OK;
	report_add_hosts(world, &names);
	(void)gs_fail(err, GS_E_NOTFOUND, "no host %s in this part of the "
	    "recording; there are %s", name, buf_str(&names));
	buf_release(&names);
	return GS_E_NOTFOUND;
}

/* It is no error: locks and events come and go. */
static void note_empty(const struct work *w)
{
	if (w->o.entities && harvest_is_empty(w->harvest))
		cli_notice("no row in this range of what --entities asks for: %s",
		    w->o.entities);
}

static int run(struct work *w, struct range_result *res, struct gs_err *err)
{
	struct engine e;
	int r;

	meter_init(&w->meter, true);
	r = set_range(w, err);

	if (r < 0)
		return r;
	begin(w, &e);
	w->err = err;
	r = range_run(&w->range, meter_cursor(&w->meter,
	    archive_cursor(w->archive)), &e, emit, w, res, err);
	meter_end(&w->meter);
	if (r == GS_OK && !w->stopped)
		r = w->status;
	if (r == GS_OK && !res->any)
		r = report_nothing(&w->range, &res->hole, &w->zone,
		    w->first_ns, w->last_ns, err);
	if (r == GS_OK && choice_found_none(&w->choice))
		r = check_hosts(w, e.world, err); /* before any output */
	if (r == GS_OK && !w->stopped)
		r = finish(w, err);
	if (r == GS_OK && !w->stopped)
		r = check_hosts(w, e.world, err);
	if (r == GS_OK && !w->stopped)
		note_empty(w);
	engine_release(&e);
	return r;
}

static void release(struct work *w)
{
	harvest_free(w->harvest);
	exposition_free(w->exposition);
	wide_free(w->wide);
	export_dir_release(&w->dir);
	longform_release(&w->longform);
	choice_release(&w->choice);
	buf_release(&w->out);
	archive_free(w->archive);
}

static size_t tables_of(const struct choice *c)
{
	size_t n = c->events;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		n += c->entity[e];
	return n;
}

/* Options that fit together; the choice was made. */
static int check_form(const struct work *w)
{
	if (w->o.crlf && (w->o.wide || w->o.format != RENDER_CSV))
		return cli_usage(&export_opts, "--crlf: only with -f csv, "
		    "without --wide");
	if (!w->o.wide && (w->o.dir || w->o.force))
		return cli_usage(&export_opts, "%s: only with --wide",
		    w->o.dir ? "-o" : "--force");
	if (!w->o.wide)
		return CLI_GO;
	if (w->o.format != RENDER_CSV)
		return cli_usage(&export_opts, "--wide: only as csv");
	if (!w->o.dir && tables_of(&w->choice) > 1)
		return cli_usage(&export_opts, "--wide: each entity is a table "
		    "of its own: -o DIR, or one of them: --entities processes");
	return CLI_GO;
}

static int start(int argc, char **argv, struct work *w,
	struct opt_rest *rest)
{
	struct gs_err err;
	int status = cli_start(&export_opts, argc, argv, &w->o, rest);

	if (status != CLI_GO)
		return status;
	w->o.format = (int)render_named(formats[w->o.format]);
	if (rest->n == 0)
		return cli_usage(&export_opts,
		    "expected a recording, a directory, or -");
	status = times_check(&export_opts, &w->o.when);
	if (status != CLI_GO)
		return status;
	if (choice_init(&w->choice, w->o.entities, w->o.metrics, w->o.hosts,
	    &err) < 0)
		return cli_usage(&export_opts, "%s", err.msg);
	w->dir.path = w->o.dir;
	w->dir.force = w->o.force;
	status = check_form(w);
	if (status != CLI_GO)
		choice_release(&w->choice);
	return status;
}

/* The directory of --wide must exist before rights are given up. */
static int confine(struct work *w, const struct opt_rest *rest)
{
	struct gs_err err;

	if (w->o.dir && !confine_explains()) {
		w->made_dir = access(w->o.dir, F_OK) < 0;
		if (path_make_directory(w->o.dir, &err) < 0)
			return cli_fail(&export_opts, &err);
	}
	return cli_confine(&export_opts, &(struct confine) {
	    .read = rest->arg, .n_read = (size_t)rest->n,
	    .change = { w->o.dir },
	    .spools = render_can(w->o.format, RENDER_ONE_INSTANT) });
}

int cmd_export(int argc, char **argv)
{
	struct work w = { .range = { INT64_MIN, INT64_MAX, 0 } };
	struct range_result res = { 0 };
	struct opt_rest rest;
	struct gs_err err = { .status = GS_OK };
	int status = start(argc, argv, &w, &rest);
	int r;

	if (status != CLI_GO)
		return status;
	status = confine(&w, &rest);
	if (status != CLI_GO) {
		release(&w);
		return status;
	}
	if (w.o.dir)
		stop_catch_writing();
	else
		stop_catch();
	r = archive_open(rest.arg, (size_t)rest.n, &w.archive, &err);
	if (r == GS_OK)
		r = run(&w, &res, &err);
	if (r < 0 && stop_asked()) /* the signal is the cause of any other error */
		r = fail_stopped(&w, &err);
	if (r == GS_OK) {
		archive_notes(w.archive, &w.zone, cli_notice_text, NULL);
		status = res.n_holes || archive_is_part(w.archive,
		    w.range.from_ns, w.range.to_ns) ? EXIT_GAPS : EXIT_DONE;
	} else {
		status = cli_fail(&export_opts, &err);
		/* the right to remove it was given up */
		if (w.made_dir)
			cli_notice("%s: the directory is new, and is left",
			    w.o.dir);
	}
	release(&w);
	return cli_finish(status);
}
