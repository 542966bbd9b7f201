/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of the cases: five files of ours, of 1000 bytes and one day
 * apart, the last one live; and what must never be touched.
 */
#include "cases.h"

#include <time.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "fault_io.h"
#include "format/frame.h"
#include "record/retention.h"
#include "tempdir.h"

#define SIZE 1000
#define DAY (86400 * GS_NSEC_PER_SEC)
#define NOW (INT64_C(1795226628) * GS_NSEC_PER_SEC)

static const char *const ours[] = { "h-20261117T000000Z.gpsnap",
	"h-20261118T000000Z.gpsnap", "h-20261119T000000Z.gpsnap",
	"h-20261120T000000Z.gpsnap", "h-20261121T000000Z.gpsnap" };

static const char *const foreign[] = { "other-20261101T000000Z.gpsnap",
	"incident.gpsnap", "h-20261101T000000Z.gpsnap.bak", "notes.txt" };

static void make_file(const struct tempdir *t, const char *name, bool magic,
	int64_t age_ns)
{
	char data[SIZE] = "plain text";
	const char *path = tempdir_file(t, name);
	int64_t at = NOW - age_ns;
	struct timespec ts[2] = { { .tv_sec = at / GS_NSEC_PER_SEC },
		{ .tv_sec = at / GS_NSEC_PER_SEC } };
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (magic)
		gs_put_le32(data, FRAME_SKIP_MAGIC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, SIZE), SIZE);
	assert_int_equal(futimens(fd, ts), 0);
	assert_int_equal(close(fd), 0);
}

static void fill(const struct tempdir *t)
{
	size_t i;

	for (i = 0; i < GS_LEN(ours); i++)
		make_file(t, ours[i], true, (4 - (int64_t)i) * DAY);
	for (i = 0; i < GS_LEN(foreign); i++)
		make_file(t, foreign[i], true, 400 * DAY);
	/* Has a name like ours, but is not a recording. */
	make_file(t, "h-20261101T000000Z.gpsnap", false, 400 * DAY);
	assert_int_equal(symlink("notes.txt",
	    tempdir_file(t, "h-20261102T000000Z.gpsnap")), 0);
}

static bool exists(const struct tempdir *t, const char *name)
{
	struct stat st;

	return lstat(tempdir_file(t, name), &st) == 0;
}

static const struct retention_case {
	const char *name;
	uint64_t keep_bytes;
	int64_t keep_ns;
	double min_free, free_share;
	unsigned deleted; /* of our files, the oldest ones */
	bool low;
} cases[] = {
	{ "no bound", 0, 0, 0, 0.01, 0, false },
	{ "size fits", 5 * SIZE, 0, 0, 1, 0, false },
	{ "size exceeded by a byte", 5 * SIZE - 1, 0, 0, 1, 1, false },
	{ "size for two", 2 * SIZE, 0, 0, 1, 3, false },
	{ "size less than the live file", 10, 0, 0, 1, 4, false },
	{ "age", 0, 2 * DAY + 1, 0, 1, 2, false },
	{ "age of all", 0, 1, 0, 1, 4, false },
	{ "age and size", 4 * SIZE, 3 * DAY + 1, 0, 1, 1, false },
	{ "enough free", 0, 0, 0.05, 0.06, 0, false },
	{ "too little free", 0, 0, 0.05, 0.04, 4, true },
	{ "a little too little free", 0, 0, 0.05, 0.0485, 2, true },
};

static void test_case(void **state)
{
	const struct retention_case *c = *state;
	struct retention_result res;
	struct retention r = { .name = "h", .keep_bytes = c->keep_bytes,
		.keep_ns = c->keep_ns, .min_free = c->min_free };
	struct tempdir t;
	struct fault_io io;
	size_t i;

	tempdir_make(&t);
	fill(&t);
	fault_init(&io);
	io.free_share = c->free_share;
	r.dir = t.path;
	assert_int_equal(retention_apply(&r, &io.ops, ours[4], NOW, &res,
	    NULL), 0);
	assert_int_equal(res.deleted, c->deleted);
	assert_int_equal(res.deleted_bytes, c->deleted * SIZE);
	assert_int_equal(res.low, c->low);
	for (i = 0; i < GS_LEN(ours); i++)
		assert_int_equal(exists(&t, ours[i]), i >= c->deleted);
	for (i = 0; i < GS_LEN(foreign); i++)
		assert_true(exists(&t, foreign[i]));
	assert_true(exists(&t, "h-20261101T000000Z.gpsnap"));
	assert_true(exists(&t, "h-20261102T000000Z.gpsnap"));
	tempdir_remove(&t);
}

/* What a command left that was killed while it made one of our files anew. */
static void test_parts(void **state)
{
	static const char *const part[] = { "h-20261118T000000Z.gpsnap.part",
		"h-20261119T000000Z.gpsnap.part", "h-20261117.gpsnap.part",
		"other-20261118T000000Z.gpsnap.part" };
	struct retention r = { .name = "h" };
	struct retention_result res;
	struct fault_io io;
	struct tempdir t;
	size_t i;

	(void)state;
	tempdir_make(&t);
	fill(&t);
	for (i = 0; i < GS_LEN(part); i++)
		make_file(&t, part[i], true, i == 1
		    ? RETENTION_FLOOR_NS - GS_NSEC_PER_SEC : 2 * DAY);
	fault_init(&io);
	r.dir = t.path;
	assert_int_equal(retention_apply(&r, &io.ops, ours[4], NOW, &res,
	    NULL), 0);
	assert_int_equal(res.deleted, 1);
	for (i = 0; i < GS_LEN(part); i++)
		assert_int_equal(exists(&t, part[i]), i > 0);
	for (i = 0; i < GS_LEN(ours); i++)
		assert_true(exists(&t, ours[i]));
	tempdir_remove(&t);
}

static int refusing_unlink(void *ctx, const char *path)
{
	(void)ctx;
	return strstr(path, ours[0]) ? -EACCES : io_posix.unlink(NULL, path);
}

/* A file that can't be deleted keeps its space: the next one is deleted. */
static void test_undeletable(void **state)
{
	struct retention_result res;
	struct retention r = { .name = "h", .keep_bytes = 3 * SIZE };
	struct tempdir t;
	struct fault_io io;
	struct gs_err err;

	(void)state;
	tempdir_make(&t);
	fill(&t);
	fault_init(&io);
	io.ops.unlink = refusing_unlink;
	r.dir = t.path;
	assert_int_equal(retention_apply(&r, &io.ops, ours[4], NOW, &res,
	    &err), GS_E_DENIED);
	assert_non_null(strstr(err.msg, "is due to be deleted"));
	assert_int_equal(res.deleted, 2);
	assert_int_equal(res.deleted_bytes, 2 * SIZE);
	assert_true(exists(&t, ours[0]));
	assert_false(exists(&t, ours[2]));
	assert_true(exists(&t, ours[3]));
	tempdir_remove(&t);
}

/* Another program fills the disk: the recordings of the last hour stay, unless
 * their deletion was asked for. */
static void test_last_hour(void **state)
{
	struct retention_result res;
	struct retention r = { .name = "h", .min_free = 0.5 };
	struct tempdir t;
	struct fault_io io;

	(void)state;
	tempdir_make(&t);
	fill(&t);
	make_file(&t, "h-20261120T230000Z.gpsnap", true,
	    RETENTION_FLOOR_NS - GS_NSEC_PER_SEC);
	make_file(&t, "h-20261120T220000Z.gpsnap", true,
	    RETENTION_FLOOR_NS + GS_NSEC_PER_SEC);
	fault_init(&io);
	io.free_share = 0.01;
	r.dir = t.path;
	assert_int_equal(retention_apply(&r, &io.ops, ours[4], NOW, &res,
	    NULL), 0);
	assert_int_equal(res.deleted, 5);
	assert_true(res.low);
	assert_true(exists(&t, "h-20261120T230000Z.gpsnap"));
	assert_false(exists(&t, "h-20261120T220000Z.gpsnap"));
	r.keep_bytes = 1;
	assert_int_equal(retention_apply(&r, &io.ops, ours[4], NOW, &res,
	    NULL), 0);
	assert_int_equal(res.deleted, 1);
	tempdir_remove(&t);
}

/* A file that is being written stays, however old its name is. */
static void test_locked(void **state)
{
	struct retention_result res;
	struct retention r = { .name = "h", .keep_bytes = 1 };
	struct tempdir t;
	struct fault_io io;
	int fd;

	(void)state;
	tempdir_make(&t);
	fill(&t);
	fault_init(&io);
	r.dir = t.path;
	fd = open(tempdir_file(&t, ours[1]), O_WRONLY);
	assert_int_equal(io_posix.lock(NULL, fd), 0);
	assert_int_equal(retention_apply(&r, &io.ops, NULL, NOW, &res, NULL),
	    0);
	assert_int_equal(res.deleted, 4);
	assert_true(exists(&t, ours[1]));
	assert_int_equal(close(fd), 0);
	tempdir_remove(&t);
}

static void test_no_directory(void **state)
{
	struct retention r = { .name = "h", .dir = "/nonexistent" };
	struct retention_result res;
	struct gs_err err;

	(void)state;
	assert_int_equal(retention_apply(&r, &io_posix, NULL, NOW, &res, &err),
	    GS_E_NOTFOUND);
	assert_string_equal(err.msg,
	    "/nonexistent: No such file or directory");
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_case, cases);
	cases_add(&c, "parts", test_parts, NULL);
	cases_add(&c, "undeletable", test_undeletable, NULL);
	cases_add(&c, "last hour", test_last_hour, NULL);
	cases_add(&c, "locked", test_locked, NULL);
	cases_add(&c, "no directory", test_no_directory, NULL);
	return cases_run(&c, "retention");
}
