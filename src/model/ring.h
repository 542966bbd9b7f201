/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h - the newest ticks in memory: those a recorder has just made, for
 * live views.
 *
 * Ticks are copied in.  The oldest are dropped, a key and its deltas at a
 * time, when they are too old or take too much memory; so the ring always
 * begins with a key.  A cursor over the ring gives the same steps as one over
 * files.  Any window, and the difference between any two instants, is a range
 * over it (range.h), live as in replay.
 *
 * Use: ring_new(), ring_push() per tick; ring_cursor_new() as often as wanted.
 * A push may drop the tick that a cursor is at: it then gives a gap and
 * continues with the oldest key.
 */
#ifndef GS_MODEL_RING_H
#define GS_MODEL_RING_H

#include "model/cursor.h"

struct ring;
struct ring_cursor;

/* Keeps at least keep_ns of time, as long as that fits in max_bytes.  The
 * newest key and its deltas are always kept. */
struct ring *ring_new(int64_t keep_ns, size_t max_bytes);
void ring_free(struct ring *r);

/* Copies a tick in.  Ticks before the first key are dropped. */
void ring_push(struct ring *r, const struct tick *t);

/* The newest tick again, as a key: the ticks after it build on it. */
void ring_push_repeat(struct ring *r, const struct tick *t);

/* Times of the first and last tick; false if there are none. */
bool ring_range(const struct ring *r, int64_t *ret_first_ns,
	int64_t *ret_last_ns);

/* A cursor over the ring, from its oldest tick on; CURSOR_WAIT at its end.
 * The caller frees it, before the ring. */
struct ring_cursor *ring_cursor_new(const struct ring *r);
void ring_cursor_free(struct ring_cursor *c);
struct cursor ring_cursor(struct ring_cursor *c);

#endif
