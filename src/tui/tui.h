/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui.h - the terminal: one window of a recording at a time, and keys to move
 * it.  Without a terminal: keys come in as numbers (keys.h), the screen goes
 * out as a struct screen; term.h connects both to a terminal.
 *
 * Use: tui_new(); then tui_key() for each key, tui_paint() after keys and
 * whenever tui_idle() says so; until tui_is_over(); tui_free().
 */
#ifndef GS_TUI_TUI_H
#define GS_TUI_TUI_H

#include "tui/screen.h"
#include "tui/source.h"
#include "view/ask.h"

struct tui_options {
	struct ask_words words; /* the first table; texts are copied */
	int64_t from_ns, to_ns; /* shown first; INT64_MIN, INT64_MAX: open */
	int64_t window_ns; /* length of the window if from_ns is open; 0: as
	                    * suits the source */
	const char *windows; /* "5s,1m,5m": tables are of these; copied; NULL: of
	                      * the window */
	bool opens_worst; /* at the worst finding, else where it is busiest */
	const char *state; /* file in which columns are kept; NULL: none */
	bool utf8;
	bool colour; /* the terminal has some, and may use it */
};

struct tui;

/* The source must outlive it.  GS_E_USAGE: a text is not valid. */
int tui_new(const struct tui_options *o, struct tui_source *s,
	struct tui **ret, struct gs_err *err);
void tui_free(struct tui *t);

/* Handles a key. tui_paint() computes the result, once for all keys before
 * it. */
void tui_key(struct tui *t, int key);

/* A button or the wheel at a place of the last screen, from 0. */
struct tui_mouse {
	enum { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN }
	    what;
	size_t x, y;
};

void tui_mouse(struct tui *t, const struct tui_mouse *m);

/* Redraws everything.  If the source's hurry() interrupted it, the screen says
 * so and the next call tries again. */
void tui_paint(struct tui *t, struct screen *to, size_t width,
	size_t height);

/* Looks for new ticks, plays, and scans a part of the timeline.  True: repaint.
 * *ret_busy: more is to be scanned. */
bool tui_idle(struct tui *t, int64_t now_ns, bool *ret_busy);

/* Shows a message on the bottom line, until the next key. */
void tui_note(struct tui *t, const char *text);

/* What a key has copied for the clipboard, once; false: nothing. */
bool tui_take_copy(struct tui *t, struct buf *to);

bool tui_is_over(const struct tui *t);

/* The list of keys, one "KEY<tab>what it does" a line, groups apart. */
void tui_list_keys(struct buf *to);

#endif
