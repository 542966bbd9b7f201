/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.h - a harvest as tables: one per entity, a line per row and sample, a
 * column per metric.
 *
 * Each table begins with time, host and identity.  Rows with counters have
 * `seconds`, the time that all increases of the line cover; processes have
 * `session`.  The table "event" has time, host, kind, value, text.  A table
 * "columns" tells of each column its unit and what it means.
 *
 * Use: wide_new(); wide_add() as the harvest's function; wide_end();
 * wide_free().
 */
#ifndef GS_HISTORY_WIDE_H
#define GS_HISTORY_WIDE_H

#include "base/buf.h"
#include "history/harvest.h"

/* Takes a part of a table's text; the first part of a table has its heading.
 * A failure, with err filled, ends the harvest. */
typedef int (*wide_fn)(void *ctx, const char *table, const struct buf *text,
	struct gs_err *err);

struct wide;

/* choice must outlive it; totals as for harvest_new(). */
struct wide *wide_new(const struct choice *choice, bool totals, wide_fn fn,
	void *ctx);
void wide_free(struct wide *w);

/* A harvest_fn; ctx is the struct wide. */
int wide_add(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err);

/* Passes on all that is left. columns: also the table of them, of tables that
 * have lines. */
int wide_end(struct wide *w, bool columns, struct gs_err *err);

#endif
