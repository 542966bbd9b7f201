/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timescan.h - figures over the whole recording, in time buckets, with holes
 * and events: the data of the timeline.  One of them is shown; others need no
 * further pass, except columns of views.
 *
 * Use: timescan_init() with a metric; timescan_step() when idle, each call
 * scans some more buckets; timescan_release().  Buckets are of equal length and
 * begin at multiples of it, so that scanned buckets stay valid when a recording
 * grows.
 */
#ifndef GS_TUI_TIMESCAN_H
#define GS_TUI_TIMESCAN_H

#include "tui/timescan_figure.h"

/* column "VIEW.COLUMN", e.g. "sessions.memory": the sum over rows if it is
 * additive, else the largest; NULL: the metric.  GS_E_USAGE: there is no such
 * column. */
int timescan_init(struct timescan *s, const struct tui_source *src,
    size_t metric, const char *column, struct gs_err *err);
void timescan_release(struct timescan *s);

/* The recording has grown, or its beginning was deleted. */
void timescan_extend(struct timescan *s, const struct tui_source *src);

/* Scans the next buckets from an instant on, to the right or to the left first.
 * False: all are done. */
bool timescan_step(struct timescan *s, const struct tui_source *src,
    int64_t near_ns, bool left);

bool timescan_is_done(const struct timescan *s);

/* The next metric is shown, without a pass if no column was. */
void timescan_next_metric(struct timescan *s, const struct tui_source *src);

/* The result of a bucket; if it is so short that it has no tick, and is no
 * hole, that of the next tick. */
const struct timescan_point *timescan_at(const struct timescan *s, size_t i);

/* The note after or before an instant; NULL: none is known. */
const struct timescan_note *timescan_next(
    const struct timescan *s, int64_t t_ns);
const struct timescan_note *timescan_previous(
    const struct timescan *s, int64_t t_ns);

/* The contiguous scanned range around an instant, to the right and to the
 * left. */
int64_t timescan_known_to(const struct timescan *s, int64_t t_ns);
int64_t timescan_known_from(const struct timescan *s, int64_t t_ns);

#endif
