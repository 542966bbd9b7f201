/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_findings.c - gpsnap findings: what was wrong in a recording, and by which
 * rules.
 */
#include <string.h>

#include "base/mem.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/tables.h"
#include "replay/archive.h"
#include "view/findings_view.h"
#include "view/report.h"

struct findings_options {
	struct times when;
	const char *where;
	bool explain, no_header;
	int64_t limit;
	int format; /* enum render_format */
	int64_t width;
	int color;
	uint64_t memory_bytes;
};

#define AT(field) .offset = OPT_AT(struct findings_options, field)

static const char *const formats[] = {
	[RENDER_TEXT] = "text",
	[RENDER_JSON] = "json",
	[RENDER_CSV] = "csv",
	NULL
};

static const struct opt options[] = {
	RANGE_OPTIONS(struct findings_options, when),
	HOST_OPTION(struct findings_options, when),
	{ OPT_TEXT, 'w', "where", "EXPR",
	    "only findings for which EXPR holds: \"severity = problem and "
	    "length > 1m\"", AT(where) },
	{ OPT_INT, 'l', "limit", "N", "the worst N; 0: all", .dflt = "0",
	    .min = 0, .max = INT64_MAX, AT(limit) },
	{ OPT_FLAG, 0, "explain", NULL,
	    "list the rules, in place of findings; with PATH: and which of "
	    "them the recording allows to judge",
	    .group = "How to show it", AT(explain) },
	{ OPT_ENUM, 'f', "format", "FORMAT", "output format", .dflt = "text",
	    .values = formats, AT(format) },
	ZONE_OPTIONS(struct findings_options, when, 'u'),
	{ OPT_FLAG, 0, "no-header", NULL, "text and CSV without headings",
	    AT(no_header) },
	{ OPT_INT, 0, "width", "COLUMNS",
	    "width of text; default: the terminal's, COLUMNS, or 80",
	    .min = 20, .max = 4096, AT(width) },
	{ OPT_ENUM, 0, "color", "WHEN", "bold headings", .dflt = "auto",
	    .values = output_colors, AT(color) },
	MEMORY_OPTION(struct findings_options, memory_bytes),
};

static const char *const usage[] = {
	"PATH... [--from TIME] [--to TIME] [OPTION...]",
	"--explain [PATH...] [OPTION...]",
	NULL
};

static const char *const about[] = {
	"Says what was wrong in a recording, the worst first: from when to "
	"when, who, the figures that show it, and the options of gpsnap replay "
	"that show more. PATH is a file, a directory of them, or - for the "
	"standard input.",
	"Rules decide what is a finding. Add or change some in a section "
	"[finding NAME] of gpsnap.conf(5).",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap findings incident.gpsnap", "what was wrong" },
	{ "gpsnap findings --explain ~/gpsnap --from -1h",
	    "which rules the last hour allows to judge" },
	{ "gpsnap findings --explain", "which rules there are" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "something was found; or the rules were listed" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "error: not a recording, unreadable, or nothing "
	    "recorded in the range" },
	{ EXIT_NOTHING, "nothing was found, and no data is missing" },
	EXITS_END
};

const struct opt_cmd findings_opts = {
	.name = "findings",
	.summary = "say what was wrong in a recording",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

struct work {
	struct findings_options o;
	struct replay_options tables_of; /* the same, for tables.h */
	struct archive *archive;
	struct show_source source;
	struct range range;
	struct meter meter;
	struct tables tables;
	struct buf where;
	struct buf hosts; /* that there are, if the one that was named is not */
	bool no_host;
	size_t found;
	size_t n_holes;
};

static void head(void *ctx, struct report *rep)
{
	const struct work *w = ctx;

	tables_head(w->archive, &w->source.zone, rep);
}

static int set_source(struct work *w, struct gs_err *err)
{
	struct show_source *s = &w->source;
	int r;

	s->cursor = meter_cursor(&w->meter, archive_cursor(w->archive));
	s->interval_ns = archive_header(w->archive)->interval_ns;
	s->is_pipe = !archive_bounds(w->archive, &s->first_ns, &s->last_ns);
	s->head = head;
	s->ctx = w;
	r = times_zone(&w->o.when, archive_utc_offset(w->archive), &s->zone,
	    err);
	if (r == GS_OK && s->is_pipe)
		r = times_check_pipe(&w->o.when, err);
	if (r < 0)
		return r;
	r = times_range(&w->o.when, &s->zone, s->first_ns, s->last_ns,
	    &w->range.from_ns, &w->range.to_ns, err);
	if (r == GS_OK)
		meter_range(&w->meter, &s->zone, w->range.from_ns,
		    w->range.to_ns, s->first_ns, s->last_ns);
	return r;
}

/* ---- rules -------------------------------------------------------------- */

static int choose_rules(const struct findings_options *o, struct grid *g,
	struct gs_err *err)
{
	struct filter *f = o->where ? filter_new(o->where, g, NULL, err) : NULL;

	if (o->where && !f) {
		gs_err_prefix(err, "--where");
		return GS_E_USAGE;
	}
	if (f)
		filter_grid(f, g);
	filter_free(f);
	grid_limit(g, (size_t)o->limit);
	return GS_OK;
}

static void print_grid(const struct findings_options *o, struct grid *g)
{
	const struct report report = { .n_ticks = 0 };
	struct printer p;
	struct show_output out;

	output_init(&p, (enum render_format)o->format, (size_t)o->width,
	    (enum output_color)o->color);
	output_timeless(&p);
	if (o->no_header)
		output_no_header(&p);
	out = output_for_show(&p);
	if (out.begin(out.ctx, &report) && out.grid(out.ctx, g))
		(void)out.end(out.ctx); /* reported: see cli_finish() */
	output_release(&p);
}

/* The list of rules, which is freed; *ret_n of them. */
static int print_rules(const struct findings_options *o, struct grid *g,
	size_t *ret_n, struct gs_err *err)
{
	int r = choose_rules(o, g, err);

	*ret_n = g->n_row;
	if (r == GS_OK)
		print_grid(o, g);
	grid_free(g);
	return r;
}

static int no_table(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

/* One pass, to see which rules can be judged. */
static int explain(struct work *w, struct gs_err *err)
{
	struct range_result res = { 0 };
	struct findings *f;
	struct engine e;
	int r;

	engine_init(&e, w->source.interval_ns);
	f = findings_new(&findings_views, &e, &w->source.zone);
	r = range_run(&w->range, w->source.cursor, &e, no_table, NULL, &res,
	    err);
	if (r == GS_OK)
		r = print_rules(&w->o, findings_rules_grid(f), &w->found, err);
	w->n_holes = res.n_holes;
	findings_free(f);
	engine_release(&e);
	return r;
}

/* ---- findings ----------------------------------------------------------- */

/* The host as a condition: of rows that have none, none can tell. */
static const char *condition(struct work *w)
{
	const struct findings_options *o = &w->o;

	if (!o->when.host)
		return o->where;
	buf_printf(&w->where, "(host is absent or host = '%s')", o->when.host);
	if (o->where)
		buf_printf(&w->where, " and (%s)", o->where);
	return buf_str(&w->where);
}

/* False: the range has no host of the name. */
static bool has_host(struct work *w, const struct report *rep)
{
	size_t i;

	buf_reset(&w->hosts);
	for (i = 0; i < rep->n_host; i++) {
		if (strcmp(rep->host[i], w->o.when.host) == 0)
			return true;
		buf_printf(&w->hosts, "%s%s", i > 0 ? ", " : "", rep->host[i]);
	}
	return false;
}

static bool count(void *ctx, const struct grid *g)
{
	struct work *w = ctx;
	struct show_output out = output_for_show(&w->tables.printer);

	w->found = g->n_row;
	return out.grid(out.ctx, g);
}

static bool pass_begin(void *ctx, const struct report *rep)
{
	struct work *w = ctx;
	struct show_output out = output_for_show(&w->tables.printer);

	w->no_host = w->o.when.host && !has_host(w, rep);
	return !w->no_host && out.begin(out.ctx, rep);
}

static bool pass_end(void *ctx)
{
	struct work *w = ctx;
	struct show_output out = output_for_show(&w->tables.printer);

	return out.end(out.ctx);
}

static void pass_note(void *ctx, const char *text)
{
	(void)ctx;
	cli_notice("%s", text);
}

static int show(struct work *w, struct gs_err *err)
{
	struct replay_options *t = &w->tables_of;
	struct show_result res = { 0 };
	int r;

	*t = (struct replay_options) { .when = w->o.when, .view = "findings",
		.where = condition(w), .limit = w->o.limit,
		.format = w->o.format, .width = w->o.width,
		.color = w->o.color, .no_header = w->o.no_header,
		.min_percent = -1, .top = SHOW_TOP_USUAL };
	tables_init(&w->tables, t);
	w->tables.out = (struct show_output) { .begin = pass_begin,
		.grid = count, .end = pass_end, .note = pass_note, .ctx = w };
	r = tables_show(&w->tables, t, &w->source, err);
	if (r == GS_OK)
		r = show_range(w->tables.show, &w->range, &res, err);
	if (r == GS_OK && w->no_host)
		r = gs_fail(err, GS_E_USAGE, "--host %.60s: no such host among "
		    "%s", w->o.when.host, buf_str(&w->hosts));
	else if (r == GS_OK && !res.any)
		r = report_nothing(&w->range, &res.hole, &w->source.zone,
		    w->source.first_ns, w->source.last_ns, err);
	if (w->tables.show)
		show_end(w->tables.show);
	w->n_holes = res.n_holes;
	tables_release(&w->tables);
	return r;
}

static int run(struct work *w, const struct opt_rest *rest)
{
	struct gs_err err = { .status = GS_OK };
	int r = archive_open(rest->arg, (size_t)rest->n, &w->archive, &err);

	meter_init(&w->meter, true);
	if (r == GS_OK)
		r = set_source(w, &err);
	if (r == GS_OK)
		r = w->o.explain ? explain(w, &err) : show(w, &err);
	meter_end(&w->meter);
	if (r < 0)
		return cli_fail(&findings_opts, &err);
	if (w->n_holes || archive_is_part(w->archive, w->range.from_ns,
	    w->range.to_ns))
		return EXIT_GAPS;
	return w->found ? EXIT_DONE : EXIT_NOTHING;
}

static int check(const struct findings_options *o, const struct opt_rest *rest)
{
	const char *c;

	if (rest->n == 0 && !o->explain)
		return cli_usage(&findings_opts,
		    "expected a recording, a directory, or -");
	for (c = o->when.host; c && *c; c++) {
		if (*c == '\'')
			return cli_usage(&findings_opts,
			    "--host: no host has a quote in its name");
	}
	return times_check(&findings_opts, &o->when);
}

int cmd_findings(int argc, char **argv)
{
	struct work w = { .where = BUF_INIT, .hosts = BUF_INIT,
		.range = { INT64_MIN, INT64_MAX, 0 } };
	struct opt_rest rest;
	struct gs_err err;
	int status = cli_start(&findings_opts, argc, argv, &w.o, &rest);

	if (status == CLI_GO)
		status = check(&w.o, &rest);
	if (status == CLI_GO && rest.n == 0) {
		if (print_rules(&w.o, findings_rules_grid(NULL), &w.found,
			&err) < 0)
			return cli_fail(&findings_opts, &err);
		return cli_finish(w.found ? EXIT_DONE : EXIT_NOTHING);
	}
	if (status == CLI_GO)
		status = cli_confine(&findings_opts, &(struct confine) {
		    .read = rest.arg, .n_read = (size_t)rest.n });
	if (status != CLI_GO)
		return status;
	status = run(&w, &rest);
	archive_free(w.archive);
	buf_release(&w.where);
	buf_release(&w.hosts);
	return cli_finish(status);
}
