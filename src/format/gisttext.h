/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gisttext.h - the texts in the ticks of a gist, beside the ticks, which have none
 * (tickcode_be_bare()): titles compress better next to titles.
 *
 * Two columns, each with its length in bytes before it: per tick the number of its
 * texts, a varint; all texts, each with a 0 byte after it.  Their ids count from 1.
 * Private to src/format and who makes gists.
 */
#ifndef GS_FORMAT_GISTTEXT_H
#define GS_FORMAT_GISTTEXT_H

#include "base/buf.h"
#include "base/scan.h"
#include "format/breaks.h"
#include "model/tick.h"

enum { GISTTEXT_COUNTS, GISTTEXT_TEXTS, GISTTEXT_COLUMNS };

struct gisttext {
	struct buf col[GISTTEXT_COLUMNS]; /* that are written */
	struct span all[GISTTEXT_COLUMNS]; /* that are read, and */
	struct span rest[GISTTEXT_COLUMNS]; /* are not yet */
	uint32_t last; /* id */
};

void gisttext_release(struct gisttext *g);

/* Makes it empty; keeps the memory. */
void gisttext_reset(struct gisttext *g);

/* Writes: the texts of the next tick; all of them.  False: they can't be told so. */
bool gisttext_add(struct gisttext *g, const struct tick *t);
void gisttext_put(const struct gisttext *g, struct buf *to,
	struct breaks *breaks);

/* Reads, before the first tick: *s begins with the columns, and is moved past them.
 * Their bytes must stay valid.  False: they are no columns. */
bool gisttext_open(struct gisttext *g, struct span *s);
void gisttext_rewind(struct gisttext *g);

/* The next tick gets its texts.  False: there are no more, one is too long or its
 * number too high, or there is no memory. */
bool gisttext_give(struct gisttext *g, struct tick *t);

#endif
