/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_opts.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/scan.h"
#include "cli/confine.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/show_explain.h"
#include "cli/show_opts.h"
#include "cli/start.h"
#include "view/view.h"

#define DAY_NS (24 * 3600 * GS_NSEC_PER_SEC)

#define AT(field) .offset = OPT_AT(struct replay_options, field)

static const struct opt options[] = {
	RANGE_OPTIONS(struct replay_options, when),
	{ OPT_TIME, 0, "at", "TIME",
	    "the sample at TIME, or the last one before it", AT(when.at) },
	{ OPT_DURATION, 'e', "every", "STEP",
	    "a table for each STEP, not one for the whole range",
	    AT(every_ns), .min = GS_NSEC_PER_SEC / 10, .max = 366 * DAY_NS },
	{ OPT_FLAG, 0, "ticks", NULL, "a table for each sample", AT(ticks) },
	{ OPT_INT, 'n', "count", "N", "end after N tables", AT(count), .min = 1,
	    .max = INT64_MAX },
	{ OPT_DURATION, 'd', "duration", "TIME",
	    "end so long after --from, or after the start of the recording",
	    AT(when.duration_ns), .min = 1, .max = 3660 * DAY_NS },
	{ OPT_FLAG, 'F', "follow", NULL,
	    "follow a recording that is being written, a table for each sample "
	    "or STEP; without PATH: ~/gpsnap/", AT(follow) },
	{ OPT_TEXT, 0, "series", "COLUMN,...",
	    "one table over time: a row for each STEP, these figures of the "
	    "rows of the view as columns", AT(series) },
	{ OPT_FLAG, 0, "spark", NULL,
	    "with --series: a row for each row of the view, the figure over "
	    "time as a line of signs", AT(spark) },
	{ OPT_TEXT, 0, "find", "EXPR",
	    "show when EXPR was true, and for which rows: \"host.busy > 90%\", "
	    "\"session.cpu > 50 and host = sdw3\"; with --every the averages "
	    "of steps", .group = "Finding the moment", AT(find) },
	{ OPT_TEXT, 0, "baseline", "RANGE",
	    "also show each figure of another range, the difference and the "
	    "ratio: 13:00..13:30; -24h: the same range a day earlier",
	    AT(baseline) },
	{ OPT_FLAG, 0, "no-summaries", NULL,
	    "read every sample, also those of which a file has summaries: the "
	    "same figures, in more time", AT(no_summaries) },
	SHOW_OPTIONS(struct replay_options, ),
	MEMORY_OPTION(struct replay_options, memory_bytes),
};

static const char *const usage[] = {
	"PATH... [--from TIME] [--to TIME] [-V VIEW] [OPTION...]",
	"--follow [PATH...] [--every STEP] [-V VIEW] [OPTION...]",
	NULL
};

static const char *const about[] = {
	"Shows the contents of a recording: how busy the hosts were, and which "
	"sessions, queries and processes caused the load. PATH is a file, a "
	"directory of them, or - for the standard input. Of a file that is "
	"being written or is damaged, all whole parts are shown.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap replay incident.gpsnap", "the overview" },
	{ "gpsnap replay incident.gpsnap --from 14:05 --to +5m -V sessions",
	    "who was busy in these five minutes" },
	{ "gpsnap replay ~/gpsnap --from -1h -V processes --sort mem",
	    "the last hour, by memory" },
	{ "gpsnap replay incident.gpsnap -V hosts --every 1m -f csv",
	    "hosts minute by minute, for a spreadsheet" },
	{ "gpsnap replay incident.gpsnap -V sessions --series cpu --spark",
	    "who used how much CPU when" },
	{ "gpsnap replay incident.gpsnap --find 'session.cpu > 50'",
	    "when sessions used more than half of a core, and which" },
	{ "gpsnap replay --follow -V sessions",
	    "what a running recorder sees" },
	{ "gpsnap replay incident.gpsnap --from -1s -V sessions --baseline "
	    "..-1s",
	    "who is busier in the last second than before" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done; --find: found" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "error: not a recording, unreadable, or nothing "
	    "recorded in the range" },
	{ EXIT_NOTHING, "--find: nothing found, and no data is missing" },
	EXITS_END
};

const struct opt_cmd replay_opts = {
	.name = "replay",
	.summary = "show any part of a recording",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

/* What is watched is shown by its newest parts, a file as a whole. */
static bool wants_windows(const struct replay_options *o)
{
	const struct view *v = view_find(o->view);

	return v && o->follow && view_is_of_waits(v) && !o->metric && !o->find &&
	    !o->baseline &&
	    !o->when.from && !o->when.to && !o->ticks && o->every_ns == 0 &&
	    !render_can(o->format, RENDER_ONE_INSTANT);
}

static void usual_windows(struct replay_options *o)
{
	static const int64_t seconds[] = { 5, 60, 300 };
	size_t i;

	o->windows_by_view = true;
	for (i = 0; i < GS_LEN(seconds); i++)
		o->window[o->n_window++] = seconds[i] * GS_NSEC_PER_SEC;
}

int replay_parse_windows(const struct opt_cmd *cmd, struct replay_options *o)
{
	struct gs_err err;

	if (!o->windows && wants_windows(o))
		usual_windows(o);
	if (!o->windows || strcmp(o->windows, "off") == 0)
		return CLI_GO;
	if (units_durations(o->windows, o->window, REPLAY_WINDOWS_MAX,
	    &o->n_window, &err) < 0)
		return cli_usage(cmd, "--window: %s", err.msg);
	return CLI_GO;
}

static bool has_pipe(const struct opt_rest *rest)
{
	int i;

	for (i = 0; i < rest->n; i++) {
		if (strcmp(rest->arg[i], "-") == 0)
			return true;
	}
	return false;
}

static int choose_format(struct replay_options *o, bool is_pipe)
{
	bool one = !o->ticks && !o->every_ns && !o->find && !o->series &&
	    !o->baseline &&
	    !is_pipe && !o->when.duration_ns && !o->count;

	o->format = output_resolve(o->format, one);
	if (o->format == OUTPUT_TUI && !one)
		return cli_usage(&replay_opts, "-f tui shows one window at a "
		    "time, of files: not with --every, --ticks, --find, "
		    "--series, --baseline, --count, --duration or -");
	if (o->format == OUTPUT_TUI && !output_is_terminal())
		return cli_usage(&replay_opts, "-f tui needs a terminal, as "
		    "input and output, and TERM");
	return CLI_GO;
}

/* What --series is not: other tables, or other orders of its rows. */
static int check_series(const struct replay_options *o)
{
	const struct {
		bool given;
		const char *name;
	} other[] = {
		{ o->find != NULL, "find" },
		{ o->baseline != NULL, "baseline" },
		{ o->windows != NULL, "window" },
		{ o->follow, "follow" },
		{ o->when.at != NULL, "at" },
		{ o->count > 0, "count" },
		{ o->nested, "nested" },
		{ o->columns != NULL, "columns" },
		{ o->sort != NULL, "sort" },
		{ o->explain, "explain" },
	};
	size_t i;

	if (o->spark && !o->series)
		return cli_usage(&replay_opts, "--spark: expected --series "
		    "COLUMN, which it is of");
	for (i = 0; o->series && i < GS_LEN(other); i++) {
		if (other[i].given)
			return cli_usage(&replay_opts, "--series and --%s: "
			    "expected only one of them", other[i].name);
	}
	if (o->series && render_can(o->format, RENDER_ONE_INSTANT))
		return cli_usage(&replay_opts, "-f openmetrics shows one "
		    "instant: not with --series");
	return CLI_GO;
}

int replay_start(int argc, char **argv, struct replay_options *ret,
	struct opt_rest *rest)
{
	int status;

	*ret = (struct replay_options) { .min_percent = -1,
		.format = OUTPUT_AUTO };
	status = cli_start(&replay_opts, argc, argv, ret, rest);
	if (status != CLI_GO)
		return status;
	status = check_series(ret);
	if (status != CLI_GO)
		return status;
	status = show_explain(&replay_opts, ret);
	if (status != CLI_GO)
		return cli_finish(status);
	if (rest->n == 0 && !ret->follow)
		return cli_usage(&replay_opts,
		    "expected a recording, a directory, or -");
	if (ret->follow && has_pipe(rest))
		return cli_usage(&replay_opts,
		    "a pipe is read as it is written: --follow needs a file "
		    "or a directory");
	if (ret->follow && (ret->find || ret->baseline))
		return cli_usage(&replay_opts, "--%s looks at what is "
		    "recorded so far: leave out --follow",
		    ret->find ? "find" : "baseline");
	if (ret->when.at && (ret->when.from || ret->when.to ||
	    ret->when.duration_ns || ret->every_ns || ret->ticks ||
	    ret->windows || ret->find || ret->follow))
		return cli_usage(&replay_opts, "--at shows one sample: not with "
		    "--from, --to, --duration, --every, --ticks, --window, "
		    "--find or --follow");
	if (ret->when.to && ret->when.duration_ns)
		return cli_usage(&replay_opts,
		    "--to and --duration: expected only one of them");
	if (ret->ticks && ret->every_ns)
		return cli_usage(&replay_opts,
		    "--ticks and --every: expected only one of them");
	status = choose_format(ret, has_pipe(rest));
	if (status != CLI_GO)
		return status;
	if (render_can(ret->format, RENDER_ONE_INSTANT) && (ret->ticks ||
	    ret->every_ns || ret->follow))
		return cli_usage(&replay_opts, "-f openmetrics shows one "
		    "instant: not with --every, --ticks or --follow");
	status = times_check(&replay_opts, &ret->when);
	if (status != CLI_GO)
		return status;
	return replay_parse_windows(&replay_opts, ret);
}
