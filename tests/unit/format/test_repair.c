/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged bytes of a group are restored: any one, and any adjacent ones up to
 * the size of a chunk.  More are not restored, and give no wrong bytes.
 */
#include "cases.h"
#include "format/frame.h"
#include "format/repair.h"

#define CHUNKS 128u

struct lab {
	struct buf sound, bad;
	uint32_t crc;
	size_t n, c;
};

static uint32_t rng = 1;

static uint32_t rnd(void)
{
	rng = rng * 1664525u + 1013904223u;
	return rng >> 8;
}

static void set_up(struct lab *l, size_t n)
{
	size_t i;

	*l = (struct lab) { .n = n, .c = (n + CHUNKS - 1) / CHUNKS };
	for (i = 0; i < n; i++)
		buf_add_char(&l->sound, (char)rnd());
	repair_add(&l->sound);
	assert_int_equal(l->sound.len, n + 16 + 2 * l->c);
	l->crc = frame_crc32c(l->sound.ptr, l->sound.len);
}

static void tear_down(struct lab *l)
{
	buf_release(&l->sound);
	buf_release(&l->bad);
}

static void spoil(struct lab *l, size_t at, size_t n)
{
	for (; n > 0 && at < l->bad.len; n--, at++)
		l->bad.ptr[at] = (char)(l->bad.ptr[at] ^
		    (char)(1 + rnd() % 255));
}

static void begin(struct lab *l)
{
	buf_reset(&l->bad);
	buf_add(&l->bad, l->sound.ptr, l->sound.len);
}

static void expect_mended(struct lab *l, size_t at)
{
	if (!repair_mend(l->bad.ptr, l->bad.len, l->crc))
		fail_msg("%zu bytes, damaged at %zu: not restored", l->n, at);
	assert_memory_equal(l->bad.ptr, l->sound.ptr, l->sound.len);
}

static const size_t lengths[] = { 1, 2, 5, 127, 128, 129, 255, 256, 257, 640,
	1000, 5003 };

static void test_any_byte(void **state)
{
	struct lab l;
	size_t i, at;

	(void)state;
	for (i = 0; i < GS_LEN(lengths); i++) {
		set_up(&l, lengths[i]);
		for (at = 0; at < l.sound.len; at++) {
			begin(&l);
			spoil(&l, at, 1);
			expect_mended(&l, at);
		}
		tear_down(&l);
	}
}

static void test_side_by_side(void **state)
{
	struct lab l;
	size_t i, at;

	(void)state;
	for (i = 0; i < GS_LEN(lengths); i++) {
		set_up(&l, lengths[i]);
		for (at = 0; at + l.c <= l.n; at += 1 + l.c / 3) {
			begin(&l);
			spoil(&l, at, l.c);
			expect_mended(&l, at);
		}
		tear_down(&l);
	}
}

/* Two bytes far from each other: that is refused. */
static void test_too_much(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, 5003);
	for (i = 0; i < 500; i++) {
		size_t at = rnd() % 2000;

		begin(&l);
		spoil(&l, at, 1);
		spoil(&l, at + 1000 + rnd() % 2000, 1);
		assert_false(repair_mend(l.bad.ptr, l.bad.len, l.crc));
	}
	/* no length at which all is a repair frame */
	begin(&l);
	for (i = 0; i < 20; i++)
		assert_false(repair_mend(l.bad.ptr, i, l.crc));
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_byte),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
