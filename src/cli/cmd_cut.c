/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_cut.c - gpsnap cut and gpsnap merge: a file of a part of a recording, or
 * of several.
 */
#include "cli/cmds.h"
#include "cli/editing.h"
#include "cli/start.h"

/* Which part is wanted. */
struct choice {
	struct times when;
	const char *hosts, *sessions, *entities, *metrics; /* NULL: all */
	struct editing out;
	struct pick pick; /* of these */
};

static const struct opt options[] = {
	RANGE_OPTIONS(struct choice, when),
	{ OPT_TEXT, 0, "hosts", "HOST,...", "only these hosts",
	    .offset = OPT_AT(struct choice, hosts) },
	{ OPT_TEXT, 0, "sessions", "ID,...",
	    "only processes and backends of these sessions, and postmasters: "
	    "con7,12 or the pid of a backend",
	    .offset = OPT_AT(struct choice, sessions) },
	{ OPT_TEXT, 0, "entities", "KIND,...",
	    "only rows of these kinds, and hosts: process,disk",
	    .offset = OPT_AT(struct choice, entities) },
	{ OPT_TEXT, 0, "metrics", "KIND.METRIC,...",
	    "only these columns, and the identities, of the named kinds of "
	    "rows: process.rss,disk.*",
	    .offset = OPT_AT(struct choice, metrics) },
	EDITING_OPTIONS(struct choice, out),
	TIME_IS_IN_OPTIONS(struct choice, when),
};

static const char *const usage[] = {
	"PATH... -o OUT [--from TIME] [--to TIME] [OPTION...]", NULL
};

static const char *const cut_about[] = {
	"Makes a recording of a part of another one: a time range, some hosts, "
	"sessions, kinds of rows, or columns. gpsnap replay shows the same of "
	"OUT as of that part of PATH. PATH is a file, a directory of them, or "
	"- for the standard input.",
	"OUT gets its name when it was written completely and read again. If "
	"one file is too small it continues in OUT-2.gpsnap and so on.",
	NULL
};

static const struct opt_example cut_examples[] = {
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
	.about = cut_about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = cut_examples,
	.exits = cli_exits,
	CONFINED,
};

static const char *const merge_about[] = {
	"Makes one recording from several: pieces of one, or recordings of "
	"different hosts or times. PATH is a file or a directory of them.",
	"A host in several recordings is taken from the first PATH that has it "
	"at that time, so that nothing counts twice. A host in two recordings "
	"shows how far the recorders' clocks are apart: the times of the later "
	"PATH are corrected by that.",
	"OUT gets its name when it was written completely and read again. If "
	"one file is too small it continues in OUT-2.gpsnap and so on.",
	NULL
};

static const struct opt_example merge_examples[] = {
	{ "gpsnap merge part1.gpsnap part2.gpsnap -o whole.gpsnap",
	    "pieces of one recording" },
	{ "gpsnap merge db.gpsnap etl.gpsnap -o both.gpsnap",
	    "two hosts, each of which recorded itself" },
	{ NULL, NULL }
};

const struct opt_cmd merge_opts = {
	.name = "merge",
	.summary = "make one recording of several",
	.usage = usage,
	.about = merge_about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = merge_examples,
	.exits = cli_exits,
	CONFINED,
};

static int prepare(const struct opt_cmd *cmd, void *to,
	struct editing_ask *ask)
{
	struct choice *c = to;
	struct gs_err err;
	int status = times_check(cmd, &c->when);

	if (status != CLI_GO)
		return status;
	ask->when = &c->when;
	ask->pick = &c->pick;
	if (pick_init(&c->pick, c->hosts, c->sessions, c->entities, c->metrics,
	    &err) < 0)
		return cli_usage(cmd, "%s", err.msg);
	return CLI_GO;
}

/* ask: what no option sets. */
static int run(const struct opt_cmd *cmd, int argc, char **argv,
	struct editing_ask *ask)
{
	struct choice c = { 0 };
	int status = editing_main(cmd, argc, argv, &c, &c.out, ask, prepare);

	pick_release(&c.pick);
	return status;
}

int cmd_cut(int argc, char **argv)
{
	struct editing_ask ask = { 0 };

	return run(&cut_opts, argc, argv, &ask);
}

int cmd_merge(int argc, char **argv)
{
	struct editing_ask ask = { .merge = true, .report_gaps = true };

	return run(&merge_opts, argc, argv, &ask);
}
