/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks in groups: the same ticks are read, from the beginning, from any key,
 * by the index; damage costs only the ticks it hit and is reported.
 */
#include "format/io_ops.h"
#include "format/packer.h"
#include "readback.h"
#include "simlife.h"
#include "tempdir.h"

#define TICKS 90

static struct {
	struct recording rec; /* one frame per tick */
	struct buf packed; /* the same in groups */
	size_t data_len; /* of these, without the footer */
} lab;

static void make_recording(struct recording *r)
{
	struct simlife l[2];
	struct simhost *h[2] = { &l[0].host, &l[1].host };
	unsigned i;

	recording_init(r, 1);
	simlife_init(&l[0], "alpha", 7, 12);
	simlife_init(&l[1], "beta", 8, 5);
	for (i = 0; i < TICKS; i++) {
		simlife_step(&l[0], SIM_SECOND);
		simlife_step(&l[1], SIM_SECOND);
		if (i % 7 == 0 || i == 8)
			encoder_need_key(r->encoder);
		recording_tick(r, h, i > 4 ? 2 : 1);
	}
	simlife_release(&l[0]);
	simlife_release(&l[1]);
}

/* Every 20 ticks and a new group begins, in the middle of a key's period. */
static void pack(struct reader *from, struct outfile *to)
{
	struct packer *p = packer_new(3, 1);
	struct cursor_gap gap;
	struct tick *t;
	size_t n = 0;

	while (reader_next(from, &t, &gap, NULL) == CURSOR_TICK) {
		struct frame_entry e;
		struct span s = reader_record(from, &e);

		assert_int_equal(packer_add(p, &(struct packer_tick) {
		    .kind = e.kind, .first = n++ % 20 == 0, .seq = e.seq,
		    .wall_ns = e.wall_ns, .record = s.ptr,
		    .len = span_len(s) }, to, NULL), GS_OK);
	}
	assert_int_equal(packer_flush(p, to, NULL), GS_OK);
	packer_free(p);
}

static void pack_file(const char *from, const struct tempdir *dir,
	struct buf *ret, size_t *ret_data)
{
	const char *path = tempdir_file(dir, "packed.gpsnap");
	struct outfile f = OUTFILE_INIT;
	struct reader *r;
	char part[4096];
	ssize_t n;
	int fd;

	assert_int_equal(reader_open(from, &r, NULL), GS_OK);
	assert_int_equal(outfile_create(&f, &io_posix, path, NULL), GS_OK);
	pack(r, &f);
	reader_free(r);
	*ret_data = f.len_bytes;
	assert_int_equal(outfile_finish(&f, NULL), GS_OK);
	fd = open(path, O_RDONLY);
	while ((n = read(fd, part, sizeof(part))) > 0)
		buf_add(ret, part, (size_t)n);
	(void)close(fd);
	(void)unlink(path);
}

static int set_up(void **state)
{
	struct tempdir dir;
	struct memfile m;

	(void)state;
	make_recording(&lab.rec);
	recording_close(&lab.rec);
	tempdir_make(&dir);
	memfile_make(&m, lab.rec.bytes.ptr, lab.rec.bytes.len);
	pack_file(m.path, &dir, &lab.packed, &lab.data_len);
	memfile_close(&m);
	tempdir_remove(&dir);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	recording_release(&lab.rec);
	buf_release(&lab.packed);
	return 0;
}

static void test_ticks_are_the_same(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&lab.packed, &lab.rec, &g);
	expect_seqs(&g, 0, TICKS);
	assert_int_equal(g.gaps, 0);
	assert_true(g.ended);
	assert_true(lab.packed.len < lab.rec.bytes.len);
}

/* Packing groups again gives the same as packing single frames. */
static void test_records_come_back(void **state)
{
	struct buf again = BUF_INIT;
	struct tempdir dir;
	struct memfile m;
	size_t len;

	(void)state;
	tempdir_make(&dir);
	memfile_make(&m, lab.packed.ptr, lab.packed.len);
	pack_file(m.path, &dir, &again, &len);
	assert_int_equal(again.len, lab.packed.len);
	assert_memory_equal(again.ptr, lab.packed.ptr, again.len);
	memfile_close(&m);
	tempdir_remove(&dir);
	buf_release(&again);
}

static void check_index(const struct frame_entry *e, size_t n)
{
	size_t i;

	assert_int_equal(n, TICKS);
	for (i = 0; i < n; i++) {
		const struct recording_tick *t = &lab.rec.tick[i];

		assert_int_equal(e[i].seq, t->seq);
		assert_int_equal(e[i].wall_ns, t->wall_ns);
		assert_int_equal(e[i].kind, t->key ? FRAME_KEY : FRAME_DELTA);
		assert_int_equal(e[i].number, i % 20);
	}
}

static void test_any_key_is_a_way_in(void **state)
{
	const struct frame_entry *e;
	struct reader *rd;
	struct memfile m;
	struct got g;
	size_t i, n, cut;

	(void)state;
	/* with the footer, and by index frames and lists */
	for (cut = lab.packed.len;; cut = lab.data_len) {
		memfile_make(&m, lab.packed.ptr, cut);
		assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
		assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
		check_index(e, n);
		for (i = n; i-- > 0;) {
			struct world *w;

			if (e[i].kind != FRAME_KEY)
				continue;
			reader_enter(rd, &e[i]);
			g = (struct got) { 0 };
			w = world_new();
			read_on(rd, &lab.rec, &g, w);
			world_free(w);
			expect_seqs(&g, i, TICKS);
		}
		reader_free(rd);
		memfile_close(&m);
		if (cut == lab.data_len)
			break;
	}
}

/* Who asked for hosts alone, for the first tick, gets all of the next ones. */
static void test_entities_of_a_group(void **state)
{
	struct reader *rd;
	struct memfile m;
	struct cursor_gap gap;
	struct tick *t;
	struct got g = { 0 };
	struct world *w = world_new();
	int e;

	(void)state;
	memfile_make(&m, lab.packed.ptr, lab.packed.len);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	reader_only(rd, UINT64_C(1) << ENTITY_HOST);
	assert_int_equal(reader_next(rd, &t, &gap, NULL), CURSOR_TICK);
	assert_true(t->key && t->header && t->n_block == 1 && t->n_text == 0);
	assert_false(delta_is_empty(&t->block[0]->ent[ENTITY_HOST]));
	for (e = ENTITY_HOST + 1; e < ENTITY_COUNT; e++)
		assert_true(delta_is_empty(&t->block[0]->ent[e]));
	reader_only(rd, UINT64_MAX);
	reader_enter(rd, NULL);
	read_on(rd, &lab.rec, &g, w);
	expect_seqs(&g, 0, TICKS);
	world_free(w);
	reader_free(rd);
	memfile_close(&m);
}

/* A file that begins in the middle of a key's period begins with the next key,
 * even within a group. */
static void test_a_beginning_is_lost_up_to_a_key(void **state)
{
	const struct frame_entry *e;
	struct reader *rd;
	struct memfile m;
	struct got g;
	size_t n, at, i = 20;

	(void)state;
	memfile_make(&m, lab.packed.ptr, lab.data_len);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
	at = e[20].offset; /* of the second group */
	assert_int_equal(e[20].kind, FRAME_DELTA);
	while (e[i].kind != FRAME_KEY)
		i++;
	reader_free(rd);
	memfile_close(&m);
	memfile_make(&m, lab.packed.ptr + at, lab.data_len - at);
	read_path(m.path, &lab.rec, &g);
	expect_seqs(&g, i, TICKS);
	assert_int_equal(g.gaps, 1);
	memfile_close(&m);
}

static uint64_t mended(const char *path)
{
	struct cursor_gap gap;
	struct reader *rd;
	struct tick *t;
	uint64_t first, n;

	assert_int_equal(reader_open(path, &rd, NULL), GS_OK);
	while (reader_next(rd, &t, &gap, NULL) != CURSOR_END)
		;
	n = reader_mended(rd, &first);
	reader_free(rd);
	return n;
}

/* No flipped bit gives a tick that was not written: it is in an index frame,
 * or all is restored and reported. */
static void test_damage_is_told(void **state)
{
	struct memfile m;
	unsigned restored = 0, n = 0;
	size_t at;

	(void)state;
	memfile_make(&m, lab.packed.ptr, lab.packed.len);
	for (at = 0; at < lab.data_len; at += stride(13)) {
		char was = lab.packed.ptr[at];
		char now = (char)(was ^ 1 << at % 8);
		struct got g;

		assert_int_equal(pwrite(m.fd, &now, 1, (off_t)at), 1);
		read_path(m.path, &lab.rec, &g);
		assert_true(g.ended);
		n++;
		if (g.gaps == 0) {
			assert_int_equal(g.n, TICKS);
			assert_int_equal(mended(m.path), 1);
			restored++;
		}
		assert_int_equal(pwrite(m.fd, &was, 1, (off_t)at), 1);
	}
	assert_true(restored > n * 9 / 10);
	memfile_close(&m);
}

static void test_cut_groups_are_told(void **state)
{
	struct memfile m;
	struct got g;
	size_t cut;

	(void)state;
	memfile_make(&m, lab.packed.ptr, lab.packed.len);
	for (cut = lab.data_len - 1; cut > 0; cut -= GS_MIN(cut, stride(37))) {
		assert_int_equal(ftruncate(m.fd, (off_t)cut), 0);
		read_path(m.path, &lab.rec, &g);
		assert_true(g.err.status == GS_E_FORMAT || g.ended);
	}
	memfile_close(&m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks_are_the_same),
		cmocka_unit_test(test_records_come_back),
		cmocka_unit_test(test_any_key_is_a_way_in),
		cmocka_unit_test(test_entities_of_a_group),
		cmocka_unit_test(test_a_beginning_is_lost_up_to_a_key),
		cmocka_unit_test(test_damage_is_told),
		cmocka_unit_test(test_cut_groups_are_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
