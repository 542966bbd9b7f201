/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric_figure.h - any metric of the registry as a column of a view.
 *
 * Private to src/view.  Where rows of the view are rows of the entity, the
 * cell is what was recorded: of a counter by how much it grew in the range, of
 * all else what it was last.  Where they stand for several, the rule of the
 * metric puts these together: a sum, the highest, the newest, "5..19" (range),
 * "ep_poll (5 of 7)" (mode, of rows that there are at the end), "0-3,8" (all
 * CPUs of lists).  What no row has is absent.
 */
#ifndef GS_VIEW_METRIC_FIGURE_H
#define GS_VIEW_METRIC_FIGURE_H

#include "query/figure.h"

/* by_row: each group has one row of the entity at a time. */
struct figure metric_figure(const struct metric *m, const char *name,
	bool by_row);

/* True if f may decide which groups are kept: else it looks at rows that are
 * no longer there. */
bool metric_figure_is_sum(const struct figure *f);

#endif
