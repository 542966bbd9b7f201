/*
 * fuzz_record.c - any bytes as what stands in frames: decoded, applied, taken
 * in by every view.  The input is a list of {length, 2 bytes; record}.
 */
#include <stdlib.h>

#include "format/tickcode.h"
#include "fuzz.h"
#include "view/view.h"

#define VIEWS_MAX 64

static size_t open_views(struct engine *e, struct view_use **use)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	const char *name;
	size_t n = 0, i;

	for (i = 0; (name = view_at(i)) && n < VIEWS_MAX; i++) {
		const struct view *v = view_find(name);

		if (!view_is_overview(v))
			use[n++] = view_open(v, e, &plain);
	}
	return n;
}

static void look(struct view_use *const *use, size_t n,
	const struct engine *e)
{
	size_t i;

	for (i = 0; i < n; i++)
		grid_free(view_grid(use[i], e));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tickcode *c = tickcode_new(TICKCODE_LEVEL);
	struct cursor_gap gap = { .why = "x" };
	struct view_use *use[VIEWS_MAX];
	struct tick t = TICK_INIT;
	struct engine e;
	struct gs_err err;
	size_t n, i, len, at = 0;

	engine_init(&e, 1000000000);
	n = open_views(&e, use);
	while (at + 2 <= size) {
		len = data[at] + 256U * data[at + 1];
		at += 2;
		if (len > size - at)
			len = size - at;
		if (tickcode_decode(c, data + at, len, &t, &err) < 0 ||
		    engine_tick(&e, &t, &err) < 0)
			engine_gap(&e, &gap);
		else
			look(use, n, &e);
		if (t.seq % 3 == 0)
			engine_restart(&e);
		at += len;
	}
	look(use, n, &e);
	for (i = 0; i < n; i++)
		view_close(use[i]);
	engine_release(&e);
	tick_release(&t);
	tickcode_free(c);
	return 0;
}
