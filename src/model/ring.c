/* SPDX-License-Identifier: Apache-2.0 */
#include "model/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TICKS_BETWEEN 2 /* a key and a time: as cursor_seek() promises */

/* One tick and its size. */
struct kept {
	struct tick tick;
	size_t bytes;
	bool repeat; /* the previous tick, as a key */
};

struct ring {
	struct kept **at; /* oldest first */
	size_t n, cap;
	uint64_t dropped; /* number of ticks dropped before at[0] */
	int64_t keep_ns;
	size_t bytes, max_bytes;
};

struct ring_cursor {
	const struct ring *ring;
	uint64_t next; /* number of the tick, dropped ones included */
	bool begun; /* a tick was returned: missing ticks are a gap */
	bool after_gap; /* after a gap: the next tick is new, even if it repeats
			 * one */
	uint64_t last_seq;
	int64_t last_ns;
};

struct ring *ring_new(int64_t keep_ns, size_t max_bytes)
{
	struct ring *r = gs_calloc(1, sizeof(*r));

	r->keep_ns = keep_ns;
	r->max_bytes = max_bytes;
	return r;
}

static void drop(struct ring *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		r->bytes -= r->at[i]->bytes;
		tick_release(&r->at[i]->tick);
		free(r->at[i]);
	}
	if (n < r->n)
		memmove(r->at, r->at + n, (r->n - n) * sizeof(*r->at));
	r->n -= n;
	r->dropped += n;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	drop(r, r->n);
	free(r->at);
	free(r);
}

/* Ticks from the oldest key up to the next one; all if there is none. */
static size_t oldest_period(const struct ring *r)
{
	size_t i = 1;

	while (i < r->n && !r->at[i]->tick.key)
		i++;
	return i;
}

/* A period may be dropped if the ones after it still cover keep_ns, or if the
 * ring is too large; never the last one. */
static bool may_drop(const struct ring *r, size_t n)
{
	int64_t newest = r->at[r->n - 1]->tick.wall_ns;

	if (n >= r->n)
		return false;
	return r->bytes > r->max_bytes ||
	    newest - r->at[n]->tick.wall_ns >= r->keep_ns;
}

static void push(struct ring *r, const struct tick *t, bool repeat)
{
	struct kept *k;
	size_t n;

	if (r->n == 0 && !t->key)
		return;
	k = gs_calloc(1, sizeof(*k));
	k->repeat = repeat;
	tick_copy(&k->tick, t);
	k->bytes = sizeof(*k) + tick_bytes(&k->tick);
	GS_GROW(r->at, &r->cap, r->n + 1);
	r->at[r->n++] = k;
	r->bytes += k->bytes;
	for (n = oldest_period(r); may_drop(r, n); n = oldest_period(r))
		drop(r, n);
}

void ring_push(struct ring *r, const struct tick *t)
{
	push(r, t, false);
}

void ring_push_repeat(struct ring *r, const struct tick *t)
{
	if (r->n > 0)
		push(r, t, true);
}

bool ring_range(const struct ring *r, int64_t *ret_first_ns,
	int64_t *ret_last_ns)
{
	if (r->n == 0)
		return false;
	*ret_first_ns = r->at[0]->tick.wall_ns;
	*ret_last_ns = r->at[r->n - 1]->tick.wall_ns;
	return true;
}

/* ---- cursor ------------------------------------------------------------ */

struct ring_cursor *ring_cursor_new(const struct ring *r)
{
	struct ring_cursor *c = gs_calloc(1, sizeof(*c));

	c->ring = r;
	return c;
}

void ring_cursor_free(struct ring_cursor *c)
{
	free(c);
}

static enum cursor_step lost(struct ring_cursor *c, struct cursor_gap *gap)
{
	const struct ring *r = c->ring;
	const struct tick *first = &r->at[0]->tick;

	*gap = (struct cursor_gap) { .from_ns = c->last_ns,
		.to_ns = first->wall_ns,
		.ticks = tick_missing(c->last_seq, first->seq,
		    first->left_out), .file = "" };
	(void)snprintf(gap->why, sizeof(gap->why),
	    "no longer kept in memory"); /* fits */
	c->next = r->dropped;
	c->after_gap = true;
	/* ticks dropped before the next step are another gap, from here */
	c->last_ns = first->wall_ns;
	c->last_seq = first->seq - 1;
	return CURSOR_GAP;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct ring_cursor *c = self;
	const struct ring *r = c->ring;
	const struct kept *k;
	bool repeat;

	(void)err; /* memory does not fail */
	if (r->n == 0 || c->next >= r->dropped + r->n)
		return CURSOR_WAIT;
	if (c->next < r->dropped && c->begun)
		return lost(c, gap);
	c->next = GS_MAX(c->next, r->dropped);
	k = r->at[c->next - r->dropped];
	*ret = &k->tick;
	c->next++;
	repeat = k->repeat && c->begun && !c->after_gap;
	c->begun = true;
	c->after_gap = false;
	c->last_ns = k->tick.wall_ns;
	c->last_seq = k->tick.seq;
	return repeat ? CURSOR_REPEAT : CURSOR_TICK;
}

/* The last key that two ticks follow. */
static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	struct ring_cursor *c = self;
	const struct ring *r = c->ring;
	size_t last = 0, before = 0, i;

	(void)err;
	if (wall_ns == INT64_MIN && !c->begun)
		return GS_OK;
	for (i = 0; i < r->n && r->at[i]->tick.wall_ns <= wall_ns; i++) {
		if (!r->at[i]->tick.key)
			continue;
		before = last;
		last = i;
	}
	c->next = r->dropped + (i > last + TICKS_BETWEEN ? last : before);
	c->begun = c->after_gap = false;
	return GS_OK;
}

static bool beside(void *self, int64_t wall_ns, int64_t *ret_before_ns,
	int64_t *ret_after_ns)
{
	const struct ring *r = ((struct ring_cursor *)self)->ring;
	size_t i;

	*ret_before_ns = INT64_MIN;
	*ret_after_ns = INT64_MAX;
	for (i = 0; i < r->n; i++) {
		int64_t at = r->at[i]->tick.wall_ns;

		if (at < wall_ns)
			*ret_before_ns = GS_MAX(*ret_before_ns, at);
		else if (at > wall_ns)
			*ret_after_ns = GS_MIN(*ret_after_ns, at);
	}
	return true;
}

struct cursor ring_cursor(struct ring_cursor *c)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek,
		.beside = beside };

	return (struct cursor) { &ops, c };
}
