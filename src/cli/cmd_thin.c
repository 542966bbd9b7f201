/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_thin.c - gpsnap thin: a recording with fewer ticks and the same totals.
 */
#include "cli/cmds.h"
#include "cli/editing.h"
#include "cli/start.h"

struct thinning {
	struct editing out;
	int64_t every_ns;
};

static const struct opt options[] = {
	{ OPT_DURATION, 0, "every", "TIME",
	    "keep one tick in each TIME: 1m, 10m, 1h; longer than the interval "
	    "of PATH", .dflt = "1m", .group = "What stays",
	    .offset = OPT_AT(struct thinning, every_ns) },
	THINNING_OPTIONS(struct thinning, out),
};

static const char *const usage[] = {
	"PATH... -o OUT [--every TIME] [OPTION...]", NULL
};

static const char *const about[] = {
	"Makes a copy of a recording with one tick a minute, or every TIME. "
	"The growth of counters between two ticks that stay is exact, also of "
	"processes that came and went between them. Memory and other levels, "
	"states and texts are those of the ticks that stay. The ends of "
	"processes, marks and other events stay, and holes stay holes.",
	"Details between two ticks are lost: peaks of levels, locks, and the "
	"shares of queries that began and ended between them (they share a "
	"line).",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap thin day.gpsnap -o day-1m.gpsnap",
	    "one tick a minute" },
	{ "gpsnap thin day-1m.gpsnap -o day-10m.gpsnap --every 10m",
	    "coarser still" },
	{ NULL, NULL }
};

const struct opt_cmd thin_opts = {
	.name = "thin",
	.summary = "make a file of a recording with fewer ticks",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

static int prepare(const struct opt_cmd *cmd, void *to,
	struct editing_ask *ask)
{
	const struct thinning *o = to;

	ask->thin_ns = o->every_ns;
	return o->every_ns > 0 ? CLI_GO
	    : cli_usage(cmd, "--every: expected a duration longer than the "
	    "interval of the recording: 10s, 1m, got 0");
}

int cmd_thin(int argc, char **argv)
{
	struct thinning o = { 0 };
	struct editing_ask ask = { 0 };

	return editing_main(&thin_opts, argc, argv, &o, &o.out, &ask,
	    prepare);
}
