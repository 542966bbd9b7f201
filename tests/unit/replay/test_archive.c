/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many files as one time line: rotations, missing files, torn files, other
 * recordings, joined files, and seeks to any time.
 */
#include "expect.h"
#include "files.h"

/* ---- reading ----------------------------------------------------------- */

static void apply(struct world *w, const struct tick *t)
{
	struct gs_err err;

	if (world_apply(w, t, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Up to the end.  rec: NULL: cells are not compared. */
static void read_all(struct archive *a, const struct recording *rec,
	struct seen *s)
{
	struct cursor c = archive_cursor(a);
	struct world *w = world_new();
	struct cursor_gap gap;
	const struct tick *t;
	struct gs_err err;

	*s = (struct seen) { .n = 0 };
	for (;;) {
		enum cursor_step is = cursor_next(c, &t, &gap, &err);

		if (is == CURSOR_END)
			break;
		assert_true(is == CURSOR_TICK || is == CURSOR_REPEAT ||
		    is == CURSOR_GAP);
		if (is == CURSOR_GAP) {
			assert_true(s->gaps < 8);
			s->gap[s->gaps++] = gap;
			world_lost(w);
			continue;
		}
		apply(w, t);
		if (rec)
			recording_expect(rec, t, w);
		if (is == CURSOR_REPEAT) {
			s->repeats++;
			assert_int_equal(t->seq, s->seq[s->n - 1]);
			continue;
		}
		s->seq[s->n] = t->seq;
		s->wall_ns[s->n++] = t->wall_ns;
	}
	s->hosts = world_hosts(w);
	world_free(w);
}

static struct archive *open_dir(const struct lab *l)
{
	char *path[1] = { (char *)(uintptr_t)l->dir.path };
	struct archive *a = NULL;
	struct gs_err err;

	if (archive_open(path, 1, &a, &err) < 0)
		fail_msg("%s", err.msg);
	return a;
}

static void read_dir(const struct lab *l, struct seen *s)
{
	struct archive *a = open_dir(l);

	read_all(a, &l->rec, s);
	archive_free(a);
}

/* ---- seeking ------------------------------------------------------------- */

/* A seek to any instant begins at a key, two ticks or more before it if they
 * exist, and returns the same ticks as reading from the beginning. */
static void seek_everywhere(struct lab *l, const struct seen *all)
{
	struct archive *a = open_dir(l);
	struct cursor c = archive_cursor(a);
	struct seen s;
	size_t i, k;

	for (i = 0; i < all->n; i++) {
		int64_t at = all->wall_ns[i] + (int64_t)(i % 3) - 1;
		size_t off;

		assert_int_equal(cursor_seek(c, at, NULL), GS_OK);
		read_all(a, &l->rec, &s);
		assert_true(s.n > 0 && s.n <= all->n);
		off = all->n - s.n;
		for (k = 0; k < s.n; k++) {
			assert_int_equal(s.seq[k], all->seq[off + k]);
			assert_int_equal(s.wall_ns[k],
			    all->wall_ns[off + k]);
		}
		if (off > 0 && at >= all->wall_ns[0])
			assert_true(s.wall_ns[1] <= at);
	}
	archive_free(a);
}

/* ---- cases ------------------------------------------------------------- */

static void test_seams(void **state)
{
	struct lab l;
	struct seen s;
	size_t i;

	(void)state;
	set_up(&l);
	for (i = 0; i < FILES; i++)
		write_part(&l, FILES - 1 - i, 0); /* whatever the order */
	read_dir(&l, &s);
	assert_int_equal(s.n, 40);
	expect_run(&s, 0, 1, 41);
	assert_int_equal(s.repeats, 3);
	assert_int_equal(s.gaps, 0);
	tear_down(&l);
}

static void test_missing_file(void **state)
{
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	write_part(&l, 0, 0);
	write_part(&l, 2, 0);
	write_part(&l, 3, 0);
	read_dir(&l, &s);
	/* file 3 begins with the last tick of file 2 */
	expect_run(&s, 0, 1, 11);
	expect_run(&s, 10, 20, 41);
	assert_int_equal(s.n, 31);
	assert_int_equal(s.gaps, 1);
	assert_string_equal(s.gap[0].why,
	    "file 2 of the recording is missing");
	assert_int_equal(s.gap[0].ticks, 9);
	assert_int_equal(s.gap[0].from_ns, s.wall_ns[9]);
	assert_int_equal(s.gap[0].to_ns, s.wall_ns[10]);
	tear_down(&l);
}

static void test_torn_file_in_the_middle(void **state)
{
	struct lab l;
	struct seen s;
	size_t footer;

	(void)state;
	set_up(&l);
	footer = l.start[2] - l.rec.tick[l.first[2] - 1].end;
	write_part(&l, 0, 0);
	write_part(&l, 1, footer + 10); /* its last tick is cut */
	write_part(&l, 2, 0);
	read_dir(&l, &s);
	/* the next file repeats the tick that was cut */
	assert_int_equal(s.n, 30);
	expect_run(&s, 0, 1, 31);
	assert_int_equal(s.gaps, 0);
	/* cut by more: ticks are missing */
	write_part(&l, 1, footer + l.rec.tick[l.first[2] - 1].end -
	    l.rec.tick[l.first[2] - 2].end + 5);
	read_dir(&l, &s);
	assert_int_equal(s.n, 29);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.gap[0].ticks, 1);
	assert_int_equal(s.gap[0].to_ns, s.wall_ns[18]);
	/* the last file: nothing comes after it */
	write_part(&l, 1, 0);
	write_part(&l, 2, footer + 10);
	read_dir(&l, &s);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.gap[0].to_ns, INT64_MAX);
	tear_down(&l);
}

static void test_damaged_first_key_of_a_file(void **state)
{
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	l.rec.bytes.ptr[l.rec.tick[l.first[1]].at + 80] ^= 1;
	write_part(&l, 0, 0);
	write_part(&l, 1, 0);
	read_dir(&l, &s);
	expect_run(&s, 0, 1, 11);
	expect_run(&s, 10, 14, 21);
	assert_int_equal(s.n, 17);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.gap[0].from_ns, s.wall_ns[9]);
	assert_int_equal(s.gap[0].to_ns, s.wall_ns[10]);
	tear_down(&l);
}

static void test_cat(void **state)
{
	struct buf b = BUF_INIT;
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	write_file(&l, "all.gpsnap", l.rec.bytes.ptr, l.rec.bytes.len);
	read_dir(&l, &s);
	assert_int_equal(s.n, 40);
	expect_run(&s, 0, 1, 41);
	assert_int_equal(s.repeats, 3);
	assert_int_equal(s.gaps, 0);
	/* two of four joined: the second file is missing */
	buf_add(&b, l.rec.bytes.ptr, l.start[1]);
	buf_add(&b, l.rec.bytes.ptr + l.start[2], l.start[4] - l.start[2]);
	write_file(&l, "all.gpsnap", b.ptr, b.len);
	buf_release(&b);
	read_dir(&l, &s);
	assert_int_equal(s.n, 31);
	assert_int_equal(s.gaps, 1);
	assert_string_equal(s.gap[0].why,
	    "file 2 of the recording is missing");
	tear_down(&l);
}

static void test_same_ticks_twice(void **state)
{
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	write_part(&l, 0, 0);
	write_part(&l, 1, 0);
	write_file(&l, "copy.gpsnap", l.rec.bytes.ptr, l.start[1]);
	read_dir(&l, &s);
	assert_int_equal(s.n, 20);
	expect_run(&s, 0, 1, 21);
	assert_int_equal(s.gaps, 0);
	tear_down(&l);
}

/* A piece from a key on to the tick before another. */
static void write_piece(const struct lab *l, const char *name, size_t key,
	size_t end)
{
	const struct recording_tick *t = l->rec.tick;

	while (!t[key].key)
		key++;
	write_file(l, name, l->rec.bytes.ptr + t[key].at,
	    t[end].at - t[key].at);
}

/* Each tick comes once, even if a piece ends between two keys of the next. */
static void test_overlapping_pieces(void **state)
{
	static const struct {
		size_t key[3], end[3];
	} rows[] = {
		{ { 0, 6, 20 }, { 14, 25, 42 } },
		{ { 0, 6, 20 }, { 30, 10, 42 } }, /* within another */
		{ { 0, 0, 20 }, { 14, 30, 42 } }, /* the same beginning */
		{ { 0, 3, 6 }, { 30, 31, 42 } }, /* three at a time */
	};
	struct lab l;
	struct seen s;
	size_t i, k;

	(void)state;
	set_up(&l);
	for (i = 0; i < GS_LEN(rows) * 4; i++) {
		for (k = 0; k < 3; k++)
			write_piece(&l, file_name(k), rows[i / 4].key[k],
			    rows[i / 4].end[k] - (k < 2 ? i % 4 : 0));
		read_dir(&l, &s);
		assert_int_equal(s.gaps, 0);
		assert_int_equal(s.n, l.rec.tick[41].seq);
		expect_run(&s, 0, 1, s.n + 1);
		seek_everywhere(&l, &s);
	}
	tear_down(&l);
}

/* File 1 with a wrong byte, at the offset "at" from its first tick. */
static void write_damaged(const struct lab *l, const char *name, size_t at)
{
	l->rec.bytes.ptr[at] ^= 1;
	write_file(l, name, l->rec.bytes.ptr, l->start[1]);
	l->rec.bytes.ptr[at] ^= 1;
}

/* With an undamaged copy nothing is lost, whichever comes first. */
static void test_damaged_and_whole_copy(void **state)
{
	struct lab l;
	struct seen s;
	size_t i;

	(void)state;
	set_up(&l);
	for (i = 0; i < 20; i++) {
		const struct recording_tick *t = &l.rec.tick[i / 2];

		write_damaged(&l, i % 2 ? "a.gpsnap" : "b.gpsnap",
		    t->at + 70);
		write_file(&l, i % 2 ? "b.gpsnap" : "a.gpsnap",
		    l.rec.bytes.ptr, l.start[1]);
		read_dir(&l, &s);
		assert_int_equal(s.n, 10);
		expect_run(&s, 0, 1, 11);
		assert_int_equal(s.gaps, 0);
		seek_everywhere(&l, &s);
	}
	tear_down(&l);
}

/* A copy has the damaged ticks, and ends before the first one. */
static void test_damage_in_the_middle(void **state)
{
	struct lab l;
	struct seen s;
	size_t at;

	(void)state;
	set_up(&l);
	for (at = 4; at < 20; at++) {
		l.rec.bytes.ptr[l.rec.tick[at].at + 70] ^= 1;
		write_file(&l, "a.gpsnap", l.rec.bytes.ptr, l.start[3]);
		l.rec.bytes.ptr[l.rec.tick[at].at + 70] ^= 1;
		write_piece(&l, "b.gpsnap", 3, 24);
		read_dir(&l, &s);
		assert_int_equal(s.gaps, 0);
		assert_int_equal(s.n, 30);
		expect_run(&s, 0, 1, 31);
	}
	tear_down(&l);
}

/* Each has the ticks that the other lost; ticks lost in both are one hole. */
static void test_two_damaged_copies(void **state)
{
	static const struct {
		size_t first, second; /* numbers of the damaged ticks */
		size_t n, gaps;
	} rows[] = {
		{ 2, 5, 10, 0 }, { 5, 2, 10, 0 }, /* keys: 1, 4, 8 */
		{ 9, 5, 10, 0 }, { 9, 9, 8, 1 }, { 5, 6, 8, 1 },
		{ 6, 5, 8, 1 },
	};
	struct lab l;
	struct seen s;
	size_t i, k;

	(void)state;
	set_up(&l);
	for (i = 0; i < GS_LEN(rows); i++) {
		write_damaged(&l, "a.gpsnap",
		    l.rec.tick[rows[i].first - 1].at + 70);
		write_damaged(&l, "b.gpsnap",
		    l.rec.tick[rows[i].second - 1].at + 70);
		read_dir(&l, &s);
		assert_int_equal(s.n, rows[i].n);
		assert_int_equal(s.gaps, rows[i].gaps);
		for (k = 1; k < s.n; k++)
			assert_true(s.seq[k] > s.seq[k - 1]);
		for (k = 0; k < s.gaps; k++)
			assert_true(s.gap[k].to_ns > s.gap[k].from_ns);
	}
	tear_down(&l);
}

/* Another recording of the same host, made later. */
static void add_recording(struct lab *l, uint8_t id, const char *name,
	int64_t later_ns)
{
	struct recording r;
	struct simhost *h[1] = { &l->life.host };
	unsigned i;

	recording_init(&r, id);
	simlife_step(&l->life, later_ns);
	for (i = 0; i < 10; i++) {
		simlife_step(&l->life, SIM_SECOND);
		recording_tick(&r, h, 1);
	}
	recording_close(&r);
	write_file(l, name, r.bytes.ptr, r.bytes.len);
	for (i = 0; i < r.n; i++)
		l->rec.tick[l->rec.n++] = r.tick[i];
	recording_release(&r);
}

static void test_two_recordings_of_one_host(void **state)
{
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	write_part(&l, 0, 0);
	/* its id sorts before, its time after */
	add_recording(&l, 0, "0.gpsnap", 100 * SIM_SECOND);
	read_dir(&l, &s);
	assert_int_equal(s.n, 20);
	expect_run(&s, 0, 1, 11);
	expect_run(&s, 10, 1, 11);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.gap[0].from_ns, s.wall_ns[9]);
	assert_int_equal(s.gap[0].to_ns, s.wall_ns[10]);
	assert_string_equal(s.gap[0].why, "");
	assert_int_equal(s.hosts, 1);
	tear_down(&l);
}

/* Recording 1 (here: file a) of 20 ticks, and 2 (file z) from its tick 6 to
 * five ticks, or 15, after its end; a key every 4 ticks. */
static void record_two(struct lab *l, unsigned n_both, struct recording *z)
{
	struct simhost *h[1] = { &l->life.host };
	unsigned i;

	tempdir_make(&l->dir);
	recording_init(&l->rec, 1);
	recording_init(z, 2);
	simlife_init(&l->life, "alpha", 5, 5);
	for (i = 0; i < n_both; i++) {
		simlife_step(&l->life, SIM_SECOND);
		if (i % 4 == 0)
			encoder_need_key(z->encoder);
		if (i < 20)
			recording_tick(&l->rec, h, 1);
		if (i >= 5)
			recording_tick(z, h, 1);
	}
	recording_close(&l->rec);
	recording_close(z);
}

static void count_note(void *n, const char *text)
{
	*(size_t *)n += *text != '\0';
}

static size_t count_notes(const struct archive *a)
{
	size_t n = 0;

	archive_notes(a, &(struct zone)ZONE_UTC, count_note, &n);
	return n;
}

/* While two recordings overlap, the one that began first is read. */
static void test_overlap(void **state)
{
	static const struct {
		unsigned both; /* ticks of the world */
		bool cat;
		size_t n, first_of_z; /* ticks read; number of the first of z */
		size_t overlaps;
	} rows[] = {
		{ 35, false, 20 + 15, 16, 1 }, /* its key 20 is at tick 16 */
		{ 35, true, 20 + 15, 16, 1 }, /* in one file */
		{ 20, false, 20, 0, 1 }, /* ends with the other */
		{ 15, false, 15, 0, 1 },
	};
	size_t i, k;

	(void)state;
	for (k = 0; k < GS_LEN(rows); k++) {
		struct lab l = { .start = { 0 } };
		struct recording z;
		struct buf b = BUF_INIT;
		struct archive *a;
		struct seen s;

		record_two(&l, rows[k].both, &z);
		buf_add(&b, l.rec.bytes.ptr, l.rec.bytes.len);
		if (rows[k].cat)
			buf_add(&b, z.bytes.ptr, z.bytes.len);
		else
			write_file(&l, "z.gpsnap", z.bytes.ptr, z.bytes.len);
		write_file(&l, "a.gpsnap", b.ptr, b.len);
		for (i = 0; i < z.n; i++)
			l.rec.tick[l.rec.n++] = z.tick[i];
		a = open_dir(&l);
		read_all(a, &l.rec, &s);
		assert_int_equal(s.n, rows[k].n);
		for (i = 1; i < s.n; i++)
			assert_true(s.wall_ns[i] > s.wall_ns[i - 1]);
		if (rows[k].first_of_z)
			assert_int_equal(s.seq[20], rows[k].first_of_z);
		assert_int_equal(count_notes(a), rows[k].overlaps);
		archive_free(a);
		seek_everywhere(&l, &s);
		buf_release(&b);
		recording_release(&z);
		tear_down(&l);
	}
}

static void test_foreign_files_in_a_directory(void **state)
{
	struct lab l;
	struct archive *a;
	struct seen s;
	char *path[1];
	struct gs_err err;

	(void)state;
	set_up(&l);
	write_file(&l, "x.gpsnap", "nothing of ours", 15);
	write_file(&l, "y.gpsnap", "", 0);
	write_file(&l, "notes.txt", "hello", 5);
	path[0] = l.dir.path;
	assert_int_equal(archive_open(path, 1, &a, &err), GS_E_FORMAT);
	write_part(&l, 0, 0);
	a = open_dir(&l);
	assert_int_equal(archive_files(a), 1);
	assert_int_equal(count_notes(a), 2);
	assert_true(archive_is_part(a, 0, 0));
	read_all(a, &l.rec, &s);
	assert_int_equal(s.n, 10);
	archive_free(a);
	path[0] = (char *)(uintptr_t)tempdir_file(&l.dir, "x.gpsnap");
	assert_int_equal(archive_open(path, 1, &a, &err), GS_E_FORMAT);
	tear_down(&l);
}

/* The recorder's clock is set back by 25 s: its next tick is a key. */
static void test_clock_stepping_back(void **state)
{
	struct lab l;
	struct seen s;

	(void)state;
	set_up(&l);
	step_after_clock_back(&l);
	read_dir(&l, &s);
	assert_int_equal(s.n, 50);
	expect_run(&s, 0, 1, 51);
	assert_int_equal(s.gaps, 0);
	assert_true(s.wall_ns[40] < s.wall_ns[39]);
	tear_down(&l);
}

static void test_seek_equals_stepping(void **state)
{
	struct lab l;
	struct seen all;
	size_t i;

	(void)state;
	set_up(&l);
	for (i = 0; i < FILES; i++)
		write_part(&l, i, 0);
	read_dir(&l, &all);
	seek_everywhere(&l, &all);
	/* unclosed files are searched for frames */
	for (i = 0; i < FILES; i++)
		write_part(&l, i, 1);
	seek_everywhere(&l, &all);
	/* two recordings, and a file that is missing */
	(void)unlink(tempdir_file(&l.dir, file_name(1)));
	add_recording(&l, 9, "z.gpsnap", 100 * SIM_SECOND);
	read_dir(&l, &all);
	assert_int_equal(all.gaps, 2);
	seek_everywhere(&l, &all);
	tear_down(&l);
}

static void test_range(void **state)
{
	struct lab l;
	struct archive *a;
	int64_t first, last;

	(void)state;
	set_up(&l);
	write_part(&l, 1, 0);
	write_part(&l, 3, 0);
	a = open_dir(&l);
	assert_true(archive_range(a, &first, &last));
	assert_int_equal(first, l.rec.tick[l.first[1]].wall_ns);
	assert_int_equal(last, l.rec.tick[l.rec.n - 1].wall_ns);
	archive_free(a);
	tear_down(&l);
}

/* Damage before the first tick of a pipe is reported, too. */
static void test_damaged_pipe(void **state)
{
	struct lab l;
	struct archive *a = NULL;
	char path[64], *paths[1] = { path };
	struct seen s;
	int fd[2];

	(void)state;
	set_up(&l);
	l.rec.bytes.ptr[70] ^= 1;
	assert_int_equal(pipe(fd), 0);
	assert_true(l.start[1] < 65536);
	assert_int_equal(write(fd[1], l.rec.bytes.ptr, l.start[1]),
	    (ssize_t)l.start[1]);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	assert_int_equal(archive_open(paths, 1, &a, NULL), GS_OK);
	(void)close(fd[1]);
	read_all(a, &l.rec, &s);
	assert_int_equal(s.n, 7);
	assert_int_equal(s.seq[0], 4);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.gap[0].from_ns, INT64_MIN);
	assert_int_equal(s.gap[0].to_ns, s.wall_ns[0]);
	archive_free(a);
	(void)close(fd[0]);
	tear_down(&l);
}

/* The recorder says why it lost ticks, within a file and where a new one
 * begins. */
static void test_reason_of_hole(void **state)
{
	struct lab l = { .start = { 0 } };
	struct seen s;
	size_t end;

	(void)state;
	tempdir_make(&l.dir);
	recording_init(&l.rec, 1);
	simlife_init(&l.life, "alpha", 5, 5);
	step(&l);
	step(&l);
	step_behind_hole(&l, 3, "the disk is too slow");
	step(&l);
	recording_close(&l.rec);
	end = l.rec.bytes.len;
	write_file(&l, "a.gpsnap", l.rec.bytes.ptr, end);
	read_dir(&l, &s);
	assert_int_equal(s.gaps, 1);
	assert_string_equal(s.gap[0].why, "the disk is too slow");
	assert_int_equal(s.gap[0].ticks, 3);
	assert_false(s.gap[0].damage);
	encoder_header(l.rec.encoder)->file_number++;
	l.rec.key_at = l.rec.prev_key_at = 0;
	footer_release(&l.rec.footer);
	l.rec.start = end;
	step_behind_hole(&l, 2, "a.gpsnap: File too large");
	recording_close(&l.rec);
	write_file(&l, "b.gpsnap", l.rec.bytes.ptr + end,
	    l.rec.bytes.len - end);
	read_dir(&l, &s);
	assert_int_equal(s.gaps, 2);
	assert_string_equal(s.gap[0].why, "the disk is too slow");
	assert_string_equal(s.gap[1].why, "a.gpsnap: File too large");
	assert_int_equal(s.gap[1].ticks, 2);
	assert_false(s.gap[1].damage);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seams),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_torn_file_in_the_middle),
		cmocka_unit_test(test_damaged_first_key_of_a_file),
		cmocka_unit_test(test_cat),
		cmocka_unit_test(test_same_ticks_twice),
		cmocka_unit_test(test_overlapping_pieces),
		cmocka_unit_test(test_damaged_and_whole_copy),
		cmocka_unit_test(test_damage_in_the_middle),
		cmocka_unit_test(test_two_damaged_copies),
		cmocka_unit_test(test_two_recordings_of_one_host),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_foreign_files_in_a_directory),
		cmocka_unit_test(test_clock_stepping_back),
		cmocka_unit_test(test_seek_equals_stepping),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_damaged_pipe),
		cmocka_unit_test(test_reason_of_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
