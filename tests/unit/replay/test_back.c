/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stepping back through files: walk_prev() returns the ticks of walk_next(),
 * byte for byte, in reverse.
 */
#include "files.h"
#include "model/walk.h"

/* Encoded ticks, one after another. */
struct tape {
	struct buf bytes;
	size_t at[512]; /* of each; and the end */
	size_t n;
};

/* An encoder depends on the ticks before: it ends a tick with the tag of the
 * last key, and names columns that are new.  This one knows none, and the tag
 * is the one that was read. */
static void encode(const struct tick *t, struct buf *ret)
{
	struct tickcode *code = tickcode_new(TICKCODE_LEVEL);

	tickcode_encode(code, t, ret);
	tickcode_free(code);
	ret->len -= sizeof(t->key_tag);
	buf_add(ret, &t->key_tag, sizeof(t->key_tag));
}

static void tape_add(struct tape *p, const struct tick *t)
{
	struct buf one = BUF_INIT;

	encode(t, &one);
	buf_add(&p->bytes, one.ptr, one.len);
	p->at[++p->n] = p->bytes.len;
	assert_true(p->n + 1 < GS_LEN(p->at));
	buf_release(&one);
}

/* *t is tick i of the tape. */
static void tape_expect(const struct tape *p, size_t i, const struct tick *t)
{
	struct buf one = BUF_INIT;

	encode(t, &one);
	assert_int_equal(one.len, p->at[i + 1] - p->at[i]);
	assert_memory_equal(one.ptr, p->bytes.ptr + p->at[i], one.len);
	buf_release(&one);
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

static const struct tick *next_new(struct walk *w)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;
	struct gs_err err;
	enum cursor_step is;

	do
		is = walk_next(w, &t, &gap, &err);
	while (is == CURSOR_REPEAT || is == CURSOR_GAP);
	assert_true(is == CURSOR_TICK || is == CURSOR_END);
	return is == CURSOR_TICK ? t : NULL;
}

static const struct tick *prev(struct walk *w)
{
	const struct tick *t = NULL;
	struct gs_err err;
	enum cursor_step is = walk_prev(w, &t, &err);

	assert_true(is == CURSOR_TICK || is == CURSOR_END);
	return is == CURSOR_TICK ? t : NULL;
}

/* From the end to the beginning; from the last tick returned; and on from
 * each. */
static void step_back(const struct lab *l, size_t n)
{
	struct archive *a = open_dir(l);
	struct tape p = { .bytes = BUF_INIT };
	const struct tick *t;
	struct walk w;
	size_t i;

	walk_begin(&w, archive_cursor(a), 0);
	while ((t = next_new(&w)) != NULL)
		tape_add(&p, t);
	assert_int_equal(p.n, n);
	for (i = n - 1; i-- > 0;)
		tape_expect(&p, i, prev(&w));
	assert_null(prev(&w));
	assert_int_equal(walk_seek(&w, INT64_MAX, NULL), GS_OK);
	for (i = n; i-- > 0;) {
		tape_expect(&p, i, prev(&w));
		if (i + 1 == n || i % 3 != 0)
			continue;
		tape_expect(&p, i + 1, next_new(&w));
		tape_expect(&p, i, prev(&w));
	}
	assert_null(prev(&w));
	buf_release(&p.bytes);
	archive_free(a);
}

/* The index knows the ticks beside each, without reading them. */
static void look_beside(const struct lab *l, size_t n)
{
	struct archive *a = open_dir(l);
	struct cursor c = archive_cursor(a);
	const struct tick *t;
	struct walk w;
	int64_t at[512], before, after;
	size_t i;

	walk_begin(&w, c, 0);
	for (i = 0; (t = next_new(&w)) != NULL; i++)
		at[i] = t->wall_ns;
	assert_int_equal(i, n);
	for (i = 0; i < n; i++) {
		assert_true(cursor_beside(c, at[i], &before, &after));
		assert_int_equal(before, i > 0 ? at[i - 1] : INT64_MIN);
		assert_int_equal(after, i + 1 < n ? at[i + 1] : INT64_MAX);
		assert_true(cursor_beside(c, at[i] + 1, &before, &after));
		assert_int_equal(before, at[i]);
	}
	archive_free(a);
}

static void damage(struct lab *l, size_t tick)
{
	l->rec.bytes.ptr[l->rec.tick[tick].at + 80] ^= 1;
}

/* The same host in another recording, made later. */
static void add_recording(struct lab *l)
{
	struct simhost *h[1] = { &l->life.host };
	struct recording r;
	unsigned i;

	recording_init(&r, 9);
	simlife_step(&l->life, 100 * SIM_SECOND);
	for (i = 0; i < 10; i++) {
		if (i % 4 == 3)
			encoder_need_key(r.encoder);
		simlife_step(&l->life, SIM_SECOND);
		recording_tick(&r, h, 1);
	}
	recording_close(&r);
	write_file(l, "0.gpsnap", r.bytes.ptr, r.bytes.len);
	recording_release(&r);
}

static void test_rotations(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	for (i = 0; i < FILES; i++)
		write_part(&l, i, 0);
	step_back(&l, 40);
	look_beside(&l, 40);
	tear_down(&l);
}

/* A file is missing, another is cut, and a second recording comes later. */
static void test_holes_and_two_recordings(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	write_part(&l, 0, 0);
	write_part(&l, 2, (l.start[3] - l.start[2]) / 3);
	write_part(&l, 3, 0);
	add_recording(&l);
	step_back(&l, 10 + 8 + 11 + 10);
	look_beside(&l, 10 + 8 + 11 + 10);
	tear_down(&l);
}

/* The pieces begin at keys. */
static void test_overlapping_pieces(void **state)
{
	static const size_t from[] = { 0, 6, 20 }, to[] = { 14, 25, 42 };
	const struct recording_tick *t;
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	for (i = 0; i < GS_LEN(from); i++) {
		for (t = &l.rec.tick[from[i]]; !t->key;)
			t++;
		write_file(&l, file_name(i), l.rec.bytes.ptr + t->at,
		    l.rec.tick[to[i]].at - t->at);
	}
	step_back(&l, l.rec.tick[41].seq);
	tear_down(&l);
}

/* Keys: ticks 0, 3, 7 of each file.  Where the two keys before a tick can't be
 * read, an earlier one must be found. */
static void test_damaged_keys(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	damage(&l, 0);
	damage(&l, l.first[1]);
	for (i = l.first[2]; i < l.first[3]; i++) {
		if (l.rec.tick[i].key)
			damage(&l, i);
	}
	for (i = 0; i < FILES; i++)
		write_part(&l, i, 0);
	step_back(&l, 7 + 7 + 11);
	tear_down(&l);
}

/* Many ticks have the times of others. */
static void test_clock_stepping_back(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	step_after_clock_back(&l);
	step_back(&l, 50);
	tear_down(&l);
}

/* More ticks between two keys than a trail keeps. */
static void test_a_long_way_from_a_key(void **state)
{
	struct lab l = { .start = { 0 } };
	size_t i;

	(void)state;
	tempdir_make(&l.dir);
	recording_init(&l.rec, 1);
	simlife_init(&l.life, "alpha", 5, 5);
	for (i = 0; i < 3 * WALK_TRAIL_MAX; i++)
		step(&l);
	recording_close(&l.rec);
	write_file(&l, "a.gpsnap", l.rec.bytes.ptr, l.rec.bytes.len);
	step_back(&l, i);
	look_beside(&l, i);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rotations),
		cmocka_unit_test(test_holes_and_two_recordings),
		cmocka_unit_test(test_overlapping_pieces),
		cmocka_unit_test(test_damaged_keys),
		cmocka_unit_test(test_clock_stepping_back),
		cmocka_unit_test(test_a_long_way_from_a_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
