/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_record.c - gpsnap record: the command line of the recorder, its status
 * line and its summary.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quote.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/metrics_server.h"
#include "cli/sampling.h"
#include "cli/start.h"
#include "cli/status_line.h"
#include "cli/watch_rules.h"
#include "record/progress.h"
#include "record/recorder.h"
#include "record/service.h"

#define DAY_NS (24 * 3600 * GS_NSEC_PER_SEC)

struct record {
	struct sampling sampling;
	const char *output;
	uint64_t rotate_size;
	int64_t rotate_every_ns;
	uint64_t keep_size;
	int64_t keep_for_ns;
	double min_free;
	int64_t sync_ns;
	int64_t level;
	const char *metrics;
	bool silent, no_summaries;
	struct opt_texts on, actions;
	int64_t before_ns;
	uint64_t before_bytes;
};

#define AT(field) .offset = OPT_AT(struct record, field)

static const struct opt options[] = {
	{ OPT_PATH, 'o', "output", "FILE|DIR",
	    "file or directory to record into, - for the standard output; "
	    "default: ~/gpsnap/", AT(output) },
	SAMPLING_WHEN(struct record),
	{ OPT_FLAG, 'q', "quiet", NULL, "print only errors",
	    AT(silent) },
	SAMPLING_WHAT(struct record, 'p', "pid"),
	{ OPT_TEXTS, 0, "on", "EXPR",
	    "watch for EXPR, an expression of replay --find or the name of a "
	    "rule of findings, with \"for TIME\": how long it must hold; may "
	    "be given again", .group = "Watching", AT(on) },
	{ OPT_TEXTS, 0, "do", "LIST",
	    "when it holds: fast:INTERVAL/TIME to sample more often for a "
	    "while, mark to set a mark, run:COMMAND, which stands last "
	    "(default mark)", AT(actions) },
	{ OPT_DURATION, 0, "before", "TIME",
	    "keep samples of TIME in memory, and write them, and those of TIME "
	    "after it, only when something that is watched for holds",
	    AT(before_ns), .min = GS_NSEC_PER_SEC, .max = 3600 * GS_NSEC_PER_SEC },
	{ OPT_SIZE, 0, "before-memory", "SIZE",
	    "memory of --before", .dflt = "64M", AT(before_bytes) },
	{ OPT_SIZE, 0, "rotate-size", "SIZE",
	    "begin a new file when this one has SIZE", .group = "Files",
	    AT(rotate_size) },
	{ OPT_DURATION, 0, "rotate-every", "TIME",
	    "begin a new file at multiples of TIME (default in a directory 1h)",
	    AT(rotate_every_ns), .min = GS_NSEC_PER_SEC, .max = 366 * DAY_NS },
	{ OPT_SIZE, 0, "keep-size", "SIZE",
	    "delete the oldest files of the directory beyond SIZE (default 5G)",
	    AT(keep_size) },
	{ OPT_DURATION, 0, "keep-for", "TIME",
	    "delete files of the directory older than TIME (default 7d)",
	    AT(keep_for_ns), .min = 0, .max = INT64_MAX },
	{ OPT_PERCENT, 0, "min-free", "PERCENT",
	    "while less of the file system is free, delete the oldest files, "
	    "then pause (default in a directory 5%)", AT(min_free) },
	{ OPT_DURATION, 0, "sync", "TIME",
	    "sync the file to disk this often", .dflt = "10s",
	    AT(sync_ns), .min = 0, .max = DAY_NS },
	{ OPT_INT, 0, "level", "LEVEL", "level of compression", .dflt = "3",
	    AT(level), .min = 1, .max = 19 },
	{ OPT_FLAG, 0, "no-summaries", NULL,
	    "add no summaries (gpsnap summarize) to files of the directory that "
	    "are complete", AT(no_summaries) },
	METRICS_OPTION(struct record, metrics),
};

static const char *const usage[] = {
	"[-o FILE|DIR] [-i INTERVAL] [-n COUNT] [-d DURATION] [OPTION...]",
	"[OPTION...] -- COMMAND [ARGUMENT...]",
	NULL
};

static const char *const about[] = {
	"Samples this host, the sessions of its database and the other hosts "
	"of the database's cluster at multiples of the interval, until it is "
	"interrupted. Without -o it keeps hourly files of the last seven days "
	"in ~/gpsnap/. An existing file is never overwritten.",
	"Other hosts are reached by ssh and need nothing installed. With "
	"--hosts it records only those hosts, and no database.",
	"With a COMMAND it records while the command runs, and exits with its "
	"status.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap record -i 1 -d 10m -o incident.gpsnap",
	    "ten minutes, a sample every second" },
	{ "gpsnap record --hosts sdw1,sdw2,sdw3 -i 1 -o c.gpsnap",
	    "three hosts, a sample every second" },
	{ "gpsnap record", "into ~/gpsnap/ until interrupted" },
	{ "gpsnap record --on 'lock.waiters > 5 for 3s' --do fast:0.2s/30s,mark",
	    "every 0.2 s for a while when sessions pile up at a lock" },
	{ "gpsnap record --all -i 1 -o load.gpsnap -- pgbench -T 60",
	    "while a command runs" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done, but samples are missing, or a host or a database "
	    "never answered" },
	{ EXIT_CANNOT, "error: nothing can be recorded, or written" },
	EXITS_END
};

const struct opt_cmd record_opts = {
	.name = "record",
	.summary = "record a database cluster, or hosts, into a file",
	OPT_TABLES,
	.exits = exits,
};

struct run {
	struct status_line line;
	struct service service;
	const char *path;
	const struct database *db;
	struct metrics_server metrics;
	bool silent;
};

/* ---- options --------------------------------------------------------- */

/* A configuration's are for directories. */
static bool is_for(const struct recorder_options *ro, const struct opt_rest *rest,
	const char *name)
{
	return opt_given(&record_opts, rest, name) ||
	    (ro->out.kind == OUTPUT_DIR && opt_is_set(&record_opts, rest, name));
}

/* What a configuration says follows the command line, as a comment: who reads what is
 * left of the recording must know that files were deleted (recfile_missing_first()). */
static void set_retention(const struct record *o, const struct opt_rest *rest,
	struct buf *typed, struct recorder_options *ro)
{
	bool size = is_for(ro, rest, "keep-size");
	bool age = is_for(ro, rest, "keep-for");

	if (size)
		ro->out.keep_bytes = o->keep_size;
	if (age)
		ro->out.keep_ns = o->keep_for_ns;
	if ((size && !opt_given(&record_opts, rest, "keep-size")) ||
	    (age && !opt_given(&record_opts, rest, "keep-for")))
		buf_add_str(typed, " # --keep of the configuration");
}

/* Retention is for directories: a file that was named is never deleted. */
static int set_output(const struct record *o, const struct opt_rest *rest,
	struct buf *path, struct buf *typed, struct recorder_options *ro)
{
	static const char *const dir_only[] = { "keep-size", "keep-for" };
	size_t i;

	sampling_output(o->output ? o->output : cli_default_dir(path), ro);
	if (ro->out.path[0] == '\0')
		return cli_usage(&record_opts, "-o: the name is empty");
	for (i = 0; i < GS_LEN(dir_only); i++) {
		if (ro->out.kind != OUTPUT_DIR &&
		    opt_given(&record_opts, rest, dir_only[i]))
			return cli_usage(&record_opts,
			    "--%s needs a directory: %s is not one",
			    dir_only[i], ro->out.path);
	}
	if (is_for(ro, rest, "rotate-every"))
		ro->rotate_ns = o->rotate_every_ns;
	if (is_for(ro, rest, "min-free"))
		ro->out.min_free = o->min_free / 100;
	set_retention(o, rest, typed, ro);
	ro->rotate_bytes = o->rotate_size;
	return CLI_GO;
}

/* This very program, also if it was replaced since. */
static void set_summarize(const struct record *o, struct recorder_options *ro)
{
	static char *const command[] = { "/proc/self/exe", "summarize",
		"--idle", "--quiet", "--memory=512M", "--", NULL };

	ro->summarize = o->no_summaries ? NULL : command;
}

/* ---- terminal and signals -------------------------------------------- */

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* SIGHUP: stays ignored under nohup; ends the program on a terminal; makes a
 * daemon rotate. */
static void find_terminal(struct recorder_options *ro)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	ro->has_terminal = fd >= 0 && tcgetpgrp(fd) == getpgrp();
	if (is_ignored(SIGHUP))
		ro->hup = HUP_IGNORE;
	else
		ro->hup = fd >= 0 ? HUP_END : HUP_ROTATE;
	if (fd >= 0)
		(void)close(fd); /* only read */
}

/* Failed writes report what these would kill for. */
static void ignore_write_signals(void)
{
	struct sigaction sa = { .sa_handler = SIG_IGN };

	(void)sigaction(SIGPIPE, &sa, NULL); /* valid arguments */
	(void)sigaction(SIGXFSZ, &sa, NULL);
}

/* ---- messages -------------------------------------------------------- */

static void on_tick(void *arg, const struct tick *t,
	const struct recorder_status *s)
{
	struct run *ses = arg;

	metrics_server_tick(&ses->metrics, t, s);
	status_line_show(&ses->line, s);
}

static void on_repeat(void *arg, const struct tick *t)
{
	struct run *ses = arg;

	metrics_server_repeat(&ses->metrics, t);
}

static void on_notice(void *arg, bool trouble, const char *text)
{
	struct run *ses = arg;

	if (ses->silent && !trouble)
		return;
	status_line_clear(&ses->line);
	if (trouble)
		cli_warning("%s", text);
	else
		cli_notice("%s", text);
}

static int64_t on_status_timer(void *arg, const struct recorder_status *s)
{
	struct run *ses = arg;
	bool ready;
	int64_t ns = service_status_timer(&ses->service, s, &ready);

	if (ready)
		cli_notice("%s: recording, %zu of %zu host%s answer", ses->path,
		    s->hosts_up, s->hosts, s->hosts == 1 ? "" : "s");
	return ns;
}

static const char *quoted(struct buf *to, const char *path)
{
	buf_reset(to);
	quote_add_word(to, path);
	return buf_str(to);
}

#define FILES_TOLD_MAX 8

/* Outside a directory each file is named, unless they are very many: words as
 * they are typed, or as a list. */
static bool name_files(struct recorder *r, struct buf *list,
	struct buf *words)
{
	struct buf all = BUF_INIT, word = BUF_INIT;
	size_t n = 0;
	char *p, *end;

	recorder_files(r, &all);
	for (p = all.ptr; all.len > 0 && (end = strchr(p, '\n')) != NULL;
	    p = end + 1, n++) {
		*end = '\0';
		buf_printf(list, "%s%s", n > 0 ? ", " : "", p);
		buf_printf(words, "%s%s", n > 0 ? " " : "",
		    quoted(&word, p));
	}
	buf_release(&all);
	buf_release(&word);
	return n > 1 && n <= FILES_TOLD_MAX;
}

/* One line: what was recorded, and what to type next. */
static void print_end(struct recorder *r, const struct recorder_options *ro,
	const struct database *db, const struct recorder_status *s)
{
	struct buf b = BUF_INIT, word = BUF_INIT;
	struct buf list = BUF_INIT, words = BUF_INIT;
	const char *path = recorder_path(r);
	bool many;

	if (s->written == 0) {
		cli_notice(s->disturbed > 0 ? "no sample is left"
		    : "no sample was written");
		return;
	}
	if (ro->out.kind == OUTPUT_DIR && s->files > 1)
		path = ro->out.path;
	many = ro->out.kind == OUTPUT_FILE && name_files(r, &list, &words);
	progress_add_summary(s, many ? buf_str(&list) : path, &b);
	if (s->database_missed && database_may_lead(db))
		buf_add_str(&b, ": if it leads a cluster, other hosts of "
		    "that are not recorded");
	if (ro->out.kind != OUTPUT_STREAM && s->hosts_missed < s->hosts)
		buf_printf(&b, "; next: gpsnap replay %s",
		    many ? buf_str(&words) : quoted(&word, path));
	cli_notice("%s", buf_str(&b));
	buf_release(&list);
	buf_release(&words);
	buf_release(&b);
	buf_release(&word);
}

static int exit_status(const struct recorder *r, int status,
	const struct recorder_status *s)
{
	int of_command;

	if (recorder_command_status(r, &of_command))
		return of_command;
	if (status < 0)
		return EXIT_CANNOT;
	if (s->lost > 0 || s->skipped > 0 || s->downs > 0 ||
	    s->hosts_missed > 0 || s->database_missed || s->unclosed ||
	    s->disturbed > 0 || s->written == 0)
		return EXIT_GAPS;
	return EXIT_DONE;
}

static int run(const struct recorder_options *ro, struct run *ses)
{
	struct recorder_status s;
	struct gs_err err;
	struct recorder *r = recorder_new(ro, &err);
	int status;

	if (!r)
		return cli_cannot(&err);
	status = recorder_run(r, &err);
	recorder_get_status(r, &s);
	status_line_clear(&ses->line);
	if (status < 0)
		(void)cli_cannot(&err); /* the status comes below */
	if (!ses->silent && (status == 0 || s.written > 0))
		print_end(r, ro, ses->db, &s);
	status = exit_status(r, status, &s);
	recorder_free(r);
	return status;
}

/* What is watched for; ro has the interval. */
static int set_watch(const struct record *o, struct watch_rules *watch,
	struct recorder_options *ro)
{
	int status = watch_rules_set(&record_opts, &o->on, &o->actions,
	    ro->interval_ns, watch);

	if (status == CLI_GO && o->before_ns > 0 && watch->n == 0)
		status = cli_usage(&record_opts, "--before needs --on: without "
		    "it nothing would be written");
	ro->before_ns = o->before_ns;
	ro->before_bytes = o->before_bytes;
	if (watch->n > 0)
		watch_rules_options(watch, &ro->watch);
	return status;
}

int cmd_record(int argc, char **argv)
{
	struct recorder_options ro = { .on_tick = on_tick, .lean = true,
		.control = true, .on_repeat = on_repeat,
		.on_notice = on_notice, .version = cli_version() };
	struct buf typed = BUF_INIT, dir = BUF_INIT;
	struct sampling_use use = SAMPLING_USE_INIT;
	struct watch_rules watch = { .n = 0 };
	struct record o = { 0 };
	struct run ses = { 0 };
	struct opt_rest rest;
	struct gs_err err;
	int status;

	ignore_write_signals();
	memory_give_back();
	sampling_line(argc, argv, &typed);
	status = cli_start(&record_opts, argc, argv, &o, &rest);
	if (status == CLI_GO && rest.n > 0 &&
	    (!rest.dashes || rest.n_before > 0))
		status = cli_usage(&record_opts,
		    "unexpected %s: a file goes after -o, a command after --",
		    rest.arg[0]);
	if (status == CLI_GO)
		status = sampling_set(&record_opts, &o.sampling, &use, &ro);
	if (status == CLI_GO)
		status = set_output(&o, &rest, &dir, &typed, &ro);
	if (status == CLI_GO)
		status = cli_check_command(rest.n > 0 ? rest.arg[0] : NULL);
	if (status == CLI_GO)
		status = set_watch(&o, &watch, &ro);
	if (status == CLI_GO && metrics_server_open(&ses.metrics, o.metrics,
	    &ro, &err) < 0)
		status = cli_fail(&record_opts, &err);
	if (status == CLI_GO) {
		set_summarize(&o, &ro);
		ro.out.host = use.nodename;
		ro.level = (int)o.level;
		ro.sync_ns = o.sync_ns;
		ro.command = rest.n > 0 ? rest.arg : NULL;
		ro.command_line = buf_str(&typed);
		ro.arg = &ses;
		ses.silent = o.silent;
		status_line_init(&ses.line, !o.silent);
		ses.path = ro.out.path;
		ses.db = &use.db;
		find_terminal(&ro);
		service_open(&ses.service, ro.interval_ns);
		if (service_is_one(&ses.service))
			ro.on_status_timer = on_status_timer;
		status = run(&ro, &ses);
		service_close(&ses.service);
	}
	metrics_server_close(&ses.metrics);
	buf_release(&typed);
	buf_release(&dir);
	sampling_release(&use);
	watch_rules_release(&watch);
	return status;
}
