/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render.h - from grids to bytes: text for people, JSON and CSV for programs.
 *
 * Order of use: render_new(), render_begin() once, render_grid() for every
 * table, render_end(), render_free().  Each call appends to the buf given to
 * render_new(); the caller writes it out and resets it between calls as it
 * likes.  All formats show the same numbers; text rounds them.
 */
#ifndef GS_RENDER_RENDER_H
#define GS_RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "query/grid.h"

enum render_format {
	RENDER_TEXT,
	RENDER_JSON,
	RENDER_CSV,
	RENDER_OPENMETRICS /* one table for each view only */
};

struct render_options {
	enum render_format format;
	size_t width; /* columns of a line of text */
	bool bold; /* headings stand out by escape sequences */
	bool utf8; /* text may have characters beyond ASCII */
	bool no_header; /* of text and CSV: the rows alone */
};

struct render;

/* to is not owned and must outlive the renderer. */
struct render *render_new(const struct render_options *options,
	struct buf *to);
void render_free(struct render *r);

/* The report is not owned and must stay until render_end(). */
void render_begin(struct render *r, const struct report *report);
void render_grid(struct render *r, const struct grid *g);
void render_end(struct render *r);

#endif
