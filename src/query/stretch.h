/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stretch.h - makes the summaries of a recording (model/summary.h).
 *
 * Two engines follow the ticks: one takes them all, the other only keys, as a
 * reader that passes over the rest.  An entity is in the summary if both have
 * the same sums, so that a summary never changes a figure.  A stretch with
 * a hole or a host that stopped answering has no summary.
 *
 * Use: stretch_tick() for each tick that is written to a file, which may return a
 * summary; stretch_abandon() where another file begins.
 */
#ifndef GS_QUERY_STRETCH_H
#define GS_QUERY_STRETCH_H

#include "base/err.h"
#include "model/summary.h"
#include "model/tick.h"

struct stretch;

/* Another one who follows the ticks, and adds to summaries what it knows.  self
 * NULL: none. */
struct stretch_also {
	void *self;
	/* Each tick, with all its rows; again: as a key.  May be NULL. */
	void (*tick)(void *self, const struct tick *t, bool again);
	/* The last tick ends a stretch; to NULL: it has no summary. */
	void (*end)(void *self, struct summary *to);
	/* What was before does not count. */
	void (*begin)(void *self);
};

/* also is copied. */
struct stretch *stretch_new(const struct stretch_also *also);
void stretch_free(struct stretch *s);

/* The stretch that was begun has no summary; the next tick is the first of a file. */
void stretch_abandon(struct stretch *s);

/* The tick, which may be a repeated one; its rows of other entities are
 * dropped from it.  Returns the summary of the stretch that it ends, valid
 * until the next call; NULL: it ends none, or the stretch has no summary. */
const struct summary *stretch_tick(struct stretch *s, struct tick *t);

#endif
