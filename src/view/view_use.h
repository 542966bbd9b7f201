/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_use.h - an open view, shared by the files of view.h: view.c (from an
 * engine to a grid), view_figures.c (its columns), view_bound.c (which groups are
 * kept), view_sink.c (its rows), view_top.c (which of these are shown).
 */
#ifndef GS_VIEW_VIEW_USE_H
#define GS_VIEW_VIEW_USE_H

#include "view/known.h"
#include "view/view_int.h"
#include "view/view_top.h"

struct view_use {
	const struct view *view;
	const struct grouping *grouping;
	const struct grouping *level[LABEL_COUNT]; /* nested rows: by the first
	                                            * key, the first two, ...;
	                                            * the last is grouping */
	const struct grouping *disks, *processes, *segments, *threads;
	struct dbtime *dbtime; /* of sessions; NULL: no column needs it */
	struct figure *figure; /* keys, then the view's or the groups' */
	size_t n_figure;
	const struct metric *clock; /* of a server's counters; NULL: its rows have none */
	bool *late; /* per figure: only made for kept rows; NULL: all rows are
	             * kept */
	struct cell *scratch; /* of a row that may be dropped */
	bool *made; /* its cells that are made */
	void *table; /* state of a view that makes its table itself */
	void *state; /* state of view->rows */
	const struct view_ask *ask;
	const char *brief; /* view_ask.brief, of the last ask */
	struct view_ask own; /* the options that a session grouping has */
	const struct engine *engine;
	size_t crest; /* of a view of living rows of catalogs: most rows */
	int64_t crest_ns; /* when */
	bool bounded; /* only groups of the first rows are kept */
	const struct figure *order; /* ranks the rows to keep */
	double direction; /* -1: ascending */
	struct sort_keys labels; /* where no number does: ranks them; by number of
	                          * the figure */
	char **name; /* of the columns of averages */
	size_t n_name;
};

struct view_sink {
	const struct view_use *use;
	struct figure_env env;
	struct known_shown shown;
	struct view_top top;
	bool spends; /* view_grid_last() */
	const bool *left_out; /* per figure: not made; NULL: all are */
};

/* Of a settled ask: the figures of columns that are left out are dropped. */
void view_drop_figures(struct view_use *u);

/* Per column whether it is left out, for the caller to free; NULL: none is. */
bool *view_left_out(const struct view_use *u, const struct grid *g);

/* Nested rows: opens the groupings above that of the use; makes the rows of all
 * levels. */
void view_open_levels(struct view_use *u, struct engine *e,
	const uint64_t want[COL_WORDS_MAX]);
void view_put_levels(const struct view_use *u, const struct engine *e,
	struct grid *g, const bool *left_out);

/* Keeps only groups whose rows may be shown, if that is known before the end. */
void view_bound(struct view_use *u, struct grouping *l,
	const struct view_ask *ask);

/* The requested columns. */
void view_choose_figures(struct view_use *u, const struct view_ask *ask);

#endif
