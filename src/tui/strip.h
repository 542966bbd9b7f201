/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strip.h - the timeline as characters: a bar for each column of the screen,
 * marks below it, times below those.
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
};

/* The scale of a strip. */
struct strip {
	const struct timescan *timescan;
	int64_t first_ns, last_ns;
	size_t width; /* columns */
	double top; /* of the scale; see strip_top() */
	bool utf8;
};

/* The column that an instant is in. */
size_t strip_column(const struct strip *s, int64_t t_ns);

struct strip_bar strip_bar(const struct strip *s, size_t column);

/* The value of a full bar: 100 for a percentage, else the highest value. */
double strip_top(const struct timescan *s);

/* The character of a bar: one of eight heights, a blank for nothing, others
 * for what is missing or not known yet. */
const char *strip_glyph(const struct strip *s, const struct strip_bar *bar);

/* Marks of a column: '!' event, 'x' hole, 0 nothing. */
char strip_mark(const struct strip *s, size_t column);

/* Times below: appends them to the line, from its width on. */
void strip_add_axis(const struct strip *s, const struct zone *zone,
	const struct screen *screen, struct line *l);

#endif
