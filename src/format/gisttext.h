/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gisttext.h - the texts in the ticks of a gist, beside the ticks, which have none
 * (tickcode_be_bare()): titles compress better next to titles, and their numbers next
 * to numbers of the same place.
 *
 * Columns, each with its length in bytes before it: per tick the number of its texts, a
 * varint; all texts, each with a 0 byte after it; and for each place of a number in a
 * text, GISTTEXT_NUMBERS of them, zigzag varints of the difference to the number that
 * was at that place before, or to 0.  In a text GISTTEXT_NUMBER stands for its next
 * number.  Any other byte that is no more than GISTTEXT_QUOTE has that before it.
 *
 * A number has no more than GISTTEXT_DIGITS digits and no 0 before them.  Digits that
 * are none, or are after the last place, are a part of the text.
 *
 * Ids of texts count from 1.  Private to src/format and who makes gists.
 */
#ifndef GS_FORMAT_GISTTEXT_H
#define GS_FORMAT_GISTTEXT_H

#include "base/buf.h"
#include "base/decimal.h"
#include "base/scan.h"
#include "format/breaks.h"
#include "model/tick.h"

#define GISTTEXT_BYTES_MAX ((size_t)64 << 20) /* of all texts of a gist */
#define GISTTEXT_NUMBERS 16u
#define GISTTEXT_DIGITS 18u
#define GISTTEXT_NUMBER '\1'
#define GISTTEXT_QUOTE '\2'

enum { GISTTEXT_COUNTS, GISTTEXT_TEXTS, GISTTEXT_PLAIN_COLUMNS,
	GISTTEXT_COLUMNS = GISTTEXT_PLAIN_COLUMNS + GISTTEXT_NUMBERS };

struct gisttext_number {
	uint64_t value;
	char digits[GS_DECIMAL_MAX]; /* that are read; most often they stay */
	size_t len;
};

struct gisttext {
	struct buf col[GISTTEXT_COLUMNS]; /* that are written */
	struct span all[GISTTEXT_COLUMNS]; /* that are read, and */
	struct span rest[GISTTEXT_COLUMNS]; /* are not yet */
	struct gisttext_number number[GISTTEXT_NUMBERS]; /* the last ones */
	struct buf text; /* one that is read */
	size_t bytes; /* of all texts so far */
	bool plain; /* that are read: numbers are in the texts */
	uint32_t last; /* id */
};

void gisttext_release(struct gisttext *g);

/* Makes it empty; keeps the memory. */
void gisttext_reset(struct gisttext *g);

/* Writes: the texts of the next tick; all of them, with the breaks between.  False: they
 * can't be told so. */
bool gisttext_add(struct gisttext *g, const struct tick *t);
void gisttext_put(const struct gisttext *g, struct buf *to,
	struct breaks *breaks);

/* Reads, before the first tick: *s begins with the columns, and is moved past them.
 * Their bytes must stay valid.  plain: there are but the first two, as an earlier layout
 * has it.  False: they are no columns. */
bool gisttext_open(struct gisttext *g, struct span *s, bool plain);
void gisttext_rewind(struct gisttext *g);

/* The next tick gets its texts.  False: there are no more, one is too long or all of
 * them are, its number is too high, or there is no memory. */
bool gisttext_give(struct gisttext *g, struct tick *t);

#endif
