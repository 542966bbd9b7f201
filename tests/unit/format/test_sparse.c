/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks that were left out: the remaining ones follow each other, other
 * missing ticks are a hole, and only a layout of its own can express it.
 */
#include "base/bytes.h"
#include "format/io_ops.h"
#include "format/packer.h"
#include "readback.h"
#include "simlife.h"
#include "tempdir.h"

#define TICKS 40
#define HOLE_AT 25 /* ticks before it are missing, not left out */
#define MISSING 7

static struct {
	struct recording rec; /* the same in single frames */
	struct buf packed;
} lab;

/* How many are left out before the i-th. */
static uint64_t left_out(unsigned i)
{
	return i == 0 ? 0 : i % 3 == 0 ? 0 : i == 10 ? 100000 : 9;
}

static void add(struct packer *p, struct outfile *f, struct recording *r,
	const struct tick *t, bool lies)
{
	assert_int_equal(packer_add(p, &(struct packer_tick) {
	    .kind = t->key ? FRAME_KEY : FRAME_DELTA,
	    .first = t->seq == 1 || r->n % 10 == 4,
	    .seq = t->seq, .left_out = t->left_out + lies,
	    .wall_ns = t->wall_ns, .record = r->raw.ptr, .len = r->raw.len },
	    f, NULL), GS_OK);
}

/* lie_at: the list differs from that tick. */
static void pack(struct recording *r, const char *path, unsigned lie_at)
{
	struct outfile f = OUTFILE_INIT;
	struct packer *p = packer_new(3, 1);
	struct simlife l;
	struct simhost *h = &l.host;
	uint64_t digest, seq = 0;
	unsigned i;

	recording_init(r, 1);
	simlife_init(&l, "alpha", 7, 12);
	assert_int_equal(outfile_create(&f, &io_posix, path, NULL), GS_OK);
	for (i = 0; i < TICKS; i++) {
		const struct tick *t;

		simlife_step(&l, SIM_SECOND);
		seq += 1 + left_out(i) + (i == HOLE_AT ? MISSING : 0);
		if (i == HOLE_AT || i % 15 == 0)
			encoder_need_key(r->encoder);
		encoder_set_seq(r->encoder, seq);
		encoder_leave_out(r->encoder, left_out(i));
		t = recording_make(r, &h, 1, &digest);
		assert_int_equal(t->left_out, left_out(i));
		recording_put(r, t, digest);
		add(p, &f, r, t, i == lie_at);
	}
	assert_int_equal(packer_flush(p, &f, NULL), GS_OK);
	assert_int_equal(outfile_finish(&f, NULL), GS_OK);
	packer_free(p);
	simlife_release(&l);
}

static void make(struct recording *r, struct buf *ret, unsigned lie_at)
{
	struct tempdir dir;
	const char *path;
	char part[4096];
	ssize_t n;
	int fd;

	tempdir_make(&dir);
	path = tempdir_file(&dir, "packed.gpsnap");
	pack(r, path, lie_at);
	fd = open(path, O_RDONLY);
	while ((n = read(fd, part, sizeof(part))) > 0)
		buf_add(ret, part, (size_t)n);
	(void)close(fd);
	(void)unlink(path);
	tempdir_remove(&dir);
}

static int set_up(void **state)
{
	(void)state;
	make(&lab.rec, &lab.packed, TICKS);
	return 0;
}

static void expect_ticks(const struct got *g)
{
	size_t i;

	assert_int_equal(g->n, TICKS);
	for (i = 0; i < TICKS; i++)
		assert_int_equal(g->seq[i], lab.rec.tick[i].seq);
}

static void test_what_was_left_out_is_no_hole(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&lab.packed, &lab.rec, &g);
	expect_ticks(&g);
	assert_true(g.ended);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.damages, 0);
	assert_int_equal(g.first_gap.ticks, MISSING);
}

/* By the index at the end, and without it by those of the frames. */
static void check_index(size_t cut)
{
	const struct frame_entry *e;
	struct memfile m;
	struct reader *r;
	size_t n, i;

	memfile_make(&m, lab.packed.ptr, lab.packed.len - cut);
	assert_int_equal(reader_open(m.path, &r, NULL), GS_OK);
	assert_int_equal(reader_index(r, &e, &n, NULL), GS_OK);
	assert_int_equal(n, TICKS);
	for (i = 0; i < n; i++) {
		assert_int_equal(e[i].seq, lab.rec.tick[i].seq);
		assert_int_equal(e[i].left_out, left_out((unsigned)i));
		assert_int_equal(e[i].kind == FRAME_KEY,
		    lab.rec.tick[i].key);
	}
	reader_free(r);
	memfile_close(&m);
}

static void test_the_index_tells_it(void **state)
{
	(void)state;
	check_index(0);
	check_index(1);
}

static void test_layout_is_one_that_others_refuse(void **state)
{
	struct buf bad = BUF_INIT;
	struct got g;

	(void)state;
	assert_int_equal(lab.packed.ptr[12], 5);
	buf_add(&bad, lab.packed.ptr, lab.packed.len);
	bad.ptr[12] = 4; /* of groups in which nothing was left out */
	gs_put_le32(bad.ptr + 60, frame_crc32c(bad.ptr, 60));
	read_bytes(&bad, &lab.rec, &g);
	assert_true(g.damages > 0);
	buf_release(&bad);
}

/* A frame of a single tick can't express it: its deltas have no base. */
static void test_single_frames_can_not_say_it(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&lab.rec.bytes, &lab.rec, &g);
	assert_true(g.damages > 0);
	assert_true(g.n < TICKS);
}

static void test_tick_and_list_must_agree(void **state)
{
	struct recording r;
	struct buf packed = BUF_INIT;
	struct got g;

	(void)state;
	make(&r, &packed, 17);
	read_bytes(&packed, &lab.rec, &g);
	assert_true(g.damages > 0);
	assert_true(g.n < TICKS);
	recording_release(&r);
	buf_release(&packed);
}

/* Every changed byte is damage, or harmless. */
static void test_damage_is_told(void **state)
{
	struct buf bad = BUF_INIT;
	size_t at;

	(void)state;
	buf_add(&bad, lab.packed.ptr, lab.packed.len);
	for (at = 0; at < bad.len; at += at < 400 ? 1 : 97) {
		struct got g;

		bad.ptr[at] ^= 0x24;
		read_bytes(&bad, &lab.rec, &g);
		assert_true(g.err.status < 0 || g.damages > 0 ||
		    g.n == TICKS);
		bad.ptr[at] ^= 0x24;
	}
	buf_release(&bad);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_left_out_is_no_hole),
		cmocka_unit_test(test_the_index_tells_it),
		cmocka_unit_test(test_layout_is_one_that_others_refuse),
		cmocka_unit_test(test_single_frames_can_not_say_it),
		cmocka_unit_test(test_tick_and_list_must_agree),
		cmocka_unit_test(test_damage_is_told),
	};
	int failed = cmocka_run_group_tests(tests, set_up, NULL);

	recording_release(&lab.rec);
	buf_release(&lab.packed);
	return failed;
}
