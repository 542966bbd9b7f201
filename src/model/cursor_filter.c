/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cursor_filter.h"

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct cursor_filter *f = self;

	return f->next(f->self, ret, gap, err);
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	struct cursor_filter *f = self;

	return cursor_seek(f->of, wall_ns, err);
}

static const struct summary *ahead(void *self, uint64_t seq, int64_t wall_ns)
{
	struct cursor_filter *f = self;

	return cursor_ahead(f->of, seq, wall_ns);
}

static bool leap(void *self, const struct summary *last)
{
	struct cursor_filter *f = self;

	return cursor_leap(f->of, last);
}

static bool gist(void *self, uint64_t seq, int64_t wall_ns,
	int64_t until_ns, int64_t *ret_to_ns)
{
	struct cursor_filter *f = self;

	return cursor_gist(f->of, seq, wall_ns, until_ns, ret_to_ns);
}

static bool take_gist(void *self, struct gist_about *ret)
{
	struct cursor_filter *f = self;

	return cursor_take_gist(f->of, ret);
}

static void drop_gist(void *self)
{
	struct cursor_filter *f = self;

	cursor_drop_gist(f->of);
}

static bool refuse_gist(void *self)
{
	struct cursor_filter *f = self;

	return cursor_refuse_gist(f->of);
}

static bool beside(void *self, int64_t wall_ns, int64_t *ret_before_ns,
	int64_t *ret_after_ns)
{
	struct cursor_filter *f = self;

	return cursor_beside(f->of, wall_ns, ret_before_ns, ret_after_ns);
}

struct cursor cursor_filter(struct cursor_filter *f)
{
	static const struct cursor_ops ops = { next, seek, ahead, leap, gist,
		take_gist, drop_gist, refuse_gist, beside };

	return (struct cursor) { &ops, f };
}
