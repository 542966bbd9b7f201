/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svg.h - a page of charts as one SVG drawing, for a browser or a converter.
 *
 * Below a heading each chart has its title, curves over time between two axes,
 * and a legend with the lowest, highest and last value of each curve.  Times
 * without data are grey, restarts and comments are vertical lines.  Charts of
 * an activity that many items have (CPUs, disks) stand two in a row.
 */
#ifndef GS_SADF_SVG_H
#define GS_SADF_SVG_H

#include "base/buf.h"
#include "base/zone.h"
#include "sar/chart.h"

struct svg_opt {
	bool autoscale; /* small curves times 10, 100, ... */
	bool packed; /* all charts of an item in one row */
	bool skip_empty; /* no charts in which all is 0 */
	bool toc; /* a list of links at the beginning */
	bool info; /* host and date on each chart */
	bool grey; /* no colours */
	unsigned height; /* of the drawing, in pixels; 0: as it needs */
	struct zone zone;
	const char *heading, *name; /* not owned; name: of the host */
};

/* Columns that a chart's curves have at most. */
#define SVG_COLUMNS 800

/* Pieces of the drawing are written in order; write returns false if it
 * failed. */
typedef bool (*svg_write_fn)(void *arg, const char *p, size_t len);

/* False: write failed. */
bool svg_draw(const struct chart_page *page, const struct svg_opt *opt,
	svg_write_fn write, void *arg);

#endif
