/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find_int.h - shared by find.c (intervals) and find_ask.c (the condition).
 */
#ifndef GS_VIEW_FIND_INT_H
#define GS_VIEW_FIND_INT_H

#include <uthash.h>

#include "query/filter.h"
#include "query/sort.h"
#include "query/view_key.h"
#include "view/find.h"

/* A number in the condition. */
struct find_figure {
	size_t col; /* index in part */
	enum filter_side side;
};

struct held;

struct find {
	const struct view *view;
	struct view_ask ask;
	struct view_pick pick;
	struct grid *whole; /* columns of the view */
	struct grid *part; /* the picked columns */
	struct filter *filter; /* on part */
	const char **name; /* names of columns, for pick */
	size_t *shown; /* columns that identify a row */
	unsigned *shown_width;
	size_t n_shown;
	size_t host; /* index in shown of the host; n_shown: none */
	bool by_id; /* rows are identified by id, not by shown */
	struct find_figure *figure;
	size_t n_figure;
	/* of a pass */
	struct view_use *use;
	struct held *open; /* by id */
	struct held **done;
	size_t n_done, done_cap;
	size_t n_more; /* intervals that were not kept */
	struct engine_skip skip;
	struct filter_bounds *bounds; /* per column of part */
	uint64_t table; /* number of the current table, from 1 */
	int64_t start_ns; /* of the first one */
	bool thinned; /* some ticks stand for those that were left out */
	bool after_hole;
};

/* view_pick.keep; ctx is the find. */
bool find_keep(void *ctx, const struct grid_row *row);

/* Frees the results of a pass. */
void find_clear(struct find *f);

#endif
