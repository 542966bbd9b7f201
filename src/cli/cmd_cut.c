/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_cut.c - gpsnap cut: a part of a recording as a file.
 */
#include "cli/cmds.h"
#include "cli/choice.h"
#include "cli/start.h"

static const struct opt options[] = { CHOICE_OPTIONS };

static const char *const usage[] = {
	"PATH... -o OUT [--from TIME] [--to TIME] [OPTION...]", NULL
};

static const char *const about[] = {
	"Makes a recording of a part of another one: a time range, some hosts, "
	"sessions, kinds of rows, or columns. gpsnap replay shows the same of "
	"OUT as of that part of PATH. PATH is a file, a directory of them, or "
	"- for the standard input.",
	"OUT gets its name when it was written completely and read again. If "
	"one file is too small it continues in OUT-2.gpsnap and so on.",
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
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

int cmd_cut(int argc, char **argv)
{
	struct editing_ask ask = { 0 };

	return choice_main(&cut_opts, argc, argv, &ask);
}
