/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is exhausted in several threads at once ends the process once, the
 * way that was asked for.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cases.h"

#define STATUS 7

static void end(void)
{
	(void)usleep(20000); /* others fail in the meantime */
	_exit(STATUS);
}

static void *exhaust(void *arg)
{
	gs_out_of_memory();
	return arg;
}

static void test_threads(void **state)
{
	pid_t pid = fork();
	pthread_t other;
	int status = 0;

	(void)state;
	if (pid == 0) {
		gs_on_exhausted(end);
		if (pthread_create(&other, NULL, exhaust, NULL) == 0)
			(void)exhaust(NULL);
		_exit(0);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STATUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
