/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.h - tables of a recording, by name.
 *
 * Order of use: view_find(), view_open() on an engine before its first tick,
 * ticks, view_grid() as often as wanted, view_close().
 */
#ifndef GS_VIEW_VIEW_H
#define GS_VIEW_VIEW_H

#include "query/engine.h"
#include "query/filter.h"
#include "query/grid.h"
#include "waitgrid/waitgrid.h"

struct view; /* definition of a table; constant */
struct view_use; /* an open view on an engine */

/* NULL: no such view. */
const struct view *view_find(const char *name);

/* All names, in the order of help: "overview, sessions, ..." */
extern const char view_list[];
#define VIEW_NAMES (&view_list[2])

/* The name at a position in the order of help; NULL after the last. */
const char *view_at(size_t i);

/* The name that is closest to a misspelt one, or NULL. */
const char *view_suggest(const char *name);

/* Fails: there is no such view; the message lists those that there are. */
int view_unknown(const char *name, struct gs_err *err);

const char *view_name(const struct view *v);

/* A short description. */
const char *view_help(const struct view *v);
const char *view_default_sort(const struct view *v);

/* True for a fixed list of grids of other views: the overview. */
bool view_is_overview(const struct view *v);

/* True if rows can be grouped by labels: sums over processes, threads, or IO of
 * control groups. */
bool view_can_group(const struct view *v);

/* True if its rows have that label. */
bool view_has_key(const struct view *v, enum label_kind k);

/* Default of --sort for groups. */
const char *view_group_sort(const struct view *v);
bool view_sums_processes(const struct view *v);

/* True if rows can be grouped by session and by nothing else. */
bool view_groups_by_session_only(const struct view *v);

/* True if it has rates, which can have moving averages. */
bool view_has_averages(const struct view *v);

/* The column at a position, false after the last. v NULL: those of a grouping.
 * *ret_many: condition for a default column: "uneven": some host covers less
 * than another; "hosts", "servers": more than one is recorded; else NULL. */
bool view_column(const struct view *v, size_t i, struct grid_col *ret,
	const char **ret_many);

/* The needed part of a view's tables, for callers that read many of them.
 * Views that make their tables themselves ignore it. */
struct view_pick {
	/* Names of columns, in any order; other columns are left out.  keep
	 * uses the first n_first; the others are made for kept rows only. */
	const char *const *col;
	size_t n_col, n_first;
	/* False: the row is left out.  NULL: all rows are kept. */
	bool (*keep)(void *ctx, const struct grid_row *row);
	/* In place of keep, for one that needs few cells of most rows: they are
	 * made when they are asked for. */
	bool (*keep_made)(void *ctx, const struct grid_row *row,
		const struct row_cells *cells);
	/* Starts to load what is kept of n rows that come next.  May be NULL. */
	void (*fetch)(void *ctx, const struct group_memo *const m[], size_t n);
	bool only_done; /* only of rows that no later table has */
	bool stirred; /* of groups only those that are (rollup.h) */
	void *ctx;
};

/* A metric as an additional column, named "process.state" if it was requested
 * by that name, else "state". */
struct view_metric {
	const struct metric *metric;
	bool full;
	bool rate; /* of a counter: per second of covered time; of a time, in
	            * percent */
	bool stands_in; /* for the column before it, which is a text: the
	                 * middle of a range, the value of a mode alone */
};

/* The entity whose metrics can all be columns: "process"; NULL: none. */
const char *view_metrics(const struct view *v);

/* The metric of a word, "pss" or "process.pss"; false if the view has no metric
 * of that name. */
bool view_find_metric(const struct view *v, const char *name, size_t len,
	struct view_metric *ret);

/* Options of a view; zeroed: its defaults. */
struct view_ask {
	/* grouping in place of the view's own rows */
	enum label_kind key[LABEL_COUNT];
	size_t n_key;
	bool nested; /* also by the first key, the first two, ... */
	struct normal_ask normal; /* of the keys */
	int64_t ema_ns[ROLLUP_EMA_MAX]; /* time constants of moving averages of
	                                 * rates */
	size_t n_ema;
	bool dear; /* with columns that cost more than the table; a pick says
	            * that by itself */
	const char *brief; /* numbers on request are only made if these names name
	                    * them; NULL: all are */
	size_t width; /* brief: of lines; numbers for wider ones are not made,
	               * either.  0: any */
	bool few_texts; /* settled: texts for wider lines are not made, either */
	size_t compared_width; /* settled: of lines of a comparison with none of
	                        * whose columns is asked for by name; 0: any */
	bool settled; /* brief: no view_ask_again() follows, and so nothing is
	               * summed up for numbers that are not made */
	const char *where; /* settled: a condition, whose columns are made */
	bool light; /* without columns that cost a grouping of their own */
	struct wait_ask wait;
	/* At most this many rows will be shown, the first by this order
	 * (--sort), unfiltered: for others a sum is enough, which grid_limit()
	 * adds. 0: all rows are needed. */
	size_t most;
	const char *sort;
	const struct view_pick *pick; /* NULL: all of it */
	const struct view_metric *metric; /* additional columns */
	size_t n_metric;
	bool last_tick; /* of the last tick alone, not of the range */
	const struct zone *zone; /* of instants in texts; not owned; NULL: UTC */
	grouping_only_fn only; /* of sums over processes: these sessions; NULL:
	                        * all */
	void *only_ctx;
};

#define VIEW_ASK_INIT { .wait = WAIT_ASK_INIT }

/* True if a text of options, as "host,unattributed_percent", may name a column that
 * costs more than the table itself: view_ask.dear. */
bool view_names_dear(const struct view *v, const char *text);

/* True if its table needs no tick whose summary is known (query/leap.h). */
bool view_leaps(const struct view *v, const struct view_ask *ask);

/* True if its table comes out the same from gists (model/cursor.h). */
bool view_takes_gists(const struct view *v, const struct view_ask *ask);

/* True if rows have a fixed order, and none may be cut off. */
bool view_is_fixed(const struct view *v);

/* A table without rows, with the columns of view_open() and view_grid(); the
 * caller frees it. */
struct grid *view_columns(const struct view *v, const struct view_ask *ask);

/* Names of an order and of columns, for view_ask.brief; both may be NULL. */
const char *view_brief(struct buf *to, const char *sort, const char *columns);

/* The next tables are as brief as the ask says, which must outlive them. */
void view_ask_again(struct view_use *u, const struct view_ask *ask);

/* ask is not owned and must outlive the use. */
struct view_use *view_open(const struct view *v, struct engine *e,
	const struct view_ask *ask);
void view_close(struct view_use *u);

/* The view shows rows that exist at the end of the range: how many there were
 * when they were most, and when.  False: none, or it is another view. */
bool view_crest(const struct view_use *u, size_t *ret_n, int64_t *ret_ns);

/* What it shows of servers has figures of what grew between two answers, and none came
 * in the range after another one. */
bool view_is_still(const struct view_use *u);

/* A table of one line above the view's own; NULL: none.  The caller frees it. */
struct grid *view_head(const struct view_use *u, const struct engine *e);

/* A grid of the range so far, unsorted; the caller frees it. */
struct grid *view_grid(const struct view_use *u, const struct engine *e);

/* The same, and no more is asked of the use: what rows were made of is freed after
 * each, so that both are never there as a whole. */
struct grid *view_grid_last(struct view_use *u, const struct engine *e);

/* The grid of v with the sums of u: both are views of waits, and u was opened
 * with ask.wait.all_sums.  Following waits costs much: once is enough. */
struct grid *view_grid_as(const struct view_use *u, const struct view *v,
	const struct engine *e);

/* One of several ranges that end together, each with its own engine. */
struct view_window {
	const struct view_use *use; /* of the same view and options */
	const struct engine *engine;
	int64_t length_ns; /* requested length; ascending */
	bool filled; /* the recording begins before it */
};

#define VIEW_WINDOWS_MAX WAIT_WINDOWS_MAX

/* True if windows fit side by side, as columns of one table, on a screen of
 * that width. */
bool view_is_beside(const struct view *v, const struct view_ask *ask,
	size_t n, size_t width);

/* That table: columns of windows that are not filled are empty.  The caller
 * frees it. */
struct grid *view_grid_beside(const struct view_window *w, size_t n);

/* The column of processes for a histogram: its position in their table.
 * Negative: GS_E_USAGE, no such column, or not a number. */
int view_metric(const char *name, struct gs_err *err);

/* True if it uses view_ask.wait.session itself, so that rows need not be
 * filtered by column session. */
bool view_asks_session(const struct view *v);

/* True for pages about one session, view_ask.wait.session: its grid is followed
 * by others, grid.more. */
bool view_is_page(const struct view *v);

/* True if it is one table for each range, without lines or tables beside it. */
bool view_is_single(const struct view *v);

/* True for views of waits over time: they show windows by default. */
bool view_is_of_waits(const struct view *v);

#endif
