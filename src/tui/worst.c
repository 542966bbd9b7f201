/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/worst.h"

#include "base/clock.h"
#include "base/mem.h"
#include "view/findings_view.h"

/* Ticks between two looks at the clock and for a pending key. */
#define LOOK 4

/* ---- the source's cursor, for a pass with pauses -------------------------- */

static bool must_pause(struct worst *w)
{
	if (w->steps++ % LOOK != LOOK - 1)
		return false;
	return gs_clock_mono_ns() >= w->until_ns || (w->src->hurry &&
	    w->src->hurry(w->src->ctx));
}

/* Goes to the last tick that was taken.  False: it is gone. */
static bool find_again(struct worst *w, struct gs_err *err)
{
	const struct tick *t;
	struct cursor_gap gap;

	if (w->at_ns == INT64_MIN)
		return cursor_seek(w->of, w->src->first_ns, err) >= 0;
	if (cursor_seek(w->of, w->at_ns, err) < 0)
		return false;
	for (;;) {
		switch (cursor_next(w->of, &t, &gap, err)) {
		case CURSOR_TICK:
		case CURSOR_REPEAT:
			if (t->seq == w->at_seq && t->wall_ns == w->at_ns)
				return true;
			break;
		case CURSOR_GAP:
			break;
		case CURSOR_WAIT:
		case CURSOR_END:
		case CURSOR_ERROR:
			return false;
		}
	}
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct worst *w = self;
	enum cursor_step is;

	if (!w->after_gap && must_pause(w)) {
		w->paused = true;
		return CURSOR_WAIT;
	}
	if (w->moved && !find_again(w, err)) {
		w->failed = true;
		return CURSOR_END;
	}
	w->moved = false;
	is = cursor_next(w->of, ret, gap, err);
	w->after_gap = is == CURSOR_GAP; /* which would come again */
	if (is == CURSOR_TICK || is == CURSOR_REPEAT) {
		w->at_ns = (*ret)->wall_ns;
		w->at_seq = (*ret)->seq;
	}
	return is;
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	return cursor_seek(((struct worst *)self)->of, wall_ns, err);
}

/* ---- the pass -------------------------------------------------------------- */

static int no_table(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

void worst_begin(struct worst *w, const struct tui_source *src)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek };

	*w = (struct worst) { .begun = true, .src = src, .of = src->cursor,
		.range = { INT64_MIN, INT64_MAX, 0 }, .at_ns = INT64_MIN };
	engine_init(&w->engine, src->interval_ns);
	w->findings = findings_new(&findings_views, &w->engine, &src->zone);
	w->run = range_open(&w->range, (struct cursor) { &ops, w },
	    &w->engine, no_table, NULL, &w->result);
}

void worst_release(struct worst *w)
{
	if (!w->begun)
		return;
	range_close(w->run);
	findings_free(w->findings);
	engine_release(&w->engine);
	*w = (struct worst) { 0 };
}

bool worst_is_long(const struct tui_source *src)
{
	return src->interval_ns > 0 && (src->last_ns - src->first_ns) /
	    src->interval_ns > WORST_UNASKED_TICKS;
}

bool worst_step(struct worst *w, int64_t for_ns)
{
	struct gs_err err;

	if (!w->begun || w->over)
		return false;
	w->of = w->src->cursor;
	w->moved = true;
	w->paused = false;
	w->until_ns = gs_clock_mono_ns() + for_ns;
	if (range_go(w->run, &err) == RANGE_WAITS && w->paused)
		return true;
	range_end(w->run);
	w->over = true;
	return false;
}

unsigned worst_percent(const struct worst *w)
{
	int64_t all = w->src->last_ns - w->src->first_ns;

	if (w->over || all <= 0)
		return 100;
	if (w->at_ns <= w->src->first_ns)
		return 0;
	return (unsigned)(GS_MIN((double)(w->at_ns - w->src->first_ns) /
	    (double)all, 1.0) * 100);
}

struct grid *worst_grid(const struct worst *w)
{
	return w->begun && w->result.any
	    ? findings_grid(w->findings, &w->engine, 0) : NULL;
}
