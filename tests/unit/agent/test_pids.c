/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of processes, of our own /proc: only what may be new is read again.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/pids.h"
#include "cases.h"
#include "tempdir.h"

static struct pids whole(int *ret_fd)
{
	struct pids p = { 0 };

	*ret_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(*ret_fd >= 0);
	assert_int_equal(pids_read(&p, *ret_fd, NULL), 0);
	assert_true(p.n >= 2); /* the test has a parent */
	return p;
}

static void done(struct pids *p, int fd)
{
	pids_release(p);
	(void)close(fd);
}

static size_t count(const struct pids *p, uint32_t pid)
{
	size_t i, n = 0;

	for (i = 0; i < p->n; i++) {
		assert_true(i == 0 || p->pid[i] > p->pid[i - 1]);
		n += p->pid[i] == pid;
	}
	return n;
}

static void knows_positions(void **state)
{
	int fd;
	struct pids p = whole(&fd);

	(void)state;
	assert_true(pids_can_seek(&p));
	assert_int_equal(count(&p, (uint32_t)getpid()), 1);
	done(&p, fd);
}

/* Another process that was forked since, whatever its number is. */
static void finds_new(void **state)
{
	int fd;
	struct pids p = whole(&fd);
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	assert_int_equal(count(&p, (uint32_t)child), 0);
	assert_int_equal(pids_read_after(&p, fd, (uint32_t)child - 1,
		(uint32_t)child, NULL), 0);
	assert_int_equal(count(&p, (uint32_t)child), 1);
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	assert_int_equal(pids_read_after(&p, fd, (uint32_t)child - 1,
		(uint32_t)child, NULL), 0);
	assert_int_equal(count(&p, (uint32_t)child), 0);
	done(&p, fd);
}

/* Numbers came round: the list stops at the first that is known, and those
 * above it stay, even one that is not there. */
static void stops_at_known(void **state)
{
	const uint32_t pid = (uint32_t)getpid(), none = INT32_MAX;
	int fd;
	struct pids p = whole(&fd);
	size_t n = p.n;

	(void)state;
	p.pid[n - 1] = none;
	if (count(&p, pid) == 0)
		p.pid[n - 2] = pid; /* it was the last */
	assert_int_equal(pids_read_after(&p, fd, 0, 0, NULL), 0);
	assert_int_equal(p.n_fresh, 0);
	assert_int_equal(count(&p, none), 1);
	assert_int_equal(pids_read_after(&p, fd, pid - 1, pid - 1, NULL), 0);
	assert_int_equal(p.n_fresh, 0);
	assert_int_equal(count(&p, pid), 1);
	assert_int_equal(count(&p, none), 1);
	/* it is listed, so that all to the end are */
	assert_int_equal(pids_read_after(&p, fd, pid - 1, none, NULL), 0);
	assert_true(p.n_fresh >= 1);
	assert_int_equal(count(&p, pid), 1);
	assert_int_equal(count(&p, none), 0);
	done(&p, fd);
}

/* The names of a usual directory are at positions that nobody knows. */
static void needs_order(void **state)
{
	static const char *const names[] = { "1", "100", "10", "7", "1000" };
	struct tempdir dir;
	struct pids p = { 0 };
	size_t i;
	int fd;

	(void)state;
	assert_false(pids_can_seek(&p)); /* nothing was read yet */
	tempdir_make(&dir);
	fd = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	for (i = 0; i < 5; i++)
		assert_int_equal(mkdirat(fd, names[i], 0700), 0);
	assert_int_equal(pids_read(&p, fd, NULL), 0);
	assert_int_equal(p.n, 5);
	assert_int_equal(count(&p, 100), 1);
	assert_false(pids_can_seek(&p));
	for (i = 0; i < 5; i++)
		assert_int_equal(unlinkat(fd, names[i], AT_REMOVEDIR), 0);
	tempdir_remove(&dir);
	done(&p, fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_positions),
		cmocka_unit_test(finds_new),
		cmocka_unit_test(stops_at_known),
		cmocka_unit_test(needs_order),
	};

	return cmocka_run_group_tests_name("pids", tests, NULL, NULL);
}
