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
#include "format/planes.h"
#include "format/varint.h"

#define NOW INT64_C(1767225600000000000)
#define TICKS 5u

static const struct tick_remark remarks[] = {
	{ 1, 0, 7, REMARK_ANON_BOTH, 4096 },
	{ 1, 3, 2, REMARK_PRIVATE, INT64_MAX },
	{ 4, 3, 2, REMARK_SINCE_SEEN, NOW + 3 },
	{ 4, 0, TICK_SLOTS_MAX - 1, REMARK_WAITS, NOW },
};

static const struct gist_base none;

/* A group with a stream of differences of one byte to ten. */
static void put_record(struct buf *to)
{
	struct buf diffs = BUF_INIT, stream = BUF_INIT, group = BUF_INIT;
	unsigned i;

	for (i = 0; i < 200; i++)
		buf_add_varint(&diffs, UINT64_MAX >> (i * 7 % 64));
	varint_add_field(&stream, FIELD_STREAM_DIFF, diffs.len);
	buf_add(&stream, diffs.ptr, diffs.len);
	varint_add_field(&group, FIELD_GROUP_STREAM, stream.len);
	buf_add(&group, stream.ptr, stream.len);
	varint_begin_record(to, FIELD_RECORD_GROUP, group.len);
	buf_add(to, group.ptr, group.len);
	buf_release(&diffs);
	buf_release(&stream);
	buf_release(&group);
}

/* The clocks of two hosts, of which the second one answers every other time. */
static void make_tick(struct tick *t, uint32_t i)
{
	int64_t ns = (int64_t)i * 1000;

	tick_reset(t);
	t->wall_ns = NOW + (int64_t)i;
	tick_add_block(t, 0)->clock = (struct sample_clock) { 1, i + 1,
		t->wall_ns + 7 - ns, 500 + ns, 600 + ns, 90 - ns, -ns };
	if (i % 2)
		tick_add_block(t, 3)->clock = (struct sample_clock) {
			UINT32_MAX, UINT64_MAX - i, t->wall_ns - 7, ns, ns,
			INT64_MAX, INT64_MIN };
}

static void put_clocks(struct gistclock *c)
{
	struct tick t = TICK_INIT;
	uint32_t i;

	for (i = 1; i < TICKS; i++) {
		make_tick(&t, i);
		gistclock_add(c, &t);
	}
	tick_release(&t);
}

static void assert_clocks(struct gistclock *c)
{
	struct tick want = TICK_INIT, got = TICK_INIT;
	uint32_t i;
	size_t k;

	for (i = 1; i < TICKS; i++) {
		make_tick(&want, i);
		make_tick(&got, i);
		for (k = 0; k < got.n_block; k++)
			got.block[k]->clock = (struct sample_clock) { 0 };
		assert_true(gistclock_give(c, &got));
		for (k = 0; k < got.n_block; k++)
			assert_memory_equal(&got.block[k]->clock,
			    &want.block[k]->clock,
			    sizeof(want.block[k]->clock));
	}
	assert_false(gistclock_give(c, &got)); /* there are no more */
	tick_release(&want);
	tick_release(&got);
}

/* Tick i has i texts, of which the first one is empty. */
static void text_of(struct tick *t, uint32_t i, uint32_t *id)
{
	uint32_t k;

	tick_reset(t);
	for (k = 0; k < i; k++)
		tick_add_text(t, ++*id, "idle in transaction", k * i);
}

static void put_texts(struct gisttext *g)
{
	struct tick t = TICK_INIT;
	uint32_t i, id = 0;

	for (i = 0; i < TICKS - 1; i++) {
		text_of(&t, i, &id);
		assert_true(gisttext_add(g, &t));
	}
	tick_release(&t);
}

static void assert_texts(struct gisttext *g)
{
	struct tick want = TICK_INIT, got = TICK_INIT;
	uint32_t i, k, id = 0;

	for (i = 0; i < TICKS - 1; i++) {
		text_of(&want, i, &id);
		tick_reset(&got);
		assert_true(gisttext_give(g, &got));
		assert_int_equal(got.n_text, i);
		assert_int_equal(got.bytes.len, want.bytes.len);
		for (k = 0; k < i; k++) {
			assert_int_equal(got.text[k].id, want.text[k].id);
			assert_int_equal(got.text[k].len, want.text[k].len);
		}
		if (got.bytes.len > 0)
			assert_memory_equal(got.bytes.ptr, want.bytes.ptr,
			    got.bytes.len);
	}
	assert_false(gisttext_give(g, &got)); /* there are no more */
	tick_release(&want);
	tick_release(&got);
}

static void fill(struct gist *g, uint64_t from)
{
	uint32_t i;

	gist_reset(g);
	for (i = 0; i < TICKS; i++)
		gist_add(g, &(struct group_tick) {
			.kind = i % (TICKS - 1) ? FRAME_DELTA : FRAME_KEY,
			.seq = from + i, .wall_ns = NOW + (int64_t)i },
		    &(struct tick_census) { i, 1000 - i, 7, UINT32_MAX, 0 });
	put_record(&g->raw);
	put_clocks(&g->clock);
	put_texts(&g->text);
	g->record_len = g->raw.len;
	for (i = 0; i < GS_LEN(remarks); i++) {
		GS_GROW(g->remark, &g->remark_cap, i + 1);
		g->remark[g->n_remark++] = remarks[i];
	}
}

static int put_and_read(const struct gist *g, struct buf *b, struct gist *ret,
	struct gs_err *err)
{
	struct gist_base base = { .raw = BUF_INIT };
	struct tickcode *zstd = tickcode_new(3);
	int r;

	buf_reset(b);
	gistframe_put(zstd, g, &base, b);
	r = gistframe_read(zstd, b->ptr, b->len, &none, ret, err);
	buf_release(&base.raw);
	tickcode_free(zstd);
	return r;
}

/* With waits it has another tag: who does not know them has no gist. */
static void with_waits(void **state)
{
	const struct tick_wait w = { .tick = 2, .slot = 9, .kind = 4,
		.event = span_str("IO:DataFileRead"), .time_ns = 5 };
	struct gist want = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gist_head h;
	struct gs_err err;

	(void)state;
	fill(&want, 61);
	want.waits.any = true;
	want.waits.from = 2;
	gistwaits_add(&want.waits, &w);
	assert_int_equal(put_and_read(&want, &b, &got, &err), GS_OK);
	assert_memory_equal(b.ptr + 8, "GPSW", BESIDE_TAG);
	assert_int_equal(gistframe_len(b.ptr + b.len - GISTFRAME_TAIL), b.len);
	assert_true(gistframe_head(b.ptr, b.len, &h) && h.has_waits);
	assert_true(got.waits.any);
	assert_int_equal(got.waits.n, 1);
	assert_int_equal(got.waits.wait[0].slot, 9);
	assert_texts(&got.text);
	assert_clocks(&got.clock);
	gist_reset(&got);
	fill(&want, 61);
	assert_int_equal(put_and_read(&want, &b, &got, &err), GS_OK);
	assert_memory_equal(b.ptr + 8, "GPSK", BESIDE_TAG);
	assert_false(got.waits.any);
	gist_release(&want);
	gist_release(&got);
	buf_release(&b);
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
	assert_clocks(&got.clock);
	gistclock_rewind(&got.clock);
	assert_clocks(&got.clock);
	assert_texts(&got.text);
	gisttext_rewind(&got.text);
	assert_texts(&got.text);
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
	struct gist_base base = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	fill(&g, 1);
	gistframe_put(zstd, &g, &base, &b);
	for (i = 0; i < b.len; i++) {
		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
		if (gistframe_read(zstd, b.ptr, b.len, &none, &got, &err) == GS_OK)
			fail_msg("byte %zu of %zu is wrong: not noticed", i,
			    b.len);
		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
	}
	for (i = 0; i < b.len; i++)
		assert_int_equal(gistframe_read(zstd, b.ptr, i, &none, &got, &err),
		    GS_E_FORMAT);
	gist_release(&g);
	gist_release(&got);
	buf_release(&base.raw);
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
	gs_put_le32(b.ptr + 20, GISTFRAME_REMARKS_MAX);
	gs_put_le32(b.ptr + b.len - GISTFRAME_TAIL,
	    frame_crc32c(b.ptr, b.len - GISTFRAME_TAIL));
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &none, &got, &err),
	    GS_E_FORMAT);
	tickcode_free(zstd);
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
}

/* Others are compressed after the first one, and can't be read without it. */
static void after_base(void **state)
{
	struct gist want = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct gist_base base = { .raw = BUF_INIT }, read = { .raw = BUF_INIT };
	struct tickcode *zstd = tickcode_new(3);
	struct buf first = BUF_INIT, b = BUF_INIT;
	struct gs_err err;

	(void)state;
	fill(&want, 61);
	gistframe_put(zstd, &want, &base, &first);
	assert_int_equal(base.seq, 61);
	fill(&want, 65);
	gistframe_put(zstd, &want, &base, &b);
	assert_int_equal(base.seq, 61);
	assert_true(b.len < first.len);
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &none, &got, &err),
	    GS_E_FORMAT);
	assert_int_equal(gistframe_read_base(zstd, b.ptr, b.len, &read, &err),
	    GS_E_FORMAT); /* it has one itself */
	assert_int_equal(gistframe_read_base(zstd, first.ptr, first.len, &read,
	    &err), GS_OK);
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &read, &got, &err),
	    GS_OK);
	assert_memory_equal(got.raw.ptr, want.raw.ptr, want.record_len);
	assert_texts(&got.text);
	read.ns++;
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &read, &got, &err),
	    GS_E_FORMAT);
	read.ns--;
	read.seq++;
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &read, &got, &err),
	    GS_E_FORMAT);
	read.seq--;
	read.raw.ptr[read.raw.len / 2] ^= 1;
	assert_int_equal(gistframe_read(zstd, b.ptr, b.len, &read, &got, &err),
	    GS_E_FORMAT);
	tickcode_free(zstd);
	gist_release(&want);
	gist_release(&got);
	buf_release(&base.raw);
	buf_release(&read.raw);
	buf_release(&first);
	buf_release(&b);
}

static void set_tag(struct buf *b, const char *tag)
{
	memcpy(b->ptr + 8, tag, BESIDE_TAG);
	memcpy(b->ptr + b->len - BESIDE_TAG, tag, BESIDE_TAG);
}

/* An earlier layout is no gist; what is before it can be found. */
static void other_tag(void **state)
{
	static const char *const earlier[] = { "GPSH", "GPSI" };
	struct gist g = { .raw = BUF_INIT }, got = { .raw = BUF_INIT };
	struct buf b = BUF_INIT;
	struct gist_head h;
	struct gs_err err;
	size_t i;

	(void)state;
	fill(&g, 1);
	assert_int_equal(put_and_read(&g, &b, &got, &err), GS_OK);
	set_tag(&b, "GPSG");
	assert_int_equal(gistframe_len(b.ptr + b.len - GISTFRAME_TAIL), 0);
	assert_false(gistframe_head(b.ptr, b.len, &h));
	for (i = 0; i < GS_LEN(earlier); i++) {
		set_tag(&b, earlier[i]);
		assert_int_equal(gistframe_len(b.ptr + b.len - GISTFRAME_TAIL),
		    b.len);
		assert_false(gistframe_head(b.ptr, b.len, &h));
	}
	gist_release(&g);
	gist_release(&got);
	buf_release(&b);
}

/* In a group, planes are a field of their own. */
static void planes_of_a_group(void **state)
{
	static const char values[] = "\1\x80\1\2\x81\x82\3";
	static const char planes[] = "\1\x80\2\x81\1\x82\3";
	size_t len = sizeof(values) - 1;
	struct buf b = BUF_INIT, was = BUF_INIT;
	const char *body;

	(void)state;
	varint_begin_record(&b, FIELD_RECORD_GROUP, len + 4);
	varint_add_field(&b, FIELD_GROUP_STREAM, len + 2);
	varint_add_field(&b, FIELD_STREAM_DIFF, len);
	buf_add(&b, values, len);
	buf_add(&was, b.ptr, b.len);
	assert_true(planes_split(b.ptr, b.len, PLANES_OF_GROUP,
	    NULL));
	body = b.ptr + b.len - len;
	assert_memory_equal(body, planes, len);
	assert_int_equal((unsigned char)body[-2] >> 3, FIELD_STREAM_PLANES);
	assert_true(planes_join(b.ptr, b.len, PLANES_OF_GIST)); /* it has none */
	assert_true(planes_join(b.ptr, b.len, PLANES_OF_GROUP));
	assert_memory_equal(b.ptr, was.ptr, b.len);
	buf_release(&b);
	buf_release(&was);
}

/* Blocks end where planes and other lists of a stream do, if these are long. */
static void breaks_of_planes(void **state)
{
	const size_t n = BREAKS_APART, list = 2 * n;
	struct breaks at = { .at = NULL };
	struct buf b = BUF_INIT;
	size_t len = 3 * n, begin, i;

	(void)state;
	varint_begin_record(&b, FIELD_RECORD_GROUP, 3 + 3 + list + 3 + len);
	varint_add_field(&b, FIELD_GROUP_STREAM, 3 + list + 3 + len);
	varint_add_field(&b, FIELD_STREAM_VALUES, list);
	begin = b.len;
	buf_add_fill(&b, 1, list);
	varint_add_field(&b, FIELD_STREAM_DIFF, len);
	for (i = 0; i < n; i++)
		buf_add(&b, "\x80\x80\1", 3);
	assert_true(planes_split(b.ptr, b.len, PLANES_OF_GIST, &at));
	assert_int_equal(at.n, 4);
	assert_int_equal(at.at[0], begin + list); /* it begins too early */
	for (i = 1; i < at.n; i++)
		assert_int_equal(at.at[i], begin + list + 3 + i * n);
	breaks_release(&at);
	buf_release(&b);
}

/* Planes that end too early, or go on for too long. */
static void odd_planes(void **state)
{
	static const char *const odd[] = { "\x80", "\1\x80",
		"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1" };
	struct buf b = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(odd); i++) {
		size_t len = strlen(odd[i]);

		varint_begin_record(&b, FIELD_RECORD_GROUP, len + 4);
		varint_add_field(&b, FIELD_GROUP_STREAM, len + 2);
		varint_add_field(&b, FIELD_STREAM_DIFF, len);
		buf_add_str(&b, odd[i]);
		assert_false(planes_split(b.ptr, b.len, PLANES_OF_GIST,
		    NULL));
		assert_false(planes_join(b.ptr, b.len, PLANES_OF_GIST));
	}
	assert_false(planes_join(b.ptr, 3, PLANES_OF_GIST)); /* no group */
	assert_true(planes_join(b.ptr, b.len, PLANES_OF_GROUP)); /* it has none */
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(with_waits),
		cmocka_unit_test(each_byte),
		cmocka_unit_test(not_a_stretch),
		cmocka_unit_test(odd_remarks),
		cmocka_unit_test(after_base),
		cmocka_unit_test(other_tag),
		cmocka_unit_test(planes_of_a_group),
		cmocka_unit_test(breaks_of_planes),
		cmocka_unit_test(odd_planes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
