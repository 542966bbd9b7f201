/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_int.h - shared by the files show*.c.
 */
#ifndef GS_VIEW_SHOW_INT_H
#define GS_VIEW_SHOW_INT_H

#include "view/asked.h"
#include "view/overview.h"
#include "view/show.h"
#include "view/show_baseline.h"
#include "view/unattributed.h"

struct show {
	const struct show_options *o;
	const struct show_source *src;
	const struct show_output *out;
	struct ask *ask;
	struct baseline baseline;
	struct report report;
	bool begun; /* the output */
	bool stopped; /* the output failed */
	int64_t n_shown; /* tables */
	bool done; /* as many as were asked for, or it is over */
	/* of the current pass through a range */
	struct range range;
	struct engine engine;
	struct range_run *run;
	struct range_result ran;
	size_t n_made; /* tables, also such that are not shown */
	size_t n_past; /* of them were made before, from gists: go() */
	bool streams; /* each table is on its own */
	struct view_use *use;
	struct unattributed rest; /* of processes; not open: not wanted */
	struct overview *overview;
	size_t window; /* number of the current one */
	int64_t last_end_ns; /* of all windows */
	char *unseen; /* asked for, and in no table so far */
	bool says_unseen; /* and the last table says so */
	bool seen; /* it was in one */
	int refused; /* status of a table that failed */
	struct asked asked; /* of all tables so far */
	bool noted_unasked; /* the output says what was not recorded */
	bool any_row; /* in a table so far; else, of several tables: */
	char *why_empty; /* why the last has none; NULL: not known */
	struct gs_err *err;
};

/* Writes a table, after the lines above the first; false: no more. */
bool show_grid(void *show, struct grid *g);

/* Whether a table has what was asked for by name: grid.unseen. */
void show_note_seen(struct show *s, const struct grid *g);

/* The lines above a table of the engine's range. */
void show_fill_report(struct show *s, const struct engine *e);

/* Time of a window before the first tick. */
int64_t show_missing(const struct show *s, int64_t window_ns,
	int64_t to_ns);

/* Puts a text before the table's title; releases it. */
void show_set_title(struct grid *g, struct buf *text);

int show_refine(struct show *s, struct grid *g);

/* Counts a table; true if that is enough. */
bool show_count(struct show *s);

/* ---- show_notes.c ---- */

/* Its table is of the whole range. */
bool show_is_only_table(const struct show *s);

/* Of the engine's range; before the table is made. */
void show_note_unasked(struct show *s, const struct engine *e);
void show_note_uncounted(struct show *s, const struct engine *e);
void show_note_rare(struct show *s, const struct engine *e);

/* Where no title says that findings were not looked for. */
void show_note_unjudged(struct show *s);

/* Of the table that was made, before it is shown. */
void show_note_empty(struct show *s, const struct engine *e,
	const struct grid *g);

/* Passes on what no output has. */
void show_pass_unasked(const struct show *s);

/* Some data of the view was not recorded. */
bool show_is_unrecorded(const struct show *s);

/* ---- show.c ---- */

/* One pass through a range. */
int show_pass(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err);

#endif
