/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_pidstat.c - gpsnap pidstat: what sysstat's pidstat would have printed,
 * from a recording or from live samples.
 *
 * Options are pidstat's, with its meanings; those of gpsnap have long names
 * only, except -f.
 */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/pidstat_live.h"
#include "cli/start.h"
#include "cli/sysstat_run.h"
#include "pidstat/pidstat.h"
#include "replay/archive.h"

struct pidstat_cli {
	bool cpu, io, memory, switches, kernel, stack, realtime;
	struct opt_texts pids;
	const char *command, *process, *user;
	int family; /* enum pidstat_family */
	bool threads, per_cpu, line, one_line, epoch, human, strict, live;
	bool run; /* a program */
	bool version;
	int64_t decimals;
	int output; /* output_names */
	const char *file, *root;
	struct times when;
	uint64_t memory_bytes;
};

#define AT(field) .offset = OPT_AT(struct pidstat_cli, field)

static const char *const family_names[] = { "TASK", "CHILD", "ALL", NULL };
static const char *const output_names[] = { "JSON", NULL };

static const struct opt options[] = {
	{ OPT_PATH, 'f', "file", "PATH",
	    "the recording: a file, a directory, or - for the standard input",
	    .group = "Which part", AT(file) },
	FROM_TO_OPTIONS(struct pidstat_cli, when, 0, 0),
	HOST_OPTION(struct pidstat_cli, when),
	{ OPT_FLAG, 0, "live", NULL,
	    "show this host, now, not a recording", AT(live) },
	{ OPT_COMMAND, 'e', "run", "PROGRAM [ARG...]",
	    "run the program and show it until it ends; must be the last "
	    "option", AT(run) },
	{ OPT_PATH, 0, "root", "DIR",
	    "with --live: read DIR/proc and DIR/sys", AT(root) },
	{ OPT_FLAG, 'u', "cpu", NULL, "CPU time; the default",
	    .group = "Reports", AT(cpu) },
	{ OPT_FLAG, 'r', "memory", NULL, "page faults and memory", AT(memory) },
	{ OPT_FLAG, 's', "stack", NULL, "stack", AT(stack) },
	{ OPT_FLAG, 'd', "io", NULL, "disk", AT(io) },
	{ OPT_FLAG, 'w', "switches", NULL, "context switches", AT(switches) },
	{ OPT_FLAG, 'v', "kernel", NULL, "threads and open descriptors",
	    AT(kernel) },
	{ OPT_FLAG, 'R', "realtime", NULL, "real-time priority and policy",
	    AT(realtime) },
	{ OPT_ENUM, 'T', "tasks", "TASK|CHILD|ALL",
	    "CPU and memory of the task, of the task with its ended children, "
	    "or both", .dflt = "TASK", .values = family_names,
	    AT(family) },
	{ OPT_TEXTS, 'p', "pid", "PID,...|SELF|ALL",
	    "these processes, or all of them, even if they did nothing; may "
	    "be given again",
	    .group = "Which tasks", AT(pids) },
	{ OPT_TEXT, 'C', "command", "REGEX",
	    "tasks whose name matches; with -l, whose command line does",
	    AT(command) },
	{ OPT_TEXT, 'G', "process", "REGEX",
	    "processes whose name matches, with all their threads",
	    AT(process) },
	{ OPT_MAYBE, 'U', "user", "USER",
	    "names of users, not numbers; with USER only that user's tasks",
	    AT(user) },
	{ OPT_FLAG, 't', "threads", NULL, "threads, too", AT(threads) },
	{ OPT_FLAG, 'I', "per-cpu", NULL,
	    "%CPU is a share of all CPUs, not of one",
	    .group = "How to show it", AT(per_cpu) },
	{ OPT_FLAG, 'l', "line", NULL, "command lines, not names", AT(line) },
	{ OPT_FLAG, 'h', "one-line", NULL,
	    "all reports of a task in one line, no averages", AT(one_line) },
	{ OPT_FLAG, 'H', "epoch", NULL, "times in seconds since 1970",
	    AT(epoch) },
	{ OPT_FLAG, 0, "human", NULL, "sizes such as 1.2M, percents with a %",
	    AT(human) },
	{ OPT_INT, 0, "dec", "0|1|2", "digits after the point", .dflt = "2",
	    .min = 0, .max = 2, AT(decimals) },
	{ OPT_ENUM, 'o', "output", "JSON", "output format",
	    .values = output_names, AT(output) },
	{ OPT_FLAG, 0, "strict", NULL,
	    "exactly as pidstat, even where gpsnap knows better",
	    AT(strict) },
	ZONE_OPTIONS(struct pidstat_cli, when, 0),
	{ OPT_FLAG, 'V', "version", NULL, "show the version", AT(version) },
	MEMORY_OPTION_AS("memory-limit", struct pidstat_cli, memory_bytes),
};

static const char *const usage[] = {
	"-f PATH [OPTION...] [INTERVAL [COUNT]]",
	"--live [OPTION...] [INTERVAL [COUNT]]",
	"[OPTION...] INTERVAL [COUNT] -e PROGRAM [ARG...]",
	NULL
};

static const char *const about[] = {
	"Prints what sysstat's pidstat would have printed, had it run on a "
	"host while that was recorded: the same options, figures and layout. "
	"INTERVAL is in seconds, not shorter than the recording's; without it, "
	"or with 0, there is one report of all since boot, at the end of the "
	"range.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap pidstat -f incident.gpsnap -udrw 1",
	    "CPU, disk, memory and switches, second by second" },
	{ "gpsnap pidstat -f incident.gpsnap --from 14:05 -p 4711 -t 1 60",
	    "a process and its threads, for a minute" },
	{ "gpsnap pidstat -f incident.gpsnap -o JSON -u 1 3 | jq .",
	    "for a program" },
	{ "gpsnap pidstat --live -d 1 3", "now" },
	{ "gpsnap pidstat -urd 1 -e pgbench -T 60 mydb",
	    "what a program does, until it ends" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "error: not a recording, unreadable, or nothing "
	    "recorded in the range" },
	EXITS_END
};

const struct opt_cmd pidstat_opts = {
	.name = "pidstat",
	.summary = "print pidstat's reports of any past moment",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

struct work {
	struct pidstat_cli o;
	struct selection select;
	struct pidstat_opt opt;
	struct resample_opt range;
	struct pidstat *pidstat;
	struct resample resample;
	char *const *command; /* to run; NULL: none */
	int status; /* its exit status */
	struct gs_err err;
};

/* ---- options --------------------------------------------------------- */

static const struct {
	size_t offset;
	unsigned activity;
} activities[] = {
	{ OPT_AT(struct pidstat_cli, cpu), ACTIVITY_CPU },
	{ OPT_AT(struct pidstat_cli, memory), ACTIVITY_MEMORY },
	{ OPT_AT(struct pidstat_cli, stack), ACTIVITY_STACK },
	{ OPT_AT(struct pidstat_cli, io), ACTIVITY_IO },
	{ OPT_AT(struct pidstat_cli, switches), ACTIVITY_SWITCHES },
	{ OPT_AT(struct pidstat_cli, kernel), ACTIVITY_KERNEL },
	{ OPT_AT(struct pidstat_cli, realtime), ACTIVITY_REALTIME },
};

static unsigned activities_of(const struct pidstat_cli *o)
{
	unsigned bits = 0;
	size_t i;

	for (i = 0; i < GS_LEN(activities); i++) {
		if (*(const bool *)((const char *)o + activities[i].offset))
			bits |= activities[i].activity;
	}
	return bits;
}

static int set_pids(struct work *w)
{
	int r = GS_OK;
	size_t i;

	if (w->o.live)
		w->select.self = (uint32_t)getpid();
	for (i = 0; r == GS_OK && i < w->o.pids.n; i++)
		r = selection_pids(&w->select, w->o.pids.text[i], &w->err);
	return r;
}

static int prefixed(struct work *w, int r, const char *name)
{
	if (r < 0)
		gs_err_prefix(&w->err, "%s", name);
	return r;
}

static int set_selection(struct work *w)
{
	const struct pidstat_cli *o = &w->o;
	int r = prefixed(w, set_pids(w), "-p");

	w->select.line = o->line;
	if (r == GS_OK && o->command)
		r = prefixed(w, selection_name(&w->select.comm,
		    o->command, &w->err), "-C");
	if (r == GS_OK && o->process)
		r = prefixed(w, selection_name(&w->select.process,
		    o->process, &w->err), "-G");
	if (o->user && *o->user)
		w->select.user = o->user;
	return r;
}

static int set_times(struct work *w, const struct opt_rest *rest)
{
	struct opt_rest own = *rest;
	int r;

	if (w->o.run)
		own.n = rest->n_before;
	r = sysstat_operands(&own, &w->range.every_ns, &w->opt.count,
	    &w->err);
	if (r == GS_OK && w->o.run && w->range.every_ns == 0)
		return gs_fail(&w->err, GS_E_USAGE, "-e needs an INTERVAL of "
		    "more than 0");
	w->opt.since_boot = w->range.every_ns == 0;
	return r;
}

static int set_options(struct work *w, const struct opt_rest *rest)
{
	const struct pidstat_cli *o = &w->o;
	int r = set_times(w, rest);

	if (r == GS_OK)
		r = set_selection(w);
	w->range.host = o->when.host;
	w->range.from_ns = INT64_MIN;
	w->range.to_ns = INT64_MAX;
	w->opt.activities = activities_of(o);
	w->opt.family = (enum pidstat_family)o->family;
	w->opt.select = &w->select;
	w->opt.threads = o->threads;
	w->opt.user = o->user != NULL;
	w->opt.line = o->line;
	w->opt.per_cpu = o->per_cpu;
	w->opt.json = opt_is_set(&pidstat_opts, rest, "output");
	w->opt.one_line = o->one_line && !w->opt.json;
	w->opt.human = o->human;
	w->opt.strict = o->strict;
	w->opt.is_terminal = isatty(STDOUT_FILENO);
	w->opt.decimals = (int)o->decimals;
	w->opt.screen_rows = sysstat_screen_rows();
	w->opt.write = sysstat_write;
	w->opt.notice = cli_notice_text;
	return r;
}

/* Times and numbers in the locale's form, as pidstat writes them. */
static void use_locale(const struct work *w)
{
	(void)setlocale(LC_TIME, "");
	if (!w->opt.json)
		(void)setlocale(LC_NUMERIC, "");
}

/* offset_s: of the recording's zone. */
static int begin(struct work *w, int32_t offset_s, int64_t interval_ns,
	struct zone *zone)
{
	int r = times_zone(&w->o.when, offset_s, zone, &w->err);

	if (r < 0)
		return r;
	w->opt.stamp = stamp_new(zone, w->o.epoch);
	r = pidstat_new(&w->opt, &w->pidstat, &w->err);
	if (r < 0)
		return r;
	use_locale(w);
	resample_init(&w->resample, &w->range, interval_ns, &pidstat_resample,
	    w->pidstat);
	return GS_OK;
}

/* ---- a recording ----------------------------------------------------- */

/* asked: the range, which is shorter once it is read. */
static int no_report(struct work *w, struct archive *a,
	const struct zone *zone, const struct resample_opt *asked)
{
	const struct resample *f = &w->resample;

	if (f->begun && f->seen_ns > f->due_ns - w->range.every_ns)
		return gs_fail(&w->err, GS_E_GONE, "nothing to report: the "
		    "range has less of the host than INTERVAL");
	return sysstat_nothing(a, zone, asked, "the host", &w->err);
}

static int run_range(struct work *w, struct archive *a, const struct zone *zone)
{
	int64_t first_ns, last_ns;

	if (w->opt.since_boot && archive_range(a, &first_ns, &last_ns))
		return resample_run_last(&w->resample, archive_cursor(a),
		    last_ns, &w->err);
	return sysstat_read(&w->resample, a, zone, &w->resample.opt, &w->err);
}

static int replay(void *self, struct archive *a)
{
	struct work *w = self;
	struct pidstat_result done;
	struct resample_opt asked;
	struct zone zone;
	int r = begin(w, archive_utc_offset(a),
	    archive_header(a)->interval_ns, &zone);

	if (r == GS_OK)
		r = sysstat_range(a, &zone, &w->o.when, &w->resample.opt,
		    &w->err);
	asked = w->resample.opt;
	if (r == GS_OK)
		r = run_range(w, a, &zone);
	if (r < 0)
		return r;
	done = pidstat_end(w->pidstat);
	return done.reports == 0 ? no_report(w, a, &zone, &asked)
	    : sysstat_done(&w->resample, done.holes);
}

static int run_replay(struct work *w)
{
	const struct sysstat_run run = { .cmd = &pidstat_opts,
		.file = w->o.file, .replay = replay, .self = w,
		.err = &w->err };

	use_locale(w); /* its files are read before */
	return sysstat_run(&run);
}

/* ---- what is being sampled ------------------------------------------- */

static int run_live(struct work *w)
{
	struct pidstat_live live = { .opt = &w->opt, .root = w->o.root,
		.interval_ns = w->opt.since_boot ? GS_NSEC_PER_SEC
		                                 : w->range.every_ns,
		.command = w->command };
	struct zone zone;
	int r = begin(w, zone_offset_here(), live.interval_ns, &zone);

	if (r == GS_OK) {
		live.pidstat = w->pidstat;
		live.resample = &w->resample;
		r = pidstat_live_run(&live, &w->err);
		w->status = live.status;
	}
	return sysstat_status(&pidstat_opts, r == GS_OK ? live.holes > 0 : r,
	    &w->err);
}

/* ---- the command ----------------------------------------------------- */

static int set_command(struct work *w, const struct opt_rest *rest)
{
	if (!w->o.run)
		return CLI_GO;
	if (w->o.file)
		return cli_usage(&pidstat_opts, "-f and -e: what is run is not "
		    "in a recording");
	if (rest->n == rest->n_before)
		return cli_usage(&pidstat_opts, "-e: expected a program, and "
		    "its arguments, at the end");
	w->command = rest->arg + rest->n_before;
	w->o.live = true;
	return CLI_GO;
}

static int check(const struct pidstat_cli *o)
{
	if (!o->file && !o->live)
		return cli_usage(&pidstat_opts,
		    "expected -f with a recording, or --live");
	if (o->file && o->live)
		return cli_usage(&pidstat_opts,
		    "-f and --live: expected only one of them");
	if (o->live && (o->when.from || o->when.to ||
	    o->when.host))
		return cli_usage(&pidstat_opts, "--from, --to and --host are "
		    "of a recording: not with --live");
	if (o->root && !o->live)
		return cli_usage(&pidstat_opts, "--root needs --live");
	return times_check(&pidstat_opts, &o->when);
}

static int run(struct work *w)
{
	int status = w->o.live ? run_live(w) : run_replay(w);

	return w->command && status != EXIT_WRONG_USAGE ? w->status : status;
}

int cmd_pidstat(int argc, char **argv)
{
	struct work w = { .select = SELECTION_INIT };
	struct opt_rest rest;
	bool strict = sysstat_is_strict(argc, argv);
	int status = cli_start(&pidstat_opts, argc, argv, &w.o, &rest);
	int end;

	if (status == CLI_GO && w.o.version)
		return sysstat_version(&pidstat_opts);
	if (status == CLI_GO)
		status = set_command(&w, &rest);
	if (status == CLI_GO)
		status = check(&w.o);
	if (status == CLI_GO && set_options(&w, &rest) < 0)
		status = cli_usage(&pidstat_opts, "%s", w.err.msg);
	if (status == CLI_GO)
		status = cli_check_command(w.command ? w.command[0] : NULL);
	if (status == CLI_GO)
		status = run(&w);
	resample_release(&w.resample);
	pidstat_free(w.pidstat);
	selection_release(&w.select);
	end = cli_finish(status);
	/* a program's status counts, even if nobody reads the tables */
	return sysstat_exit(strict, w.command ? status : end);
}
