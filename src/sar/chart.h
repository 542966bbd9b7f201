/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chart.h - curves over time, reduced sample by sample to the columns of pixels
 * in which they are drawn.
 *
 * Of the values in one column the mean, the lowest and the highest are kept:
 * nothing that stands out is lost, and a curve needs memory for its columns, or
 * its values if those are fewer. The lowest, highest and last value of a whole
 * curve are exact.
 *
 * Use: chart_page_init(); then per sample, in order of time: chart_sample(),
 * chart_find() and curve_add() of what it has; chart_cut() where something is
 * missing in between.  A curve without a value in a sample is interrupted
 * there.
 */
#ifndef GS_SAR_CHART_H
#define GS_SAR_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chart_unit {
	CHART_NONE, /* in no chart */
	CHART_COUNT,
	CHART_TASKS,
	CHART_INODES,
	CHART_PERCENT,
	CHART_BYTES,
	CHART_KIB,
	CHART_BYTES_RATE,
	CHART_KIB_RATE,
	CHART_RATE, /* per second */
	CHART_SWITCHES, /* context switches per second */
	CHART_SECTORS, /* per second */
	CHART_MILLISECONDS
};

/* The part of a curve in one column. */
struct curve_bin {
	float x; /* in columns: of the first value, the middle if several */
	float mean, low, high;
	uint32_t n; /* values */
	bool cut; /* not joined to the one before */
};

struct curve {
	char *name; /* owned */
	struct curve_bin *bin;
	size_t n_bin, cap_bin;
	uint64_t sample; /* number of the last one that had a value */
	uint64_t n;
	double low, high, last;
};

struct chart {
	char *title, *item; /* owned; item: whose it is, "" for the host's */
	unsigned activity; /* charts of one stand together */
	enum chart_unit unit;
	struct curve *curve;
	size_t n_curve, cap_curve;
};

enum chart_mark_kind {
	CHART_HOLE, /* nothing is known of this time */
	CHART_RESTART,
	CHART_COMMENT
};

struct chart_mark {
	enum chart_mark_kind kind;
	int64_t from_ns, to_ns;
	char *text; /* owned */
};

/* Further marks are only counted. */
#define CHART_MARKS_MAX 1000

struct chart_page {
	int64_t from_ns, to_ns;
	unsigned columns;
	struct chart *chart;
	size_t n_chart, cap_chart;
	size_t next; /* where the next chart is looked for first */
	struct chart_mark *mark;
	size_t n_mark, cap_mark, n_mark_more;
	uint64_t sample; /* number of the current one; cuts count, too */
	uint64_t n_samples;
	int64_t now_ns;
};

/* to_ns > from_ns, columns > 0. */
void chart_page_init(struct chart_page *p, int64_t from_ns, int64_t to_ns,
	unsigned columns);
void chart_page_release(struct chart_page *p);

void chart_sample(struct chart_page *p, int64_t at_ns);

/* The next values are not joined to the earlier ones. */
void chart_cut(struct chart_page *p);

/* text is copied. */
void chart_mark(struct chart_page *p, enum chart_mark_kind kind,
	int64_t from_ns, int64_t to_ns, const char *text);

/* The chart of that activity, unit and item; made if it does not exist.  Valid
 * until the next call. */
struct chart *chart_find(struct chart_page *p, unsigned activity,
	enum chart_unit unit, const char *item);

/* The chart's next curve, with its name; made if at is their number.  Valid
 * until the next call. */
struct curve *chart_curve(struct chart *c, size_t at, const char *name);

void curve_add(const struct chart_page *p, struct curve *c, double value);

/* Copies the curve with columns that are width times as wide, width >= 1: the
 * bins of one column become one.  to has room for all bins of the curve.
 * Returns the number of bins. */
size_t curve_narrowed(const struct curve *c, double width,
	struct curve_bin *to);

/* All values are 0, or there are none. */
bool chart_is_empty(const struct chart *c);

#endif
