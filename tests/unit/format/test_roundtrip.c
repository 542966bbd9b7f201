/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random lives of rows go through encoder, codec and world; the output must
 * equal the input, even if ticks are lost on the way.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/tickcode.h"
#include "model/tick_encoder.h"

#define SLOTS 40

struct sim {
	uint32_t rng;
	struct world *src, *dst;
	struct tick_encoder *encoder;
	struct tickcode *code;
	struct tick step; /* the answer of the source's agent */
	struct tick got;
	struct buf raw, comp, back;
	uint32_t next_pid, next_text;
	bool open[ENTITY_COUNT][SLOTS];
	uint64_t ticks;
};

static uint32_t rnd(struct sim *s, uint32_t below)
{
	s->rng = s->rng * 1664525u + 1013904223u;
	return (s->rng >> 8) % below;
}

static uint64_t number(struct sim *s)
{
	switch (rnd(s, 5)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX - rnd(s, 3);
	case 2:
		return (uint64_t)1 << rnd(s, 64);
	default:
		return rnd(s, 1000);
	}
}

static uint32_t new_text(struct sim *s)
{
	char text[80];
	int n = snprintf(text, sizeof(text), "text %u", rnd(s, 500));

	if (rnd(s, 10) == 0)
		return 0;
	tick_add_text(&s->step, ++s->next_text, text, (size_t)n);
	return s->next_text;
}

/* Identity of the row that opens: never one that lived before. */
static void name_row(struct sim *s, struct delta *d, uint32_t slot)
{
	const struct entity *en = entity_get(d->entity);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		char text[40];
		int n;

		if (!(en->metrics[i].flags & F_ID))
			continue;
		if (d->entity == ENTITY_HOST) {
			n = snprintf(text, sizeof(text), "host %u", i);
		} else {
			n = snprintf(text, sizeof(text), "n %u",
			    ++s->next_pid);
		}
		if (metric_is_text(&en->metrics[i])) {
			tick_add_text(&s->step, ++s->next_text, text,
			    (size_t)n);
			delta_change(d, i, slot, s->next_text);
		} else {
			delta_change(d, i, slot, ++s->next_pid);
		}
	}
}

static void change_cells(struct sim *s, struct delta *d, uint32_t slot)
{
	const struct entity *en = entity_get(d->entity);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].flags & F_ID || rnd(s, 6))
			continue;
		if (rnd(s, 8) == 0)
			delta_gone(d, i, slot);
		else if (metric_is_text(&en->metrics[i]))
			delta_change(d, i, slot, new_text(s));
		else
			delta_change(d, i, slot, number(s));
	}
}

static void step_entity(struct sim *s, struct block *b, enum entity_id e)
{
	uint32_t slots = e == ENTITY_HOST ? 1 : SLOTS;
	uint32_t slot;

	for (slot = 0; slot < slots; slot++) {
		bool *open = &s->open[e][slot];

		if (*open && e != ENTITY_HOST && rnd(s, 20) == 0) {
			delta_close_slot(&b->ent[e], slot,
			    (enum row_close)(1 + rnd(s, 4)));
			*open = false;
		}
		if (!*open && (e == ENTITY_HOST || rnd(s, 10) == 0)) {
			delta_open_slot(&b->ent[e], slot,
			    rnd(s, 2) ? OPEN_BORN : OPEN_APPEARED);
			*open = true;
			name_row(s, &b->ent[e], slot);
		}
		if (*open && rnd(s, 3) == 0)
			change_cells(s, &b->ent[e], slot);
	}
}

static void step_source(struct sim *s)
{
	struct gs_err err;
	struct block *b;
	int e;

	tick_reset(&s->step);
	b = tick_add_block(&s->step, 0);
	s->ticks++;
	b->clock.wall_ns = (int64_t)s->ticks * 1000;
	b->clock.boot_ns = (int64_t)s->ticks * 1000;
	b->clock.connection = 1;
	for (e = 0; e < ENTITY_COUNT; e++)
		step_entity(s, b, (enum entity_id)e);
	if (world_apply(s->src, &s->step, &err) < 0)
		fail_msg("%s", err.msg);
}

static const struct row *find_same(const struct sim *s, const struct row *r)
{
	const struct table *tab = &world_host(s->dst, 0)->table[r->entity];
	const struct entity *en = entity_get(r->entity);
	size_t i;
	unsigned k;

	for (i = 0; i < tab->n_slot; i++) {
		bool same = tab->slot[i] != NULL;

		for (k = 0; same && k < en->ncols; k++) {
			struct span a, b;

			if (!(en->metrics[k].flags & F_ID))
				continue;
			if (!metric_is_text(&en->metrics[k])) {
				same = tab->slot[i]->now.val[k] ==
				    r->now.val[k];
				continue;
			}
			a = row_text(s->dst, tab->slot[i], k);
			b = row_text(s->src, r, k);
			same = span_len(a) == span_len(b) &&
			    memcmp(a.ptr, b.ptr, span_len(a)) == 0;
		}
		if (same)
			return tab->slot[i];
	}
	return NULL;
}

static void same_row(const struct sim *s, const struct row *r)
{
	const struct row *o = find_same(s, r);
	const struct entity *en = entity_get(r->entity);
	unsigned i;

	assert_non_null(o);
	for (i = 0; i < en->ncols; i++) {
		assert_int_equal(cells_has(r->now, i), cells_has(o->now, i));
		if (!cells_has(r->now, i))
			continue;
		if (metric_is_text(&en->metrics[i])) {
			struct span a = row_text(s->src, r, i);
			struct span b = row_text(s->dst, o, i);

			assert_int_equal(span_len(a), span_len(b));
			assert_memory_equal(a.ptr, b.ptr, span_len(a));
		} else if (r->now.val[i] != o->now.val[i]) {
			fail_msg("%s: %" PRIu64 " became %" PRIu64,
			    en->metrics[i].full_name, r->now.val[i],
			    o->now.val[i]);
		}
	}
}

static void same_worlds(const struct sim *s)
{
	int e;
	size_t i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct table *a = &world_host(s->src, 0)->table[e];
		const struct table *b = &world_host(s->dst, 0)->table[e];

		assert_int_equal(a->n_live, b->n_live);
		for (i = 0; i < a->n_slot; i++) {
			if (a->slot[i])
				same_row(s, a->slot[i]);
		}
	}
}

static void send(struct sim *s, const struct tick *t)
{
	struct gs_err err;

	tickcode_encode(s->code, t, &s->raw);
	tickcode_compress(s->code, s->raw.ptr, s->raw.len, &s->comp);
	if (tickcode_decompress(s->code, s->comp.ptr, s->comp.len, s->raw.len,
	    &s->back, &err) < 0 ||
	    tickcode_decode(s->code, s->back.ptr, s->back.len, &s->got,
	    &err) < 0 || world_apply(s->dst, &s->got, &err) < 0)
		fail_msg("%s", err.msg);
}

static void init(struct sim *s, uint32_t seed)
{
	*s = (struct sim) { .rng = seed };
	s->src = world_new();
	s->dst = world_new();
	s->encoder = encoder_new(header_new());
	s->code = tickcode_new(TICKCODE_LEVEL);
	if (seed % 2)
		tickcode_be_dense(s->code);
}

static void release(struct sim *s)
{
	world_free(s->src);
	world_free(s->dst);
	encoder_free(s->encoder);
	tickcode_free(s->code);
	tick_release(&s->step);
	tick_release(&s->got);
	buf_release(&s->raw);
	buf_release(&s->comp);
	buf_release(&s->back);
}

static void run(uint32_t seed, bool lossy, bool rotating)
{
	struct sim s;
	int i;

	init(&s, seed);
	for (i = 0; i < 200; i++) {
		const struct tick *t;

		step_source(&s);
		encoder_begin(s.encoder, i);
		encoder_block(s.encoder, 3, s.src);
		t = encoder_end(s.encoder);
		assert_int_equal(t->seq, i + 1);
		if (lossy && rnd(&s, 10) == 0 && i > 0) {
			encoder_need_key(s.encoder);
			world_lost(s.dst);
			continue;
		}
		send(&s, t);
		same_worlds(&s);
		if (rotating && rnd(&s, 10) == 0) {
			size_t n;

			send(&s, encoder_repeat_as_key(s.encoder));
			same_worlds(&s);
			(void)world_touched(s.dst, &n);
			assert_int_equal(n, 0);
		}
	}
	release(&s);
}

static void test_every_cell_comes_back(void **state)
{
	uint32_t seed;

	(void)state;
	for (seed = 1; seed <= 5; seed++)
		run(seed, false, false);
}

static void test_every_cell_comes_back_after_losses(void **state)
{
	uint32_t seed;

	(void)state;
	for (seed = 1; seed <= 5; seed++)
		run(seed, true, false);
}

static void test_repeated_key_changes_nothing(void **state)
{
	(void)state;
	run(7, false, true);
}

/* A tick whose texts are all empty has no bytes at all. */
static void test_empty_texts(void **state)
{
	struct sim s;

	(void)state;
	init(&s, 1);
	tick_add_text(&s.step, 1, "", 0);
	tick_add_event(&s.step, EVENT_NOTE, 1, EVENT_NO_HOST, 0, "", 0);
	s.step.seq = 1;
	s.step.key = true;
	send(&s, &s.step);
	assert_int_equal(s.got.n_event, 1);
	assert_int_equal(s.got.event[0].len, 0);
	assert_int_equal(s.got.n_text, 1);
	assert_int_equal(s.got.text[0].len, 0);
	release(&s);
}

static void test_equal_ticks_give_equal_bytes(void **state)
{
	struct buf first[3] = { BUF_INIT, BUF_INIT, BUF_INIT };
	int round, i;

	(void)state;
	for (round = 0; round < 2; round++) {
		struct sim s;

		init(&s, 42);
		for (i = 0; i < 3; i++) {
			step_source(&s);
			encoder_begin(s.encoder, i);
			encoder_block(s.encoder, 0, s.src);
			send(&s, encoder_end(s.encoder));
			if (round == 0) {
				buf_add(&first[i], s.comp.ptr, s.comp.len);
				continue;
			}
			assert_int_equal(first[i].len, s.comp.len);
			assert_memory_equal(first[i].ptr, s.comp.ptr,
			    s.comp.len);
		}
		release(&s);
	}
	for (i = 0; i < 3; i++)
		buf_release(&first[i]);
}

static void add_block(void *arg, const struct block *b)
{
	tickcode_add_block(arg, b);
}

/* Compressed as a key: less, and the same after that; a large one, or one of a
 * lower level, as it is asked for. */
static void test_keys_take_less(void **state)
{
	static const struct {
		int level;
		size_t len;
		bool less;
	} cases[] = {
		{ TICKCODE_LEVEL, TICKCODE_KEY_BYTES, true },
		{ TICKCODE_LEVEL, TICKCODE_KEY_BYTES + 1, false },
		{ TICKCODE_LEVEL - 1, TICKCODE_KEY_BYTES, false },
		{ TICKCODE_KEY_LEVEL, TICKCODE_KEY_BYTES, false },
	};
	char *text = gs_malloc(TICKCODE_KEY_BYTES + 1);
	uint32_t rng = 7;
	size_t i;

	(void)state;
	for (i = 0; i <= TICKCODE_KEY_BYTES; i++) {
		rng = rng * 1664525u + 1013904223u;
		text[i] = i < 4096 || rng >> 24 > 60
			? "etaoin shrdlu"[rng >> 28 & 7] : text[i - 4096];
	}
	for (i = 0; i < GS_LEN(cases); i++) {
		struct tickcode *c = tickcode_new(cases[i].level);
		struct buf out[3] = { BUF_INIT, BUF_INIT, BUF_INIT };
		struct buf back = BUF_INIT;
		struct gs_err err = { 0 };

		tickcode_compress(c, text, cases[i].len, &out[0]);
		tickcode_compress_key(c, text, cases[i].len, &out[1]);
		tickcode_compress(c, text, cases[i].len, &out[2]);
		assert_int_equal(out[1].len < out[0].len, cases[i].less);
		assert_int_equal(out[2].len, out[0].len);
		assert_memory_equal(out[2].ptr, out[0].ptr, out[0].len);
		assert_int_equal(tickcode_decompress(c, out[1].ptr, out[1].len,
		    cases[i].len, &back, &err), 0);
		assert_memory_equal(back.ptr, text, cases[i].len);
		buf_release(&out[0]);
		buf_release(&out[1]);
		buf_release(&out[2]);
		buf_release(&back);
		tickcode_free(c);
	}
	free(text);
}

/* Blocks passed on one by one give the same bytes, in keys, in deltas, and in
 * a key that repeats hosts. */
static void test_blocks_one_by_one(void **state)
{
	struct buf whole[12] = { BUF_INIT }, out = BUF_INIT;
	int round, i;

	(void)state;
	for (round = 0; round < 2; round++) {
		struct tickcode *code = tickcode_new(TICKCODE_LEVEL);
		const struct tick *t;
		struct sim s;

		init(&s, 43);
		if (round == 1)
			encoder_give_blocks(s.encoder, add_block, code);
		for (i = 0; i < 12; i++) {
			step_source(&s);
			tickcode_begin(code);
			if (i == 5)
				encoder_need_key(s.encoder);
			if (i == 7) {
				t = encoder_repeat_as_key(s.encoder);
			} else {
				encoder_begin(s.encoder, i);
				encoder_block(s.encoder, 0, s.src);
				encoder_block(s.encoder, 1, s.src);
				t = encoder_end(s.encoder);
			}
			if (round == 0) {
				tickcode_encode(code, t, &whole[i]);
				continue;
			}
			assert_int_equal(t->n_block, 0);
			tickcode_end(code, t, &out);
			assert_int_equal(out.len, whole[i].len);
			assert_memory_equal(out.ptr, whole[i].ptr, out.len);
		}
		release(&s);
		tickcode_free(code);
	}
	for (i = 0; i < 12; i++)
		buf_release(&whole[i]);
	buf_release(&out);
}

/* A key that is compressed while its hosts come has the bytes of one that is
 * compressed as a whole. */
static void test_large_key(void **state)
{
	struct buf raw = BUF_INIT, comp = BUF_INIT, back = BUF_INIT;
	struct tickcode *code = tickcode_new(TICKCODE_LEVEL);
	const struct tick *t;
	struct sim s;
	int round, i;

	(void)state;
	init(&s, 44);
	step_source(&s);
	encoder_begin(s.encoder, 1);
	encoder_block(s.encoder, 0, s.src);
	assert_true(encoder_is_key(s.encoder));
	t = encoder_end(s.encoder);
	for (round = 0; round < 2; round++) {
		tickcode_begin(code);
		if (round == 1)
			tickcode_save_memory(code);
		for (i = 0; i < 3000; i++)
			tickcode_add_block(code, t->block[0]);
		assert_true(tickcode_is_large(code) == (round == 1));
		if (round == 0)
			tickcode_end(code, t, &raw);
	}
	assert_true(raw.len > (size_t)3 << 20);
	assert_int_equal(tickcode_end_large(code, t, &comp), raw.len);
	assert_int_equal(tickcode_decompress(code, comp.ptr, comp.len, raw.len,
	    &back, NULL), GS_OK);
	assert_memory_equal(back.ptr, raw.ptr, raw.len);
	release(&s);
	tickcode_free(code);
	buf_release(&raw);
	buf_release(&comp);
	buf_release(&back);
}

/* Decoding and applying any frame ends in a status. */
static void test_garbled_records_are_refused_or_harmless(void **state)
{
	struct sim s;
	struct buf bytes = BUF_INIT;
	struct gs_err err;
	int i, k;

	(void)state;
	init(&s, 99);
	for (i = 0; i < 4; i++) {
		step_source(&s);
		encoder_begin(s.encoder, i);
		encoder_block(s.encoder, 0, s.src);
		send(&s, encoder_end(s.encoder));
	}
	buf_add(&bytes, s.raw.ptr, s.raw.len);
	for (k = 0; k < 20000; k++) {
		struct world *w = s.dst;

		buf_reset(&s.back);
		buf_add(&s.back, bytes.ptr, bytes.len);
		for (i = 0; i <= (int)rnd(&s, 3); i++)
			s.back.ptr[rnd(&s, (uint32_t)s.back.len)] ^=
			    (char)(1 << rnd(&s, 8));
		if (tickcode_decode(s.code, s.back.ptr, s.back.len, &s.got,
		    &err) < 0)
			continue;
		(void)world_apply(w, &s.got, &err);
	}
	buf_release(&bytes);
	release(&s);
}

/* A message about a clock names it and what it says. */
static void test_clocks_are_bounded(void **state)
{
	static const struct {
		struct sample_clock clock;
		const char *message;
	} bad[] = {
		{ { .wall_ns = INT64_MIN, .mono_ns = 5, .boot_ns = 5 },
		    "wall clock out of bounds: got -9223372036854775808 ns" },
		{ { .wall_ns = 5, .mono_ns = INT64_MAX, .boot_ns = 5 },
		    "monotonic clock out of bounds: got 9223372036854775807 ns" },
		{ { .wall_ns = 5, .mono_ns = 5, .boot_ns = INT64_MAX - 1 },
		    "boot clock out of bounds: got 9223372036854775806 ns" },
	};
	struct tickcode *c = tickcode_new(TICKCODE_LEVEL);
	struct buf raw = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(bad); i++) {
		struct tick t = TICK_INIT, back = TICK_INIT;

		t.key = true;
		t.seq = 1;
		tick_add_block(&t, 0)->clock = bad[i].clock;
		buf_reset(&raw);
		tickcode_encode(c, &t, &raw);
		assert_int_equal(tickcode_decode(c, raw.ptr, raw.len, &back,
		    &err), GS_E_FORMAT);
		if (!strstr(err.msg, bad[i].message))
			fail_msg("got %s, want %s", err.msg, bad[i].message);
		tick_release(&t);
		tick_release(&back);
	}
	tickcode_free(c);
	buf_release(&raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_cell_comes_back),
		cmocka_unit_test(test_clocks_are_bounded),
		cmocka_unit_test(test_every_cell_comes_back_after_losses),
		cmocka_unit_test(test_repeated_key_changes_nothing),
		cmocka_unit_test(test_empty_texts),
		cmocka_unit_test(test_equal_ticks_give_equal_bytes),
		cmocka_unit_test(test_keys_take_less),
		cmocka_unit_test(test_blocks_one_by_one),
		cmocka_unit_test(test_large_key),
		cmocka_unit_test(test_garbled_records_are_refused_or_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
