/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timescan_figure.h - the buckets of a timescan, and which of their figures is
 * shown.
 */
#ifndef GS_TUI_TIMESCAN_FIGURE_H
#define GS_TUI_TIMESCAN_FIGURE_H

#include "query/timeline.h"
#include "tui/source.h"
#include "view/view.h"

#define TIMESCAN_POINTS_MAX 480u
#define TIMESCAN_NOTES_MAX 4096u

#define TIMESCAN_PARTS 5

struct timescan_point {
	bool done; /* scanned */
	size_t ticks; /* 0, and done: nothing recorded */
	bool known; /* value is */
	double value; /* of the column, if one is shown */
	/* of the metrics, if ticks > 0: */
	double busy_percent, steal_percent, await_ms; /* negative: not known */
	double running, active, waiting;
	double load[LOAD_COUNT], cpu[CPU_COUNT];
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
	bool chosen; /* by the user; else timescan_suit() does */
	char *column; /* "VIEW.COLUMN" in its place; NULL: none */
	const struct view *view; /* that it is of */
};

/* The metrics that need no column. */
struct timescan_metric {
	const char *name, *help;
	size_t offset; /* of a double in struct timescan_point */
	bool percent; /* values go from 0 to 100 */
	size_t n_part; /* the value is the sum of so many doubles; 0: of one */
	const char *part[TIMESCAN_PARTS]; /* their names, lowest first */
};
extern const struct timescan_metric timescan_metrics[];
extern const size_t n_timescan_metrics;

/* The index of a metric by name; false: it does not exist. */
bool timescan_metric_find(const char *name, size_t *ret);

/* Some bucket has more than 0 of a metric. */
bool timescan_any(const struct timescan *s, size_t metric);

double timescan_sum(const double *v, size_t n);

/* Until the user chooses: the sessions if some was active, else the CPUs. */
void timescan_suit(struct timescan *s);

/* What is shown of a bucket; false: it is not known. */
bool timescan_value(const struct timescan *s, const struct timescan_point *p,
    double *ret);

/* The parts of a bucket, lowest first; returns their number.  0: the figure has
 * none. */
size_t timescan_parts(const struct timescan *s,
    const struct timescan_point *p, const double **ret);

/* The end of the bucket where most is done; false: nothing was scanned. */
bool timescan_busiest(const struct timescan *s, int64_t *ret_ns);

/* Name of the metric, or of the column without its view. */
const char *timescan_name(const struct timescan *s);
bool timescan_is_percent(const struct timescan *s);

#endif
