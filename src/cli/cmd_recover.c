/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_recover.c - gpsnap recover and gpsnap convert: write all of a recording
 * that is whole into a new file.
 */
#include "cli/cmds.h"
#include "cli/editing.h"
#include "cli/start.h"

struct rewrite {
	struct editing out;
};

static const struct opt options[] = {
	EDITING_OPTIONS(struct rewrite, out),
};

static const char *const usage[] = { "PATH... -o OUT [OPTION...]", NULL };

static const char *const recover_about[] = {
	"Writes all whole samples of a damaged recording into OUT, with an "
	"index, and reports what was lost and where: damage costs the samples "
	"up to the next key. PATH is a file, a directory of them, or - for the "
	"standard input; it is not changed.",
	NULL
};

static const struct opt_example recover_examples[] = {
	{ "gpsnap recover broken.gpsnap -o whole.gpsnap",
	    "save what is whole" },
	{ NULL, NULL }
};

static const char *const convert_about[] = {
	"Writes a recording of any version of the format as this version of "
	"gpsnap writes it. The recording stays the same, sample by sample. It "
	"can also change the level of compression.",
	NULL
};

static const struct opt_example convert_examples[] = {
	{ "gpsnap convert old.gpsnap -o new.gpsnap -z 19",
	    "and as small as possible" },
	{ NULL, NULL }
};

const struct opt_cmd recover_opts = {
	.name = "recover",
	.summary = "save the whole part of a damaged recording",
	.usage = usage,
	.about = recover_about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = recover_examples,
	.exits = cli_exits,
	CONFINED,
};

const struct opt_cmd convert_opts = {
	.name = "convert",
	.summary = "bring a recording to the newest format",
	.usage = usage,
	.about = convert_about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = convert_examples,
	.exits = cli_exits,
	CONFINED,
};

static int rewrite(const struct opt_cmd *cmd, int argc, char **argv)
{
	struct rewrite o = { 0 };
	struct editing_ask ask = { .report_gaps = true };

	return editing_main(cmd, argc, argv, &o, &o.out, &ask, NULL);
}

int cmd_recover(int argc, char **argv)
{
	return rewrite(&recover_opts, argc, argv);
}

int cmd_convert(int argc, char **argv)
{
	return rewrite(&convert_opts, argc, argv);
}
