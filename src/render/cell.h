/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cell.h - one value as text: rounded and scaled for reading, exact for
 * programs.
 */
#ifndef GS_RENDER_CELL_H
#define GS_RENDER_CELL_H

#include <stdbool.h>

#include "base/buf.h"
#include "query/grid.h"

struct cell_style {
	bool utf8;
	bool date; /* show instants with their date */
	unsigned digits; /* digits of a second in instants: 0 or 3 */
	const struct zone *zone; /* NULL: UTC */
	bool plus; /* numbers above 0 begin with a plus sign */
	bool fine; /* durations below a second: 250ms, 1.25us */
};

/*
 * For reading: "-" for absent, "?" for what was not readable; three significant
 * digits with K M G T P E of 1024 for bytes and of 1000 for the rest (counts stay
 * whole below 100,000, ids always); percent with one decimal below 100 and none
 * above; durations like 1.25s, 14m03s, 2h05m, 3d04h.  An estimate begins with "~",
 * a lower bound with ">= ".  Text is made safe for terminals.
 */
void cell_add_text(struct buf *to, enum quantity q, const struct cell *c,
	const struct cell_style *style);

/*
 * For programs: whole numbers and the shortest digits that give the same double
 * back; instants as ISO 8601 in UTC; text, with invalid UTF-8 and control
 * characters escaped as \xHH.  An absent cell, infinity and NaN append nothing
 * and return false.
 */
bool cell_add_exact(struct buf *to, enum quantity q, const struct cell *c);

/* Absent, infinity or NaN. */
bool cell_is_absent(const struct cell *c);

/* No limit, as kernel files and people write it. */
#define CELL_MAX_TEXT "max"

#endif
