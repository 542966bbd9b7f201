/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a key is found in the first bytes of its record, and read without
 * the rest of its frame.
 */
#include "cases.h"

#include "format/headcode.h"
#include "readback.h"
#include "simlife.h"

/* The first bytes of a record, and its expected header. */
static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	const char *header; /* NULL: none is found */
} find_cases[] = {
#define BYTES(s) s, sizeof(s) - 1
	{ "whole", BYTES("\x0a\x07\x0a\x05\x08\x01\x22\x01h"), "h" },
	{ "of a group", BYTES("\x0a\x09\x12\x07\x0a\x05\x18\x01\x22\x01h"), "h" },
	{ "more follows", BYTES("\x0a\x7f\x0a\x7d\x22\x02hh\x2a"), "hh" },
	{ "empty", BYTES("\x0a\x04\x0a\x02\x22\x00"), "" },
	{ "not whole yet", BYTES("\x0a\x7f\x0a\x7d\x22\x03hh"), NULL },
	{ "longer than its tick", BYTES("\x0a\x06\x0a\x04\x22\x03hhh"), NULL },
	{ "of another tick", BYTES("\x0a\x08\x0a\x02\x08\x01\x0a\x03\x22\x01h"), NULL },
	{ "a tick without", BYTES("\x0a\x07\x0a\x05\x08\x01\x2a\x01t"), NULL },
	{ "after others", BYTES("\x0a\x08\x0a\x06\x2a\x01t\x22\x01h"), NULL },
	{ "a number", BYTES("\x0a\x04\x0a\x02\x20\x01"), NULL },
	{ "number that is cut", BYTES("\x0a\x7f\x0a\x80"), NULL },
	{ "no record", BYTES("\x12\x05\x0a\x03\x22\x01h"), NULL },
	{ "nothing", BYTES(""), NULL },
};

static void test_find(void **state)
{
	const __typeof__(find_cases[0]) *c = *state;
	struct span got = { NULL, NULL };
	bool is = headcode_find(span_of(c->bytes, c->len), &got);

	assert_int_equal(is, c->header != NULL);
	if (is)
		assert_true(span_eq(got, c->header));
}

/* Keys of one host at ticks 0, 4 and 8. */
static void make(struct recording *r)
{
	struct simlife l;
	struct simhost *h[1] = { &l.host };
	unsigned i;

	recording_init(r, 7);
	simlife_init(&l, "alpha", 7, 40);
	for (i = 0; i < 12; i++) {
		simlife_step(&l, SIM_SECOND);
		if (i % 4 == 0)
			encoder_need_key(r->encoder);
		recording_tick(r, h, 1);
	}
	simlife_release(&l);
	recording_close(r);
}

static struct span zstd_of(const struct recording *r, size_t i)
{
	const struct recording_tick *t = &r->tick[i];

	return span_of(r->bytes.ptr + t->at + FRAME_INDEX_LEN,
	    t->end - t->at - FRAME_INDEX_LEN);
}

static void expect_header(struct header *h)
{
	uint8_t id[RECORDING_ID_LEN];

	assert_non_null(h);
	memset(id, 7, sizeof(id));
	assert_memory_equal(h->recording_id, id, sizeof(id));
	assert_string_equal(h->program_version, "9.9");
	header_free(h);
}

/* Half of the frame is enough, since rows are in blocks after the header; not so if
 * it was compressed in one piece. */
static void test_part_of_a_frame(void **state)
{
	struct tickcode *c = tickcode_new(TICKCODE_LEVEL);
	struct recording r;
	struct frame_index ix;
	struct span key, half;

	(void)state;
	make(&r);
	key = half = zstd_of(&r, 4);
	half.end = half.ptr + span_len(half) / 2;
	expect_header(tickcode_read_header(c, key));
	expect_header(tickcode_read_header(c, half));
	assert_null(tickcode_read_header(c, zstd_of(&r, 5)));
	half.end = half.ptr + 20;
	assert_null(tickcode_read_header(c, half));
	assert_int_equal(frame_index_get(r.bytes.ptr + r.tick[4].at, &ix), GS_OK);
	assert_int_equal(tickcode_decompress(c, key.ptr, span_len(key), ix.raw_len,
	    &r.raw, NULL), GS_OK);
	tickcode_compress(c, r.raw.ptr, r.raw.len, &r.comp);
	expect_header(tickcode_read_header(c, span_of(r.comp.ptr, r.comp.len)));
	assert_null(tickcode_read_header(c, span_of(r.comp.ptr, r.comp.len / 2)));
	recording_release(&r);
	tickcode_free(c);
}

static void test_of_a_file(void **state)
{
	struct recording r;
	struct memfile m;
	struct reader *reader;
	struct frame_entry e;
	struct cursor_gap gap;
	struct tick *t;

	(void)state;
	make(&r);
	memfile_make(&m, r.bytes.ptr, r.bytes.len);
	assert_int_equal(reader_open(m.path, &reader, NULL), GS_OK);
	expect_header(reader_header(reader, &e));
	assert_int_equal(e.seq, r.tick[0].seq);
	assert_int_equal(e.wall_ns, r.tick[0].wall_ns);
	reader_rest(reader);
	assert_int_equal(reader_next(reader, &t, &gap, NULL), CURSOR_TICK);
	assert_int_equal(t->seq, r.tick[0].seq);
	reader_free(reader);
	memfile_close(&m);
	/* where the first key is damaged, reading tells which one is whole */
	r.bytes.ptr[r.tick[0].end - 9] ^= 1;
	memfile_make(&m, r.bytes.ptr, r.bytes.len);
	assert_int_equal(reader_open(m.path, &reader, NULL), GS_OK);
	assert_null(reader_header(reader, &e));
	reader_rest(reader);
	assert_int_equal(reader_next(reader, &t, &gap, NULL), CURSOR_GAP);
	assert_int_equal(reader_next(reader, &t, &gap, NULL), CURSOR_TICK);
	assert_int_equal(t->seq, r.tick[4].seq);
	reader_free(reader);
	memfile_close(&m);
	recording_release(&r);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_find, find_cases);
	cases_add(&c, "part of a frame", test_part_of_a_frame, NULL);
	cases_add(&c, "of a file", test_of_a_file, NULL);
	return cases_run(&c, "header");
}
