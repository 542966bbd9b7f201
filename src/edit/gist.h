/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist.h - makes the gists of a file (model/cursor.h, format/gistframe.h).
 *
 * A stretch begins and ends with keys, within one hour by the clock, so that
 * tables of an hour are made of gists, too.  A gist that would not give the same
 * sums, or a stretch with something missing in it, is left out.
 *
 * Use: gists_tick() for each tick of a file, gists_end() after the last one.
 */
#ifndef GS_EDIT_GIST_H
#define GS_EDIT_GIST_H

#include "base/buf.h"
#include "base/scan.h"
#include "model/tick.h"

struct gists;

/* A gist is worth its bytes if the ticks have so many times as many, before
 * compression. */
#define GISTS_WORTH 4u

/* level: of zstd.  worth: GISTS_WORTH; 0: any gist is. */
struct gists *gists_new(int level, unsigned worth);
void gists_free(struct gists *g);

/* The tick, and its record as tickcode_encode() makes it; a tick may be repeated.
 * Returns the frame of the gist whose stretch ended with this tick or before,
 * valid until the next call; NULL: there is none. */
const struct buf *gists_tick(struct gists *g, const struct tick *t,
	struct span record);

/* The next tick is of another file. */
const struct buf *gists_end(struct gists *g);

#endif
