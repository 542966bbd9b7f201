/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.h - what is kept in SQL: one table for each of these views, with a
 * row for each of theirs and each step of time.
 */
#ifndef GS_HISTORY_TABLES_H
#define GS_HISTORY_TABLES_H

#include "base/err.h"
#include "view/view.h"

struct history_table {
	const char *name; /* of the view and the table */
	const char *spread; /* column by which Greenplum distributes rows;
	                     * NULL: at random */
	bool usual; /* filled unless somebody chooses */
	const char *help; /* comment on the table */
};

extern const struct history_table history_tables[];
extern const size_t n_history_tables;

/* Bits of a list of names with commas; NULL: the usual ones; "all".
 * GS_E_USAGE: there is no such table. */
int history_choose(const char *list, uint64_t *ret, struct gs_err *err);

/* Metrics that are columns, too, of the tables that are made of their kind of
 * rows. */
struct history_metrics;

/* list: "process.pss,host.dirty".  GS_E_USAGE: there is no such metric, or no
 * table of its kind. */
int history_metrics_new(const char *list, struct history_metrics **ret,
	struct gs_err *err);
void history_metrics_free(struct history_metrics *m);

/* What the i-th table asks its view for, with m; m NULL: the view's own
 * columns.  Valid as long as m. */
const struct view_ask *history_ask(const struct history_metrics *m, size_t i);

/* The columns of the i-th table, in a grid without rows; the caller frees
 * it. */
struct grid *history_columns(const struct history_metrics *m, size_t i);

#endif
