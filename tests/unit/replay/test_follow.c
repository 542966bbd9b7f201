/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An archive that is followed: files grow, and new files appear.
 */
#include "files.h"

/* A file that is being written: the recorder's lock is held. */
static int create_locked(const struct lab *l, const char *name)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(tempdir_file(&l->dir, name), O_CREAT | O_RDWR |
	    O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
	return fd;
}

static void append(const struct lab *l, int fd, size_t from, size_t to)
{
	assert_int_equal(write(fd, l->rec.bytes.ptr + from, to - from),
	    (ssize_t)(to - from));
}

/* Reads until no tick is available; returns the last step. */
static enum cursor_step read_on(struct archive *a, struct seen *s)
{
	struct cursor c = archive_cursor(a);
	const struct tick *t;
	struct gs_err err;

	for (;;) {
		enum cursor_step is = cursor_next(c, &t, &s->gap[0], &err);

		if (is == CURSOR_REPEAT)
			s->repeats++;
		else if (is == CURSOR_GAP)
			s->gaps++;
		else if (is == CURSOR_TICK)
			s->seq[s->n++] = t->seq;
		else
			return is;
	}
}

static void refresh(struct archive *a)
{
	struct gs_err err;

	if (archive_refresh(a, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Tick by tick, across two rotations; the directory is given, or the first
 * file. */
static void follow_path(struct lab *l, char *path)
{
	char *paths[1] = { path };
	struct seen s = { .n = 0 };
	struct archive *a = NULL;
	size_t i;
	int fd;

	fd = create_locked(l, "a.gpsnap");
	append(l, fd, 0, l->rec.tick[4].end);
	assert_int_equal(archive_open(paths, 1, &a, NULL), GS_OK);
	archive_follow(a, paths, 1);
	assert_int_equal(read_on(a, &s), CURSOR_WAIT);
	assert_int_equal(s.n, 5);
	/* an incomplete tick does not count */
	append(l, fd, l->rec.tick[4].end, l->rec.tick[5].end - 7);
	assert_int_equal(read_on(a, &s), CURSOR_WAIT);
	assert_int_equal(s.n, 5);
	append(l, fd, l->rec.tick[5].end - 7, l->start[1]);
	assert_true(archive_is_written(a));
	assert_int_equal(read_on(a, &s), CURSOR_WAIT);
	assert_int_equal(s.n, 10);
	(void)close(fd);
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_false(archive_is_written(a));
	for (i = 1; i < 3; i++) {
		/* empty at first, as a recorder makes it */
		fd = create_locked(l, file_name(i));
		refresh(a);
		assert_int_equal(archive_files(a), i);
		append(l, fd, l->start[i], l->start[i + 1]);
		refresh(a);
		assert_int_equal(archive_files(a), i + 1);
		assert_int_equal(read_on(a, &s), CURSOR_WAIT);
		(void)close(fd);
		assert_int_equal(read_on(a, &s), CURSOR_END);
	}
	assert_int_equal(s.repeats, 2);
	assert_int_equal(s.gaps, 0);
	assert_int_equal(s.n, 30);
	expect_run(&s, 0, 1, 31);
	archive_free(a);
}

static void test_follow_directory(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	follow_path(&l, l.dir.path);
	tear_down(&l);
}

/* Other new files in its directory are ignored. */
static void test_follow_file(void **state)
{
	struct lab l, other;
	char path[600];

	(void)state;
	set_up(&l);
	set_up(&other);
	encoder_header(other.rec.encoder)->recording_id[0] ^= 1;
	recording_rotate(&other.rec);
	write_file(&l, "other.gpsnap", other.rec.bytes.ptr +
	    other.rec.start, other.rec.bytes.len - other.rec.start);
	(void)snprintf(path, sizeof(path), "%s",
	    tempdir_file(&l.dir, "a.gpsnap"));
	follow_path(&l, path);
	tear_down(&other);
	tear_down(&l);
}

/* A directory with all its files, followed. */
static struct archive *follow_all(struct lab *l)
{
	char *paths[1] = { l->dir.path };
	struct archive *a = NULL;

	assert_int_equal(archive_open(paths, 1, &a, NULL), GS_OK);
	archive_follow(a, paths, 1);
	return a;
}

/* A file that is being written, in the middle of its tenth tick. */
static int follow_torn(struct lab *l, struct archive **ret, struct seen *s)
{
	int fd = create_locked(l, "a.gpsnap");

	append(l, fd, 0, l->rec.tick[8].end + 20);
	*ret = follow_all(l);
	assert_int_equal(read_on(*ret, s), CURSOR_WAIT);
	return fd;
}

/* The end of a file that is written and closed is no damage, whenever it is
 * read. */
static void test_follow_closed_while_looking(void **state)
{
	struct seen s = { .n = 0 };
	struct archive *a;
	struct lab l;
	int fd;

	(void)state;
	set_up(&l);
	fd = follow_torn(&l, &a, &s);
	append(&l, fd, l.rec.tick[8].end + 20, l.start[1]);
	(void)close(fd);
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_int_equal(s.n, 10);
	assert_int_equal(s.gaps, 0);
	archive_free(a);
	tear_down(&l);
}

/* A killed recorder: its torn end is reported once the lock is free; then
 * another one begins. */
static void test_follow_after_a_kill(void **state)
{
	struct seen s = { .n = 0 };
	struct archive *a;
	struct lab l;
	int fd;

	(void)state;
	set_up(&l);
	fd = follow_torn(&l, &a, &s);
	(void)close(fd);
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_int_equal(s.gaps, 1);
	assert_int_equal(s.n, 9);
	assert_false(archive_is_closed(a));
	write_part(&l, 2, 0);
	refresh(a);
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_int_equal(s.n, 20); /* its first key counts: it is new */
	assert_true(archive_is_closed(a));
	archive_free(a);
	tear_down(&l);
}

/* Deleted files that were read are closed. */
static void test_follow_lets_go(void **state)
{
	struct seen s = { .n = 0 };
	struct archive *a;
	struct lab l;

	(void)state;
	set_up(&l);
	write_part(&l, 0, 0);
	write_part(&l, 1, 0);
	write_part(&l, 2, 0);
	a = follow_all(&l);
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_int_equal(unlink(tempdir_file(&l.dir, "a.gpsnap")), 0);
	write_part(&l, 3, 0);
	refresh(a);
	assert_int_equal(archive_files(a), 3);
	assert_string_equal(archive_newest(a),
	    tempdir_file(&l.dir, "d.gpsnap"));
	assert_int_equal(read_on(a, &s), CURSOR_END);
	assert_int_equal(s.gaps, 0);
	expect_run(&s, 0, 1, 41);
	archive_free(a);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_follow_directory),
		cmocka_unit_test(test_follow_file),
		cmocka_unit_test(test_follow_closed_while_looking),
		cmocka_unit_test(test_follow_after_a_kill),
		cmocka_unit_test(test_follow_lets_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
