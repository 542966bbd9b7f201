/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follower.h - users of an engine's ticks, in addition to groupings.
 */
#ifndef GS_QUERY_FOLLOWER_H
#define GS_QUERY_FOLLOWER_H

#include <stdbool.h>

struct engine;
struct gist_about;

/* The first two are called after the engine is updated.  Any may be NULL. */
struct follower {
	void *self;
	void (*tick)(void *self, const struct engine *e);
	void (*restart)(void *self, const struct engine *e);
	void (*end)(void *self); /* the engine is about to be released */
	/* Whether a gist may come in place of ticks, which begins after the last one. */
	bool (*takes_gist)(void *self, const struct engine *e,
		const struct gist_about *g);
};

#endif
