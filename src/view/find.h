/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find.h - when a condition held, and for which rows: --find.
 *
 * The condition is one of filter.h about the columns of one view.  It is put
 * to each table of a run through a range (range.h): of each tick, or of each
 * step.  Tables in a row in which it holds for a row are one interval of
 * that row.
 *
 * What was not seen did not hold and did not fail: an interval ends at a hole
 * of more than half of a table, and says so.  Where only the row's host was
 * silent, and its next answer covers the time, the interval goes on.
 *
 * Order of use: find_view() and find_new(); for one run: find_open() on an
 * engine that has seen no tick, find_take() at the end of each table,
 * find_grid(); find_free().
 *
 * Limits: FIND_MAX intervals are kept, those that end first; the others are
 * counted.
 */
#ifndef GS_VIEW_FIND_H
#define GS_VIEW_FIND_H

#include "base/err.h"
#include "base/when.h"
#include "view/view.h"

#define FIND_MAX 50000

struct find;

/*
 * The name of the view that text is about: what its columns have before them
 * ("session.cpu"); where they have nothing, asked (NULL: nothing is asked).
 * Fails with GS_E_USAGE where that does not tell one view.
 */
int find_view(const char *text, const char *asked, const char **ret,
	struct gs_err *err);

/*
 * Nothing is owned, and all must outlive it but when.  Rows of sessions,
 * queries and processes are split by what a column of the condition names and
 * the view does not have, if --group-by could: by host, segment, cgroup.
 * Fails with GS_E_USAGE.
 */
int find_new(const char *text, const struct view *v,
	const struct view_ask *ask, const struct when_env *when,
	struct find **ret, struct gs_err *err);
void find_free(struct find *f);

void find_open(struct find *f, struct engine *e);
void find_take(struct find *f, const struct engine *e);

/* Ends the run.  The intervals, unsorted; the caller frees it before the
 * find. */
struct grid *find_grid(struct find *f);

#endif
