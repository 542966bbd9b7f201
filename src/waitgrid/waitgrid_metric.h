/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_metric.h - the histogram of any figure of processes.
 */
#ifndef GS_WAITGRID_WAITGRID_METRIC_H
#define GS_WAITGRID_WAITGRID_METRIC_H

#include "query/grid.h"

/* How the values of a column are distributed over the rows of a grid; the sum
 * of others, and what exited children used, are no rows.  The caller frees
 * it. */
struct grid *waitgrid_metric(const struct grid *of, size_t col);

#endif
