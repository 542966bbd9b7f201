/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorder that is told to end before its loop runs.
 */
#include "cases.h"

#include <signal.h>
#include <unistd.h>

#include "record/recorder.h"
#include "tempdir.h"

#define HOUR_NS (INT64_C(3600) * 1000 * 1000 * 1000)

/* A recorder that began a file also ends it: no empty one stays. */
static void test_signal_before_the_loop(void **state)
{
	static const char *const hosts[] = { "a" };
	struct tempdir dir;
	struct recorder_status s;
	struct recorder *r;
	struct gs_err err;
	const char *path;

	(void)state;
	tempdir_make(&dir);
	path = tempdir_file(&dir, "a.gpsnap");
	r = recorder_new(&(struct recorder_options) {
	    .interval_ns = HOUR_NS, .hup = HUP_END, .version = "test",
	    .command_line = "test",
	    .host = hosts, .n_host = 1, .host_set = { .nodename = "a",
	    .version = "test", .agent_command = "/bin/true {host}" },
	    .out = { .kind = OUTPUT_FILE, .path = path, .host = "a" } },
	    &err);
	assert_non_null(r);
	assert_int_equal(access(path, F_OK), 0);
	(void)raise(SIGTERM);
	assert_int_equal(recorder_run(r, &err), 0);
	recorder_get_status(r, &s);
	assert_int_equal(s.ticks, 0);
	recorder_free(r);
	assert_int_not_equal(access(path, F_OK), 0);
	tempdir_remove(&dir);
}

/* Pending signals are not lost if no recorder is made. */
static void test_signals_come_if_it_fails(void **state)
{
	sigset_t blocked;
	struct gs_err err;

	(void)state;
	assert_null(recorder_new(&(struct recorder_options) {
	    .interval_ns = HOUR_NS, .version = "test",
	    .host_set = { .nodename = "a", .version = "test",
	    .agent_command = "/bin/true {host}" },
	    .out = { .kind = OUTPUT_FILE, .path = "/proc/none/a.gpsnap",
	    .host = "a" } }, &err));
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
	assert_int_equal(sigismember(&blocked, SIGTERM), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signal_before_the_loop),
		cmocka_unit_test(test_signals_come_if_it_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
