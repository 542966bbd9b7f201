/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric_figure.h - any metric of the registry as a column of a view.
 *
 * Private to src/view.  If rows of the view are rows of the entity, the cell is
 * the recorded value: the growth of a counter in the range, the last value of
 * other metrics.  If a row is a group, the metric's rule combines its rows: a
 * sum, the highest, the newest, "5..19" (range), "ep_poll (5 of 7)" (mode, of
 * rows that exist at the end), "0-3,8" (all CPUs of lists).  The cell is absent
 * if no row has the metric.
 */
#ifndef GS_VIEW_METRIC_FIGURE_H
#define GS_VIEW_METRIC_FIGURE_H

#include "query/figure.h"

/* by_row: each group is one row of the entity at a time. */
struct figure metric_figure(const struct metric *m, const char *name,
	bool by_row);

/* The same as view_metric.rate says, if it is a sum of a counter. */
void metric_figure_as_rate(struct figure *f, const struct metric *m);

/* What stands in for a range or a mode of a group (grid_col.stands_in); false:
 * nothing needs to. */
bool metric_stand_in(const struct metric *m, struct figure *ret);

/* A row of a table of columns.h: what it leaves out is set, from the registry. */
struct figure metric_described(const struct figure *row, enum entity_id e);

/* True if f may be used to choose the groups that are kept; else it needs rows
 * that may no longer exist. */
bool metric_figure_is_sum(const struct figure *f);

#endif
