/* SPDX-License-Identifier: Apache-2.0 */
#include "model/walk.h"

#include <stdio.h>
#include <string.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/utf8.h"
#include "model/header.h"
#include "model/world.h"

void walk_begin(struct walk *w, struct cursor c, int64_t interval_ns)
{
	*w = (struct walk) { .cursor = c, .pace = { .interval_ns = interval_ns },
		.at_ns = INT64_MIN, .before_ns = INT64_MIN };
}

int walk_seek(struct walk *w, int64_t wall_ns, struct gs_err *err)
{
	walk_begin(w, w->cursor, w->pace.interval_ns);
	w->here.wall_ns = wall_ns;
	w->by_time = true;
	return cursor_seek(w->cursor, wall_ns, err);
}

bool walk_leap(struct walk *w, const struct summary *last)
{
	return !w->lost && !w->held && cursor_leap(w->cursor, last);
}

void walk_describe_loss(const struct tick *t, struct cursor_gap *gap)
{
	struct span why = tick_lost_why(t);
	struct buf text = BUF_INIT;
	size_t len;

	if (gap->ticks == 0 || gap->ticks > tick_lost_before(t) ||
	    span_empty(why))
		return;
	utf8_add_safe(&text, why.ptr, span_len(why));
	len = GS_MIN(text.len, sizeof(gap->why) - 1);
	while (len < text.len && ((unsigned char)text.ptr[len] & 0xc0) == 0x80)
		len--; /* not within a character */
	(void)snprintf(gap->why, sizeof(gap->why), "%.*s", (int)len,
	    text.ptr);
	buf_release(&text);
}

bool walk_is_near(int64_t from_ns, int64_t to_ns, int64_t interval_ns)
{
	return gs_difference(to_ns, from_ns) <=
	    gs_sum(interval_ns, interval_ns / 2);
}

bool walk_is_hole(const struct cursor_gap *gap, int64_t interval_ns)
{
	return gap->why[0] || gap->from_ns == INT64_MIN ||
	    gap->to_ns == INT64_MAX ||
	    !walk_is_near(gap->from_ns, gap->to_ns, interval_ns);
}

/* ---- loss ------------------------------------------------------------- */

void walk_lose(struct walk *w, const struct gs_err *why)
{
	if (w->lost)
		return;
	w->lost = true;
	w->loss = (struct cursor_gap) {
		.from_ns = w->after_gap ? w->at_ns : w->before_ns,
		.to_ns = INT64_MAX, .ticks = 1, .file = "", .damage = true };
	(void)snprintf(w->loss.why, sizeof(w->loss.why), "%.*s",
	    (int)sizeof(w->loss.why) - 1, why->msg); /* fits */
	w->at_ns = w->before_ns;
}

static void give_loss(struct walk *w, int64_t to_ns, struct cursor_gap *gap)
{
	w->lost = false;
	w->loss.to_ns = to_ns;
	*gap = w->loss;
}

bool walk_end(struct walk *w, struct cursor_gap *gap)
{
	if (!w->lost)
		return false;
	give_loss(w, INT64_MAX, gap);
	return true;
}

/* A key that can't be applied does not end a loss.  It is tried on a world of
 * its own: once the gap is returned, it can't be extended. */
static bool ends_loss(const struct tick *t)
{
	struct gs_err err;
	struct world *trial;
	int r;

	if (!t->key)
		return false;
	trial = world_new_plain();
	r = world_apply(trial, t, &err);
	world_free(trial);
	return r == GS_OK || r == GS_E_MEMORY;
}

/* A step of the cursor while a key is missing; CURSOR_TICK: skip it. */
static enum cursor_step find_key(struct walk *w, enum cursor_step is,
	const struct tick *t, struct cursor_gap *gap)
{
	switch (is) {
	case CURSOR_TICK:
	case CURSOR_REPEAT:
		if (!ends_loss(t)) {
			w->loss.ticks += is == CURSOR_TICK;
			return CURSOR_TICK;
		}
		w->held = t;
		w->held_is = is;
		give_loss(w, t->wall_ns, gap);
		return CURSOR_GAP;
	case CURSOR_GAP:
		gap->from_ns = w->loss.from_ns;
		if (!gap->why[0])
			memcpy(gap->why, w->loss.why, sizeof(gap->why));
		gap->ticks += gap->ticks ? w->loss.ticks : 0;
		gap->damage = true;
		w->lost = false;
		return CURSOR_GAP;
	case CURSOR_END:
		w->ended = walk_end(w, gap);
		return CURSOR_GAP;
	case CURSOR_WAIT:
	case CURSOR_ERROR:
		break;
	}
	return is;
}

/* ---- steps ------------------------------------------------------------ */

static enum cursor_step step_to(struct walk *w, enum cursor_step is,
	const struct tick *t, const struct tick **ret)
{
	if (t->header && t->header->interval_ns > 0)
		w->pace = header_pace(t->header);
	w->before_ns = w->at_ns;
	w->at_ns = t->wall_ns;
	w->here = (struct tick_id) { t->wall_ns, t->seq };
	w->by_time = false;
	w->trail.kept = 0;
	w->after_gap = w->gap_last;
	w->gap_last = false;
	*ret = t;
	return is;
}

enum cursor_step walk_next(struct walk *w, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	const struct tick *t = w->held;
	enum cursor_step is;

	w->held = NULL;
	if (t)
		return step_to(w, w->held_is, t, ret);
	if (w->ended)
		return CURSOR_END;
	for (;;) {
		*gap = (struct cursor_gap) { .file = "" };
		is = cursor_next(w->cursor, &t, gap, err);
		if (w->lost)
			is = find_key(w, is, t, gap);
		else if (is == CURSOR_TICK || is == CURSOR_REPEAT)
			return step_to(w, is, t, ret);
		w->gap_last |= is == CURSOR_GAP;
		if (is != CURSOR_TICK)
			return is;
	}
}

/* ---- new ticks alone -------------------------------------------------- */

int walk_next_new(struct cursor c, const struct tick **ret,
	struct gs_err *err)
{
	struct gs_err own = { .status = GS_OK };

	if (!err)
		err = &own;
	for (;;) {
		struct cursor_gap gap = { 0 };

		switch (cursor_next(c, ret, &gap, err)) {
		case CURSOR_TICK:
			return 1;
		case CURSOR_REPEAT:
		case CURSOR_GAP:
			continue;
		case CURSOR_WAIT:
		case CURSOR_END:
			return 0;
		case CURSOR_ERROR:
			return err->status ? (int)err->status : GS_E_IO;
		}
	}
}

/* ---- steps back ------------------------------------------------------- */

static bool is_same(const struct tick *t, const struct tick_id *id)
{
	return t->wall_ns == id->wall_ns && t->seq == id->seq;
}

/* Goes on from seek_ns to the walk's tick, and keeps the ticks before it.
 * Negative: failed. */
static int lay_trail(struct walk *w, int64_t seek_ns, struct gs_err *err)
{
	struct walk_trail *l = &w->trail;
	const struct tick *t = NULL;
	int r = cursor_seek(w->cursor, seek_ns, err);

	l->seek_ns = seek_ns;
	l->n = 0;
	while (r >= 0 && (r = walk_next_new(w->cursor, &t, err)) > 0 &&
	    !(w->by_time ? t->wall_ns >= w->here.wall_ns
	                 : is_same(t, &w->here)))
		l->id[l->n++ % WALK_TRAIL_MAX] = (struct tick_id) {
			t->wall_ns, t->seq };
	if (r == 0 && !w->by_time)
		l->n = 0; /* the walk's tick is gone */
	l->kept = GS_MIN(l->n, WALK_TRAIL_MAX);
	return r;
}

/* The first tick after a seek may be a repeat: it is a key then, unlike the
 * tick when it was new.  So it is not used, unless it is the first of all. */
static bool is_usable(const struct walk_trail *l)
{
	return l->kept > (l->seek_ns == INT64_MIN && l->kept == l->n ? 0 : 1);
}

/* A seek passes two keys.  If these are unreadable, an earlier one helps. */
static int find_trail(struct walk *w, struct gs_err *err)
{
	uint64_t room = (uint64_t)w->here.wall_ns - (uint64_t)INT64_MIN;
	uint64_t back = 1;
	int r;

	for (;;) {
		back = GS_MIN(back, room);
		r = lay_trail(w, (int64_t)((uint64_t)w->here.wall_ns - back),
		    err);
		if (r < 0 || back == room || is_usable(&w->trail))
			return r;
		back = back > UINT64_MAX / 64 ? UINT64_MAX : back * 64;
	}
}

/* Goes to the last tick of the trail.  1: *ret is it; 0: it is gone. */
static int go_back(struct walk *w, const struct tick **ret, struct gs_err *err)
{
	struct walk_trail *l = &w->trail;
	size_t i, kept, last = l->n - 1;
	int r = cursor_seek(w->cursor, l->seek_ns, err);

	for (i = 0; r >= 0 && i < l->n; i++) {
		r = walk_next_new(w->cursor, ret, err);
		if (r == 0)
			return 0;
	}
	if (r < 0 || !is_same(*ret, &l->id[last % WALK_TRAIL_MAX]))
		return GS_MIN(r, 0);
	w->lost = w->ended = w->gap_last = false;
	w->held = NULL;
	w->at_ns = last > 0 ? l->id[(last - 1) % WALK_TRAIL_MAX].wall_ns
	    : INT64_MIN;
	kept = l->kept;
	(void)step_to(w, CURSOR_TICK, *ret, ret);
	l->n = last;
	l->kept = kept - 1;
	return 1;
}

enum cursor_step walk_prev(struct walk *w, const struct tick **ret,
	struct gs_err *err)
{
	int r, tries;

	/* a ring may drop the trail's ticks between two calls */
	for (tries = 0; tries < 2; tries++) {
		if (tries > 0 || !is_usable(&w->trail)) {
			if (find_trail(w, err) < 0)
				return CURSOR_ERROR;
			if (w->trail.n == 0)
				return CURSOR_END;
		}
		r = go_back(w, ret, err);
		if (r != 0)
			return r < 0 ? CURSOR_ERROR : CURSOR_TICK;
	}
	return CURSOR_END;
}
