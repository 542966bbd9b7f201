/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock file that allows one recorder per directory, and attacks on it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/lockfile.h"
#include "tempdir.h"

#define NAME "host"
#define FILE_NAME "." NAME ".lock"

static int lock(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_SETLK, &l);
}

/* Only its owner may open it, even if an earlier version created it. */
static void test_mode(void **state)
{
	struct tempdir t;
	const char *path;
	struct gs_err err;
	struct stat st;
	int fd = -1, i;

	(void)state;
	tempdir_make(&t);
	path = tempdir_file(&t, FILE_NAME);
	(void)umask(0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(lockfile_acquire(t.path, NAME, &fd, &err), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		assert_int_equal(close(fd), 0);
		assert_int_equal(chmod(path, 0640), 0);
	}
	tempdir_remove(&t);
}

static void test_taken_once(void **state)
{
	struct tempdir t;
	char pid[32];
	int fd = -1, other = -1;
	struct gs_err err;

	(void)state;
	tempdir_make(&t);
	assert_int_equal(lockfile_acquire(t.path, NAME, &fd, &err), 0);
	assert_int_equal(lockfile_acquire(t.path, NAME, &other, &err), GS_E_BUSY);
	(void)snprintf(pid, sizeof(pid), "pid %ld,", (long)getpid());
	assert_non_null(strstr(err.msg, pid));
	assert_int_equal(close(fd), 0);
	assert_int_equal(lockfile_acquire(t.path, NAME, &other, &err), 0);
	assert_int_equal(close(other), 0);
	tempdir_remove(&t);
}

/* A reader's lock is not a writer's lock. */
static void test_shared(void **state)
{
	struct tempdir t;
	const char *path;
	int fd, reader, writer;

	(void)state;
	tempdir_make(&t);
	path = tempdir_file(&t, FILE_NAME);
	writer = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	reader = open(path, O_RDONLY | O_CLOEXEC);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(writer >= 0 && reader >= 0 && fd >= 0);
	assert_false(lockfile_is_locked(fd));
	assert_int_equal(lock(reader, F_RDLCK), 0);
	assert_false(lockfile_is_locked(fd));
	assert_int_equal(lock(reader, F_UNLCK), 0);
	assert_int_equal(lock(writer, F_WRLCK), 0);
	assert_true(lockfile_is_locked(fd));
	(void)close(fd);
	(void)close(reader);
	(void)close(writer);
	tempdir_remove(&t);
}

static void refused(const char *dir, const char *why)
{
	struct gs_err err = { 0 };
	int fd = -1;

	assert_int_equal(lockfile_acquire(dir, NAME, &fd, &err), GS_E_USAGE);
	assert_int_equal(fd, -1);
	if (!strstr(err.msg, why))
		fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
}

/* The pid must not be written over a file of another user. */
static void test_hard_link(void **state)
{
	struct tempdir t;
	const char *path, *other;
	char text[16] = { 0 };
	FILE *f;

	(void)state;
	tempdir_make(&t);
	path = tempdir_file(&t, FILE_NAME);
	other = tempdir_file(&t, "precious");
	f = fopen(other, "we");
	assert_non_null(f);
	assert_int_equal(fputs("precious", f) >= 0, 1);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(link(other, path), 0);
	refused(t.path, "link");
	f = fopen(other, "re");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, "precious");
	tempdir_remove(&t);
}

static void test_fifo(void **state)
{
	struct tempdir t;
	const char *path;

	(void)state;
	tempdir_make(&t);
	path = tempdir_file(&t, FILE_NAME);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(t.path, "regular");
	tempdir_remove(&t);
}

/* Root finds files of others; the directory's owner is trusted. */
static void test_owner(void **state)
{
	struct tempdir t;
	const char *path;
	struct gs_err err;
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	tempdir_make(&t);
	path = tempdir_file(&t, FILE_NAME);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(chown(path, 12345, 12345), 0);
	refused(t.path, "another user");
	assert_int_equal(chown(t.path, 12345, 12345), 0);
	assert_int_equal(lockfile_acquire(t.path, NAME, &fd, &err), 0);
	(void)close(fd);
	tempdir_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_taken_once),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_hard_link),
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
