/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gist frame of a group: what was written is read, and nothing else.
 */
#include <string.h>

#include "cases.h"
#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/gistframe.h"

#define NOW INT64_C(1767225600000000000)
#define TICKS 5u

static const struct tick_remark remarks[] = {
	{ 1, 0, 7, REMARK_ANON_BOTH, 4096 },
	{ 1, 3, 2, REMARK_PRIVATE, INT64_MAX },
	{ 4, 3, 2, REMARK_SINCE_SEEN, NOW + 3 },
	{ 4, 0, TICK_SLOTS_MAX - 1, REMARK_WAITS, NOW },
};

static void fill(struct gist *g, uint64_t from)
{
	uint32_t i;

	gist_reset(g);
	for (i = 0; i < TICKS; i++)
		gist_add(g, &(struct group_tick) {
			.kind = i % (TICKS - 1) ? FRAME_DELTA : FRAME_KEY,
			.seq = from + i, .wall_ns = NOW + (int64_t)i },
		    &(struct tick_census) { i, 1000 - i, 7, UINT32_MAX, 0 });
	buf_add_str(&g->raw, "the record of five ticks");
	g->record_len = g->raw.len;
	for (i = 0; i < GS_LEN(remarks); i++) {
		GS_GROW(g->remark, &g->remark_cap, i + 1);
		g->remark[g->n_remark++] = remarks[i];
	}
}

static int put_and_read(const struct gist *g, struct buf *b, struct gist *ret,
	struct gs_err *err)
{
	struct tickcode *zstd = tickcode_new(3);
	int r;

	buf_reset(b);
	gistframe_put(zstd, g, b);
	r = gistframe_read(zstd, b->ptr, b->len, ret, err);
	tickcode_free(zstd);
	return r;
}

static void assert_same_remark(const struct tick_remark *a,
	const struct tick_remark *b)
{
	assert_int_equal(a->tick, b->tick);
	assert_int_equal(a->host, b->host);
	assert_int_equal(a->slot, b->slot);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->value, b->value);
}

static void round_trip(void **state)
{
	struct gist want = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gist_head h;
	struct gs_err err;
	size_t i;

	(void)state;
	fill(&want, 61);
	assert_int_equal(put_and_read(&want, &b, &got, &err), GS_OK);
	assert_int_equal(gistframe_len(b.ptr + b.len - GISTFRAME_TAIL), b.len);
	assert_true(gistframe_head(b.ptr, b.len, &h));
	assert_int_equal(h.from_seq, 61);
	assert_int_equal(h.to_seq, 65);
	assert_int_equal(h.from_ns, NOW);
	assert_int_equal(h.to_ns, NOW + 4);
	assert_int_equal(got.list.n, TICKS);
	assert_memory_equal(got.census, want.census,
	    TICKS * sizeof(*got.census));
	assert_int_equal(got.record_len, want.record_len);
	assert_memory_equal(got.raw.ptr, want.raw.ptr, want.record_len);
	assert_int_equal(got.n_remark, GS_LEN(remarks));
	for (i = 0; i < GS_LEN(remarks); i++)
		assert_same_remark(&got.remark[i], &remarks[i]);
	gist_release(&want);
	gist_release(&got);
	buf_release(&b);
}

/* Whatever byte is wrong, there is no gist rather than a wrong one. */
static void each_byte(void **state)
{
	struct tickcode *zstd = tickcode_new(3);
	struct gist g = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	fill(&g, 1);
	gistframe_put(zstd, &g, &b);
	for (i = 0; i < b.len; i++) {
		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
		if (gistframe_read(zstd, b.ptr, b.len, &got, &err) == GS_OK)
			fail_msg("byte %zu of %zu is wrong: not noticed", i,
			    b.len);
		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
	}
	for (i = 0; i < b.len; i++)
		assert_int_equal(gistframe_read(zstd, b.ptr, i, &got, &err),
		    GS_E_FORMAT);
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
	tickcode_free(zstd);
}

/* A stretch is from key to key, and no tick of it is missing. */
static void not_a_stretch(void **state)
{
	struct gist g = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gs_err err;

	(void)state;
	fill(&g, 1);
	g.list.tick[2].seq = 9;
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_E_FORMAT);
	fill(&g, 1);
	g.list.tick[2].wall_ns = NOW + 1;
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_E_FORMAT);
	fill(&g, 1);
	g.list.tick[TICKS - 1].kind = FRAME_DELTA;
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_E_FORMAT);
	fill(&g, 1);
	g.list.tick[3].left_out = 1;
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_E_FORMAT);
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
}

/* What a remark says of a tick, a host, a slot or a time that is not there. */
static void odd_remarks(void **state)
{
	static const struct tick_remark odd[] = {
		{ TICKS, 0, 0, REMARK_ANON, 1 },
		{ 1, TICK_HOSTS_MAX, 0, REMARK_ANON, 1 },
		{ 1, 0, TICK_SLOTS_MAX, REMARK_ANON, 1 },
		{ 1, 0, 0, REMARK_COUNT, 1 },
		{ 1, 0, 0, REMARK_ANON, -1 },
	};
	struct gist g = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct tickcode *zstd = tickcode_new(3);
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(odd); i++) {
		fill(&g, 1);
		g.remark[0] = odd[i];
		assert_int_equal(put_and_read(&g, &b, &got, &err), GS_E_FORMAT);
	}
	fill(&g, 1);
	g.n_remark--;
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_OK);
	gs_put_le32(b.ptr + 60, GISTFRAME_REMARKS_MAX);
	gs_put_le32(b.ptr + b.len - GISTFRAME_TAIL,
	    frame_crc32c(b.ptr, b.len - GISTFRAME_TAIL));
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &got, &err),
	    GS_E_FORMAT);
	tickcode_free(zstd);
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
}

/* An earlier layout is no gist. */
static void other_tag(void **state)
{
	struct gist g = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gist_head h;
	struct gs_err err;

	(void)state;
	fill(&g, 1);
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_OK);
	memcpy(b.ptr + 8, "GPSG", 4);
	memcpy(b.ptr + b.len - 4, "GPSG", 4);
	assert_int_equal(gistframe_len(b.ptr + b.len - GISTFRAME_TAIL), 0);
	assert_false(gistframe_head(b.ptr, b.len, &h));
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(each_byte),
		cmocka_unit_test(not_a_stretch),
		cmocka_unit_test(odd_remarks),
		cmocka_unit_test(other_tag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
