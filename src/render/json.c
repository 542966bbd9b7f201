/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.c - one object per table, each on a line of its own.
 *
 * {"version":1, "view":..., "from":..., "to":..., "covered_seconds":...,
 * "every_seconds":..., "ticks":..., "skipped_ticks":... where any were,
 * "interval_seconds":...,
 * "thinned_from_seconds":... where ticks were left out, "files":[...],
 * "hosts":[...], "host_coverage":[{"host","covered_seconds","answered"}] where
 * some host covers less than others, "holes":[{"from","to","seconds","why"}],
 * "baseline":{"from","to","covered_seconds","ticks","interval_seconds",
 * "holes"} where there is one, with "side","files","hosts" of two sides that are
 * compared, where "side" names the other one; "notes":[...], "remarks":[{"time","text"}],
 * "columns":[{"name","unit","title","help"}], "rows":[{name: value}],
 * "others":null or {name: value}, "others_count":..., "total_rows":...,
 * "not_attributed":{name: value} of what hosts used and no row has, if any,
 * (of nested rows, the others below a row are in rows, with "others_count"),
 * "marks":[{"row","column","mark"}]}
 *
 * Tables of no recording have nothing between "view" and "columns".
 *
 * marks lists cells with a mark: "estimate", "at_least"; row counts from 0, and
 * is null for others.
 */
#include "render/jsonout.h"
#include "render/render_int.h"

#define JSON_VERSION 1

static void add_hole_edge(struct jsonout *j, const char *name, bool known,
	int64_t ns)
{
	jsonout_name(j, name);
	if (known)
		jsonout_instant(j, ns);
	else
		jsonout_null(j);
}

/* null for the seconds and one edge if the length is not known. */
static void add_hole_edges(struct jsonout *j, const struct report_hole *h)
{
	bool known = h->to_ns > h->from_ns;

	add_hole_edge(j, "from", known || !h->before, h->from_ns);
	add_hole_edge(j, "to", known || h->before, h->to_ns);
	jsonout_name(j, "seconds");
	if (known)
		jsonout_real(j, (double)(h->to_ns - h->from_ns) / 1e9);
	else
		jsonout_null(j);
}

/* It is in the grid's range, or next to it: a report has the holes of its own grids. */
static bool is_hole_of(const struct grid *g, const struct report_hole *h)
{
	return h->from_ns <= g->to_ns && h->to_ns >= g->from_ns;
}

/* The holes of the grid's range; g NULL: all. */
static void add_holes(struct jsonout *j, const struct report *rep,
	const struct grid *g)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "holes"));
	for (i = 0; i < rep->n_hole; i++) {
		const struct report_hole *h = &rep->hole[i];

		if (g && rep->every_ns && !is_hole_of(g, h))
			continue;
		jsonout_open_map(j);
		add_hole_edges(j, h);
		jsonout_str(jsonout_name(j, "why"), h->why);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

/* Hosts that cover less than covered_seconds. */
static void add_covers(struct jsonout *j, const struct report *rep)
{
	size_t i;

	if (rep->n_cover == 0)
		return;
	jsonout_open_list(jsonout_name(j, "host_coverage"));
	for (i = 0; i < rep->n_cover; i++) {
		jsonout_open_map(j);
		jsonout_str(jsonout_name(j, "host"), rep->cover[i].host);
		jsonout_real(jsonout_name(j, "covered_seconds"),
		    rep->cover[i].covered_s);
		jsonout_bool(jsonout_name(j, "answered"),
		    rep->cover[i].answered);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

/* Texts of gpsnap mark. */
static void add_remarks(struct jsonout *j, const struct report *rep)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "remarks"));
	for (i = 0; i < rep->n_mark; i++) {
		jsonout_open_map(j);
		jsonout_instant(jsonout_name(j, "time"), rep->mark[i].wall_ns);
		jsonout_str(jsonout_name(j, "text"), rep->mark[i].text);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

/* Ticks of other intervals, if there are any. */
static void add_paces(struct jsonout *j, const struct report *rep)
{
	size_t i;

	if (rep->n_pace == 0)
		return;
	jsonout_open_list(jsonout_name(j, "other_intervals"));
	for (i = 0; i < rep->n_pace; i++) {
		const struct report_pace *p = &rep->pace[i];

		jsonout_open_map(j);
		jsonout_real(jsonout_name(j, "interval_seconds"),
		    (double)p->interval_ns / 1e9);
		if (p->thinned_ns > 0)
			jsonout_real(jsonout_name(j, "thinned_from_seconds"),
			    (double)p->thinned_ns / 1e9);
		jsonout_int(jsonout_name(j, "ticks"), (int64_t)p->ticks);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

/* The baseline, if there is one. */
static void add_baseline(struct jsonout *j, const struct report *rep)
{
	if (!rep)
		return;
	jsonout_open_map(jsonout_name(j, "baseline"));
	if (rep->side) {
		jsonout_str(jsonout_name(j, "side"), rep->side);
		jsonout_strings(j, "files", rep->file, rep->n_file);
		jsonout_strings(j, "hosts", rep->host, rep->n_host);
	}
	jsonout_instant(jsonout_name(j, "from"), rep->from_ns);
	jsonout_instant(jsonout_name(j, "to"), rep->to_ns);
	jsonout_real(jsonout_name(j, "covered_seconds"), rep->covered_s);
	jsonout_int(jsonout_name(j, "ticks"), (int64_t)rep->n_ticks);
	jsonout_real(jsonout_name(j, "interval_seconds"),
	    (double)rep->interval_ns / 1e9);
	add_holes(j, rep, NULL);
	jsonout_close_map(j);
}

static void add_head(struct jsonout *j, const struct report *rep,
	const struct grid *g)
{
	if (rep->side)
		jsonout_str(jsonout_name(j, "side"), rep->side);
	jsonout_instant(jsonout_name(j, "from"), g->from_ns);
	jsonout_instant(jsonout_name(j, "to"), g->to_ns);
	jsonout_real(jsonout_name(j, "covered_seconds"), g->covered_s);
	jsonout_name(j, "window_seconds");
	if (g->window_s > 0)
		jsonout_real(j, g->window_s);
	else
		jsonout_null(j);
	jsonout_name(j, "every_seconds");
	if (rep->every_ns)
		jsonout_real(j, (double)rep->every_ns / 1e9);
	else
		jsonout_null(j);
	jsonout_int(jsonout_name(j, "ticks"), (int64_t)rep->n_ticks);
	if (rep->n_skipped > 0) {
		jsonout_int(jsonout_name(j, "skipped_ticks"),
		    (int64_t)rep->n_skipped);
	}
	jsonout_real(jsonout_name(j, "interval_seconds"),
	    (double)rep->interval_ns / 1e9);
	if (rep->thinned_ns > 0) {
		jsonout_real(jsonout_name(j, "thinned_from_seconds"),
		    (double)rep->thinned_ns / 1e9);
	}
	add_paces(j, rep);
	jsonout_strings(j, "files", rep->file, rep->n_file);
	jsonout_strings(j, "hosts", rep->host, rep->n_host);
	add_covers(j, rep);
	add_holes(j, rep, g);
	add_baseline(j, rep->baseline);
	jsonout_strings(j, "notes", rep->note, rep->n_note);
	add_remarks(j, rep);
}

static void add_columns(struct jsonout *j, const struct grid *g)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "columns"));
	for (i = 0; i < g->n_col; i++) {
		const struct grid_col *col = &g->col[i];

		jsonout_open_map(j);
		jsonout_str(jsonout_name(j, "name"), col->name);
		jsonout_str(jsonout_name(j, "unit"),
		    quantity_unit(col->quantity));
		jsonout_str(jsonout_name(j, "title"), col->title);
		jsonout_str(jsonout_name(j, "help"),
		    col->help ? col->help : "");
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

static void add_row(struct jsonout *j, const struct grid *g,
	const struct grid_row *row)
{
	size_t i;

	jsonout_open_map(j);
	for (i = 0; i < g->n_col; i++) {
		jsonout_cell(jsonout_name(j, g->col[i].name),
		    grid_quantity(&g->col[i], row), &row->cell[i]);
	}
	if (row->others && row->level > 1)
		jsonout_int(jsonout_name(j, "others_count"),
		    (int64_t)row->n_others);
	jsonout_close_map(j);
}

static void add_rows(struct render *r, struct jsonout *j, const struct grid *g)
{
	const struct grid_row *others = NULL, *rest = NULL;
	size_t i;

	jsonout_open_list(jsonout_name(j, "rows"));
	for (i = 0; i < g->n_row; i++) {
		render_row_end(r);
		if (g->row[i].others && g->row[i].level <= 1)
			others = &g->row[i];
		else if (g->row[i].rest)
			rest = &g->row[i];
		else
			add_row(j, g, &g->row[i]);
	}
	jsonout_close_list(j);
	jsonout_name(j, "others");
	if (others)
		add_row(j, g, others);
	else
		jsonout_null(j);
	jsonout_int(jsonout_name(j, "others_count"),
	    others ? (int64_t)others->n_others : 0);
	jsonout_int(jsonout_name(j, "total_rows"), (int64_t)g->n_total);
	if (rest) {
		jsonout_name(j, "not_attributed");
		add_row(j, g, rest);
	}
}

static void add_mark(struct jsonout *j, const struct grid *g, size_t row,
	size_t col)
{
	const struct cell *c = &g->row[row].cell[col];

	if (!c->mark || cell_is_absent(c))
		return;
	jsonout_open_map(j);
	jsonout_name(j, "row");
	if (g->row[row].others && g->row[row].level <= 1)
		jsonout_null(j);
	else
		jsonout_int(j, (int64_t)row);
	jsonout_str(jsonout_name(j, "column"), g->col[col].name);
	jsonout_str(jsonout_name(j, "mark"),
	    c->mark == '~' ? "estimate" : "at_least");
	jsonout_close_map(j);
}

static void add_marks(struct render *r, struct jsonout *j, const struct grid *g)
{
	size_t i, k;

	jsonout_open_list(jsonout_name(j, "marks"));
	for (i = 0; i < g->n_row; i++) {
		render_row_end(r);
		for (k = 0; k < g->n_col; k++)
			add_mark(j, g, i, k);
	}
	jsonout_close_list(j);
}

static void begin(struct render *r)
{
	(void)r; /* every line is independent */
}

static void grid(struct render *r, const struct grid *g)
{
	struct jsonout j;

	if (!jsonout_begin(&j, r->to))
		return;
	jsonout_open_map(&j);
	jsonout_int(jsonout_name(&j, "version"), JSON_VERSION);
	jsonout_str(jsonout_name(&j, "view"), g->name);
	if (!r->options.timeless)
		add_head(&j, r->report, g);
	add_columns(&j, g);
	add_rows(r, &j, g);
	add_marks(r, &j, g);
	jsonout_close_map(&j);
	jsonout_end(&j);
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_json = { begin, grid, end };
