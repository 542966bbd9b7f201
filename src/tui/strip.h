/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strip.h - the timeline as characters: a bar of one or more rows for each
 * column of the screen, stacked by what the figure is the sum of; marks below
 * it, times below those.
 */
#ifndef GS_TUI_STRIP_H
#define GS_TUI_STRIP_H

#include "tui/screen.h"
#include "tui/timescan.h"

struct strip_bar {
	bool known;
	bool done; /* false: not scanned yet */
	bool hole; /* nothing was recorded */
	double value; /* the highest in it */
	double part[TIMESCAN_PARTS]; /* that is the sum of these; lowest first */
	size_t n_part; /* 0: of none */
};

/* The scale of a strip. */
struct strip {
	const struct timescan *timescan;
	int64_t first_ns, last_ns;
	size_t width; /* columns */
	size_t height; /* rows of bars */
	double top; /* of the scale; see strip_top() */
	bool utf8;
	bool letters; /* parts as letters: there are no colours */
};

/* The column that an instant is in. */
size_t strip_column(const struct strip *s, int64_t t_ns);

/* The instant at which a column begins. */
int64_t strip_instant(const struct strip *s, size_t column);

struct strip_bar strip_bar(const struct strip *s, size_t column);

/* The value of a full bar: 100 for a percentage, else a round figure that is
 * not below the highest value. */
double strip_top(const struct timescan *s);

/* The character of a bar in a row, 0 the top one: one of eight heights, a blank
 * for nothing, others for what is missing or not known yet; the letter of a
 * part. */
const char *strip_glyph(const struct strip *s, const struct strip_bar *bar,
	size_t row);

/* The part that has most of a bar in a row; n_part: none is there. */
size_t strip_part(const struct strip *s, const struct strip_bar *bar,
	size_t row);

/* Marks of a column: '!' event, 'x' hole, 0 nothing. */
char strip_mark(const struct strip *s, size_t column);

/* Times below: appends them to the line, from its width on. */
void strip_add_axis(const struct strip *s, const struct zone *zone,
	const struct screen *screen, struct line *l);

#endif
