/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paint.h - values as sysstat's programs write them into columns, with the
 * colours of S_COLORS and S_COLORS_SGR.
 */
#ifndef GS_SYSSTAT_PAINT_H
#define GS_SYSSTAT_PAINT_H

#include "base/buf.h"
#include "sysstat/reports.h"

enum paint_color {
	PAINT_COMMENT,
	PAINT_HIGH, /* a share that is high */
	PAINT_ITEM, /* what names something */
	PAINT_MIDDLE, /* a share of half and more */
	PAINT_NAME, /* figures that are not 0, names */
	PAINT_RESTART,
	PAINT_ZERO,
	PAINT_COLORS
};

#define PAINT_SGR_MAX 32

struct paint {
	struct buf *to; /* not owned */
	int decimals; /* 0 to 2 */
	bool human;
	bool colored;
	char sgr[PAINT_COLORS][PAINT_SGR_MAX];
};

/* The environment sets the colours; is_terminal: the output is one. */
void paint_init(struct paint *p, struct buf *to, bool is_terminal);

void paint_begin(const struct paint *p, enum paint_color color);
void paint_end(const struct paint *p);

/* A blank, then the value at the right; "-" if it is absent. */
void paint_value(const struct paint *p, const struct value_format *format,
	const struct value *v);

/* The value alone; "-" if it is absent. */
void paint_bare(const struct paint *p, const struct value_format *format,
	const struct value *v);

/* Columns side by side, each as paint_value() writes it. */
void paint_values(const struct paint *p, const struct column *c,
	const struct value *v, size_t n);

#endif
