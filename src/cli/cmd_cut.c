/*
 * cmd_cut.c - gpsnap cut: a part of a recording as a file of its own.
 */
#include "cli/commands.h"
#include "cli/editing.h"
#include "cli/start.h"

struct cut {
	struct editing out;
	const char *from, *to;
	const char *hosts, *sessions, *entities, *metrics;
	bool utc;
	const char *tz;
};

static const struct opt options[] = {
	{ OPT_TIME, 0, "from", "TIME",
	    "begin at TIME: 14:05, \"2026-11-20 14:05\", ISO 8601, epoch "
	    "seconds, -1h before the end, +5m after the start, yesterday",
	    .group = "Which part", .offset = OPT_AT(struct cut, from) },
	{ OPT_TIME, 0, "to", "TIME",
	    "end at TIME; +5m counts from where --from is",
	    .offset = OPT_AT(struct cut, to) },
	{ OPT_TEXT, 0, "hosts", "HOST,...", "only these hosts",
	    .offset = OPT_AT(struct cut, hosts) },
	{ OPT_TEXT, 0, "sessions", "ID,...",
	    "of processes and backends only those of these sessions: con7,12 "
	    "or the pid of a backend; and postmasters",
	    .offset = OPT_AT(struct cut, sessions) },
	{ OPT_TEXT, 0, "entities", "KIND,...",
	    "only rows of these kinds: process,disk; and hosts",
	    .offset = OPT_AT(struct cut, entities) },
	{ OPT_TEXT, 0, "metrics", "KIND.METRIC,...",
	    "of the kinds of rows that are named only these columns: "
	    "process.rss,disk.*; and what tells rows apart",
	    .offset = OPT_AT(struct cut, metrics) },
	EDITING_OPTIONS(struct cut, out),
	{ OPT_FLAG, 'u', "utc", NULL,
	    "TIME is in UTC, not in the recording's zone",
	    .group = "How times are written",
	    .offset = OPT_AT(struct cut, utc) },
	{ OPT_TEXT, 0, "tz", "ZONE", "TIME is in ZONE: Europe/Berlin, +01:00",
	    .offset = OPT_AT(struct cut, tz) },
};

static const char *const usage[] = {
	"PATH... -o OUT [--from TIME] [--to TIME] [OPTION...]", NULL
};

static const char *const about[] = {
	"Makes a recording of a part of another one: of a range of time, of "
	"some hosts, sessions, kinds of rows, or columns. What gpsnap replay "
	"shows of OUT is what it shows of that part of PATH. PATH is a file, "
	"a directory of them, or - for the standard input.",
	"OUT gets its name when all of it was written and read again. What "
	"does not fit into one file goes on in OUT-2.gpsnap and so on.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap cut day.gpsnap -o five.gpsnap --from 14:05 --to +5m",
	    "five minutes of a day" },
	{ "gpsnap cut ~/gpsnap -o own.gpsnap --from -1h --hosts $(hostname)",
	    "the last hour of one host" },
	{ "gpsnap cut day.gpsnap -o - | ssh me@laptop dd of=day.gpsnap",
	    "to another machine" },
	{ NULL, NULL }
};

const struct opt_cmd cut_opts = {
	.name = "cut",
	.summary = "make a file of a part of a recording",
	.usage = usage,
	.about = about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = cli_exits,
};

static int run(const struct cut *o, const char *command,
	const struct opt_rest *rest)
{
	struct pick pick = { 0 };
	struct editing_ask ask = { .command = command, .from = o->from,
		.to = o->to, .utc = o->utc, .tz = o->tz, .pick = &pick };
	struct gs_err err;
	int status;

	if (o->utc && o->tz)
		return cli_usage(&cut_opts,
		    "--utc and --tz: expected only one of them");
	if (pick_init(&pick, o->hosts, o->sessions, o->entities, o->metrics,
	    &err) < 0)
		status = cli_usage(&cut_opts, "%s", err.msg);
	else
		status = editing_run(&cut_opts, &o->out, &ask, rest);
	pick_release(&pick);
	return status;
}

int cmd_cut(int argc, char **argv)
{
	struct cut o = { 0 };
	struct buf typed = BUF_INIT;
	struct opt_rest rest;
	int status;

	editing_join(argc, argv, &typed);
	status = editing_start(&cut_opts, argc, argv, &o, &o.out, &rest);
	if (status == CLI_GO)
		status = run(&o, buf_str(&typed), &rest);
	buf_release(&typed);
	return status;
}
