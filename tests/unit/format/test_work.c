/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of reading any file: bytes searched in vain are linear in its
 * length, memory is within the budget, and all charges are released.
 */
#include "base/bytes.h"
#include "format/reader_int.h"
#include "readback.h"
#include "simlife.h"

#define FRAMES 8192u

/* A whole key, and then index frames that claim half of what follows each. */
static void make_claims(struct buf *to)
{
	struct recording r;
	struct simlife l;
	struct simhost *h[1] = { &l.host };
	unsigned i;

	recording_init(&r, 3);
	simlife_init(&l, "alpha", 3, 4);
	simlife_step(&l, SIM_SECOND);
	recording_tick(&r, h, 1);
	buf_add(to, r.bytes.ptr, r.bytes.len);
	simlife_release(&l);
	recording_release(&r);
	for (i = 0; i < FRAMES; i++) {
		struct frame_index f = { .kind = FRAME_KEY, .seq = i + 2,
			.wall_ns = SIM_EPOCH + i, .raw_len = 100, .crc = 7,
			.comp_len = (FRAMES - i - 1) * FRAME_INDEX_LEN / 2 + 1
		};

		frame_index_put(&f, buf_reserve(to, FRAME_INDEX_LEN));
		to->len += FRAME_INDEX_LEN;
	}
}

static void test_claims_that_overlap(void **state)
{
	struct buf b = BUF_INIT;
	struct memfile m;
	struct reader *rd;
	struct cursor_gap gap;
	struct tick *t;
	unsigned ticks = 0;
	enum cursor_step s;

	(void)state;
	make_claims(&b);
	memfile_make(&m, b.ptr, b.len);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	while ((s = reader_next(rd, &t, &gap, NULL)) != CURSOR_END) {
		assert_true(s == CURSOR_TICK || s == CURSOR_GAP);
		ticks += s == CURSOR_TICK;
	}
	assert_int_equal(ticks, 1);
	/* in all they claim a gigabyte */
	assert_true(rd->vain > b.len);
	assert_true(rd->vain <= ((uint64_t)64 << 20) + 4 * b.len +
	    FRAMES * (uint64_t)4096);
	reader_free(rd);
	memfile_close(&m);
	buf_release(&b);
}

/* As many rows as that. */
static void make_rows(struct recording *r, unsigned rows)
{
	struct simlife l;
	struct simhost *h[1] = { &l.host };

	recording_init(r, 3);
	simlife_init(&l, "alpha", 3, rows);
	simlife_step(&l, SIM_SECOND);
	recording_tick(r, h, 1);
	simlife_step(&l, SIM_SECOND);
	recording_tick(r, h, 1);
	simlife_release(&l);
}

static int read_within(const char *path, size_t bytes, unsigned *ret_ticks,
	struct gs_err *err)
{
	struct gs_budget b = { .limit_bytes = bytes };
	struct gs_err after; /* the file is closed */
	struct world *w;
	struct reader *rd = NULL;
	struct cursor_gap gap;
	struct tick *t;
	enum cursor_step s = CURSOR_END;
	int r;

	budget_set_own(&b);
	w = world_new();
	*ret_ticks = 0;
	r = reader_open(path, &rd, err);
	while (r == GS_OK &&
	    (s = reader_next(rd, &t, &gap, err)) == CURSOR_TICK) {
		r = world_apply(w, t, err);
		*ret_ticks += r == GS_OK;
	}
	assert_true(b.used_bytes > 0);
	assert_true(b.used_bytes <= bytes);
	if (s == CURSOR_ERROR)
		r = err->status;
	reader_free(rd);
	world_free(w);
	assert_int_equal(b.used_bytes, 0);
	(void)budget_fail(&b, &after, "nothing");
	assert_null(strstr(after.msg, path));
	budget_set_own(NULL);
	return r;
}

static void test_budget(void **state)
{
	struct gs_err err = { 0 };
	struct recording r;
	struct memfile m;
	unsigned ticks, refused = 0;
	size_t bytes;

	(void)state;
	make_rows(&r, 200);
	memfile_make(&m, r.bytes.ptr, r.bytes.len);
	assert_int_equal(read_within(m.path, (size_t)64 << 20, &ticks, &err),
	    GS_OK);
	assert_int_equal(ticks, 2);
	/* wherever it fails, it reports that, and nothing stays charged */
	for (bytes = (size_t)300 << 10; bytes < (size_t)2 << 20;
	    bytes += (size_t)20 << 10) {
		int s = read_within(m.path, bytes, &ticks, &err);

		assert_true(s == GS_OK || s == GS_E_MEMORY);
		if (s == GS_OK)
			continue;
		refused++;
		assert_non_null(strstr(err.msg, m.path));
		assert_non_null(strstr(err.msg, "more than fits into"));
	}
	assert_true(refused > 3);
	memfile_close(&m);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claims_that_overlap),
		cmocka_unit_test(test_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
