/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show.h - tables of a source of ticks, one after the other, to an output: the
 * same for files and for live samples.
 *
 * Use: show_new() checks the options; show_range() any number of times, the
 * source's range may grow in between; show_end(); show_free().
 */
#ifndef GS_VIEW_SHOW_H
#define GS_VIEW_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "query/range.h"
#include "view/ask.h"
#include "view/show_source.h"

/* Which tables; texts and windows are the caller's. */
struct show_options {
	struct ask_words words;
	const int64_t *window_ns; /* rising */
	size_t n_window; /* 0: tables of the range, or of its steps */
	int64_t count; /* tables; 0: all */
	size_t width; /* columns of a line, for windows side by side */
	bool for_people; /* lines above tables, windows side by side */
	bool has_notes; /* the output has a place for notes, and for what is not
	                 * attributed to any row, */
	bool notes_each; /* ... with every table */
};

/* Where tables go.  False: the output failed, and no more is wanted. */
struct show_output {
	bool (*begin)(void *ctx, const struct report *rep);
	bool (*grid)(void *ctx, const struct grid *g);
	bool (*end)(void *ctx);
	/* The next output replaces all before; false: it can't. */
	bool (*again)(void *ctx);
	/* A note that has no place in the output. */
	void (*note)(void *ctx, const char *text);
	void *ctx;
};

struct show_result {
	bool any; /* a tick was within the range */
	struct range_hole hole; /* in which it is, if none was */
	bool stopped; /* the output failed, or enough was shown */
	size_t n_holes;
	bool unrecorded; /* some data of the view were not recorded */
};

struct show;

/* Everything must outlive the show; the output is not begun.  GS_E_USAGE: the
 * words do not fit. */
int show_new(const struct show_options *o, const struct show_source *src,
	const struct show_output *out, struct show **ret, struct gs_err *err);

const struct view *show_view(const struct show *s);

/* The baseline of all tables, read before them; its holes count for the next
 * show_range().  GS_E_NOTFOUND: it has no tick. */
int show_against(struct show *s, const struct range *r, struct gs_err *err);

/* All tables of a range.  With windows: one of each, at the end of each step
 * of the range or of the whole. */
int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/*
 * As show_range(), without windows and of a view other than the overview, for a
 * range whose ticks are yet to come: show_more() shows what is complete, each
 * table alone if the output redraws, and returns RANGE_WAITS, or GS_OK if no
 * more will be shown; show_close() shows the rest.
 */
void show_open(struct show *s, const struct range *r);
int show_more(struct show *s, struct gs_err *err);
int show_close(struct show *s, struct show_result *ret, struct gs_err *err);

/* A text about what was asked for by name and was in no table; NULL: all was
 * found.  Valid as long as the show. */
const char *show_unseen(const struct show *s);

/* The output has that text, above the last table. */
bool show_says_unseen(const struct show *s);

/* The next output replaces all before, if the output redraws. */
void show_again(struct show *s);

/* Ends the output, if it was begun, and passes on the notes that it has no room
 * for. */
void show_end(struct show *s);
void show_free(struct show *s);

#endif
