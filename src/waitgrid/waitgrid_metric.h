/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_metric.h - the histogram of any column of processes.
 */
#ifndef GS_WAITGRID_WAITGRID_METRIC_H
#define GS_WAITGRID_WAITGRID_METRIC_H

#include "query/grid.h"

/* Distribution of a column's values over the rows of a grid, without the row of
 * others and without reaped children.  The caller frees it. */
struct grid *waitgrid_metric(const struct grid *of, size_t col);

#endif
