/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While a file is read again, another command makes a file of the same name: it
 * removes the unfinished one, which nobody has locked then.  A file that is to be
 * replaced is changed while it is read.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases.h"
#include "edit/sink.h"
#include "model/tick_encoder.h"
#include "simlife.h"
#include "tempdir.h"

static struct tempdir dir;
static int other_fd;
static bool other_runs; /* it still has its file open */
static unsigned asked;

static const char *part(void)
{
	return tempdir_file(&dir, "out.gpsnap.part");
}

/* Called before the file is completed, and then for each tick that is read again. */
static bool replace_part(void)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (++asked != 2)
		return false;
	assert_int_equal(unlink(part()), 0);
	other_fd = open(part(), O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(other_fd >= 0);
	assert_int_equal(fcntl(other_fd, F_OFD_SETLK, &l), 0);
	if (!other_runs)
		assert_int_equal(close(other_fd), 0);
	return false;
}

static void put_tick(struct sink *s)
{
	struct header *h = header_new();
	struct simlife life;
	struct tick_encoder *e;
	struct gs_err err;

	h->interval_ns = SIM_SECOND;
	header_add_host(h, 0, "alpha");
	e = encoder_new(h);
	simlife_init(&life, "alpha", 7, 12);
	simlife_step(&life, SIM_SECOND);
	encoder_begin(e, life.host.clock.wall_ns);
	encoder_block(e, 0, life.host.world);
	assert_int_equal(sink_put(s, encoder_end(e), &err), GS_OK);
	encoder_free(e);
	simlife_release(&life);
}

static void check(bool runs)
{
	struct sink_options o = { .level = 3, .stopped = replace_part };
	struct sink *s = NULL;
	struct stat st, mine;
	struct gs_err err;

	tempdir_make(&dir);
	other_runs = runs;
	asked = 0;
	o.path = tempdir_file(&dir, "out.gpsnap");
	assert_int_equal(sink_open(&o, &io_posix, &s, &err), GS_OK);
	put_tick(s);
	assert_int_equal(stat(part(), &mine), 0);
	assert_int_equal(sink_finish(s, &err), GS_E_BUSY);
	assert_non_null(strstr(err.msg, "another command"));
	sink_free(s);
	assert_int_equal(access(o.path, F_OK), -1);
	assert_int_equal(stat(part(), &st), 0);
	assert_true(st.st_ino != mine.st_ino);
	if (runs)
		assert_int_equal(close(other_fd), 0);
	tempdir_remove(&dir);
}

static void test_other_writes(void **state)
{
	(void)state;
	check(true);
}

static void test_other_has_ended(void **state)
{
	(void)state;
	check(false);
}

/* ---- a file that is to be replaced -------------------------------------- */

static const struct timespec old[2] = { { 1000, 5 }, { 1000, 5 } };

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	(void)fclose(f);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
}

static void leave(const char *path)
{
	(void)path;
}

static void lengthen(const char *path)
{
	put_file(path, "text and more");
}

static void touch(const char *path)
{
	const struct timespec later[2] = { { 1000, 6 }, { 1000, 6 } };

	assert_int_equal(utimensat(AT_FDCWD, path, later, 0), 0);
}

/* Of the same length and time. */
static void put_another(const char *path)
{
	const char *other = tempdir_file(&dir, "other");

	put_file(other, "last");
	assert_int_equal(rename(other, path), 0);
}

static void take_away(const char *path)
{
	assert_int_equal(unlink(path), 0);
}

static const struct meanwhile {
	const char *name;
	void (*change)(const char *path);
	int status;
} meanwhile[] = {
	{ "nothing", leave, GS_OK },
	{ "it is longer", lengthen, GS_E_GONE },
	{ "it was written again", touch, GS_E_GONE },
	{ "another one has its name", put_another, GS_E_GONE },
	{ "it is gone", take_away, GS_E_GONE },
};

static void replaced(void **state)
{
	const struct meanwhile *m = *state;
	struct sink_options o = { .force = true, .level = 3 };
	struct sink *s = NULL;
	struct stat was;
	struct gs_err err;

	tempdir_make(&dir);
	o.path = tempdir_file(&dir, "out.gpsnap");
	put_file(o.path, "text");
	assert_int_equal(stat(o.path, &was), 0);
	o.replaces = &was;
	assert_int_equal(sink_open(&o, &io_posix, &s, &err), GS_OK);
	put_tick(s);
	m->change(o.path);
	assert_int_equal(sink_finish(s, &err), m->status);
	sink_free(s);
	assert_int_equal(access(part(), F_OK), -1);
	tempdir_remove(&dir);
}

static bool is_first(void *ctx, const char *path)
{
	return strcmp(path, ctx) == 0;
}

/* An unrelated file has the name of the second part: it stays, and so does the first. */
static void test_second_part(void **state)
{
	struct sink_options o = { .force = true, .level = 3, .full_bytes = 1,
		.may_replace = is_first };
	struct sink *s = NULL;
	const char *other;
	struct stat is;
	struct gs_err err;

	(void)state;
	tempdir_make(&dir);
	other = tempdir_file(&dir, "out-2.gpsnap");
	put_file(other, "text");
	o.path = tempdir_file(&dir, "out.gpsnap");
	put_file(o.path, "text of the first");
	o.ctx = (void *)(uintptr_t)o.path;
	assert_int_equal(sink_open(&o, &io_posix, &s, &err), GS_OK);
	put_tick(s);
	assert_true(sink_is_full(s));
	assert_int_equal(sink_rotate(s, &err), GS_E_EXISTS);
	sink_free(s);
	assert_int_equal(stat(other, &is), 0);
	assert_int_equal(is.st_size, strlen("text"));
	assert_int_equal(stat(o.path, &is), 0);
	assert_int_equal(is.st_size, strlen("text of the first"));
	assert_int_equal(access(part(), F_OK), -1);
	tempdir_remove(&dir);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "another command writes", test_other_writes, NULL);
	cases_add(&c, "the second part has another file's name", test_second_part,
	    NULL);
	cases_add(&c, "another command has ended", test_other_has_ended, NULL);
	CASES_TABLE(&c, replaced, meanwhile);
	return cases_run(&c, "sink");
}
