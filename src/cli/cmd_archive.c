/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_archive.c - gpsnap archive: one file for each day of a directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/when.h"
#include "cli/attempts.h"
#include "cli/cmds.h"
#include "cli/editing.h"
#include "cli/kept_page.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/stop.h"
#include "cli/threads.h"
#include "edit/daythin.h"
#include "edit/thin_steps.h"
#include "format/packer.h"
#include "view/extremes.h"

/* Of a compressor at a high level, and the groups in it. */
#define THREAD_BYTES ((size_t)64 << 20)

/* Less would be a unit that was forgotten: all archived files would go. */
#define KEEP_MIN_NS (24 * 3600 * GS_NSEC_PER_SEC)

struct archiving {
	int64_t older_ns, keep_ns;
	struct opt_texts thin;
	const char *to;
	int64_t level, threads;
	bool page, dry_run, quiet;
	uint64_t memory_bytes;
};

static const struct opt options[] = {
	{ OPT_DURATION, 0, "older-than", "TIME",
	    "days that began so long ago and have ended; 0d: also today, "
	    "except files being written", .dflt = "1d",
	    .group = "What is archived",
	    .offset = OPT_AT(struct archiving, older_ns) },
	{ OPT_DURATION, 0, "keep", "TIME",
	    "remove archived files of days that ended longer ago than TIME: "
	    "400d; nothing else",
	    .offset = OPT_AT(struct archiving, keep_ns) },
	{ OPT_TEXTS, 0, "thin", "AFTER:EVERY",
	    "thin archived files of days that ended longer ago than AFTER to a "
	    "tick every EVERY, as gpsnap thin does: 30d:1m; may be given again "
	    "for older days",
	    .offset = OPT_AT(struct archiving, thin) },
	{ OPT_PATH, 0, "to", "DIR2",
	    "directory of the archived files, made if it does not exist; "
	    "default: DIR",
	    .offset = OPT_AT(struct archiving, to) },
	{ OPT_FLAG, 0, "page", NULL,
	    "also keep what gpsnap report --findings shows of each file, so that "
	    "it, and gpsnap web, need not read all samples: in 0.1 s of CPU, for "
	    "about 2 % more bytes",
	    .offset = OPT_AT(struct archiving, page) },
	{ OPT_INT, 'z', "level", "N",
	    "compress with zstd's level N", .dflt = "17", .min = 1, .max = 22,
	    .offset = OPT_AT(struct archiving, level) },
	{ OPT_INT, 0, "threads", "N",
	    "compress with N threads; default: as many as there are CPUs "
	    "that are idle", .min = 1, .max = PACKER_THREADS_MAX,
	    .offset = OPT_AT(struct archiving, threads) },
	{ OPT_FLAG, 'n', "dry-run", NULL,
	    "print what would be done, and do nothing",
	    .offset = OPT_AT(struct archiving, dry_run) },
	{ OPT_FLAG, 'q', "quiet", NULL,
	    "say nothing of what was made",
	    .offset = OPT_AT(struct archiving, quiet) },
	MEMORY_OPTION(struct archiving, memory_bytes),
};

static const char *const usage[] = { "DIR [OPTION...]", NULL };

static const char *const about[] = {
	"Makes one file, NAME-YYYYMMDD.gpsnap, of all files of a day and "
	"recording in DIR, with the same samples in half to two thirds of "
	"the bytes. It reads the new file again, then removes the old ones. It can "
	"be stopped at any time and run again: nothing is lost or duplicated. "
	"Files that are being written or are damaged are not changed.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap archive ~/gpsnap",
	    "all days except today, as a nightly job" },
	{ "gpsnap archive ~/gpsnap --older-than 7d --to ~/archive",
	    "days a week old, to another directory" },
	{ "gpsnap archive ~/gpsnap --thin 30d:1m --keep 400d",
	    "days a month old with a tick a minute; days are kept for 400 "
	    "days" },
	{ NULL, NULL }
};

const struct opt_cmd archive_opts = {
	.name = "archive",
	.summary = "make one small file of each day's files",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

struct work {
	const struct archiving *o;
	const char *dir;
	const char *command; /* as typed */
	size_t threads;
	struct thin_steps thin;
	struct recfile *file;
	size_t n;
	struct days days;
	struct meter meter;
	double done, all; /* bytes of the days to read: before this one; of all */
	double day_bytes; /* of this one, which is from first_ns to last_ns */
	int64_t first_ns, last_ns;
	bool again; /* the directory was read before */
	bool failed; /* something was skipped, or is missing */
	struct attempts *attempts;
};

static double day_bytes(const struct day *d)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < d->n_file; i++)
		sum += (double)reader_size(d->file[i]->reader);
	return sum;
}

/* Before it is read. */
static void begin_day(struct work *w, const struct day *d)
{
	w->day_bytes = day_bytes(d);
	w->first_ns = d->file[0]->first_ns;
	w->last_ns = recfile_end(d->file[d->n_file - 1]);
}

/* Bytes of the day before wall_ns, if they are spread evenly. */
static double bytes_until(const struct work *w, int64_t wall_ns)
{
	double all = (double)(w->last_ns - w->first_ns);
	double share = all > 0 ? (double)(wall_ns - w->first_ns) / all : 1;

	return w->day_bytes * GS_MIN(GS_MAX(share, 0), 1);
}

static bool show_progress(void *ctx, const struct day *d, int64_t wall_ns,
	const struct sink *s)
{
	struct work *w = ctx;
	struct buf b = BUF_INIT;

	if (stop_asked())
		return false;
	if (!status_line_is_due(&w->meter.line))
		return true;
	buf_printf(&b, "%s, %" PRIu64 " ticks, ", d->text, sink_ticks(s));
	units_add_bytes(&b, sink_bytes(s));
	meter_add_bytes(&w->meter, w->done + bytes_until(w, wall_ns), w->all,
	    &b);
	status_line_set(&w->meter.line, &b);
	buf_release(&b);
	return true;
}

static void add_result(struct buf *b, const struct day_result *res)
{
	buf_printf(b, ", %" PRIu64 " ticks, ", res->ticks);
	units_add_bytes(b, res->bytes_before);
	buf_add_str(b, " -> ");
	units_add_bytes(b, res->bytes);
}

/* "OUT: what", with the result of a run that is not dry. */
static void print_done(const struct work *w, const struct day *d,
	const char *what, const struct day_result *res)
{
	struct buf b = BUF_INIT;

	if (w->o->quiet)
		return;
	utf8_add_safe(&b, d->out, strlen(d->out));
	buf_printf(&b, ": %s", what);
	if (res && !w->o->dry_run)
		add_result(&b, res);
	buf_add_char(&b, '\n');
	(void)cli_write(buf_str(&b), b.len); /* cli_finish() reports it */
	buf_release(&b);
}

static void fail(struct work *w, const struct gs_err *err)
{
	w->failed = true;
	cli_notice("%s", err->msg);
}

static void fail_day(struct work *w, const struct day *d,
	const struct gs_err *err)
{
	if (err->status != GS_E_GONE)
		fail(w, err);
	else
		cli_notice("stopped: the files of %s stay as they were; the "
		    "next run goes on with them", d->text);
}

static bool is_due(const struct work *w, const struct day *d)
{
	const struct archiving *o = w->o;
	int64_t now = gs_clock_wall_ns();

	if (d->is_done || d->start_ns > now - o->older_ns)
		return false;
	return o->older_ns == 0 || d->end_ns <= now;
}

static void report_missing(void *ctx, const struct recfile *f, uint64_t ticks)
{
	struct work *w = ctx;

	w->failed = true;
	cli_notice("%s: %" PRIu64 " tick%s before it %s missing: a file of the "
	    "recording is not here", f->path, ticks, units_plural(ticks),
	    ticks == 1 ? "is" : "are");
}

static int make_page(void *ctx, const struct day *d, struct page_kept *ret,
	struct gs_err *err)
{
	const struct work *w = ctx;
	char **path = gs_calloc(d->n_file, sizeof(*path));
	struct meter m;
	size_t i;
	int r;

	for (i = 0; i < d->n_file; i++)
		path[i] = d->file[i]->path;
	meter_init(&m, !w->o->quiet);
	meter_stop_by_signal(&m);
	r = kept_page_make(path, d->n_file, &m, ret, err);
	meter_end(&m);
	free(path);
	return r;
}

static void archive_day(struct work *w, const struct day *d)
{
	struct extremes *x = extremes_new();
	struct day_options o = { .level = (int)w->o->level,
		.threads = w->threads,
		.page = w->o->page ? make_page : NULL,
		.step = show_progress, .ctx = w };
	struct day_result res = { 0 };
	struct gs_err err;
	char what[32];
	int r;

	o.also = extremes_beside(x, &o.follower);
	begin_day(w, d);
	r = w->o->dry_run ? day_check(d, &err)
	    : day_make(d, &o, &io_posix, &res, &err);
	attempts_end(w->attempts, r == GS_OK);
	w->done += w->day_bytes;
	extremes_free(x);
	meter_end(&w->meter);
	(void)snprintf(what, sizeof(what), "%zu file%s", d->n_file,
	    units_plural(d->n_file)); /* fits */
	if (r == GS_OK)
		print_done(w, d, what, &res);
	else
		fail_day(w, d, &err);
}

/* Only files that an earlier run of this command made are removed. */
static bool is_old(const struct archiving *o, const struct day *d)
{
	return o->keep_ns > 0 && d->is_done &&
	    d->end_ns <= gs_clock_wall_ns() - o->keep_ns;
}

static void remove_day(struct work *w, const struct day *d)
{
	struct gs_err err;

	if (!w->o->dry_run && day_remove(d, &io_posix, &err) < 0)
		fail(w, &err);
	else
		print_done(w, d, w->o->dry_run
		    ? "to be removed, older than is kept"
		    : "removed, older than is kept", NULL);
}

/* ---- thinning --------------------------------------------------------- */

/* What remains of it after a run that is not dry. */
static bool is_to_be_made(const struct work *w, const struct day *d)
{
	return d->is_done || (w->o->dry_run && is_due(w, d));
}

/* 0: not to be thinned. */
static int64_t interval_for(const struct work *w, const struct day *d)
{
	int64_t age = gs_clock_wall_ns() - d->end_ns;
	int64_t every = thin_steps_at(&w->thin, age);

	if (every == 0 || d->is_growing || !is_to_be_made(w, d) ||
	    is_old(w->o, d) || day_finer(d, every) == 0)
		return 0;
	return every;
}

static void thin_day(struct work *w, const struct day *d, int64_t every_ns)
{
	struct day_options o = { .level = (int)w->o->level,
		.threads = w->threads,
		.command = w->command, .step = show_progress, .ctx = w };
	char span[WHEN_SPAN_MAX], what[WHEN_SPAN_MAX + 20];
	struct day_result res = { 0 };
	struct gs_err err;
	int r;

	begin_day(w, d);
	r = w->o->dry_run ? GS_OK
	    : day_thin(d, every_ns, &o, &io_posix, &res, &err);
	attempts_end(w->attempts, r == GS_OK);
	w->done += w->day_bytes;
	meter_end(&w->meter);
	when_span(span, every_ns);
	(void)snprintf(what, sizeof(what), "%s to %s", w->o->dry_run
	    ? "to be thinned" : "thinned", span); /* fits */
	if (r < 0)
		fail_day(w, d, &err);
	if (r == GS_OK || res.ticks > 0)
		print_done(w, d, what, &res);
}

/* ---- all days --------------------------------------------------------- */

static int add_directory(struct work *w, const char *dir, struct gs_err *err)
{
	struct recfile *file = NULL;
	size_t i, n = 0;
	int r = recfile_list(dir, true, &file, &n, err);

	if (r == GS_E_NOTFOUND)
		return GS_OK; /* it need not exist */
	if (r < 0)
		return r;
	w->file = gs_realloc(w->file, (w->n + n) * sizeof(*file));
	for (i = 0; i < n; i++) {
		if (file[i].refused && !w->again)
			cli_notice("%s", file[i].refused);
		w->failed = w->failed || file[i].refused;
		if (!file[i].refused)
			recfile_read_more(&file[i]);
		w->file[w->n++] = file[i];
	}
	free(file);
	return GS_OK;
}

static void forget_days(struct work *w)
{
	size_t i;

	days_release(&w->days);
	for (i = 0; i < w->n; i++)
		recfile_release(&w->file[i]);
	free(w->file);
	w->file = NULL;
	w->n = 0;
}

/* What was archived into DIR2 before continues there. */
static int find_days(struct work *w, struct gs_err *err)
{
	const char *dir = w->dir;
	int r = add_directory(w, dir, err);

	if (r == GS_OK && w->o->to && path_is_directory(w->o->to))
		r = add_directory(w, w->o->to, err);
	if (r == GS_OK)
		days_find(w->file, w->n, w->o->to ? w->o->to : dir, &w->days);
	return r;
}

/* False: it is left out, and it was said why. */
static bool begin_attempt(struct work *w, const struct day *d)
{
	if (attempts_begin(w->attempts, d->out))
		return true;
	w->done += day_bytes(d);
	return false;
}

/* One way through the days. */
struct pass {
	bool (*is_read)(const struct work *w, const struct day *d); /* by take(), for
	                                                             * the meter */
	bool (*take)(struct work *w, const struct day *d); /* false: nothing was done
	                                                    * to it */
};

/* How many days something was done to. */
static size_t take_days(struct work *w, const struct pass *pass)
{
	size_t i, n = 0;

	meter_init(&w->meter, !w->o->quiet);
	w->done = w->all = 0;
	for (i = 0; i < w->days.n; i++)
		w->all += pass->is_read(w, &w->days.day[i])
		    ? day_bytes(&w->days.day[i]) : 0;
	for (i = 0; i < w->days.n && !stop_asked(); i++)
		n += pass->take(w, &w->days.day[i]);
	return n;
}

static bool take_archive(struct work *w, const struct day *d)
{
	if (!is_due(w, d)) {
		if (!is_old(w->o, d))
			return false;
		remove_day(w, d);
		return true;
	}
	if (!begin_attempt(w, d))
		return false;
	day_find_missing(d, w->file, w->n, report_missing, w);
	archive_day(w, d);
	return true;
}

static bool is_to_thin(const struct work *w, const struct day *d)
{
	return interval_for(w, d) > 0;
}

static bool take_thin(struct work *w, const struct day *d)
{
	int64_t every = interval_for(w, d);

	if (every == 0 || !begin_attempt(w, d))
		return false;
	thin_day(w, d, every);
	return true;
}

static const struct pass archiving_pass = { is_due, take_archive };
static const struct pass thinning_pass = { is_to_thin, take_thin };

/* Until the process ends: two at a time would each make a day of what it has seen.  A
 * file system without locks has none. */
static int lock_directory(const char *dir, struct gs_err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", dir);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return GS_OK;
	(void)close(fd); /* only looked at */
	return gs_fail(err, GS_E_BUSY, "%s: another gpsnap archive is at work in it",
	    dir);
}

static int lock_directories(const struct work *w, struct gs_err *err)
{
	int r = lock_directory(w->dir, err);

	return r == GS_OK && w->o->to ? lock_directory(w->o->to, err) : r;
}

/* DIR2 may be DIR under another name. */
static void find_same(struct archiving *o, const char *dir)
{
	if (o->to && path_is_same(dir, o->to))
		o->to = NULL;
}

static int confine(struct work *w)
{
	struct gs_err err;
	int r = path_check_directory(w->dir, &err);

	if (r == GS_OK && w->o->to && !w->o->dry_run)
		r = path_make_directory(w->o->to, &err);
	if (r < 0)
		return cli_fail(&archive_opts, &err);
	return cli_confine(&archive_opts, &(struct confine) {
	    .change = { w->dir, w->o->to }, .threads = w->threads > 1 });
}

/* In a child: a day that needs too much memory ends it. */
static int run(struct attempts *a, void *ctx)
{
	struct work *w = ctx;
	struct gs_err err;
	size_t n;
	int status = confine(w);

	w->attempts = a;
	w->again = !attempts_is_first(a);
	if (status != CLI_GO)
		return status;
	if ((!w->o->dry_run && lock_directories(w, &err) < 0) ||
	    find_days(w, &err) < 0)
		return cli_fail(&archive_opts, &err);
	n = take_days(w, &archiving_pass);
	if (n > 0 && w->thin.n > 0 && !w->o->dry_run) {
		forget_days(w);
		w->again = true;
		if (find_days(w, &err) < 0)
			return cli_fail(&archive_opts, &err);
	}
	n += take_days(w, &thinning_pass);
	if (n == 0 && !w->failed && !w->o->quiet && !stop_asked())
		cli_notice("%s: nothing to archive: %s", w->dir, w->n == 0
		    ? "no recordings (*.gpsnap) in it"
		    : "its files are archived, being written, or newer than "
		    "--older-than");
	return w->failed || stop_asked() ? EXIT_GAPS : EXIT_DONE;
}

int cmd_archive(int argc, char **argv)
{
	struct archiving o = { 0 };
	struct work w = { .o = &o };
	struct buf typed = BUF_INIT;
	struct opt_rest rest;
	struct gs_err err;
	int status;

	editing_join(argc, argv, &typed);
	status = cli_start(&archive_opts, argc, argv, &o, &rest);

	if (status == CLI_GO && rest.n != 1)
		status = cli_usage(&archive_opts, "expected one directory");
	if (status == CLI_GO && o.keep_ns > 0 && o.keep_ns < KEEP_MIN_NS)
		status = cli_usage(&archive_opts, "--keep: expected at least 1d, "
		    "such as 400d: a number alone means seconds");
	if (status == CLI_GO && thin_steps_parse(o.thin.text, o.thin.n,
	    &w.thin, &err) < 0)
		status = cli_usage(&archive_opts, "%s", err.msg);
	if (status != CLI_GO) {
		buf_release(&typed);
		return status;
	}
	stop_catch_writing();
	w.threads = threads_begin(o.threads, PACKER_THREADS_MAX, THREAD_BYTES);
	w.dir = rest.arg[0];
	find_same(&o, w.dir);
	w.command = buf_str(&typed);
	status = attempts_run(run, &w);
	forget_days(&w);
	buf_release(&typed);
	return cli_finish(status);
}
