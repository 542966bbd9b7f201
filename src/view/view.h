/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.h - tables of a recording, by name.
 *
 * Order of use: view_find(), view_open() on an engine that has seen no tick,
 * ticks, view_grid() as often as wanted, view_close().
 */
#ifndef GS_VIEW_VIEW_H
#define GS_VIEW_VIEW_H

#include "query/engine.h"
#include "query/grid.h"
#include "waitgrid/waitgrid.h"

struct view; /* what a table is made of; constant */
struct view_use; /* a view at work on an engine */

/* NULL if there is none of that name. */
const struct view *view_find(const char *name);

/* All names, in the order of help: "overview, sessions, ..." */
extern const char view_list[];
#define VIEW_NAMES (&view_list[2])

/* The name at a position in the order of help; NULL behind the last. */
const char *view_at(size_t i);

/* The name that is closest to a misspelt one, or NULL. */
const char *view_suggest(const char *name);

const char *view_name(const struct view *v);

/* What it is, in a few words. */
const char *view_help(const struct view *v);
const char *view_default_sort(const struct view *v);

/* Grids as a list of other views of a fixed form: the overview. */
bool view_is_overview(const struct view *v);

/* True if rows are of processes, so that they can be grouped by labels. */
bool view_can_group(const struct view *v);

/* True if they can be grouped by session and nothing else. */
bool view_groups_by_session_only(const struct view *v);

/* True if it has rates that can be shown as moving averages. */
bool view_has_averages(const struct view *v);

/* The column at a position, false behind the last.  v NULL: those of a
 * grouping.  *ret_many is "uneven" if it is usual only where some host covers
 * less than another, "hosts" or "servers" if it is usual only where more
 * than one of them is recorded, else NULL. */
bool view_column(const struct view *v, size_t i, struct grid_col *ret,
	const char **ret_many);

/* A part of a view's tables, for who looks at many of them: views that make
 * their tables themselves take no notice of it. */
struct view_pick {
	/* Names of columns, in the order of the view or not; there are no
	 * others then.  The first n_first are those that keep looks at. */
	const char *const *col;
	size_t n_col, n_first;
	/* False: the row is left out.  NULL: none is. */
	bool (*keep)(void *ctx, const struct grid_row *row);
	void *ctx;
};

/* A metric that is a column, too; the column is called by its full name
 * ("process.state") if that is how it was asked for, else "state". */
struct view_metric {
	const struct metric *metric;
	bool full;
};

/* The kind of rows of which any metric can be a column: "process"; NULL:
 * none. */
const char *view_metrics(const struct view *v);

/* The metric that a word names, "pss" or "process.pss"; false if there is none
 * of that name that the view has rows of. */
bool view_find_metric(const struct view *v, const char *name, size_t len,
	struct view_metric *ret);

/* What is asked of a view; zeroed: all that it usually shows. */
struct view_ask {
	/* what to group by instead of the view's own rows */
	enum label_kind key[LABEL_COUNT];
	size_t n_key;
	int64_t ema_ns[ROLLUP_EMA_MAX]; /* moving averages of rates, too */
	size_t n_ema;
	bool light; /* without columns that cost a grouping of their own */
	struct wait_ask wait;
	/* No more rows than this will be shown, the first by this order
	 * (--sort), unfiltered: the sum of the others is enough, grid_limit()
	 * shows it.  0: each row is wanted. */
	size_t most;
	const char *sort;
	const struct view_pick *pick; /* NULL: all of it */
	const struct view_metric *metric; /* columns beside the view's own */
	size_t n_metric;
};

#define VIEW_ASK_INIT { .wait = WAIT_ASK_INIT }

/* True if rows stand in an order that must stay, and none may be cut off. */
bool view_is_fixed(const struct view *v);

/* A table without rows: the columns that view_open() and view_grid() would
 * give; the caller frees it. */
struct grid *view_columns(const struct view *v, const struct view_ask *ask);

/* ask is not owned and must outlive the use. */
struct view_use *view_open(const struct view *v, struct engine *e,
	const struct view_ask *ask);
void view_close(struct view_use *u);

/* A table of one line that stands above the view's own; NULL: none.  The
 * caller frees it. */
struct grid *view_head(const struct view_use *u, const struct engine *e);

/* A grid of what the range so far holds, unsorted; the caller frees it. */
struct grid *view_grid(const struct view_use *u, const struct engine *e);

/* One of several ranges that end together, each on an engine of its own. */
struct view_window {
	const struct view_use *use; /* of the same view, asked for the same */
	const struct engine *engine;
	int64_t length_ns; /* as asked for; rising */
	bool filled; /* what is recorded begins before it */
};

#define VIEW_WINDOWS_MAX WAIT_WINDOWS_MAX

/* True if windows can stand side by side, as columns of one table, on a
 * screen of so many columns. */
bool view_is_beside(const struct view *v, const struct view_ask *ask,
	size_t n, size_t width);

/* That table: columns of windows that are not filled are empty.  The caller
 * frees it. */
struct grid *view_grid_beside(const struct view_window *w, size_t n);

/* The column of processes that a histogram can be of: its position in their
 * table.  Negative: GS_E_USAGE, there is no such column, or it is no
 * number. */
int view_metric(const char *name, struct gs_err *err);

/* True if it takes a session as view_ask.wait.session, so that its rows need
 * not be chosen by their column session. */
bool view_asks_session(const struct view *v);

/* True if it tells of waits, over time: with windows unless asked for
 * something else. */
bool view_is_of_waits(const struct view *v);

#endif
