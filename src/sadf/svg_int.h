/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svg_int.h - what the files of svg.h share: svg.c (the page and its layout),
 * svg_chart.c (a chart, and the pieces of a drawing).
 */
#ifndef GS_SADF_SVG_INT_H
#define GS_SADF_SVG_INT_H

#include "sadf/svg.h"

/* All in pixels. */
#define TITLE 24 /* of a chart, above its plot */
#define LEGEND_LINE 15
#define AXIS 56 /* left of a plot */

struct cell {
	const struct chart *chart;
	size_t item; /* the first chart of the same activity and item */
	unsigned x, y, plot_width, plot_height;
};

struct drawing {
	const struct chart_page *page;
	const struct svg_opt *opt;
	struct cell *cell;
	size_t n;
	unsigned width, height;
	size_t n_toc; /* links */
	struct curve_bin *bin; /* of the curve that is drawn */
	size_t cap_bin;
	struct buf out;
	svg_write_fn write;
	void *arg;
	bool failed;
};

void svg_open_text(struct drawing *d, double x, double y, const char *class);
void svg_close_text(struct drawing *d);
void svg_add_text(struct drawing *d, double x, double y, const char *class,
	const char *text);

/* Writes what was drawn. */
void svg_flush(struct drawing *d);

void svg_add_chart(struct drawing *d, const struct cell *c);

/* svg_scale.c: the positions of a chart's grid lines, and the form of their
 * labels. */

/* Of values: lines at 0, step, 2 * step, ... top. */
struct svg_values {
	double top, step; /* > 0 */
	double divide; /* a label is the value divided by it */
	const char *prefix, *unit; /* of what labels count: "Gi", "B/s" */
	int decimals; /* of labels */
};

struct svg_values svg_values(enum chart_unit unit, double high);

/* "12.34", "1.25k", "21.6 GiB": with a suitable prefix. */
void svg_add_figure(struct buf *to, enum chart_unit unit, double v);

/* Of time: lines at first, first + step, ...; at round times of the zone. */
struct svg_times {
	int64_t first_ns, step_ns;
};

/* At most max lines from one instant to the other. */
struct svg_times svg_times(const struct zone *z, int64_t from_ns,
	int64_t to_ns, unsigned max);

/* "14:05", "14:05:30", "11-21": the time, or the date at midnight. */
void svg_add_time(struct buf *to, const struct svg_times *t,
	const struct zone *z, int64_t ns);

#endif
