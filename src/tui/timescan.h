/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timescan.h - one figure over the whole recording, in time buckets, with holes
 * and events: the data of the timeline.
 *
 * Use: timescan_init() with a metric; timescan_step() when idle, each call
 * scans some more buckets; timescan_release().  Buckets are of equal length and
 * begin at multiples of it, so that scanned buckets stay valid when a recording
 * grows.
 */
#ifndef GS_TUI_TIMESCAN_H
#define GS_TUI_TIMESCAN_H

#include "tui/source.h"
#include "view/view.h"

#define TIMESCAN_POINTS_MAX 480u
#define TIMESCAN_NOTES_MAX 4096u

struct timescan_point {
	bool done; /* scanned */
	size_t ticks; /* 0, and done: nothing recorded */
	bool known; /* value is */
	double value;
};

/* An event or a hole. */
struct timescan_note {
	int64_t at_ns;
	int64_t end_ns; /* of a hole; else at_ns */
	int kind; /* enum event_kind; 0: a hole */
	char *text;
};

struct timescan {
	int64_t start_ns, step_ns;
	struct timescan_point point[TIMESCAN_POINTS_MAX];
	size_t n; /* buckets up to the end of the recording */
	size_t n_done;
	struct timescan_note *note; /* by time */
	size_t n_note, note_cap;
	size_t metric; /* in timescan_metrics[] */
	char *column; /* "VIEW.COLUMN" in its place; NULL: none */
	const struct view *view; /* that it is of */
};

/* The metrics that need no column. */
struct timescan_metric {
	const char *name, *help;
	size_t offset; /* of a double in struct timeline_point */
	bool percent; /* values go from 0 to 100 */
};
extern const struct timescan_metric timescan_metrics[];
extern const size_t n_timescan_metrics;

/* The index of a metric by name; false: it does not exist. */
bool timescan_metric_find(const char *name, size_t *ret);

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

/* Name of the metric, or of the column without its view. */
const char *timescan_name(const struct timescan *s);
bool timescan_is_percent(const struct timescan *s);

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
