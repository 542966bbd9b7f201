/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gistclock.h - the clocks of the hosts in the ticks of a gist, beside the ticks, which
 * have none (tickcode_be_bare()): of one block after the other what has changed since
 * the host's block before, column by column.
 *
 * Per column its length in bytes, then as many zigzag varints as there are blocks, of
 * the difference to the host's block before: connection; sequence; wall clock, less the
 * time of the tick; CLOCK_MONOTONIC, less the wall clock; CLOCK_BOOTTIME, less
 * CLOCK_MONOTONIC; round trip; offset.  Private to src/format and who makes gists.
 */
#ifndef GS_FORMAT_GISTCLOCK_H
#define GS_FORMAT_GISTCLOCK_H

#include "base/buf.h"
#include "base/scan.h"
#include "model/tick.h"

#define GISTCLOCK_COLUMNS 7u

struct gistclock_host {
	int64_t v[GISTCLOCK_COLUMNS];
};

struct gistclock {
	struct buf col[GISTCLOCK_COLUMNS]; /* that are written */
	struct span all[GISTCLOCK_COLUMNS]; /* that are read, and */
	struct span rest[GISTCLOCK_COLUMNS]; /* are not yet */
	struct gistclock_host *host; /* by index; their last blocks */
	size_t n_host, host_cap;
};

void gistclock_release(struct gistclock *c);

/* Makes it empty; keeps the memory. */
void gistclock_reset(struct gistclock *c);

/* Writes: the clocks of the next tick; all of them. */
void gistclock_add(struct gistclock *c, const struct tick *t);
void gistclock_put(const struct gistclock *c, struct buf *to);

/* Reads: s is all of them, and stays there; before the first tick.  False: they are no
 * columns. */
bool gistclock_open(struct gistclock *c, struct span s);
void gistclock_rewind(struct gistclock *c);

/* The blocks of the next tick get their clocks; the tick has its time.  False: there are
 * no more, or they are out of bounds. */
bool gistclock_give(struct gistclock *c, struct tick *t);

#endif
