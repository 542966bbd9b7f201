/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader over a small recording that was cut at every byte, had every bit
 * flipped, lost or gained bytes: every tick read must equal the tick written,
 * cell by cell.
 */
#include "readback.h"
#include "simlife.h"

static struct {
	struct recording rec; /* with an index at its end */
	size_t data_len; /* without it */
} whole, small;

/* Keys at 0, then two in a row, then every so often. */
static void make(struct recording *r, unsigned ticks, unsigned hosts,
	unsigned processes)
{
	struct simlife l[2];
	struct simhost *h[2] = { &l[0].host, &l[1].host };
	unsigned i;

	recording_init(r, 1);
	simlife_init(&l[0], "alpha", 7, processes);
	simlife_init(&l[1], "beta", 8, processes);
	for (i = 0; i < ticks; i++) {
		simlife_step(&l[0], SIM_SECOND);
		simlife_step(&l[1], SIM_SECOND);
		if (i == ticks / 2)
			simhost_reboot(h[0], "boot 2");
		if (i % 7 == 0 || i == 8)
			encoder_need_key(r->encoder);
		recording_tick(r, h, i > 4 ? hosts : 1);
	}
	simlife_release(&l[0]);
	simlife_release(&l[1]);
}

static void test_whole(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&whole.rec.bytes, &whole.rec, &g);
	expect_seqs(&g, 0, whole.rec.n);
	assert_int_equal(g.gaps, 0);
	assert_true(g.ended);
}

/* ---- cut ---------------------------------------------------------------- */

static size_t whole_before(const struct recording *r, size_t cut)
{
	size_t n = 0;

	while (n < r->n && r->tick[n].end <= cut)
		n++;
	return n;
}

static bool is_edge(const struct recording *r, size_t cut)
{
	size_t n = whole_before(r, cut);

	return cut == (n ? r->tick[n - 1].end : 0);
}

/* The last bytes of a file are zero, from the middle of a tick on. */
static void test_zero_tail(void **state)
{
	const struct recording *r = &whole.rec;
	size_t from = r->tick[4].end + FRAME_INDEX_LEN + 8;
	struct buf bytes = BUF_INIT;
	struct got g;

	(void)state;
	buf_add(&bytes, r->bytes.ptr, whole.data_len);
	memset(bytes.ptr + from, 0, bytes.len - from);
	read_bytes(&bytes, r, &g);
	expect_seqs(&g, 0, 5);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.first_gap.offset, r->tick[4].end);
	assert_int_equal(g.first_gap.bytes, bytes.len - r->tick[4].end);
	assert_int_equal(g.first_gap.ticks, 0); /* not known */
	assert_int_equal(g.first_gap.to_ns, INT64_MAX);
	buf_release(&bytes);
}

static void expect_cut(const struct got *g, size_t cut)
{
	const struct recording *r = &whole.rec;
	size_t n = whole_before(r, cut);

	if (n == 0) {
		assert_int_equal(g->err.status, GS_E_FORMAT);
		return;
	}
	assert_true(g->ended);
	expect_seqs(g, 0, n);
	if (is_edge(r, cut) || cut >= whole.data_len + 8) {
		assert_int_equal(g->gaps, 0);
	} else if (cut < whole.data_len) {
		assert_int_equal(g->gaps, 1);
		assert_int_equal(g->first_gap.offset, r->tick[n - 1].end);
		assert_int_equal(g->first_gap.from_ns,
		    r->tick[n - 1].wall_ns);
		assert_int_equal(g->first_gap.to_ns, INT64_MAX);
		assert_int_equal(g->first_gap.bytes,
		    cut - r->tick[n - 1].end);
		assert_string_equal(g->first_gap.why,
		    "cut off: the last tick is not whole");
	}
	/* else: less than 8 bytes of the index could be a frame's */
}

static void expect_index(const char *path, size_t cut)
{
	const struct frame_entry *e;
	struct reader *rd;
	size_t n, i;

	if (reader_open(path, &rd, NULL) < 0)
		return;
	assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
	assert_int_equal(n, whole_before(&whole.rec, cut));
	for (i = 0; i < n; i++) {
		assert_int_equal(e[i].offset, whole.rec.tick[i].at);
		assert_int_equal(e[i].seq, whole.rec.tick[i].seq);
		assert_int_equal(e[i].wall_ns, whole.rec.tick[i].wall_ns);
	}
	assert_int_equal(reader_is_closed(rd), cut == whole.rec.bytes.len);
	reader_free(rd);
}

static void test_cut_at_every_byte(void **state)
{
	struct memfile m;
	struct got g;
	size_t cut = whole.rec.bytes.len;

	(void)state;
	memfile_make(&m, whole.rec.bytes.ptr, cut);
	for (; cut > 0; cut -= GS_MIN(cut, stride(1))) {
		assert_int_equal(ftruncate(m.fd, (off_t)cut), 0);
		read_path(m.path, &whole.rec, &g);
		expect_cut(&g, cut);
		if (cut % 7 == 0 || is_edge(&whole.rec, cut))
			expect_index(m.path, cut);
	}
	memfile_close(&m);
}

static void test_cut_in_front(void **state)
{
	struct buf b = BUF_INIT;
	struct got g;
	size_t cut, first;

	(void)state;
	for (cut = 1; cut < whole.rec.bytes.len; cut += stride(3)) {
		const struct recording_tick *t = whole.rec.tick;

		for (first = 0; first < whole.rec.n &&
		    (t[first].at < cut || !t[first].key); first++)
			;
		buf_reset(&b);
		buf_add(&b, whole.rec.bytes.ptr + cut,
		    whole.rec.bytes.len - cut);
		read_bytes(&b, &whole.rec, &g);
		if (g.err.status < 0)
			assert_int_equal(first, whole.rec.n);
		else
			expect_seqs(&g, first, whole.rec.n);
	}
	buf_release(&b);
}

/* ---- flipped bits -------------------------------------------------------- */

/* The ticks lost with a damaged tick: up to the next key. */
static size_t next_key(const struct recording *r, size_t i)
{
	for (i++; i < r->n && !r->tick[i].key; i++)
		;
	return i;
}

static void expect_loss(const struct recording *r, const struct got *g,
	size_t from, size_t to)
{
	size_t i, k = 0;

	assert_int_equal(g->n, r->n - (to - from));
	for (i = 0; i < r->n; i++) {
		if (i < from || i >= to)
			assert_int_equal(g->seq[k++], r->tick[i].seq);
	}
	assert_true(g->ended);
}

static void expect_flip(const struct got *g, size_t at)
{
	const struct recording *r = &small.rec;
	size_t i = whole_before(r, at);

	if (g->err.status)
		fail_msg("byte %zu: %s", at, g->err.msg);
	if (at >= small.data_len) {
		/* The index at the end is redundant: without it all frames are
		 * found by searching. */
		expect_loss(r, g, 0, 0);
		return;
	}
	expect_loss(r, g, i, next_key(r, i));
	assert_true(g->damages > 0);
	assert_int_equal(g->first_gap.offset, r->tick[i].at);
	assert_int_equal(g->first_gap.from_ns,
	    i ? r->tick[i - 1].wall_ns : INT64_MIN);
	if (next_key(r, i) < r->n)
		assert_int_equal(g->first_gap.to_ns,
		    r->tick[next_key(r, i)].wall_ns);
}

static void test_every_bit_flipped(void **state)
{
	struct memfile m;
	struct got g;
	size_t bit;

	(void)state;
	memfile_make(&m, small.rec.bytes.ptr, small.rec.bytes.len);
	for (bit = 0; bit < small.rec.bytes.len * 8; bit += stride(1)) {
		char *p = small.rec.bytes.ptr + bit / 8;
		char c = (char)(*p ^ (1 << bit % 8));

		assert_int_equal(pwrite(m.fd, &c, 1, (off_t)(bit / 8)), 1);
		read_path(m.path, &small.rec, &g);
		expect_flip(&g, bit / 8);
		assert_int_equal(pwrite(m.fd, p, 1, (off_t)(bit / 8)), 1);
	}
	memfile_close(&m);
}

/* ---- bytes gone, bytes too many ----------------------------------------- */

static void expect_sane(const struct got *g, const struct recording *r,
	size_t from, size_t to)
{
	size_t i = whole_before(r, from);
	size_t k;

	/* all before; all from the first key after the damage on */
	assert_true(g->ended);
	assert_true(g->n >= i);
	for (k = 0; k < i; k++)
		assert_int_equal(g->seq[k], r->tick[k].seq);
	for (i = 0; i < r->n && (r->tick[i].at < to || !r->tick[i].key); i++)
		;
	assert_true(g->n >= r->n - i);
	for (k = 0; k < r->n - i; k++)
		assert_int_equal(g->seq[g->n - 1 - k],
		    r->tick[r->n - 1 - k].seq);
}

static void test_deleted_ranges(void **state)
{
	static const size_t grouping[] = { 1, 3, 17, 64, 100, 333, 1000, 2500 };
	const struct buf *all = &whole.rec.bytes;
	struct buf b = BUF_INIT;
	struct got g;
	size_t i, at;

	(void)state;
	for (i = 0; i < GS_LEN(grouping); i++) {
		for (at = 1; at + grouping[i] < whole.data_len; at += stride(37)) {
			buf_reset(&b);
			buf_add(&b, all->ptr, at);
			buf_add(&b, all->ptr + at + grouping[i],
			    all->len - at - grouping[i]);
			read_bytes(&b, &whole.rec, &g);
			if (g.err.status == 0)
				expect_sane(&g, &whole.rec, at,
				    at + grouping[i]);
		}
	}
	buf_release(&b);
}

/* Looks like an index frame, with a valid checksum. */
static void add_false_index(struct buf *b, uint32_t comp_len)
{
	struct frame_index ix = { .kind = FRAME_DELTA, .seq = 3,
		.comp_len = comp_len, .raw_len = 100, .back_key = 64,
		.crc = 1 };

	(void)buf_reserve(b, FRAME_INDEX_LEN);
	frame_index_put(&ix, b->ptr + b->len);
	b->len += FRAME_INDEX_LEN;
}

static void add_garbage(struct buf *b, unsigned kind)
{
	static const char magic[] = "\x5d\x2a\x4d\x18\x38\0\0\0GPSN\1\2";

	switch (kind) {
	case 0:
		buf_add_fill(b, '\0', 1000);
		break;
	case 1:
		buf_add(b, magic, sizeof(magic) - 1);
		break;
	case 2:
		buf_add(b, magic, 4);
		buf_add_fill(b, '\xff', 4);
		break;
	case 3:
		add_false_index(b, 10);
		break;
	case 4: /* overlaps the next frame */
		add_false_index(b, 500);
		break;
	case 5: /* beyond the end */
		add_false_index(b, FRAME_RAW_MAX);
		break;
	default:
		buf_add_fill(b, '\x5d', 3);
	}
}

static void test_inserted_garbage(void **state)
{
	const struct recording *r = &whole.rec;
	struct buf b = BUF_INIT;
	struct got g;
	size_t i;
	unsigned kind;

	(void)state;
	for (kind = 0; kind < 7; kind++) {
		for (i = 0; i <= r->n; i++) {
			size_t at = i < r->n ? r->tick[i].at : whole.data_len;

			buf_reset(&b);
			buf_add(&b, r->bytes.ptr, at);
			add_garbage(&b, kind);
			buf_add(&b, r->bytes.ptr + at, r->bytes.len - at);
			read_bytes(&b, r, &g);
			assert_int_equal(g.err.status, GS_OK);
			expect_sane(&g, r, at, at);
			/* bytes that look like part of an index cost no tick */
			assert_true(g.damages > 0 || i == r->n);
		}
	}
	buf_release(&b);
}

static void test_duplicated_frames(void **state)
{
	const struct recording *r = &whole.rec;
	struct buf b = BUF_INIT;
	struct got g;
	size_t i, k, n;

	(void)state;
	for (i = 0; i < r->n; i++) {
		buf_reset(&b);
		buf_add(&b, r->bytes.ptr, r->tick[i].end);
		buf_add(&b, r->bytes.ptr + r->tick[i].at,
		    r->bytes.len - r->tick[i].at);
		read_bytes(&b, r, &g);
		assert_int_equal(g.err.status, GS_OK);
		assert_true(g.ended);
		for (k = 0; k <= i; k++)
			assert_int_equal(g.seq[k], r->tick[k].seq);
		n = next_key(r, i);
		assert_true(g.n >= i + 1 + r->n - n);
		for (k = n; k < r->n; k++)
			assert_int_equal(g.seq[g.n - (r->n - k)],
			    r->tick[k].seq);
	}
	buf_release(&b);
}

static void set_up(void)
{
	make(&whole.rec, 16, 2, 4);
	whole.data_len = whole.rec.bytes.len;
	recording_close(&whole.rec);
	make(&small.rec, 10, 1, 1);
	small.data_len = small.rec.bytes.len;
	recording_close(&small.rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zero_tail),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_cut_in_front),
		cmocka_unit_test(test_every_bit_flipped),
		cmocka_unit_test(test_deleted_ranges),
		cmocka_unit_test(test_inserted_garbage),
		cmocka_unit_test(test_duplicated_frames),
	};
	int r;

	set_up();
	r = cmocka_run_group_tests(tests, NULL, NULL);
	recording_release(&whole.rec);
	recording_release(&small.rec);
	return r;
}
