/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/diff_int.h"
#include "query/filter.h"
#include "view/report.h"

static void release(struct diff *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		struct diff_section *s = &d->section[i];

		grid_free(s->grid);
		free(s->about);
		ask_free(s->ask);
	}
	reading_release(&d->a);
	reading_release(&d->b);
	free(d->keys);
	free(d->columns);
}

/* Rows of two hosts, or segments, are the same without them. */
static void choose_keys(struct diff *d)
{
	const struct diff_side *s = d->side;

	if (s[0].host && s[1].host && strcmp(s[0].host, s[1].host) != 0) {
		d->without[d->n_without++] = "host";
		d->without[d->n_without++] = "os_host";
	}
	if (s[0].segment && s[1].segment)
		d->without[d->n_without++] = "segment";
}

/* Sessions of the operating system have numbers that mean nothing on another
 * host. */
static void drop_os_sessions(struct grid *g)
{
	int col = grid_find_col(g, "session", strlen("session"));
	size_t i, n = 0;

	if (col < 0)
		return; /* they are grouped without them */
	for (i = 0; i < g->n_row; i++) {
		struct cell *c = &g->row[i].cell[col];

		if (c->kind != CELL_TEXT ||
		    !span_starts(cell_span(c), "sid "))
			g->row[n++] = g->row[i];
	}
	g->n_row = g->n_total = n;
}

static void drop_rows(struct diff *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		const char *title = d->section[i].title;

		if (d->n_without == 0 || !title ||
		    strcmp(title, "sessions") != 0)
			continue;
		drop_os_sessions(d->a.grid[i]);
		drop_os_sessions(d->b.grid[i]);
	}
}

/* Each of --metrics is in some table. */
static int check_metrics(const struct diff *d, struct gs_err *err)
{
	struct span rest = span_str(d->o->metrics ? d->o->metrics : ""), name;
	size_t i;

	while (d->o->metrics && grid_next_name(&rest, &name)) {
		for (i = 0; i < d->n; i++) {
			if (grid_find_col(d->b.grid[i], name.ptr,
			    span_len(name)) >= 0)
				break;
		}
		if (i == d->n)
			return gs_fail(err, GS_E_USAGE, "--metrics: no column "
			    "and no metric \"%.*s\" of what is compared; see "
			    "gpsnap-metrics(7)",
			    (int)GS_MIN(span_len(name), 60), name.ptr);
	}
	return GS_OK;
}

static int read_sides(struct diff *d, struct gs_err *err)
{
	struct ask *ask[SECTIONS_MAX];
	size_t i;
	int r;

	for (i = 0; i < d->n; i++)
		ask[i] = d->section[i].ask;
	r = reading_run(&d->a, &d->side[0], 'A', ask, d->n, err);
	if (r == GS_OK)
		r = reading_run(&d->b, &d->side[1], 'B', ask, d->n, err);
	if (r == GS_OK)
		r = check_metrics(d, err);
	if (r == GS_OK)
		drop_rows(d);
	return r;
}

/* ---- tables -------------------------------------------------------------- */

/* How many lines --where took. */
static size_t keep_lines(struct filter *f, struct grid *g)
{
	size_t n = g->n_row;

	filter_grid(f, g);
	return n - g->n_row;
}

static int refine_lines(struct diff *d, size_t i, struct gs_err *err)
{
	struct diff_section *s = &d->section[i];
	const struct ask_words *w = &d->o->words;
	struct when_env when = diff_when(d);
	struct filter *f = w->where ? filter_new(w->where, s->grid, &when, err)
	                            : NULL;
	size_t n;
	int r = w->where && !f ? GS_E_USAGE : GS_OK;

	if (r < 0)
		gs_err_prefix(err, "--where");
	else if (f)
		d->n_filtered += keep_lines(f, s->grid);
	filter_free(f);
	if (r == GS_OK)
		r = order_lines(s->grid, d->b.grid[i], w->sort, err);
	n = s->grid->n_total = s->grid->n_row;
	if (r == GS_OK && about_is_asked(d))
		about_note(d, i);
	else if (w->limit > 0 && n > w->limit)
		s->grid->n_row = w->limit;
	form_title(s->grid, s->title, n);
	if (r == GS_OK && d->o->for_people)
		form_lines(s->grid, d->o->form, d->o->utf8);
	if (r == GS_OK && w->columns)
		r = grid_choose(s->grid, w->columns, err);
	return r;
}

static int refine_table(struct diff *d, struct diff_section *s,
	struct gs_err *err)
{
	struct when_env when = diff_when(d);
	int r = ask_refine(s->ask, s->grid, &when, err);

	/* after it, since it turns figures into texts */
	if (r == GS_OK && d->o->for_people)
		form_table(s->grid, d->o->form, d->o->utf8);
	return r;
}

static int make_tables(struct diff *d, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < d->n; i++) {
		struct diff_section *s = &d->section[i];

		if (s->hidden)
			continue;
		r = diff_compare(d, i, s->lines, &s->grid, err);
		if (r == GS_OK)
			r = s->lines ? refine_lines(d, i, err)
			             : refine_table(d, s, err);
	}
	return r;
}

/* ---- output ------------------------------------------------------------- */

static bool print(struct diff *d, const struct show_output *out)
{
	bool ok = out->begin(out->ctx, &d->report);
	size_t i;

	for (i = 0; ok && i < d->n; i++) {
		const struct diff_section *s = &d->section[i];

		/* a note says so */
		if (s->hidden ||
		    (d->o->for_people && s->lines && s->grid->n_row == 0))
			continue;
		ok = s->about ? about_print(d, s, out)
		              : out->grid(out->ctx, s->grid);
	}
	return ok && out->end(out->ctx);
}

static void fill_report(struct diff *d, struct diff_result *ret)
{
	d->report = d->b.report;
	d->b.report = (struct report) { 0 };
	d->report.side = d->side[1].name;
	d->a.report.side = d->side[0].name;
	d->report.baseline = &d->a.report;
	notes_add(d, ret);
}

int diff_run(const struct diff_options *o, const struct diff_side side[2],
	const struct show_output *out, struct diff_result *ret,
	struct gs_err *err)
{
	struct diff d = { .o = o, .side = side };
	int r;

	*ret = (struct diff_result) { 0 };
	choose_keys(&d);
	r = sections_choose(&d, err);
	if (r == GS_OK)
		r = read_sides(&d, err);
	if (r == GS_OK)
		r = make_tables(&d, err);
	if (r == GS_OK) {
		ret->n_holes = d.a.n_holes + d.b.n_holes;
		fill_report(&d, ret);
		if (o->fail_if)
			r = gate_check(&d, out, &ret->n_true, err);
		if (r == GS_OK)
			(void)print(&d, out); /* it reports a failure */
		report_release(&d.report);
	}
	release(&d);
	return r;
}
