/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric_list.h - the registry as a table: what each metric is, where it comes
 * from, and what it needs.
 *
 * Patterns have * and ?, and are compared with the full name of a metric
 * ("process.rss"), its name ("rss"), that of its entity ("process",
 * "processes"), and its kernel file ("smaps_rollup").
 */
#ifndef GS_VIEW_METRIC_LIST_H
#define GS_VIEW_METRIC_LIST_H

#include "base/buf.h"
#include "query/grid.h"

/* A new grid with the metrics that fit one of n patterns, in the order of the
 * registry; n 0: all. */
struct grid *metric_list(char *const *pattern, size_t n);

bool metric_list_has(const char *pattern);

/* Appends what may have been meant by a pattern that no metric fits: ", did
 * you mean ...?"; nothing if nothing is near. */
void metric_list_suggest(const char *pattern, struct buf *to);

#endif
