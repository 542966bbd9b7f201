/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_load.c - gpsnap load: recordings into PostgreSQL, Greenplum, Cloudberry.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/load_files.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/stop.h"
#include "cli/threads.h"
#include "history/loader.h"
#include "replay/archive.h"

/* One reads, one sends. */
#define THREADS_MAX 2

/* Rows that are sent, and what libpq has of them. */
#define THREAD_BYTES ((size_t)16 << 20)

enum load_print { PRINT_NOTHING, PRINT_SCHEMA, PRINT_EXTERNAL };

struct load_options {
	const char *dsn; /* NULL: as the variables PG* say */
	const char *schema;
	int64_t every_ns;
	const char *tables; /* as written; NULL: the usual ones */
	const char *metrics; /* the same; NULL: none */
	int print; /* enum load_print */
	int flavour; /* enum dialect */
	bool quiet;
	int64_t threads;
	uint64_t memory_bytes;
};

static const char *const prints[] = {
	[PRINT_NOTHING] = "nothing",
	[PRINT_SCHEMA] = "schema",
	[PRINT_EXTERNAL] = "external",
	NULL
};

#define AT(field) .offset = OPT_AT(struct load_options, field)

static const struct opt options[] = {
	{ OPT_TEXT, 'd', "dsn", "DSN",
	    "the database: \"host=... dbname=...\" or postgresql://...; "
	    "without it as PGHOST, PGDATABASE and so on say",
	    .group = "Where to", AT(dsn) },
	{ OPT_TEXT, 0, "schema", "NAME", "of the tables", .dflt = "gpsnap",
	    AT(schema) },
	{ OPT_DURATION, 'e', "every", "STEP",
	    "each row covers a step of this length", .dflt = "1m",
	    .group = "What", AT(every_ns), .min = GS_NSEC_PER_SEC,
	    .max = 24 * 3600 * GS_NSEC_PER_SEC },
	{ OPT_TEXT, 0, "tables", "NAME,...",
	    "only these: sessions, queries, processes, segments, skew, spill, "
	    "connections, hosts, disks, nets, filesystems, system_event, "
	    "session_event, query_event, events, cgroup_io; all of them but "
	    "processes and cgroup_io if not said, all", AT(tables) },
	{ OPT_TEXT, 0, "metrics", "KIND.METRIC,...",
	    "adds the metric as a column to the tables of this kind of rows: "
	    "process.pss,host.dirty",
	    .offset = OPT_AT(struct load_options, metrics) },
	{ OPT_FLAG, 'q', "quiet", NULL,
	    "print no progress and nothing of what was loaded",
	    AT(quiet) },
	{ OPT_INT, 0, "threads", "N",
	    "send rows while the next ones are made, if N is 2; default: as "
	    "many as there are CPUs that are idle",
	    .min = 1, .max = THREADS_MAX, AT(threads) },
	{ OPT_ENUM, 0, "print", "WHAT",
	    "load nothing, print SQL: that of the schema, or of external "
	    "tables by which Greenplum reads PATH on its hosts itself",
	    .dflt = "nothing", .values = prints, .group = "SQL", AT(print) },
	{ OPT_ENUM, 0, "flavour", "NAME", "of the SQL that is printed",
	    .dflt = "postgresql", .values = dialect_names, AT(flavour) },
	MEMORY_OPTION(struct load_options, memory_bytes),
};

static const char *const usage[] = {
	"PATH... --dsn DSN [--every STEP] [--tables NAME,...]",
	"--print schema|external [--flavour NAME] [PATH]",
	NULL
};

static const char *const about[] = {
	"Loads recordings into tables of PostgreSQL, Greenplum or Cloudberry: "
	"for each minute the rows of sessions, queries, hosts and so on that "
	"gpsnap replay shows. PATH is a file, or a directory of them. What was "
	"loaded before is not loaded again; of a file that grew, only what is "
	"new.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap load ~/gpsnap --dsn dbname=history",
	    "what came since the last time" },
	{ "gpsnap load incident.gpsnap --dsn dbname=history --every 10s "
	    "--schema incident", "in finer steps, in another schema" },
	{ "gpsnap load --print schema --flavour greenplum6",
	    "the statements of the schema" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done, or there was nothing new" },
	{ EXIT_GAPS, "done, but data is missing, damaged, or not loaded" },
	{ EXIT_CANNOT, "error: a file is unreadable, or the database refused" },
	EXITS_END
};

const struct opt_cmd load_opts = {
	.name = "load",
	.summary = "put recordings into tables of a database",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

struct work {
	struct load_options o;
	uint64_t tables;
	struct history_metrics *metrics; /* owned */
	bool step_asked;
	struct load_files files;
	struct target_options to;
	struct target *target;
	struct loader *loader;
	struct meter meter;
	size_t n_recording, n_file, n_known;
	size_t n_taken; /* files of which another recording has the samples */
	size_t holes; /* in what was loaded, and parts that were not */
};

/* ---- progress ---------------------------------------------------------- */

/* Bytes before the file, in the order of loading, and with its first part. */
static double bytes_to(const struct work *w, const struct plan_file *f,
	int64_t at_ns, double *ret_all)
{
	double done = 0, all = 0;
	double length = (double)(f->last_ns - f->first_ns);
	size_t i;

	for (i = 0; i < w->files.n; i++) {
		const struct recfile *x = &w->files.file[i];
		double bytes = (double)reader_size(x->reader);

		if (strcmp(x->path, f->path) == 0)
			done = all + (length > 0 ? bytes *
			    (double)(at_ns - f->first_ns) / length : 0);
		all += bytes;
	}
	*ret_all = all;
	return done;
}

static bool progress(void *ctx, const struct plan_file *f, int64_t at_ns,
	uint64_t rows)
{
	struct work *w = ctx;
	const char *slash = strrchr(f->path, '/');
	const char *name = slash && slash[1] ? slash + 1 : f->path;
	struct buf text = BUF_INIT;
	double done, all;

	if (stop_asked())
		return false;
	if (!status_line_is_due(&w->meter.line))
		return true;
	done = bytes_to(w, f, at_ns, &all);
	utf8_add_safe(&text, name, strlen(name));
	buf_printf(&text, ", %" PRIu64 " rows", rows);
	meter_add_bytes(&w->meter, done, all, &text);
	status_line_set(&w->meter.line, &text);
	buf_release(&text);
	return true;
}

static void add_count(struct buf *to, uint64_t n, const char *what)
{
	buf_printf(to, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void print_summary(const struct work *w)
{
	struct buf b = BUF_INIT;

	if (w->o.quiet)
		return;
	add_count(&b, target_rows(w->target), "row");
	buf_add_str(&b, " of ");
	add_count(&b, w->n_file, "file");
	buf_add_str(&b, " and ");
	add_count(&b, w->n_recording, "recording");
	buf_add_str(&b, " loaded");
	if (w->n_known > 0) {
		buf_add_str(&b, "; ");
		add_count(&b, w->n_known, "file");
		buf_printf(&b, " %s loaded before", w->n_known == 1 ? "was"
		                                                    : "were");
	}
	buf_add_char(&b, '\n');
	(void)cli_write(b.ptr, b.len); /* cli_finish() looks again */
	buf_release(&b);
}

/* ---- loading ----------------------------------------------------------- */

static int load_run(struct work *w, const struct plan_run *run,
	const struct plan_file *f, bool *ret_any, struct gs_err *err)
{
	char **path = gs_calloc(run->n, sizeof(*path));
	struct loader_result done = { .holes = 0 };
	struct archive *a = NULL;
	size_t i;
	int r;

	for (i = 0; i < run->n; i++)
		path[i] = (char *)(uintptr_t)f[run->first + i].path;
	r = archive_open(path, run->n, &a, err);
	if (r == GS_OK)
		r = loader_run(w->loader, f, run, archive_cursor(a), &done,
		    err);
	*ret_any = done.any;
	if (done.any) /* else these holes were there before */
		w->holes += done.holes;
	archive_free(a);
	free(path);
	return r;
}

/* Files with the samples of another recording, which is loaded. */
static void pass_over(struct work *w, struct plan_file *f, size_t *n)
{
	size_t i, kept = 0;
	uint32_t as;
	bool all;

	for (i = 0; i < *n; i++) {
		as = loader_find_related(w->loader, &f[i], &all);
		if (as == 0) {
			f[kept++] = f[i];
			continue;
		}
		meter_end(&w->meter);
		if (all)
			cli_notice("%s: loaded already, as recording %" PRIu32
			    ": passed over", f[i].path, as);
		else
			cli_notice("%s: a part of it is loaded already, as "
			    "recording %" PRIu32 ": passed over", f[i].path,
			    as);
		w->n_taken++;
		w->holes += !all;
	}
	*n = kept;
}

/* Files between two of the run and after it are missing, and not loaded either. */
static bool ends_at_hole(const struct work *w, const struct plan_run *run,
	const struct plan_file *f, size_t n)
{
	size_t next = run->first + run->n;

	return next < n && run->to_seq < f[next].first_seq &&
	    !loader_has(w->loader, run->to_seq + 1);
}

/* All runs of a recording; 1: another loader has it, too. */
static int load_runs(struct work *w, const struct header *h,
	struct plan_file *f, size_t *n, size_t *loaded, struct gs_err *err)
{
	struct plan_run run;
	uint64_t seq = 0;
	size_t counted = 0;
	bool any = false;
	int r = loader_recording(w->loader, h, err);

	if (r < 0)
		return r;
	pass_over(w, f, n);
	plan_sort(f, n);
	while (r == GS_OK && loader_next(w->loader, f, *n, &seq, &run)) {
		r = load_run(w, &run, f, &any, err);
		/* one file may be in two runs */
		if (r == GS_OK && any)
			*loaded += run.first + run.n - GS_MAX(counted,
			    run.first);
		if (any)
			counted = run.first + run.n;
		w->holes += any && ends_at_hole(w, &run, f, *n);
	}
	return r;
}

static int load_recording(struct work *w, size_t *i, struct gs_err *err)
{
	const struct header *h = w->files.file[*i].header;
	const char *name = w->files.file[*i].path;
	struct plan_file *f = NULL;
	size_t n, all, taken = w->n_taken, loaded = 0;
	int r = load_files_recording(&w->files, i, &f, &n, err);

	all = r == GS_OK ? n : 0;
	if (r == GS_OK) {
		do
			r = load_runs(w, h, f, &n, &loaded, err);
		while (r == 1);
		if (r == GS_E_USAGE)
			gs_err_prefix(err, "%s", name);
	}
	if (r == GS_OK) {
		w->n_recording += loaded > 0;
		w->n_file += loaded;
		w->n_known += all - loaded - (w->n_taken - taken);
	}
	free(f);
	return r;
}

static int load(struct work *w, struct gs_err *err)
{
	const struct loader_options lo = { .step_ns = w->o.every_ns,
		.step_asked = w->step_asked, .tables = w->tables,
		.metrics = w->metrics,
		.progress = progress, .ctx = w };
	size_t i = 0;
	int r;

	if (w->files.n == 0)
		return gs_fail(err, GS_E_NOTFOUND, "no recording");
	w->to.day_ns = w->files.file[0].first_ns;
	r = target_prepare(w->target, &w->to, err);
	if (r < 0)
		return r;
	w->loader = loader_new(w->target, &lo);
	meter_init(&w->meter, !w->o.quiet);
	while (r == GS_OK && i < w->files.n)
		r = load_recording(w, &i, err);
	meter_end(&w->meter);
	return r;
}

/* ---- printing ---------------------------------------------------------- */

static void add_schema(const struct load_options *o,
	const struct history_metrics *m, struct buf *to)
{
	enum dialect d = (enum dialect)o->flavour;
	size_t i;

	ddl_schema(to, o->schema);
	ddl_base(to, d, o->schema, cli_version());
	for (i = 0; i < n_history_tables; i++) {
		struct grid *g = history_columns(m, i);

		ddl_create(to, d, o->schema, &history_tables[i], g,
		    gs_clock_wall_ns());
		grid_free(g);
	}
	ddl_views(to, o->schema);
}

static int print(const struct load_options *o,
	const struct history_metrics *m, const struct opt_rest *rest)
{
	struct buf b = BUF_INIT;

	if (o->print == PRINT_EXTERNAL && o->metrics)
		return cli_usage(&load_opts, "--print external: expected no "
		    "--metrics");
	if (o->print == PRINT_EXTERNAL && rest->n != 1)
		return cli_usage(&load_opts, "--print external: expected the "
		    "PATH of recordings on the hosts");
	if (o->print == PRINT_SCHEMA && rest->n != 0)
		return cli_usage(&load_opts, "--print schema: expected no "
		    "PATH");
	if (o->print == PRINT_EXTERNAL)
		ddl_external(&b, o->schema, rest->arg[0]);
	else
		add_schema(o, m, &b);
	return cli_print(&b);
}

/* ---- command ----------------------------------------------------------- */

static bool is_name(const char *s)
{
	size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && len <= 30 && s[len] == '\0' &&
	    !(s[0] >= '0' && s[0] <= '9') && strncmp(s, "pg_", 3) != 0;
}

static int start(int argc, char **argv, struct work *w,
	struct opt_rest *rest)
{
	struct gs_err err;
	int status = cli_start(&load_opts, argc, argv, &w->o, rest);

	if (status != CLI_GO)
		return status;
	if (!is_name(w->o.schema))
		return cli_usage(&load_opts, "--schema: expected up to 30 of "
		    "a-z, 0-9 and _, got %s", w->o.schema);
	if (history_choose(w->o.tables, &w->tables, &err) < 0)
		return cli_usage(&load_opts, "--tables: %s", err.msg);
	if (history_metrics_new(w->o.metrics, &w->metrics, &err) < 0)
		return cli_usage(&load_opts, "--metrics: %s", err.msg);
	if (w->o.print != PRINT_NOTHING)
		return print(&w->o, w->metrics, rest);
	if (rest->n == 0)
		return cli_usage(&load_opts,
		    "expected a recording or a directory");
	w->step_asked = opt_is_set(&load_opts, rest, "every");
	return CLI_GO;
}

/* The sandbox permits no new connections. */
static int connect_confined(struct work *w, const struct opt_rest *rest,
	bool *ret_explained, struct gs_err *err)
{
	size_t threads = threads_begin(w->o.threads, THREADS_MAX, THREAD_BYTES);
	const struct confine c = { .read = rest->arg,
		.n_read = (size_t)rest->n, .talks = true,
		.threads = threads > 1 };
	int r = load_files_check(rest->arg, (size_t)rest->n, err);

	w->to = (struct target_options) { .dsn = w->o.dsn,
		.schema = w->o.schema, .program = cli_version(),
		.metrics = w->metrics, .threads = threads > 1,
		.is_stopped = stop_asked };
	if (r == GS_OK)
		r = target_connect(&w->to, &w->target, err);
	if (r == GS_OK)
		*ret_explained = cli_confine(&load_opts, &c) != CLI_GO;
	return r;
}

int cmd_load(int argc, char **argv)
{
	struct work w = { .tables = 0 };
	struct opt_rest rest;
	struct gs_err err = { .status = GS_OK };
	int status = start(argc, argv, &w, &rest);
	bool explained = false;
	int r;

	if (status != CLI_GO) {
		history_metrics_free(w.metrics);
		return status;
	}
	r = connect_confined(&w, &rest, &explained, &err);
	if (r == GS_OK && !explained)
		r = load_files_open(&w.files, rest.arg, (size_t)rest.n, &err);
	if (r == GS_OK && !explained) {
		stop_catch_writing();
		r = load(&w, &err);
	}
	if (r < 0 && stop_asked())
		r = gs_fail(&err, GS_E_GONE, "stopped: files that were loaded "
		    "whole stay, the next load goes on after them");
	if (explained) {
		status = EXIT_DONE;
	} else if (r == GS_OK) {
		print_summary(&w);
		if (w.holes > 0)
			cli_notice("samples are missing, of all hosts or of "
			    "some: gpsnap info says when");
		status = w.holes || w.files.n_refused ? EXIT_GAPS : EXIT_DONE;
	} else {
		status = cli_fail(&load_opts, &err);
	}
	loader_free(w.loader);
	target_close(w.target);
	load_files_release(&w.files);
	history_metrics_free(w.metrics);
	return cli_finish(status);
}
