/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_help.c - gpsnap help: the overview, a command's help, and the lists of
 * options and columns for completion and tests.
 */
#include <string.h>

#include "base/wrap.h"
#include "cli/cmds.h"
#include "cli/complete.h"
#include "cli/start.h"
#include "render/cell.h"
#include "tui/tui.h"
#include "view/explain.h"
#include "view/view.h"

struct help {
	const char *options_of;
	bool commands;
	const char *columns_of;
	bool keys;
	bool definitions;
	bool complete;
};

/* In place of a view: the columns of the keys of --group-by. */
#define GROUPS "group-by"

static const struct opt options[] = {
	{ OPT_TEXT, 0, "options", "COMMAND",
	    "list the options of a command, one a line, for programs",
	    .offset = OPT_AT(struct help, options_of) },
	{ OPT_FLAG, 0, "commands", NULL,
	    "list the commands, one a line, for programs",
	    .offset = OPT_AT(struct help, commands) },
	{ OPT_TEXT, 0, "columns", "VIEW",
	    "list the columns of a view, or of " GROUPS ", one a line, for "
	    "programs",
	    .offset = OPT_AT(struct help, columns_of) },
	{ OPT_FLAG, 0, "keys", NULL,
	    "list the keys of the terminal, one a line, for programs",
	    .offset = OPT_AT(struct help, keys) },
	{ OPT_FLAG, 0, "definitions", NULL,
	    "list the definitions of all views, as --explain shows them, one a "
	    "line, for programs",
	    .offset = OPT_AT(struct help, definitions) },
	{ OPT_FLAG, 0, "complete", NULL,
	    "list what may stand for the last WORD of a command line, one a "
	    "line, for the completion of shells",
	    .offset = OPT_AT(struct help, complete) },
};

static const char *const usage[] = {
	"[COMMAND]",
	"--options=COMMAND | --commands | --columns=VIEW | --keys | "
	"--definitions",
	"--complete -- WORD...",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap help", "what gpsnap can do" },
	{ "gpsnap help help", "this text" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_WRONG_USAGE, "wrong usage: no such command or option" },
	{ 0, NULL }
};

const struct opt_cmd help_opts = {
	.name = "help",
	.summary = "explain gpsnap, or one of its commands",
	.usage = usage,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = exits,
};

void help_overview(size_t width, struct buf *to)
{
	const struct command *c;
	size_t i;

	buf_add_str(to,
	    "usage: gpsnap COMMAND [OPTION...]\n"
	    "       gpsnap --record FILE | --replay FILE [OPTION...]\n\n");
	wrap_add(to,
	    "Records what every process of a Greenplum, Cloudberry or "
	    "PostgreSQL host does, ties it to sessions, and replays it "
	    "anywhere: without root, without the cluster, without a "
	    "database.",
	    0, 0, width);
	buf_add_str(to, "\nCommands:\n");
	for (i = 0; (c = command_at(i)) != NULL; i++) {
		buf_printf(to, "  %-10s", c->opts->name);
		wrap_add(to, c->opts->summary, 12, 12, width);
	}
	buf_add_str(to,
	    "\nExamples:\n"
	    "  gpsnap record -i 1 -o incident.gpsnap\n"
	    "  gpsnap replay incident.gpsnap --from -5m -V sessions\n"
	    "\nOptions:\n"
	    "  --record [FILE]  the same as: gpsnap record -o FILE\n"
	    "  --replay FILE    the same as: gpsnap replay FILE\n"
	    "  --version        show the version\n"
	    "  --help           show this text\n\n"
	    "gpsnap help COMMAND explains a command; so does "
	    "gpsnap COMMAND --help.\n"
	    "Long options may be cut short while only one begins so.\n");
}

/* Words that are no commands are often views, or nearly commands. */
static int unknown(const char *name)
{
	const char *near = command_suggest(name);

	if (view_find(name))
		return cli_usage(&help_opts,
		    "unknown command %s; it is a view: gpsnap replay --explain "
		    "-V %s", name, name);
	if (near)
		return cli_usage(&help_opts,
		    "unknown command %s (did you mean %s?)", name, near);
	return cli_usage(&help_opts,
	    "unknown command %s; gpsnap help lists them", name);
}

/* From which width on text shows the column. */
static void add_shown(const struct grid_col *c, const char *many,
	struct buf *to)
{
	if (many)
		buf_add_str(to, many);
	else if (c->min_width == GRID_ON_REQUEST)
		buf_add_char(to, '-');
	else
		buf_printf(to, "%u", c->min_width);
}

static int list_columns(const char *name, struct buf *to)
{
	const struct view *v = NULL;
	struct grid_col c;
	const char *many;
	size_t i;

	if (strcmp(name, GROUPS) != 0) {
		v = view_find(name);
		if (!v)
			return cli_usage(&help_opts, "unknown view %s", name);
	}
	for (i = 0; view_column(v, i, &c, &many); i++) {
		buf_printf(to, "%s\t%s\t%s\t", c.name, c.title,
		    *quantity_unit(c.quantity) ? quantity_unit(c.quantity)
		                               : "-");
		add_shown(&c, many, to);
		buf_printf(to, "\t%s\n", c.help);
	}
	return CLI_GO;
}

static void list_definitions(struct buf *to)
{
	struct explain x;
	size_t i;

	for (i = 0; explain_get(i, &x); i++)
		buf_printf(to, "%s\t%s\t%s\n", x.term, x.views, x.text);
}

/* Appends the requested text; CLI_GO, or the exit status of wrong usage. */
static int help_text(const struct help *h, const struct opt_rest *rest,
	struct buf *to)
{
	const char *name = h->options_of ? h->options_of : rest->arg[0];
	const struct command *c;
	size_t i;

	for (i = 0; h->commands && (c = command_at(i)) != NULL; i++)
		buf_printf(to, "%s\t%s\n", c->opts->name, c->opts->summary);
	if (h->commands)
		return CLI_GO;
	if (h->keys) {
		tui_list_keys(to);
		return CLI_GO;
	}
	if (h->definitions) {
		list_definitions(to);
		return CLI_GO;
	}
	if (h->columns_of)
		return list_columns(h->columns_of, to);
	if (!name) {
		help_overview(cli_width(), to);
		return CLI_GO;
	}
	c = command_find(name);
	if (!c)
		return unknown(name);
	if (h->options_of)
		opt_list(c->opts, to);
	else
		opt_help(c->opts, cli_width(), to);
	return CLI_GO;
}

int cmd_help(int argc, char **argv)
{
	struct help h = { 0 };
	struct opt_rest rest;
	struct buf text = BUF_INIT;
	int status = cli_start(&help_opts, argc, argv, &h, &rest);

	if (status != CLI_GO)
		return status;
	if (h.complete) {
		complete_words(rest.arg, (size_t)rest.n, &text);
		return cli_print(&text);
	}
	if (rest.n > 1)
		return cli_usage(&help_opts,
		    "expected one command, got %d", rest.n);
	status = help_text(&h, &rest, &text);
	return status == CLI_GO ? cli_print(&text) : status;
}
