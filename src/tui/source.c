/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/source.h"

#include "base/compiler.h"
#include "model/walk.h"

/* Steps between two checks for a pending key: some ms. */
#define LOOK 32

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct patience *p = self;

	if (p->hurry && p->steps++ % LOOK == LOOK - 1 && p->hurry(p->ctx)) {
		p->lost = true;
		(void)gs_fail(err, GS_E_BUSY, "given up for a key");
		return CURSOR_ERROR;
	}
	return cursor_next(p->of, ret, gap, err);
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	return cursor_seek(((struct patience *)self)->of, wall_ns, err);
}

struct cursor patience_cursor(struct patience *p, const struct tui_source *s)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek };

	*p = (struct patience) { .of = s->cursor, .hurry = s->hurry,
		.ctx = s->ctx };
	return (struct cursor) { &ops, p };
}

int64_t source_after(const struct tui_source *s, int64_t t_ns)
{
	const struct tick *t = NULL;
	int64_t before, after;

	if (cursor_beside(s->cursor, t_ns, &before, &after))
		return after == INT64_MAX ? t_ns : after;
	if (cursor_seek(s->cursor, t_ns, NULL) < 0)
		return t_ns;
	while (walk_next_new(s->cursor, &t, NULL) > 0) {
		if (t->wall_ns > t_ns)
			return t->wall_ns;
	}
	return t_ns;
}

int64_t source_clamp(const struct tui_source *s, int64_t t_ns)
{
	return GS_MAX(s->first_ns, GS_MIN(s->last_ns, t_ns));
}

struct range source_range(const struct tui_source *s, int64_t to_ns,
	int64_t window_ns)
{
	int64_t i = s->interval_ns;
	int64_t off = i > 0 ? to_ns % i : 0;
	int64_t from = to_ns - window_ns;

	off = off < 0 ? off + i : off;
	if (off < i / 4)
		from -= off; /* meant for the multiple */
	else
		from += i / 8;
	return (struct range) { from, to_ns, 0 };
}
