/* SPDX-License-Identifier: Apache-2.0 */
#include "query/sample_at.h"

#include "base/arith.h"
#include "base/clock.h"
#include "model/walk.h"

struct found {
	int64_t at_ns;
	int64_t before_ns, tick_ns; /* INT64_MIN: none */
	struct tick_pace pace; /* at the tick */
};

/* The interval is shorter than what a time shows: only the slack counts. */
static int64_t last_moment(const struct found *f, int64_t interval_ns)
{
	return f->at_ns % GS_NSEC_PER_SEC == 0 &&
	    interval_ns >= GS_NSEC_PER_SEC
	    ? gs_sum(f->at_ns, GS_NSEC_PER_SEC - 1) : f->at_ns;
}

/* False: it is later. */
static bool take(struct found *f, const struct tick *t, struct tick_pace pace)
{
	struct tick_pace was = f->pace.interval_ns ? f->pace : pace;
	int64_t due = tick_due(t->wall_ns, f->tick_ns == INT64_MIN
	    ? t->wall_ns : f->tick_ns, pace, was);

	if (due > last_moment(f, pace.interval_ns))
		return false;
	if (t->n_block == 0)
		return true; /* an event, such as that of the end */
	f->before_ns = f->tick_ns;
	f->tick_ns = t->wall_ns;
	f->pace = pace;
	return true;
}

static int search(struct walk *w, struct found *f, struct gs_err *err)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;

	for (;;) {
		switch (walk_next(w, &t, &gap, err)) {
		case CURSOR_TICK:
			if (!take(f, t, w->pace))
				return GS_OK;
			break;
		case CURSOR_REPEAT:
			break;
		case CURSOR_GAP: /* the next tick follows none */
			if (gap.from_ns < f->at_ns &&
			    walk_is_hole(&gap, w->pace.interval_ns))
				f->before_ns = f->tick_ns = INT64_MIN;
			break;
		case CURSOR_WAIT:
		case CURSOR_END:
			return GS_OK;
		case CURSOR_ERROR:
			return err->status ? (int)err->status : GS_E_IO;
		}
	}
}

int sample_at(struct cursor c, int64_t interval_ns, int64_t at_ns,
	struct range *ret, struct gs_err *err)
{
	struct found f = { .at_ns = at_ns, .before_ns = INT64_MIN,
		.tick_ns = INT64_MIN };
	struct walk w;
	int r;

	walk_begin(&w, c, interval_ns);
	r = walk_seek(&w, at_ns, err);
	if (r >= 0)
		r = search(&w, &f, err);
	if (r < 0)
		return r;
	if (f.tick_ns == INT64_MIN ||
	    !walk_is_near(f.tick_ns, at_ns, f.pace.interval_ns))
		return 0;
	ret->to_ns = f.tick_ns;
	ret->from_ns = f.before_ns != INT64_MIN && f.before_ns < f.tick_ns
	    ? f.before_ns : gs_difference(f.tick_ns, f.pace.interval_ns);
	return 1;
}
