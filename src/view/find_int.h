/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find_int.h - what find.c (intervals) and find_ask.c (the condition) share.
 */
#ifndef GS_VIEW_FIND_INT_H
#define GS_VIEW_FIND_INT_H

#include <uthash.h>

#include "query/filter.h"
#include "query/sort.h"
#include "query/view_key.h"
#include "view/find.h"

/* A number that the condition is about. */
struct find_figure {
	size_t col; /* of part */
	enum filter_side side;
};

struct held;

struct find {
	const struct view *view;
	struct view_ask ask;
	struct view_pick pick;
	struct grid *whole; /* columns of the view */
	struct grid *part; /* those that are picked */
	struct filter *filter; /* of part */
	const char **name; /* of columns, for pick */
	size_t *shown; /* columns that say which row it is */
	unsigned *shown_width;
	size_t n_shown;
	size_t host; /* which of those is the host; n_shown: none */
	bool by_id; /* rows are told apart by their id, not by those */
	struct find_figure *figure;
	size_t n_figure;
	/* of a run */
	struct view_use *use;
	struct held *open; /* by id */
	struct held **done;
	size_t n_done, done_cap;
	size_t n_more; /* that were not kept */
	uint64_t table; /* number of the one at hand, from 1 */
	bool after_hole;
};

/* view_pick.keep; ctx is the find. */
bool find_keep(void *ctx, const struct grid_row *row);

/* Frees what a run has found. */
void find_clear(struct find *f);

#endif
