/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen.h - what stands on the terminal: lines of text, each in stretches of
 * one style.  It knows no terminal, so that tests read it.
 */
#ifndef GS_TUI_SCREEN_H
#define GS_TUI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What a stretch of text means; term.c has its colours. */
enum style {
	STYLE_PLAIN,
	STYLE_BAR, /* the line on top, the line below */
	STYLE_HEAD, /* headings of columns */
	STYLE_SORTED, /* the heading that rows are in order of */
	STYLE_TITLE, /* of a table */
	STYLE_STRONG, /* much of the whole */
	STYLE_DIM, /* ended, absent, idle */
	STYLE_WATCH, /* beyond a threshold */
	STYLE_BAD, /* beyond a worse one */
	STYLE_NOTE, /* events, keys */
	STYLE_HERE, /* the window on the line of time */
	STYLE_ERROR, /* what went wrong */
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

/* Line i; what is put behind the last line is lost. */
struct line *screen_line(struct screen *s, size_t i);

/* Appends text, which is safe to show, as far as the screen is wide. */
void line_put(const struct screen *s, struct line *l, enum style style,
	const char *p, size_t len);
void line_put_str(const struct screen *s, struct line *l, enum style style,
	const char *text);
void line_printf(const struct screen *s, struct line *l, enum style style,
	const char *fmt, ...) GS_PRINTF(4, 5);

/* Blanks up to a column. */
void line_pad(const struct screen *s, struct line *l, enum style style,
	size_t to);

/* All of it as text, without blanks at the ends of lines. */
void screen_text(const struct screen *s, struct buf *to);

#endif
