/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_record.c - any bytes as what stands in frames: decoded, applied, taken
 * in by views.  The input is a list of {length, 2 bytes; record}.
 *
 * A run has two views, chosen by the input, and shows them a few times: all of
 * them at every tick would be a hundred times slower, and reach no more.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "format/tickcode.h"
#include "fuzz.h"
#include "view/view.h"

#define VIEWS 2u
#define LOOKS_MAX 4u /* within a run, and one at the end */

static size_t choose(const uint8_t *data, size_t size)
{
	size_t sum = size, i;

	for (i = 0; i < size && i < 64; i++)
		sum = sum * 31 + data[i];
	return sum;
}

static size_t open_views(struct engine *e, struct view_use **use, size_t from)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	size_t n_views = 0, n = 0, i;

	while (view_at(n_views))
		n_views++;
	for (i = 0; i < n_views && n < VIEWS; i++) {
		const struct view *v = view_find(view_at((from + i) %
		    n_views));

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

/* The next record to the engine; false: it can't be decoded or applied. */
static bool take(struct tickcode *c, const uint8_t *p, size_t len,
	struct tick *t, struct engine *e)
{
	struct gs_err err;

	return tickcode_decode(c, p, len, t, &err) == 0 &&
	    engine_tick(e, t, &err) == 0;
}

static void take_all(const uint8_t *data, size_t size, struct engine *e,
	struct view_use *const *use, size_t n)
{
	static struct tickcode *c; /* keeps nothing from record to record */
	struct cursor_gap gap = { .why = "x" };
	struct tick t = TICK_INIT;
	size_t looks = 0, at = 0, len;

	if (!c)
		c = tickcode_new(TICKCODE_LEVEL);
	while (at + 2 <= size) {
		len = data[at] + 256U * data[at + 1];
		at += 2;
		if (len > size - at)
			len = size - at;
		if (!take(c, data + at, len, &t, e))
			engine_gap(e, &gap);
		else if (looks++ < LOOKS_MAX)
			look(use, n, e);
		if (t.seq % 3 == 0)
			engine_restart(e);
		at += len;
	}
	tick_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view_use *use[VIEWS] = { NULL };
	struct engine e;
	size_t n, i;

	engine_init(&e, 1000000000);
	n = open_views(&e, use, choose(data, size));
	take_all(data, size, &e, use, n);
	look(use, n, &e);
	for (i = 0; i < n; i++)
		view_close(use[i]);
	engine_release(&e);
	return 0;
}
