/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.h - the contents of the terminal: lines of text, each in spans of one
 * style.  It needs no terminal, so that tests can read it.
 */
#ifndef GS_TUI_SCREEN_H
#define GS_TUI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The meaning of a span of text; term.c has its colours. */
enum style {
	STYLE_PLAIN,
	STYLE_BAR, /* the top line, the bottom line */
	STYLE_HEAD, /* headings of columns */
	STYLE_SORTED, /* the heading of the sort column */
	STYLE_TITLE, /* of a table */
	STYLE_STRONG, /* much of the whole */
	STYLE_DIM, /* ended, absent, idle */
	STYLE_WATCH, /* beyond a threshold */
	STYLE_BAD, /* beyond a worse one */
	STYLE_NOTE, /* events, keys */
	STYLE_HERE, /* the window in the timeline */
	STYLE_ERROR, /* an error */
	STYLE_PART, /* the parts of the timeline, lowest first: */
	STYLE_PART_LAST = STYLE_PART + 4,
	STYLE_COUNT
};

struct run {
	enum style style;
	size_t len; /* bytes */
};

struct line {
	struct buf text;
	size_t width; /* columns so far */
	struct run *run;
	size_t n_run, run_cap;
	bool selected;
};

struct screen {
	size_t width, height;
	bool utf8;
	struct line *line;
	size_t line_cap;
	bool cursor; /* shown, at: */
	size_t cursor_line, cursor_col;
};

/* Empty lines of a new size; the memory is kept. */
void screen_reset(struct screen *s, size_t width, size_t height, bool utf8);
void screen_release(struct screen *s);

/* Line i; text after the last line is lost. */
struct line *screen_line(struct screen *s, size_t i);

/* Appends text, which must be safe to show, up to the screen's width. */
void line_add(const struct screen *s, struct line *l, enum style style,
	const char *p, size_t len);
void line_add_str(const struct screen *s, struct line *l, enum style style,
	const char *text);
void line_printf(const struct screen *s, struct line *l, enum style style,
	const char *fmt, ...) GS_PRINTF(4, 5);

/* The same up to a number of columns, with a sign where it is cut. */
void line_add_cut(const struct screen *s, struct line *l, enum style style,
	const char *text, size_t room);

/* Blanks up to a column. */
void line_pad(const struct screen *s, struct line *l, enum style style,
	size_t to);

#endif
