/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render.h - from grids to bytes: text for reading, JSON and CSV for programs.
 *
 * Order of use: render_new(), render_begin() once, render_grid() for every
 * table, render_end(), render_free().  Each call appends to the buf given to
 * render_new(); the caller may write it out and reset it between calls, and by
 * render_options.full within a table.  All formats show the same numbers; text
 * rounds them.
 */
#ifndef GS_RENDER_RENDER_H
#define GS_RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "query/grid.h"

enum render_format {
#define FORMAT(ID, name, abilities) RENDER_##ID,
#include "render/formats.def"
#undef FORMAT
	RENDER_FORMATS
};

enum render_ability {
	RENDER_FOR_PEOPLE = 1, /* lines above tables, windows side by side, a
	                        * screen that is redrawn */
	RENDER_HAS_NOTES = 2, /* has notes for the reader */
	RENDER_NOTES_EACH = 4, /* with every table, not only the first */
	RENDER_HAS_HEADINGS = 8, /* rows can be printed without them */
	RENDER_ONE_INSTANT = 16 /* only one table per view */
};

/* True if the format, an enum render_format, has one of these bits. */
bool render_can(int format, unsigned abilities);

/* Name of a format: "csv"; format of a name, RENDER_FORMATS if there is none. */
enum render_format render_named(const char *name);

struct render_options {
	enum render_format format;
	size_t width; /* width of a line of text */
	size_t height; /* lines of the screen; 0: it is none */
	bool bold; /* headings are highlighted with escape sequences */
	bool utf8; /* text may have non-ASCII characters */
	bool no_header; /* of text and CSV: only rows */
	bool crlf; /* of CSV: lines end with CR LF */
	bool wrap; /* of text: a text that is cut follows below its row */
	bool timeless; /* the tables are of no recording: nothing above them,
	                * and no range */
	void (*full)(void *ctx); /* between two rows, the buf has RENDER_FULL
	                          * bytes: it may be written out and reset.
	                          * NULL: it has the whole table */
	void *full_ctx;
};

#define RENDER_FULL ((size_t)64 << 10)

struct render;

/* `to` is not owned and must outlive the renderer. */
struct render *render_new(const struct render_options *options,
	struct buf *to);
void render_free(struct render *r);

/* The report is not owned and must stay until render_end(). */
void render_begin(struct render *r, const struct report *report);
void render_grid(struct render *r, const struct grid *g);
void render_end(struct render *r);

#endif
