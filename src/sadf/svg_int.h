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

#endif
