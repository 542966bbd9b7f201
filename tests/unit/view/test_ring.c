/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring: cursors return the ticks that were pushed, old ticks are dropped by
 * key periods, and a range over it is the range over all ticks.
 */
#include <inttypes.h>
#include <math.h>

#include "cases.h"
#include "model/ring.h"
#include "model/tick_encoder.h"
#include "model/walk.h"
#include "query/range.h"
#include "simlife.h"
#include "view/view.h"

#define TICKS 100
#define KEY_EVERY 10

struct lab {
	struct simlife life;
	struct tick_encoder *encoder;
	struct ring *ring;
	unsigned pushed;
};

static void push(struct lab *l)
{
	int64_t wall = SIM_EPOCH + (int64_t)l->pushed * SIM_SECOND;

	if (l->pushed % KEY_EVERY == 0)
		encoder_need_key(l->encoder);
	simlife_step(&l->life, SIM_SECOND);
	encoder_begin(l->encoder, wall);
	encoder_block(l->encoder, 0, l->life.host.world);
	encoder_event(l->encoder, EVENT_NOTE, wall, 0, 0, "a note");
	ring_push(l->ring, encoder_end(l->encoder));
	l->pushed++;
}

static void set_up(struct lab *l, int64_t keep_ns, size_t max_bytes,
	unsigned ticks)
{
	*l = (struct lab) { .encoder = encoder_new(header_new()) };
	simlife_init(&l->life, "alpha", 7, 12);
	l->ring = ring_new(keep_ns, max_bytes);
	while (l->pushed < ticks)
		push(l);
}

static void tear_down(struct lab *l)
{
	ring_free(l->ring);
	encoder_free(l->encoder);
	simlife_release(&l->life);
}

static void test_an_empty_ring_has_nothing(void **state)
{
	struct ring *r = ring_new(SIM_SECOND, SIZE_MAX);
	int64_t first, last;

	(void)state;
	assert_false(ring_range(r, &first, &last));
	ring_free(r);
}

static void test_what_is_old_goes_by_whole_periods(void **state)
{
	struct lab l;
	int64_t first, last;

	(void)state;
	set_up(&l, 25 * SIM_SECOND, SIZE_MAX, TICKS);
	assert_true(ring_range(l.ring, &first, &last));
	/* the key at 70 is 29 s before 99, the one at 80 only 19 */
	assert_int_equal(first, SIM_EPOCH + 70 * SIM_SECOND);
	assert_int_equal(last, SIM_EPOCH + 99 * SIM_SECOND);
	tear_down(&l);
}

static void test_memory_is_bounded_by_whole_periods(void **state)
{
	struct lab l;
	int64_t first, last;

	(void)state;
	set_up(&l, INT64_MAX, 1, 95);
	assert_true(ring_range(l.ring, &first, &last));
	assert_int_equal(first, SIM_EPOCH + 90 * SIM_SECOND);
	tear_down(&l);
}

static void test_a_slow_cursor_is_told_what_it_missed(void **state)
{
	const struct tick *t;
	struct cursor_gap gap;
	struct ring_cursor *c;
	struct lab l;

	(void)state;
	set_up(&l, 15 * SIM_SECOND, SIZE_MAX, 3);
	c = ring_cursor_new(l.ring);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->seq, 1);
	while (l.pushed < 50)
		push(&l);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_GAP);
	assert_int_equal(gap.ticks, 29);
	assert_int_equal(gap.from_ns, SIM_EPOCH);
	assert_int_equal(gap.to_ns, SIM_EPOCH + 30 * SIM_SECOND);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->seq, 31);
	assert_true(t->key);
	ring_cursor_free(c);
	tear_down(&l);
}

/* As at a rotation: later ticks build on the tick as a key. */
static void test_a_repeat_is_no_tick(void **state)
{
	const struct tick *t;
	struct cursor_gap gap;
	struct ring_cursor *c;
	struct lab l;
	int i;

	(void)state;
	set_up(&l, INT64_MAX, SIZE_MAX, 3);
	ring_push_repeat(l.ring, encoder_repeat_as_key(l.encoder));
	push(&l);
	c = ring_cursor_new(l.ring);
	for (i = 0; i < 3; i++)
		assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
		    CURSOR_TICK);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_REPEAT);
	assert_int_equal(t->seq, 3);
	assert_true(t->key);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->seq, 4);
	/* if it is the first one kept, it is the tick */
	assert_int_equal(cursor_seek(ring_cursor(c), SIM_EPOCH + 90 *
	    SIM_SECOND, NULL), GS_OK);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	ring_cursor_free(c);
	tear_down(&l);
}

/* Ticks 1 to 10 are dropped meanwhile. */
static void test_stepping_back(void **state)
{
	const struct tick *t = NULL;
	struct ring_cursor *c;
	struct gs_err err;
	struct walk w;
	struct lab l;
	uint64_t seq;

	(void)state;
	set_up(&l, 30 * SIM_SECOND, SIZE_MAX, 37);
	ring_push_repeat(l.ring, encoder_repeat_as_key(l.encoder));
	push(&l);
	c = ring_cursor_new(l.ring);
	walk_begin(&w, ring_cursor(c), SIM_SECOND);
	assert_int_equal(walk_seek(&w, INT64_MAX, &err), GS_OK);
	for (seq = 38; seq > 15; seq--) {
		assert_int_equal(walk_prev(&w, &t, &err), CURSOR_TICK);
		assert_int_equal(t->seq, seq);
		assert_int_equal(t->key, (seq - 1) % KEY_EVERY == 0);
	}
	while (l.pushed < 45)
		push(&l);
	for (; seq > 10; seq--) {
		assert_int_equal(walk_prev(&w, &t, &err), CURSOR_TICK);
		assert_int_equal(t->seq, seq);
	}
	assert_int_equal(walk_prev(&w, &t, &err), CURSOR_END);
	ring_cursor_free(c);
	tear_down(&l);
}

/* Dropped ticks are reported once, and the first tick after them is a tick,
 * even if it was kept as a repeat. */
static void test_a_gap_is_told_once(void **state)
{
	const struct tick *t;
	struct cursor_gap gap;
	struct ring_cursor *c;
	uint64_t given = 1, missing = 0;
	struct lab l;

	(void)state;
	set_up(&l, 5 * SIM_SECOND, SIZE_MAX, 1);
	c = ring_cursor_new(l.ring);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	while (l.pushed < 15)
		push(&l);
	ring_push_repeat(l.ring, encoder_repeat_as_key(l.encoder));
	while (l.pushed < 20)
		push(&l);
	/* the keys at 0, then at 10 are dropped; the repeat of 14 stays */
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_GAP);
	missing += gap.ticks;
	while (l.pushed < 30)
		push(&l);
	for (;;) {
		enum cursor_step s = cursor_next(ring_cursor(c), &t, &gap,
		    NULL);

		if (s == CURSOR_WAIT)
			break;
		assert_int_not_equal(s, CURSOR_REPEAT);
		missing += s == CURSOR_GAP ? gap.ticks : 0;
		given += s == CURSOR_TICK;
	}
	assert_int_equal(given + missing, 30);
	ring_cursor_free(c);
	tear_down(&l);
}

/* As at a rotation, but the tick itself was dropped with those before it. */
static void test_a_repeat_after_a_gap_is_a_tick(void **state)
{
	const struct tick *t;
	struct cursor_gap gap;
	struct ring_cursor *c;
	struct lab l;

	(void)state;
	set_up(&l, 3 * SIM_SECOND, SIZE_MAX, 5);
	c = ring_cursor_new(l.ring);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	ring_push_repeat(l.ring, encoder_repeat_as_key(l.encoder));
	while (l.pushed < 9)
		push(&l);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_GAP);
	assert_int_equal(gap.ticks, 3);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->seq, 5);
	ring_cursor_free(c);
	tear_down(&l);
}

static void test_the_end_is_nothing_yet(void **state)
{
	const struct tick *t;
	struct cursor_gap gap;
	struct ring_cursor *c;
	struct lab l;

	(void)state;
	set_up(&l, INT64_MAX, SIZE_MAX, 1);
	c = ring_cursor_new(l.ring);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->n_event, 1);
	assert_memory_equal(t->bytes.ptr + t->event[0].off, "a note", 6);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_WAIT);
	push(&l);
	assert_int_equal(cursor_next(ring_cursor(c), &t, &gap, NULL),
	    CURSOR_TICK);
	assert_int_equal(t->seq, 2);
	ring_cursor_free(c);
	tear_down(&l);
}

/* ---- windows ------------------------------------------------------------ */

struct sum {
	struct view_use *use;
	double cpu;
	double covered;
};

static int add_up(void *ctx, const struct engine *e)
{
	struct sum *s = ctx;
	struct grid *g = view_grid(s->use, e);
	int col = grid_find_col(g, "cpu_seconds", 11);
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[col].kind == CELL_REAL)
			s->cpu += g->row[i].cell[col].r;
	}
	s->covered = g->covered_s;
	grid_free(g);
	return 0;
}

static struct sum window(const struct ring *ring, int64_t from, int64_t to)
{
	struct range r = { from, to, 0 };
	struct ring_cursor *c = ring_cursor_new(ring);
	struct range_result res;
	struct sum s = { 0 };
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct engine e;

	engine_init(&e, SIM_SECOND);
	s.use = view_open(view_find("processes"), &e, &plain);
	assert_int_equal(range_run(&r, ring_cursor(c), &e, add_up, &s, &res,
	    NULL), GS_OK);
	view_close(s.use);
	engine_release(&e);
	ring_cursor_free(c);
	return s;
}

/* A window depends on its own ticks only, whatever else the ring holds. */
static void test_windows_do_not_depend_on_what_is_kept(void **state)
{
	static const int64_t lengths[] = { 1, 5, 12, 20 };
	struct lab all, few;
	int64_t to = SIM_EPOCH + (TICKS - 1) * SIM_SECOND;
	size_t i;

	(void)state;
	set_up(&all, INT64_MAX, SIZE_MAX, TICKS);
	set_up(&few, 25 * SIM_SECOND, SIZE_MAX, TICKS);
	for (i = 0; i < GS_LEN(lengths); i++) {
		int64_t from = to - lengths[i] * SIM_SECOND;
		struct sum a = window(all.ring, from, to);
		struct sum b = window(few.ring, from, to);

		assert_true(a.cpu > 0);
		assert_true(fabs(a.cpu - b.cpu) < 1e-9);
		assert_true(fabs(a.covered - (double)lengths[i]) < 1e-9);
		assert_true(fabs(b.covered - (double)lengths[i]) < 1e-9);
	}
	tear_down(&all);
	tear_down(&few);
}

/* A rotation within a window changes nothing. */
static void test_windows_across_a_repeat(void **state)
{
	struct lab plain, rotated;
	struct sum a, b;

	(void)state;
	set_up(&plain, INT64_MAX, SIZE_MAX, TICKS);
	set_up(&rotated, INT64_MAX, SIZE_MAX, TICKS / 2);
	ring_push_repeat(rotated.ring, encoder_repeat_as_key(rotated.encoder));
	while (rotated.pushed < TICKS)
		push(&rotated);
	a = window(plain.ring, SIM_EPOCH + 20 * SIM_SECOND,
	    SIM_EPOCH + 90 * SIM_SECOND);
	b = window(rotated.ring, SIM_EPOCH + 20 * SIM_SECOND,
	    SIM_EPOCH + 90 * SIM_SECOND);
	assert_true(fabs(a.cpu - b.cpu) < 1e-9 * a.cpu);
	assert_true(fabs(a.covered - b.covered) < 1e-9);
	tear_down(&plain);
	tear_down(&rotated);
}

/* Adjacent windows cover the same as one window over both. */
static void test_windows_add_up(void **state)
{
	struct lab l;
	int64_t a = SIM_EPOCH + 20 * SIM_SECOND;
	int64_t b = SIM_EPOCH + 47 * SIM_SECOND;
	int64_t c = SIM_EPOCH + 90 * SIM_SECOND;
	double ab, bc, ac;

	(void)state;
	set_up(&l, INT64_MAX, SIZE_MAX, TICKS);
	ab = window(l.ring, a, b).cpu;
	bc = window(l.ring, b, c).cpu;
	ac = window(l.ring, a, c).cpu;
	assert_true(fabs(ab + bc - ac) < 1e-9 * ac);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_ring_has_nothing),
		cmocka_unit_test(test_what_is_old_goes_by_whole_periods),
		cmocka_unit_test(test_memory_is_bounded_by_whole_periods),
		cmocka_unit_test(test_a_slow_cursor_is_told_what_it_missed),
		cmocka_unit_test(test_a_repeat_is_no_tick),
		cmocka_unit_test(test_stepping_back),
		cmocka_unit_test(test_a_gap_is_told_once),
		cmocka_unit_test(test_a_repeat_after_a_gap_is_a_tick),
		cmocka_unit_test(test_the_end_is_nothing_yet),
		cmocka_unit_test(test_windows_do_not_depend_on_what_is_kept),
		cmocka_unit_test(test_windows_across_a_repeat),
		cmocka_unit_test(test_windows_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
