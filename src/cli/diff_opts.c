/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff_opts.h"

#include "base/mem.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/start.h"
#include "diff/diff.h"
#include "render/render.h"
#include "view/view.h"

#define AT(field) .offset = OPT_AT(struct diff_options_cli, field)

static const char *const forms[] = {
	[DIFF_USUAL] = "usual",
	[DIFF_FULL] = "full",
	[DIFF_ARROW] = "arrow",
	[DIFF_DELTA] = "delta",
	[DIFF_PERCENT] = "percent",
	NULL
};

static const char *const formats[] = {
	[RENDER_TEXT] = "text",
	[RENDER_JSON] = "json",
	[RENDER_CSV] = "csv",
	NULL
};

static const struct opt options[] = {
	/* of other commands; sides_parse() says what diff has */
	{ OPT_TEXT, 0, "from", "TIME", "", .hidden = true, AT(from) },
	{ OPT_TEXT, 0, "to", "TIME", "", .hidden = true, AT(to) },
	{ OPT_TEXTS, 0, "host", "HOST",
	    "only this host; twice: of A, of B",
	    .group = "Which sides", AT(host) },
	{ OPT_TEXTS, 0, "segment", "N",
	    "only this segment, -1 is the coordinator; twice: of A, of B",
	    AT(segment) },
	{ OPT_TEXT, 'V', "view", "VIEW",
	    "one view as a table, as of gpsnap replay",
	    .group = "What to compare", AT(view) },
	{ OPT_TEXT, 0, "entity", "ENTITY",
	    "one kind of row with all its metrics, such as process, host, "
	    "cgroup; list: which there are", AT(entity) },
	{ OPT_TEXT, 'g', "group-by", "KEY,...",
	    "groups of processes, by the keys of gpsnap replay: session, user, "
	    "database, command, cgroup, host, segment, ...; of threads if "
	    "thread is one of them, of IO of control groups if device is",
	    AT(group_by) },
	{ OPT_FLAG, 0, "nested", NULL,
	    "with --group-by: also a row for each value of the first key, of "
	    "the first two, ...", AT(nested) },
	{ OPT_FLAG, 0, "no-normalize", NULL,
	    "commands and cgroups by their names, not by classes of names "
	    "that differ only in numbers and identifiers", AT(literal) },
	{ OPT_FLAG, 0, "fuzzy", NULL,
	    "groups of one side only are matched by similar commands, threads "
	    "and cgroups, and marked ~", AT(fuzzy) },
	{ OPT_TEXTS, 0, "cgroup-flatten", "GLOB",
	    "with --group-by cgroup: all that GLOB matches is one row; may be "
	    "repeated", AT(flatten) },
	{ OPT_TEXT, 0, "sections", "NAME,...",
	    "only these sections of the page: hosts, waits, sessions, "
	    "statements, processes, disks; with --entity or --group-by by "
	    "what figures are about: scheduling, memory, io, ...; list: list "
	    "them all", AT(sections) },
	{ OPT_TEXT, 'm', "metrics", "NAME,...",
	    "only these figures, whichever columns of the view or metrics",
	    AT(metrics) },
	{ OPT_FLAG, 0, "totals", NULL,
	    "also amounts that grow with the length of a side, as they are",
	    AT(totals) },
	{ OPT_TEXT, 'w', "where", "EXPR",
	    "only rows for which EXPR holds: \"percent > 50\"", AT(where) },
	{ OPT_TEXT, 0, "session", "ID", "only this session", AT(session) },
	{ OPT_TEXT, 0, "server", "NAME", "only this database server",
	    AT(server) },
	{ OPT_TEXT, 's', "sort", "[-+]NAME,...",
	    "sort order, by columns of lines (percent and difference by their "
	    "size), or of rows by how much their figure NAME grew; default: "
	    "what is new, what is gone, percent", AT(sort) },
	{ OPT_INT, 'l', "limit", "N", "lines of a section; 0: all",
	    .dflt = "20", .min = 0, .max = INT64_MAX, AT(limit) },
	{ OPT_TEXT, 'c', "columns", "NAME,...",
	    "these columns in this order; +NAME adds one", AT(columns) },
	{ OPT_TEXT, 0, "fail-if", "EXPR",
	    "exit with status 4 if EXPR holds for a row: \"process.cpu_ratio > "
	    "2 and process.cpu > 50\"", .group = "For scripts", AT(fail_if) },
	{ OPT_ENUM, 0, "show", "FORM",
	    "of figures in text: both sides (full), A -> B (arrow), only the "
	    "difference (delta), only the percentage or the ratio (percent)",
	    .dflt = "usual", .values = forms, .group = "How to show it",
	    AT(form) },
	{ OPT_ENUM, 'f', "format", "FORMAT", "output format", .dflt = "text",
	    .values = formats, AT(format) },
	ZONE_OPTIONS(struct diff_options_cli, when, 'u'),
	{ OPT_FLAG, 0, "no-header", NULL, "text and CSV without headings",
	    AT(no_header) },
	{ OPT_INT, 0, "width", "COLUMNS",
	    "width of text; default: the terminal's, COLUMNS, or 80",
	    .min = 20, .max = 4096, AT(width) },
	{ OPT_ENUM, 0, "color", "WHEN", "bold headings", .dflt = "auto",
	    .values = output_colors, AT(color) },
	MEMORY_OPTION(struct diff_options_cli, memory_bytes),
};

static const char *const usage[] = {
	"A[@FROM..TO] B[@FROM..TO] [-V VIEW | --entity ENTITY | -g KEYS] "
	"[OPTION...]",
	"PATH[@FROM..TO] --host A --host B [OPTION...]",
	NULL
};

static const char *const about[] = {
	"Compares two recordings, two ranges of one, or two hosts of one. What "
	"differs by more than noise is listed, first what is only in B (new) or "
	"only in A (gone). Rates are compared, since sides differ in length.",
	"A and B are recordings as for gpsnap replay. FROM..TO are times as for "
	"--from and --to there; either may be left out: @..+30s is the first "
	"half minute.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap diff x.gpsnap@13:00..13:30 x.gpsnap@14:00..14:30",
	    "what changed within the hour" },
	{ "gpsnap diff monday.gpsnap tuesday.gpsnap@22:00.. -V sessions",
	    "sessions of two days" },
	{ "gpsnap diff x.gpsnap --host sdw4 --host sdw3",
	    "what the slow host does otherwise" },
	{ "gpsnap diff a.gpsnap@..+30s a.gpsnap@+30s.. -g user,command",
	    "who does what, before and after" },
	{ "gpsnap diff a.gpsnap b.gpsnap --entity host --show arrow",
	    "all metrics of hosts" },
	{ "gpsnap diff good.gpsnap new.gpsnap --fail-if 'process.cpu_ratio > 2'",
	    "for a test: exit status 4 if something needs twice the CPU time" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done, whether there are differences or not" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "error: not a recording, unreadable, or nothing "
	    "recorded in a range" },
	{ EXIT_TRUE, "the condition of --fail-if holds" },
	EXITS_END
};

const struct opt_cmd diff_opts = {
	.name = "diff",
	.summary = "compare two recordings, ranges or hosts",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

int diff_start(int argc, char **argv, struct diff_options_cli *ret,
	struct opt_rest *rest)
{
	int status;

	*ret = (struct diff_options_cli) { .view = NULL };
	status = cli_start(&diff_opts, argc, argv, ret, rest);
	if (status != CLI_GO)
		return status;
	if (ret->view && ret->entity)
		return cli_usage(&diff_opts,
		    "--view and --entity: expected only one of them");
	if (ret->sections && ret->view)
		return cli_usage(&diff_opts, "--sections are of the page, of "
		    "--entity or of --group-by: not with --view");
	if (ret->fuzzy && ret->nested)
		return cli_usage(&diff_opts,
		    "--fuzzy and --nested: expected only one of them");
	if (ret->no_header && !render_can(ret->format, RENDER_HAS_HEADINGS))
		return cli_usage(&diff_opts,
		    "--no-header goes with -f text and -f csv");
	return times_check(&diff_opts, &ret->when);
}
