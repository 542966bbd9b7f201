/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_metrics.c - gpsnap metrics: the registry of what can be measured.
 */
#include "cli/cmds.h"
#include "cli/output.h"
#include "cli/start.h"
#include "view/metric_list.h"

struct metrics {
	const char *columns;
	int format; /* enum render_format */
	int64_t width;
};

static const char *const formats[] = {
	[RENDER_TEXT] = "text",
	[RENDER_JSON] = "json",
	[RENDER_CSV] = "csv",
	NULL
};

static const struct opt options[] = {
	{ OPT_ENUM, 'f', "format", "FORMAT", "output format",
	    .dflt = "text", .values = formats,
	    .offset = OPT_AT(struct metrics, format) },
	{ OPT_TEXT, 'c', "columns", "NAME,...",
	    "these columns in this order; +NAME adds one to the default ones",
	    .offset = OPT_AT(struct metrics, columns) },
	{ OPT_INT, 'w', "width", "COLUMNS",
	    "width of text; default: the terminal's, COLUMNS, or 80; a wider "
	    "one has more columns",
	    .min = 20, .max = 4096,
	    .offset = OPT_AT(struct metrics, width) },
};

static const char *const usage[] = { "[GLOB...] [OPTION...]", NULL };

static const char *const about[] = {
	"Lists the metrics whose name fits a GLOB, or all: what each is, its "
	"unit, how several rows are put together, from which kernel file it "
	"comes, who may read that, and what the kernel must have. A GLOB has * "
	"and ?; it is compared with the name of the metric, with or without "
	"that of its entity. The name of an entity or of a kernel file lists "
	"all that it has.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap metrics 'process.*delay*' -w 160", "with what they need" },
	{ "gpsnap metrics io -f csv", "all that comes from /proc/PID/io" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_CANNOT, "error: the output can't be written" },
	{ EXIT_NOTHING, "some GLOB fits no metric" },
	EXITS_END
};

const struct opt_cmd metrics_opts = {
	.name = "metrics",
	.summary = "list what can be measured, and what that needs",
	OPT_TABLES,
	.exits = exits,
};

static bool is_any_empty(const struct opt_rest *rest)
{
	int i;

	for (i = 0; i < rest->n; i++) {
		if (*rest->arg[i] == '\0')
			return true;
	}
	return false;
}

/* Names the patterns that no metric fits; how many they are. */
static int report_unknown(const struct opt_rest *rest)
{
	int i, n = 0;

	for (i = 0; i < rest->n; i++) {
		struct buf near = BUF_INIT;

		if (metric_list_has(rest->arg[i]))
			continue;
		metric_list_suggest(rest->arg[i], &near);
		cli_notice("no metric fits %s%s", rest->arg[i],
		    buf_str(&near));
		buf_release(&near);
		n++;
	}
	return n;
}

static void show(const struct metrics *o, const struct grid *g)
{
	const struct report report = { .n_ticks = 0 };
	struct printer p;
	struct show_output out;

	output_init(&p, (enum render_format)o->format, (size_t)o->width,
	    COLOR_AUTO);
	output_timeless(&p);
	out = output_for_show(&p);
	if (out.begin(out.ctx, &report) && out.grid(out.ctx, g))
		(void)out.end(out.ctx); /* reported: see cli_finish() */
	output_release(&p);
}

int cmd_metrics(int argc, char **argv)
{
	struct metrics o = { 0 };
	struct opt_rest rest;
	struct gs_err err;
	struct grid *g;
	int unknown, status = cli_start(&metrics_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (is_any_empty(&rest))
		return cli_usage(&metrics_opts, "a GLOB is empty");
	g = metric_list(rest.arg, (size_t)rest.n);
	if (o.columns && grid_choose(g, o.columns, &err) < 0) {
		grid_free(g);
		return cli_fail(&metrics_opts, &err);
	}
	unknown = report_unknown(&rest);
	if (g->n_row > 0 || o.format != RENDER_TEXT)
		show(&o, g);
	grid_free(g);
	return cli_finish(unknown ? EXIT_NOTHING : EXIT_DONE);
}
