/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svg_scale.h - the positions of a chart's grid lines, and the form of their
 * labels.
 */
#ifndef GS_SADF_SVG_SCALE_H
#define GS_SADF_SVG_SCALE_H

#include "base/buf.h"
#include "base/zone.h"
#include "sar/chart.h"

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
