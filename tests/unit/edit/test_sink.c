/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While a file is read again, another command makes a file of the same name: it
 * removes the unfinished one, which nobody has locked then.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_writes),
		cmocka_unit_test(test_other_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
