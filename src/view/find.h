/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find.h - when a condition held, and for which rows: --find.
 *
 * The condition is a filter (filter.h) on the columns of one view.  It is
 * checked on each table of a pass over a range (range.h): of each tick, or of
 * each step.  Consecutive tables in which it holds for a row are one interval
 * of that row.
 *
 * In a hole the condition is unknown: an interval ends at a hole of more than
 * half of a table, and is marked so.  If only the row's host did not answer,
 * and its next answer covers the time, the interval continues.
 *
 * Order of use: find_view() and find_new(); for one pass: find_open() on an
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
 * The name of the view that text is about: the prefix of its columns
 * ("session.cpu"); without prefixes, asked (may be NULL).  Fails with
 * GS_E_USAGE if this does not give one view.
 */
int find_view(const char *text, const char *asked, const char **ret,
	struct gs_err *err);

/*
 * Arguments are not owned; all but when must outlive it.  Rows of sessions,
 * queries and processes are split by columns in the condition that the view
 * lacks but --group-by has: host, segment, cgroup.  Fails with GS_E_USAGE.
 */
int find_new(const char *text, const struct view *v,
	const struct view_ask *ask, const struct when_env *when,
	struct find **ret, struct gs_err *err);
/* Appends which hosts the condition names that w does not have, and those that
 * it has; false: it names no such. */
bool find_note_hosts(const struct find *f, const struct world *w,
	struct buf *to);

void find_free(struct find *f);

/* As view_takes_gists(). */
bool find_takes_gists(const struct find *f);

/* Opens the engine; skips: with tables of each tick, stretches may have one table
 * in which the condition can't have held. */
void find_open(struct find *f, struct engine *e, bool skips);
void find_take(struct find *f, const struct engine *e);

/* Ends the pass.  Returns the intervals, unsorted; the caller frees the grid
 * before the find. */
struct grid *find_grid(struct find *f);

#endif
