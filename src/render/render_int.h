/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_int.h - shared by render.c and the renderers, and what a renderer must
 * print.
 */
#ifndef GS_RENDER_RENDER_INT_H
#define GS_RENDER_RENDER_INT_H

#include "render/render.h"

/*
 * A format: each function appends to r->to.
 *
 * Of each grid it prints: all cells, absent ones so that they are neither 0 nor
 * an empty text; with grid_row.others the sum of further rows; the marks of
 * cells, if the format has a place for them.  Recorded text is foreign: it is
 * escaped (csv_add_field(), openmetrics_add_escaped(), jsonout.h, safe text).
 *
 * Times: if report->every_ns is set (-e, --ticks), grids follow each other in
 * time, and each shows its own from_ns.  If grid->window_s is set (-W), rows are
 * of a moving window, which ends at to_ns: both are shown.  Else the range of
 * the report is enough.
 *
 * Tables of several views follow each other.  Where a new one begins, n_grid is
 * 0 or last_name differs from grid->name; a format with headings prints them
 * there, unless options.no_header is set.
 */
struct render_ops {
	void (*begin)(struct render *r); /* once, before all grids */
	void (*grid)(struct render *r, const struct grid *g);
	void (*end)(struct render *r); /* closes what begin() opened */
};

struct render {
	const struct render_ops *ops;
	struct render_options options;
	struct buf *to;
	const struct report *report; /* from begin() on */
	struct text_steps *steps; /* of text; NULL: none yet */
	struct buf scratch; /* for a renderer's use, between two calls */
	size_t n_grid; /* grids rendered before this one */
	char last_name[64]; /* view of the grid before this one, cut */
};

/* After each row of a table: a long one need not be in memory. */
static inline void render_row_end(const struct render *r)
{
	if (r->options.full && r->to->len >= RENDER_FULL)
		r->options.full(r->options.full_ctx);
}

#define FORMAT(ID, name, abilities) \
	extern const struct render_ops render_##name;
#include "render/formats.def"
#undef FORMAT

/* One field of a line, quoted if necessary. */
void csv_add_field(struct buf *to, const char *p, size_t len);

/* A text in double quotes, or of a HELP line. */
void openmetrics_add_escaped(struct buf *to, const char *p, size_t len);

#endif
