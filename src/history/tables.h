/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.h - the tables of a history: one for each of these views, with one
 * row for each row of the view and each time step.
 */
#ifndef GS_HISTORY_TABLES_H
#define GS_HISTORY_TABLES_H

#include "base/err.h"
#include "view/view.h"

struct history_table {
	const char *name; /* of the view and the table */
	const char *spread; /* column by which Greenplum distributes rows;
	                     * NULL: at random */
	bool usual; /* filled by default */
	const char *help; /* comment on the table */
};

extern const struct history_table history_tables[];
extern const size_t n_history_tables;

/* Parses a list of names, or "all", into bits; NULL: the default tables.
 * GS_E_USAGE: there is no such table. */
int history_choose(const char *list, uint64_t *ret, struct gs_err *err);

/* Metrics that become additional columns of the tables of their entity. */
struct history_metrics;

/* list: "process.pss,host.dirty".  GS_E_USAGE: there is no such metric, or no
 * table of its entity. */
int history_metrics_new(const char *list, struct history_metrics **ret,
	struct gs_err *err);
void history_metrics_free(struct history_metrics *m);

/* The request of the i-th table to its view, with m; m NULL: the view's own
 * columns.  Valid as long as m. */
const struct view_ask *history_ask(const struct history_metrics *m, size_t i);

/* The columns of the i-th table, in a grid without rows; the caller frees
 * it. */
struct grid *history_columns(const struct history_metrics *m, size_t i);

#endif
