/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - the loop over the ticks of a recording.
 *
 * All consumers of ticks (views, sysstat's programs, editing, the terminal)
 * apply them to a state of their own: a world, an engine, a feed.  A walk owns
 * what all must do alike:
 *
 * - Loss.  A tick that can't be applied is damage, just as unreadable bytes
 *   are.  All ticks after it are skipped up to the next key that can be
 *   applied, new or repeated; then one gap reports what was lost and why.  A
 *   loss up to the end is a gap up to INT64_MAX.
 * - The interval of the recording, which a key may change.
 * - Whether a gap is a hole (walk_is_hole()).
 * - Stepping back: walk_prev().
 *
 * Use: walk_begin(); walk_next() until it returns CURSOR_END, CURSOR_WAIT or
 * CURSOR_ERROR.  After CURSOR_TICK and CURSOR_REPEAT apply the tick, and call
 * walk_lose() if that fails.  After CURSOR_GAP the state is invalid up to the
 * next key: call world_lost().
 */
#ifndef GS_MODEL_WALK_H
#define GS_MODEL_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cursor.h"

/* Which tick of a recording. */
struct tick_id {
	int64_t wall_ns;
	uint64_t seq;
};

#define WALK_TRAIL_MAX 64

struct walk {
	struct cursor cursor;
	struct tick_pace pace; /* of the recording, from its newest key */
	/* private to walk.c */
	int64_t at_ns; /* time of the last tick returned */
	int64_t before_ns; /* and of the one before it */
	struct cursor_gap loss; /* since a tick could not be applied */
	bool lost;
	bool after_gap; /* the step before the last tick returned was a gap */
	bool gap_last; /* the last step returned is one */
	bool ended; /* the loss at the end was reported */
	const struct tick *held; /* the key after a loss, to be returned next */
	enum cursor_step held_is;
	struct tick_id here; /* the last tick returned */
	bool by_time; /* none was since walk_seek(): here has a time only */
	/* The ticks between a seek and here, for walk_prev(). */
	struct walk_trail {
		int64_t seek_ns;
		size_t n;
		size_t kept; /* the last of them are in id[] */
		struct tick_id id[WALK_TRAIL_MAX]; /* tick i at i modulo MAX */
	} trail;
};

/* interval_ns: of the recording, until a key sets it; 0: not known. */
void walk_begin(struct walk *w, struct cursor c, int64_t interval_ns);

/* Goes to a key some ticks before wall_ns, or to the first key; an earlier
 * loss is forgotten. */
int walk_seek(struct walk *w, int64_t wall_ns, struct gs_err *err);

/* As cursor_leap().  walk_prev() needs a walk_seek() after it. */
bool walk_leap(struct walk *w, const struct summary *last);

/* The next step, as cursor_next().  err must not be NULL. */
enum cursor_step walk_next(struct walk *w, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err);

/* Steps back: *ret is the new tick before the last one returned, or after
 * walk_seek() the last one before that time, as walk_next() returned it or
 * would have.  walk_next() goes on after it.  CURSOR_END: there is no earlier
 * one.  Gaps and repeats are passed.  A tick can be applied only to the state
 * before it; so whoever applies ticks seeks.  Not on a pipe.  err must not be
 * NULL. */
enum cursor_step walk_prev(struct walk *w, const struct tick **ret,
	struct gs_err *err);

/* The last tick that walk_next() returned can't be applied, for that reason. */
void walk_lose(struct walk *w, const struct gs_err *why);

/* For a caller that ends at CURSOR_WAIT: true if a loss lasts up to there;
 * *gap is it. */
bool walk_end(struct walk *w, struct cursor_gap *gap);

/* Whether the sample at from_ns still holds at to_ns, or is the one just
 * before it: at most 1.5 intervals lie between. */
bool walk_is_near(int64_t from_ns, int64_t to_ns, int64_t interval_ns);

/* A gap is a hole if it has a reason, or its edges are not near. */
bool walk_is_hole(const struct cursor_gap *gap, int64_t interval_ns);

/* Its reason; between two recordings it has none of its own. */
static inline const char *walk_why(const struct cursor_gap *gap)
{
	return gap->why[0] ? gap->why : "nothing recorded";
}

/* The gap before tick t, as far as that tick says why: what the recorder did not
 * write, or what a damaged file that t was copied from had there.  A file may hold any
 * text. */
void walk_describe_loss(const struct tick *t, struct cursor_gap *gap);

/* For callers that only look at ticks and apply none: the next new tick; gaps
 * are skipped.  1: *ret is it; 0: there is none, or none yet; negative:
 * failed. */
int walk_next_new(struct cursor c, const struct tick **ret,
	struct gs_err *err);

#endif
