/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openmetrics.c - one instant as OpenMetrics text: a family per column that is
 * a number, a sample per row, the row's texts and ids as labels.
 *
 * All are gauges: a table's figures are of its range and do not keep growing.
 * The time of samples is the end of the range.  Long texts (flexible columns,
 * such as titles and queries) and those that change while a row stays, such as
 * states, are labels only if rows have no other, or the same others: a series
 * ends where a label changes.  Short ones that are none are labels of a family
 * of their own, "info".  Rows with the same labels, such as reaped children of
 * two processes with one pid, are numbered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "render/cell.h"
#include "render/render_int.h"

/* Labels that identify rows. */
struct labels {
	bool all; /* with long texts, and with those that change */
	bool info; /* with those that change */
	const size_t *twin; /* with a number for equal rows; NULL: without */
};

static bool is_label(const struct grid_col *c)
{
	return c->names || c->quantity == Q_TEXT || c->quantity == Q_ID;
}

static bool is_lasting(const struct grid_col *c)
{
	return is_label(c) && !c->flexible && !c->varies;
}

/* True if a column names rows, and goes on to do so; of many rows the host alone
 * does not. */
static bool has_lasting(const struct grid *g, bool host_does)
{
	size_t i = 0;

	while (i < g->n_col && (!is_lasting(&g->col[i]) ||
	    (!host_does && strcmp(g->col[i].name, "host") == 0)))
		i++;
	return i < g->n_col;
}

/* A text that is long, or changes, is a label only if no other column identifies
 * the row, or if all do. */
static bool labels_row(const struct grid *g, size_t col,
	const struct labels *by)
{
	const struct grid_col *c = &g->col[col];

	if (!is_label(c))
		return false;
	if (by->all || is_lasting(c) || (by->info && !c->flexible))
		return true;
	return !has_lasting(g, !c->flexible);
}

/* The unit, unless the name has it already. */
static const char *suffix(const struct grid_col *c)
{
	switch (c->quantity) {
	case Q_BYTES:
		return "_bytes";
	case Q_TIME:
		return "_timestamp_seconds";
	case Q_TEXT:
	case Q_COUNT:
	case Q_ID:
	case Q_NUMBER:
	case Q_RATE:
	case Q_PERCENT:
	case Q_BYTES_RATE:
	case Q_SECONDS:
	case Q_LATENCY:
	case Q_AGE:
	case Q_BY_ROW:
		return "";
	}
	return "";
}

static void add_name(struct buf *to, const struct grid *g, size_t col)
{
	const char *name = g->col[col].name, *unit = suffix(&g->col[col]);
	size_t len = strlen(name), end = strlen(unit);
	bool has = len >= end && strcmp(name + len - end, unit) == 0;

	buf_printf(to, "gpsnap_%s_%s%s", g->name, name, has ? "" : unit);
}

void openmetrics_add_escaped(struct buf *to, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (p[i] == '\\' || p[i] == '"')
			buf_add_char(to, '\\');
		if (p[i] == '\n')
			buf_add_str(to, "\\n");
		else
			buf_add_char(to, p[i]);
	}
}

static void add_labels(struct render *r, struct buf *to,
	const struct grid *g, const struct grid_row *row,
	const struct labels *by)
{
	size_t i, twin = by->twin ? by->twin[row - g->row] : 0;
	const char *before = "{";

	for (i = 0; i < g->n_col; i++) {
		if (!labels_row(g, i, by))
			continue;
		buf_reset(&r->scratch);
		if (!cell_add_exact(&r->scratch, g->col[i].quantity,
		    &row->cell[i]))
			continue;
		buf_printf(to, "%s%s=\"", before, g->col[i].name);
		openmetrics_add_escaped(to, buf_str(&r->scratch),
		    r->scratch.len);
		buf_add_char(to, '"');
		before = ",";
	}
	if (row->others)
		buf_printf(to, "%sothers=\"%zu\"", before, row->n_others);
	before = row->others ? "," : before;
	if (twin > 0)
		buf_printf(to, "%stwin=\"%zu\"", before, twin + 1);
	if (twin > 0 || *before == ',')
		buf_add_char(to, '}');
}

struct name {
	char *text;
	size_t row;
};

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int r = strcmp(x->text, y->text);

	return r != 0 ? r : x->row < y->row ? -1 : x->row > y->row;
}

/* For each row, in twin, the number of earlier rows with the same labels; true
 * if there are such rows. */
static bool find_twins(struct render *r, const struct grid *g, bool all,
	size_t *twin)
{
	struct name *name = gs_calloc(g->n_row + 1, sizeof(*name));
	bool any = false;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		struct buf b = BUF_INIT;

		buf_add_char(&b, ' ');
		add_labels(r, &b, g, &g->row[i],
		    &(struct labels) { .all = all });
		name[i] = (struct name) { b.ptr, i };
		twin[i] = 0;
	}
	qsort(name, g->n_row, sizeof(*name), by_text);
	for (i = 1; i < g->n_row; i++) {
		if (strcmp(name[i - 1].text, name[i].text) != 0)
			continue;
		twin[name[i].row] = twin[name[i - 1].row] + 1;
		any = true;
	}
	for (i = 0; i < g->n_row; i++)
		free(name[i].text);
	free(name);
	return any;
}

static void add_value(struct render *r, const struct grid_col *c,
	const struct cell *cell)
{
	if (c->quantity == Q_TIME)
		buf_printf(r->to, "%.3f", (double)cell->i / 1e9);
	else if (cell->kind == CELL_MAX)
		buf_add_str(r->to, "+Inf");
	else
		(void)cell_add_exact(r->to, c->quantity, cell);
}

static void add_family(struct render *r, const struct grid *g, size_t col,
	const struct labels *by)
{
	bool any = false;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = &g->row[i].cell[col];

		if (cell_is_absent(c))
			continue;
		if (!any) {
			buf_add_str(r->to, "# TYPE ");
			add_name(r->to, g, col);
			buf_add_str(r->to, " gauge\n# HELP ");
			add_name(r->to, g, col);
			buf_add_char(r->to, ' ');
			openmetrics_add_escaped(r->to, g->col[col].help,
			    strlen(g->col[col].help));
			buf_add_char(r->to, '\n');
			any = true;
		}
		add_name(r->to, g, col);
		add_labels(r, r->to, g, &g->row[i], by);
		buf_add_char(r->to, ' ');
		add_value(r, &g->col[col], c);
		buf_printf(r->to, " %.3f\n", (double)r->report->to_ns / 1e9);
		render_row_end(r);
	}
}

static bool has_info(const struct grid *g, const struct labels *by)
{
	size_t i = 0;

	while (i < g->n_col && (!is_label(&g->col[i]) || g->col[i].flexible ||
	    labels_row(g, i, by)))
		i++;
	return i < g->n_col;
}

/* What changes of a row, as labels of a family of its own. */
static void add_info(struct render *r, const struct grid *g,
	const struct labels *by)
{
	struct labels info = { .info = true, .twin = by->twin };
	size_t i;

	if (g->n_row == 0 || !has_info(g, by))
		return;
	buf_printf(r->to, "# TYPE gpsnap_%s info\n# HELP gpsnap_%s texts that "
	    "change\n", g->name, g->name);
	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].others)
			continue;
		buf_printf(r->to, "gpsnap_%s_info", g->name);
		add_labels(r, r->to, g, &g->row[i], &info);
		buf_printf(r->to, " 1 %.3f\n", (double)r->report->to_ns / 1e9);
		render_row_end(r);
	}
}

static void begin(struct render *r)
{
	(void)r; /* families are independent */
}

static void grid(struct render *r, const struct grid *g)
{
	size_t *twin = gs_calloc(g->n_row + 1, sizeof(*twin));
	struct labels by = { .all = false };
	size_t i;

	by.all = find_twins(r, g, false, twin);
	if (by.all && find_twins(r, g, true, twin))
		by.twin = twin;
	for (i = 0; i < g->n_col; i++) {
		if (!is_label(&g->col[i]))
			add_family(r, g, i, &by);
	}
	add_info(r, g, &by);
	free(twin);
}

static void end(struct render *r)
{
	buf_add_str(r->to, "# EOF\n");
}

const struct render_ops render_openmetrics = { begin, grid, end };
