/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_merge.c - gpsnap merge: several recordings become one.
 */
#include "cli/choice.h"
#include "cli/cmds.h"
#include "cli/start.h"

static const struct opt options[] = { CHOICE_OPTIONS };

static const char *const usage[] = {
	"PATH... -o OUT [--from TIME] [--to TIME] [OPTION...]", NULL
};

static const char *const about[] = {
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

static const struct opt_example examples[] = {
	{ "gpsnap merge part1.gpsnap part2.gpsnap -o whole.gpsnap",
	    "pieces of one recording" },
	{ "gpsnap merge db.gpsnap etl.gpsnap -o both.gpsnap",
	    "two hosts, each of which recorded itself" },
	{ NULL, NULL }
};

const struct opt_cmd merge_opts = {
	.name = "merge",
	.summary = "make one recording of several",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

int cmd_merge(int argc, char **argv)
{
	struct editing_ask ask = { .merge = true, .report_damage = true };

	return choice_main(&merge_opts, argc, argv, &ask);
}
