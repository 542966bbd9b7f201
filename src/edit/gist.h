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
#include "base/err.h"
#include "base/scan.h"
#include "model/cursor.h"
#include "model/tick.h"
#include "query/follower.h"

struct gists;

/* A gist is worth its bytes if the ticks have so many times as many, before
 * compression. */
#define GISTS_WORTH 4u

/* level: of zstd.  worth: GISTS_WORTH; 0: any gist is. */
struct gists *gists_new(int level, unsigned worth);
void gists_free(struct gists *g);

/* A file of one stretch and few records gets none: all of it is read in little more
 * time than its gist, which would be a larger part of it than of a longer one: what
 * rows are at the end of a stretch is told once, however long that is. */
void gists_spare_short(struct gists *g);

/* Who is to follow the engines that take every tick: one from each stretch's first
 * key to its last.  Before the first tick; f is copied. */
void gists_follow(struct gists *g, const struct follower *f);

/* The gist that a file has of a stretch: take() begins with the one that begins
 * there, false without one; next() gives its ticks as a reader has them. */
struct gists_given {
	bool (*take)(void *ctx, uint64_t from_seq, int64_t from_ns,
		struct gist_about *ret);
	int (*next)(void *ctx, struct tick **ret, bool *ret_last,
		struct gs_err *err);
	void *ctx;
};

/* Makes none, but compares those that are given.  However they are written, they
 * are right if they tell what the ticks do. */
struct gists *gists_new_to_compare(const struct gists_given *given);

/* How many were right so far. */
size_t gists_right(const struct gists *g);

/* The tick, and its record as tickcode_encode() makes it; a tick may be repeated.
 * Returns the frame of the gist whose stretch ended with this tick or before,
 * valid until the next call; NULL: there is none. */
const struct buf *gists_tick(struct gists *g, const struct tick *t,
	struct span record);

/* The next tick is of another file. */
const struct buf *gists_end(struct gists *g);

/* The frame that was returned last is not in the file: no other is made after it. */
void gists_lose(struct gists *g);

/* A gist was not made, for lack of memory. */
bool gists_lacked(const struct gists *g);

#endif
