/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a recording with a tick that can't be applied: that is a hole, which
 * is reported, whichever tick it is and whatever follows.
 */
#include "base/compiler.h"
#include "cases.h"
#include "edit/copy.h"
#include "model/tick_encoder.h"
#include "model/ring.h"
#include "simlife.h"
#include "tempdir.h"

#define TICKS 12
#define KEY_AT 8 /* the second key */

struct lab {
	struct tempdir dir;
	struct simlife life;
	struct tick_encoder *encoder;
	struct ring *ring;
};

/* The tick opens a slot twice. */
static void spoil(struct tick *bad, const struct tick *t)
{
	struct delta *d;

	tick_copy(bad, t);
	d = &bad->block[0]->ent[ENTITY_HOST];
	delta_open_slot(d, 0, OPEN_CONTINUED);
	delta_open_slot(d, 0, OPEN_CONTINUED);
}

static void push(struct lab *l, unsigned i, int bad_tick, int bad_repeat)
{
	struct tick bad = TICK_INIT;
	const struct tick *t;

	if (i == KEY_AT)
		encoder_need_key(l->encoder);
	simlife_step(&l->life, SIM_SECOND);
	encoder_begin(l->encoder, l->life.host.clock.wall_ns);
	encoder_block(l->encoder, 0, l->life.host.world);
	t = encoder_end(l->encoder);
	if ((int)i == bad_tick) {
		spoil(&bad, t);
		t = &bad;
	}
	ring_push(l->ring, t);
	if ((int)i == bad_repeat) {
		tick_release(&bad);
		bad = (struct tick)TICK_INIT;
		spoil(&bad, encoder_repeat_as_key(l->encoder));
		ring_push_repeat(l->ring, &bad);
	}
	tick_release(&bad);
}

static void set_up(struct lab *l, int bad_tick, int bad_repeat)
{
	struct header *h = header_new();
	unsigned i;

	*l = (struct lab) { .ring = ring_new(INT64_MAX, SIZE_MAX) };
	h->interval_ns = SIM_SECOND;
	header_add_host(h, 0, "alpha");
	l->encoder = encoder_new(h);
	tempdir_make(&l->dir);
	simlife_init(&l->life, "alpha", 7, 12);
	for (i = 0; i < TICKS; i++)
		push(l, i, bad_tick, bad_repeat);
}

static void tear_down(struct lab *l)
{
	ring_free(l->ring);
	encoder_free(l->encoder);
	simlife_release(&l->life);
	tempdir_remove(&l->dir);
}

static void take_gap(void *ctx, const struct cursor_gap *gap)
{
	*(struct cursor_gap *)ctx = *gap;
}

static struct copy_result copy(struct lab *l, struct cursor_gap *gap)
{
	struct sink_options so = { .path = tempdir_file(&l->dir,
	    "out.gpsnap"), .force = true, .level = 3 };
	struct pick pick = { 0 };
	struct copy_options o = { .from_ns = INT64_MIN, .to_ns = INT64_MAX,
		.pick = &pick, .command = "a test", .gap = take_gap,
		.ctx = gap };
	struct ring_cursor *c = ring_cursor_new(l->ring);
	struct copy_result res;
	struct sink *s = NULL;
	struct gs_err err;

	/* the text of an error that was not filled */
	memset(&err, 0, sizeof(err));
	assert_int_equal(pick_init(&pick, NULL, NULL, NULL, NULL, &err),
	    GS_OK);
	assert_int_equal(sink_open(&so, &io_posix, &s, &err), GS_OK);
	assert_int_equal(copy_run(&o, ring_cursor(c), SIM_SECOND, s, &res,
	    &err), GS_OK);
	res.n_ticks = sink_ticks(s);
	sink_free(s);
	pick_release(&pick);
	ring_cursor_free(c);
	return res;
}

struct copy_case {
	const char *name;
	int bad_tick, bad_repeat; /* -1: none */
	unsigned ticks; /* in the output */
	unsigned gaps;
	bool to_end;
};

static const struct copy_case copies[] = {
	{ "all is well", -1, -1, TICKS, 0, false },
	{ "a tick", 3, -1, 3 + TICKS - KEY_AT, 1, false },
	{ "the first tick", 0, -1, TICKS - KEY_AT, 1, false },
	{ "a repeated tick", -1, 3, 4 + TICKS - KEY_AT, 1, false },
	{ "a tick, and no key follows", 9, -1, 9, 1, true },
	{ "a repeated tick, and no key follows", -1, 9, 10, 1, true },
};

static void test_copy(void **state)
{
	const struct copy_case *c = *state;
	struct cursor_gap gap = { 0 };
	struct copy_result res;
	struct lab l;

	set_up(&l, c->bad_tick, c->bad_repeat);
	res = copy(&l, &gap);
	assert_int_equal(res.n_ticks, c->ticks);
	assert_int_equal(res.n_gaps, c->gaps);
	assert_int_equal(res.n_damaged, c->gaps);
	assert_int_equal(res.n_first, c->bad_tick == 0);
	assert_int_equal(res.n_last, c->to_end);
	if (c->gaps) {
		assert_string_not_equal(gap.why, "");
		assert_non_null(strstr(gap.why, "slot"));
		assert_int_equal(gap.to_ns == INT64_MAX, c->to_end);
	}
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_copy, copies);
	return cases_run(&c, "edit/copy");
}
