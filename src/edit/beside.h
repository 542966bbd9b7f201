/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside.h - makes what a file has beside its ticks: summaries (query/stretch.h) and
 * gists (edit/gist.h).
 *
 * Use: beside_new(), for a sink, which gives it each tick; beside_free() after the sink.
 */
#ifndef GS_EDIT_BESIDE_H
#define GS_EDIT_BESIDE_H

#include "base/scan.h"
#include "model/tick.h"
#include "query/follower.h"
#include "query/stretch.h"

struct beside;
struct packer;

/* Of zstd. */
#define BESIDE_LEVEL 17

struct beside_options {
	int level; /* of zstd: of gists, and of ticks that become groups */
	bool alone; /* ticks stand alone until something comes beside them */
	/* For files of which most are short: gists_spare_short(), and no summary of
	 * fewer ticks than these. */
	bool spares_short;
	uint64_t ticks_least;
	/* Who adds to summaries what it knows, and follows the engines of the gists
	 * (gists_follow()); self NULL: nobody. */
	struct stretch_also also;
	struct follower follower;
};

struct beside *beside_new(const struct beside_options *o);
void beside_free(struct beside *b);

int beside_level(const struct beside *b);

/* The tick that was put last, and its record; a tick may be repeated.  What is complete
 * is added.  The tick loses what summaries do not need. */
void beside_tick(struct beside *b, struct tick *t, struct span record,
	struct packer *to);

/* The next tick is of another file.  Gives back most of the memory. */
void beside_end(struct beside *b, struct packer *to);

/* Whether anything was added; whether something was not, for lack of memory. */
bool beside_any(const struct beside *b);
bool beside_lacked(const struct beside *b);

#endif
