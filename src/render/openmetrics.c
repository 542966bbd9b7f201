/*
 * openmetrics.c - one instant as OpenMetrics text: a family per column that
 * is a number, a sample per row, the row's texts and ids as labels.
 *
 * All are gauges: a table's figures are of its range, they do not go on
 * growing.  Samples carry the end of the range as their time.  Long texts
 * (flexible columns, such as titles and queries) are labels only where rows
 * have no other, or the same others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "render/cell.h"
#include "render/render_int.h"

static bool is_label(const struct grid_col *c)
{
	return c->quantity == Q_TEXT || c->quantity == Q_ID;
}

/* A flexible text names the row only if nothing else does, or all do. */
static bool labels_row(const struct grid *g, size_t col, bool all)
{
	size_t i;

	if (!is_label(&g->col[col]))
		return false;
	if (all || !g->col[col].flexible)
		return true;
	for (i = 0; i < g->n_col; i++) {
		if (!g->col[i].flexible && is_label(&g->col[i]) &&
		    strcmp(g->col[i].name, "host") != 0)
			return false;
	}
	return true;
}

/* What the name does not say yet of the unit. */
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
	case Q_AGE:
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
	const struct grid *g, const struct grid_row *row, bool all)
{
	const char *before = "{";
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (!labels_row(g, i, all))
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
	if (row->others || *before == ',')
		buf_add_char(to, '}');
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* True if rows have the same labels: no two samples may. */
static bool is_ambiguous(struct render *r, const struct grid *g)
{
	char **text = gs_calloc(g->n_row + 1, sizeof(*text));
	bool same = false;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		struct buf b = BUF_INIT;

		buf_add_char(&b, ' ');
		add_labels(r, &b, g, &g->row[i], false);
		text[i] = b.ptr;
	}
	qsort(text, g->n_row, sizeof(*text), by_text);
	for (i = 1; i < g->n_row && !same; i++)
		same = strcmp(text[i - 1], text[i]) == 0;
	for (i = 0; i < g->n_row; i++)
		free(text[i]);
	free(text);
	return same;
}

static void add_value(struct render *r, const struct grid_col *c,
	const struct cell *cell)
{
	if (c->quantity == Q_TIME)
		buf_printf(r->to, "%.3f", (double)cell->i / 1e9);
	else
		(void)cell_add_exact(r->to, c->quantity, cell);
}

static void add_family(struct render *r, const struct grid *g, size_t col,
	bool all)
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
		add_labels(r, r->to, g, &g->row[i], all);
		buf_add_char(r->to, ' ');
		add_value(r, &g->col[col], c);
		buf_printf(r->to, " %.3f\n", (double)r->report->to_ns / 1e9);
	}
}

static void begin(struct render *r)
{
	(void)r; /* families stand for themselves */
}

static void grid(struct render *r, const struct grid *g)
{
	bool all = is_ambiguous(r, g);
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (!is_label(&g->col[i]))
			add_family(r, g, i, all);
	}
}

static void end(struct render *r)
{
	buf_add_str(r->to, "# EOF\n");
}

const struct render_ops render_openmetrics = { begin, grid, end };
