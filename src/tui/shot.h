/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shot.h - the tables of one view over one window of time, as the view makes
 * them.
 */
#ifndef GS_TUI_SHOT_H
#define GS_TUI_SHOT_H

#include "tui/source.h"
#include "view/ask.h"
#include "view/overview.h"
#include "view/show_baseline.h"

/* Windows that end with the range, beside each other or one below the other. */
struct shot_windows {
	int64_t length_ns[VIEW_WINDOWS_MAX];
	size_t n; /* 0: none */
	int64_t range_ns; /* the length of the range: such a window is that */
	size_t width, room; /* of the screen */
};

/* One of them. */
struct shot_window {
	struct engine *engine; /* the shot's, if it is the range */
	struct view_use *use;
	int64_t length_ns;
	bool filled; /* the recording begins before it */
};

struct shot {
	struct engine *engine; /* its holes and events are of the window; stays where
	                        * it is, as what is open on it knows */
	struct range range; /* that was asked for */
	struct view_use *use; /* NULL: windows are shown */
	struct overview *overview;
	struct grid **grid; /* one, or those of the overview */
	size_t n_grid;
	size_t n_head; /* their lines above the table, which only text has */
	struct baseline baseline; /* that the table is compared with; no grid:
	                           * with none */
	struct shot_window *window;
	size_t n_window; /* 0: the range alone */
	size_t width, room; /* of the screen that windows are made for */
	bool any; /* a tick was in the window */
};

enum shot_result {
	SHOT_DONE,
	SHOT_INTERRUPTED, /* interrupted by a key; the shot is empty */
	SHOT_FAILED /* err has the reason; the shot is empty */
};

/* The shot must be zeroed or released; it owns all that it shows.  The ask
 * must outlive it.  base: the range to compare with, or NULL; windows: or NULL; a view
 * that can't be shown so is shown without. */
enum shot_result shot_make(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct range *r, const struct range *base,
	const struct shot_windows *windows, struct gs_err *err);
void shot_release(struct shot *shot);

/* What the tables of a shot are compared with. */
struct shot_beside {
	bool same; /* what the shot has been compared with */
	const struct range *range; /* else this; NULL: nothing */
};

/* Makes the tables again, by an ask that differs in order, condition, columns or
 * baseline only, without reading the ticks of the range.  The shot must have a
 * tick, and the ask that it was made with must outlive it.  *ret takes the shot's
 * place: shot_replace(). */
enum shot_result shot_again(struct shot *shot, const struct tui_source *s,
	struct ask *ask, const struct shot_beside *beside, struct shot *ret,
	struct gs_err *err);
void shot_replace(struct shot *shot, const struct shot *by);

#endif
