/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h - the newest ticks, in memory: what a recorder has just said, for
 * whoever looks at it live.
 *
 * Ticks are copied in; what is too old or too much goes, a key and its deltas
 * at a time, so that what is kept always begins with a key.  A cursor over
 * the ring gives the same steps as one over files, so that any window, and
 * the difference between any two instants, is a range over it (range.h), live
 * as in replay.
 *
 * Use: ring_new(), ring_push() per tick; ring_cursor() as often as wanted.
 * Pushing may end a cursor's place: it then gives a gap and goes on with the
 * oldest key there is.
 */
#ifndef GS_MODEL_RING_H
#define GS_MODEL_RING_H

#include "model/cursor.h"

struct ring;
struct ring_cursor;

/* Keeps at least keep_ns of time, as long as that fits in max_bytes; the key
 * period that is being written is kept in any case. */
struct ring *ring_new(int64_t keep_ns, size_t max_bytes);
void ring_free(struct ring *r);

/* Copies a tick in.  Ticks before the first key are dropped. */
void ring_push(struct ring *r, const struct tick *t);

/* The newest tick again, as a key: what comes behind it builds on it. */
void ring_push_repeat(struct ring *r, const struct tick *t);

size_t ring_count(const struct ring *r);

/* First and last tick there is; false if there is none. */
bool ring_range(const struct ring *r, int64_t *ret_first_ns,
	int64_t *ret_last_ns);

/* The tick nearest to wall_ns: the older of two that are as near.  The
 * newest answers for all that is later.  NULL if there is none. */
const struct tick *ring_nearest(const struct ring *r, int64_t wall_ns);

/* A way through the ring, from its oldest tick on; CURSOR_WAIT at its end.
 * Freed by the caller, before the ring. */
struct ring_cursor *ring_cursor_new(const struct ring *r);
void ring_cursor_free(struct ring_cursor *c);
struct cursor ring_cursor(struct ring_cursor *c);

#endif
