/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the same frames again and again, with the disk failing at step 1, 2,
 * 3, ... until no step is left, and looks at the bytes after each.
 */
#include "cases.h"

#include "fault_io.h"
#include "frames.h"
#include "format/outfile.h"
#include "tempdir.h"

#define FRAMES 12
#define KEY_EVERY 5

static const struct fault_case {
	const char *name;
	enum fault fault;
	int errnum;
	int fail_for; /* number of calls; -1: all from then on */
	bool sound; /* the file may be written to afterwards */
} cases[] = {
	{ "full, then room", FAULT_ERRNO, ENOSPC, 1, true },
	{ "quota, then room", FAULT_ERRNO, EDQUOT, 1, true },
	{ "full, truncate fails", FAULT_ERRNO, ENOSPC, 2, false },
	{ "full for good", FAULT_ERRNO, ENOSPC, -1, false },
	{ "broken once", FAULT_ERRNO, EIO, 1, false },
	{ "broken for good", FAULT_ERRNO, EIO, -1, false },
	{ "read-only", FAULT_ERRNO, EROFS, -1, false },
	{ "too large", FAULT_ERRNO, EFBIG, 1, false },
	{ "short once", FAULT_SHORT, 0, 1, true },
	{ "short for good", FAULT_SHORT, 0, -1, true },
};

/* Appends all frames; *ret_written has a bit for each that was. */
static void write_frames(struct outfile *f, unsigned *ret_written)
{
	static const char data[] = "frame data that is long enough to tear";
	int i;

	*ret_written = 0;
	for (i = 0; i < FRAMES; i++) {
		/* After a loss only a key may follow. */
		bool lost = *ret_written != (1u << i) - 1;
		struct outframe fr = {
			.kind = i % KEY_EVERY == 0 || lost ? FRAME_KEY
			                                   : FRAME_DELTA,
			.seq = (uint64_t)i + 1, .wall_ns = i, .raw_len = 100,
			.zframe = data,
			.zframe_len = (uint32_t)sizeof(data) - (uint32_t)i % 7 };

		if (outfile_append(f, &fr, NULL) == 0)
			*ret_written |= 1u << i;
		if (i % 3 == 2)
			(void)outfile_sync(f, NULL);
	}
}

/* The file has the frames reported as written, in order. */
static void check_bytes(const struct frames *f, unsigned written)
{
	size_t i, k = 0;

	for (i = 0; i < FRAMES; i++) {
		if (!(written >> i & 1))
			continue;
		assert_true(k < f->n);
		assert_int_equal(f->index[k++].seq, i + 1);
	}
	assert_int_equal(k, f->n);
}

/* One run with a fault at a step; false once the step is never reached. */
static bool run_step(const struct fault_case *c, int step)
{
	struct tempdir t;
	struct fault_io io;
	struct outfile f;
	struct frames got;
	unsigned written = 0;
	const char *path;
	int created, finished;
	bool sound;

	tempdir_make(&t);
	path = tempdir_file(&t, "a.gpsnap");
	fault_init(&io);
	io.fault = c->fault;
	io.errnum = c->errnum;
	io.fail_at = step;
	io.fail_for = c->fail_for;
	created = outfile_create(&f, &io.ops, path, NULL);
	if (created == 0) {
		write_frames(&f, &written);
		sound = outfile_sound(&f);
		finished = outfile_finish(&f, NULL);
		assert_int_equal(access(path, F_OK) == 0, written != 0);
		if (written) {
			assert_true(frames_read(&got, path));
			check_bytes(&got, written);
			/* Torn bytes only if truncation failed, too. */
			if (sound && c->sound)
				assert_true(got.end == got.bytes.len ||
				    got.footer);
			if (sound && finished == 0)
				assert_true(got.footer);
			frames_release(&got);
		}
		if (!io.failed)
			assert_int_equal(written, (1u << FRAMES) - 1);
		outfile_release(&f);
	} else {
		assert_int_equal(access(path, F_OK), -1);
	}
	tempdir_remove(&t);
	return io.failed;
}

static void test_every_step(void **state)
{
	int step = 1;

	while (run_step(*state, step))
		step++;
	/* Create, 12 appends, 4 syncs, footer, its sync, close. */
	assert_in_range(step, 20, 40);
}

static void test_refusals(void **state)
{
	struct tempdir t;
	struct outfile a, b;
	struct gs_err err;
	struct outframe delta = { .kind = FRAME_DELTA, .zframe = "x",
		.zframe_len = 1 };
	struct outframe key = delta;
	const char *path;

	(void)state;
	key.kind = FRAME_KEY;
	tempdir_make(&t);
	path = tempdir_file(&t, "a.gpsnap");
	assert_int_equal(outfile_create(&a, &io_posix, path, &err), 0);
	assert_int_equal(outfile_append(&a, &delta, &err), GS_E_USAGE);
	assert_int_equal(outfile_append(&a, &key, &err), 0);
	assert_int_equal(outfile_create(&b, &io_posix, path, &err),
	    GS_E_EXISTS);
	assert_non_null(strstr(err.msg, "another recorder is writing it"));
	assert_int_equal(outfile_finish(&a, &err), 0);
	assert_int_equal(outfile_create(&b, &io_posix, path, &err),
	    GS_E_EXISTS);
	assert_non_null(strstr(err.msg, "exists already"));
	assert_int_equal(outfile_create(&b, &io_posix,
	    tempdir_file(&t, "no/a.gpsnap"), &err), GS_E_NOTFOUND);
	tempdir_remove(&t);
}

static void test_empty_leaves_nothing(void **state)
{
	struct tempdir t;
	struct outfile f;
	const char *path;

	(void)state;
	tempdir_make(&t);
	path = tempdir_file(&t, "a.gpsnap");
	assert_int_equal(outfile_create(&f, &io_posix, path, NULL), 0);
	assert_int_equal(outfile_finish(&f, NULL), 0);
	assert_int_equal(access(path, F_OK), -1);
	tempdir_remove(&t);
}

static int lock_of_another(void *ctx, int fd)
{
	(void)ctx;
	(void)fd;
	return -EAGAIN;
}

/* Another process took the lock between creation and locking. */
static void test_locked_leaves_nothing(void **state)
{
	struct io_ops io = io_posix;
	struct tempdir t;
	struct outfile f;
	const char *path;

	(void)state;
	io.lock = lock_of_another;
	tempdir_make(&t);
	path = tempdir_file(&t, "a.gpsnap");
	assert_int_equal(outfile_create(&f, &io, path, NULL), GS_E_BUSY);
	assert_false(outfile_is_open(&f));
	assert_int_equal(access(path, F_OK), -1);
	tempdir_remove(&t);
}

static void test_mode(void **state)
{
	struct tempdir t;
	struct outfile f;
	struct stat st;
	mode_t old = umask(022);

	(void)state;
	tempdir_make(&t);
	assert_int_equal(outfile_create(&f, &io_posix,
	    tempdir_file(&t, "a.gpsnap"), NULL), 0);
	assert_int_equal(stat(f.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(outfile_finish(&f, NULL), 0);
	(void)umask(old);
	tempdir_remove(&t);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_every_step, cases);
	cases_add(&c, "refusals", test_refusals, NULL);
	cases_add(&c, "empty leaves nothing", test_empty_leaves_nothing, NULL);
	cases_add(&c, "locked leaves nothing", test_locked_leaves_nothing,
	    NULL);
	cases_add(&c, "mode", test_mode, NULL);
	return cases_run(&c, "outfile");
}
