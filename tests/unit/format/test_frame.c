/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "format/footer.h"

static const struct frame_index sample = {
	.kind = FRAME_DELTA,
	.seq = 77,
	.wall_ns = -5,
	.comp_len = 1000,
	.raw_len = 5000,
	.back_key = 123456,
	.back_prev_key = 234567,
	.crc = 0xdeadbeef,
};

static void test_crc32c_is_castagnoli(void **state)
{
	unsigned char zeros[32] = { 0 };

	(void)state;
	assert_int_equal(frame_crc32c("123456789", 9), 0xe3069283);
	assert_int_equal(frame_crc32c(zeros, 32), 0x8a9136aa); /* RFC 3720 */
	assert_int_equal(frame_crc32c("", 0), 0);
}

static void test_index_comes_back(void **state)
{
	unsigned char p[FRAME_INDEX_LEN];
	struct frame_index got;

	(void)state;
	frame_index_put(&sample, p);
	assert_int_equal(frame_index_get(p, &got), GS_OK);
	assert_int_equal(got.kind, sample.kind);
	assert_int_equal(got.seq, sample.seq);
	assert_int_equal(got.wall_ns, sample.wall_ns);
	assert_int_equal(got.comp_len, sample.comp_len);
	assert_int_equal(got.raw_len, sample.raw_len);
	assert_int_equal(got.back_key, sample.back_key);
	assert_int_equal(got.back_prev_key, sample.back_prev_key);
	assert_int_equal(got.crc, sample.crc);
}

static void test_every_flipped_bit_of_an_index_is_noticed(void **state)
{
	unsigned char p[FRAME_INDEX_LEN];
	struct frame_index got;
	unsigned i;

	(void)state;
	frame_index_put(&sample, p);
	for (i = 0; i < FRAME_INDEX_LEN * 8; i++) {
		p[i / 8] ^= (unsigned char)(1 << i % 8);
		assert_true(frame_index_get(p, &got) < 0);
		p[i / 8] ^= (unsigned char)(1 << i % 8);
	}
}

static void make_footer(struct buf *out, unsigned n)
{
	struct footer f = FOOTER_INIT;
	uint64_t offset = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		struct frame_entry e = { .offset = offset + (i == 2 ? 9 : 0),
			.seq = 10 + i, .wall_ns = 1000 - (int64_t)i,
			.comp_len = 50 + i, .raw_len = 70,
			.kind = i % 4 ? FRAME_DELTA : FRAME_KEY };

		footer_add(&f, &e);
		offset = e.offset + FRAME_INDEX_LEN + e.comp_len;
	}
	footer_put(&f, out);
	footer_release(&f);
}

static void test_footer_comes_back(void **state)
{
	struct buf b = BUF_INIT;
	struct frame_entry *e;
	size_t n;

	(void)state;
	make_footer(&b, 6);
	assert_int_equal(footer_get(b.ptr, b.len, 10000, &e, &n, NULL),
	    GS_OK);
	assert_int_equal(n, 6);
	assert_int_equal(e[0].offset, 0);
	assert_int_equal(e[1].offset, 114);
	assert_int_equal(e[2].offset, 114 + 115 + 9);
	assert_int_equal(e[5].seq, 15);
	assert_int_equal(e[5].wall_ns, 995);
	assert_int_equal(e[4].kind, FRAME_KEY);
	assert_int_equal(e[3].comp_len, 53);
	free(e);
	buf_release(&b);
}

static void test_footer_that_reaches_beyond_itself_is_refused(void **state)
{
	struct buf b = BUF_INIT;
	struct frame_entry *e;
	size_t n;

	(void)state;
	make_footer(&b, 6);
	assert_true(footer_get(b.ptr, b.len, 600, &e, &n, NULL) < 0);
	buf_release(&b);
}

static void test_every_flipped_bit_of_a_footer_is_noticed(void **state)
{
	struct buf b = BUF_INIT;
	struct frame_entry *e;
	size_t i, n;

	(void)state;
	make_footer(&b, 6);
	for (i = 0; i < b.len * 8; i++) {
		b.ptr[i / 8] ^= (char)(1 << i % 8);
		assert_true(footer_get(b.ptr, b.len, 10000, &e, &n,
		    NULL) < 0);
		b.ptr[i / 8] ^= (char)(1 << i % 8);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc32c_is_castagnoli),
		cmocka_unit_test(test_index_comes_back),
		cmocka_unit_test(test_every_flipped_bit_of_an_index_is_noticed),
		cmocka_unit_test(test_footer_comes_back),
		cmocka_unit_test(
		    test_footer_that_reaches_beyond_itself_is_refused),
		cmocka_unit_test(test_every_flipped_bit_of_a_footer_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
