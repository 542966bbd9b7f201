/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv.c - RFC 4180: a heading with the machine names, one line per row.  Lines end
 * with LF, as a shell and COPY want it, or on request with CR LF.
 *
 * An absent cell is empty, an empty text is "".  Tables of another view follow
 * after an empty line and have a heading of their own.  With steps in time the
 * first column is the start of the step.
 */
#include <string.h>

#include "base/zone.h"
#include "render/cell.h"
#include "render/render_int.h"

static bool needs_quotes(const char *p, size_t len)
{
	size_t i;

	if (len == 0 || p[0] == ' ' || p[len - 1] == ' ')
		return true;
	for (i = 0; i < len; i++) {
		if (p[i] == ',' || p[i] == '"' || p[i] == '\n' ||
		    p[i] == '\r')
			return true;
	}
	return false;
}

void csv_add_field(struct buf *to, const char *p, size_t len)
{
	size_t i;

	if (!needs_quotes(p, len)) {
		buf_add(to, p, len);
		return;
	}
	buf_add_char(to, '"');
	for (i = 0; i < len; i++) {
		if (p[i] == '"')
			buf_add_char(to, '"');
		buf_add_char(to, p[i]);
	}
	buf_add_char(to, '"');
}

static void end_line(struct render *r)
{
	buf_add_str(r->to, r->options.crlf ? "\r\n" : "\n");
}

static void add_heading(struct render *r, const struct grid *g)
{
	size_t i;

	if (r->n_grid > 0)
		end_line(r);
	if (r->report->every_ns)
		buf_add_str(r->to, grid_find_exactly(g, "time") < 0
		    ? "time," : "step,"); /* events have a time of their own */
	if (g->window_s > 0)
		buf_add_str(r->to, "to,window_seconds,");
	for (i = 0; i < g->n_col; i++) {
		if (i > 0)
			buf_add_char(r->to, ',');
		csv_add_field(r->to, g->col[i].name, strlen(g->col[i].name));
	}
	end_line(r);
}

static void add_row(struct render *r, const struct grid *g,
	const struct grid_row *row)
{
	size_t i;

	if (r->report->every_ns) {
		zone_add_iso(g->from_ns, r->to);
		buf_add_char(r->to, ',');
	}
	if (g->window_s > 0) {
		zone_add_iso(g->to_ns, r->to);
		buf_printf(r->to, ",%.17g,", g->window_s);
	}
	for (i = 0; i < g->n_col; i++) {
		if (i > 0)
			buf_add_char(r->to, ',');
		buf_reset(&r->scratch);
		if (cell_add_exact(&r->scratch,
		    grid_quantity(&g->col[i], row), &row->cell[i]))
			csv_add_field(r->to, buf_str(&r->scratch),
			    r->scratch.len);
	}
	end_line(r);
	render_row_end(r);
}

static void begin(struct render *r)
{
	(void)r; /* no column has the range */
}

static void grid(struct render *r, const struct grid *g)
{
	size_t i;

	if (!r->options.no_header &&
	    (r->n_grid == 0 || strcmp(r->last_name, g->name) != 0))
		add_heading(r, g);
	for (i = 0; i < g->n_row; i++)
		add_row(r, g, &g->row[i]);
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_csv = { begin, grid, end };
