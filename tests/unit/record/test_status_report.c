/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <string.h>

#include "record/status_report.h"

static void test_both_ways(void **state)
{
	struct status_report b = {.pid = 4711,
				 .started = -5,
				 .bytes = UINT64_MAX,
				 .cpu_percent = 0.25,
				 .user = strdup("gp admin"),
				 .last_error = strdup("two\nlines\tand a tab")},
			     got;
	struct buf text = BUF_INIT;
	struct gs_err err;

	(void)state;
	status_report_add_host(&b, "sdw1", "up", 17, NULL);
	status_report_add_host(&b, "sdw 2", "down", 0, "no\troute");
	status_report_add_server(&b, "port 5433", "down", 18, "no\nanswer");
	status_report_add_watch(&b, &(struct status_report_watch) {
	    .name = (char *)(uintptr_t)"a\tb", .since_ns = 5, .held = 1,
	    .times = 2, .runs = 3, .failed = 4, .not_run = 6 });
	status_report_put(&b, &text);
	assert_int_equal(status_report_read(&got, text.ptr, text.len, &err), 0);
	assert_int_equal(got.pid, 4711);
	assert_int_equal(got.started, -5);
	assert_true(got.bytes == UINT64_MAX);
	assert_true(got.cpu_percent == 0.25);
	assert_string_equal(got.user, "gp admin");
	assert_string_equal(got.last_error, "two lines and a tab");
	assert_null(got.file);
	assert_int_equal(got.n_at, 2);
	assert_string_equal(got.at[0].name, "sdw1");
	assert_int_equal(got.at[0].since_ns, 17);
	assert_null(got.at[0].why);
	assert_string_equal(got.at[1].name, "sdw 2");
	assert_string_equal(got.at[1].state, "down");
	assert_string_equal(got.at[1].why, "no route");
	assert_int_equal(got.n_server, 1);
	assert_string_equal(got.server[0].name, "port 5433");
	assert_string_equal(got.server[0].state, "down");
	assert_int_equal(got.server[0].since_ns, 18);
	assert_string_equal(got.server[0].why, "no answer");
	assert_int_equal(got.n_watch, 1);
	assert_string_equal(got.watch[0].name, "a b");
	assert_int_equal(got.watch[0].since_ns, 5);
	assert_int_equal(got.watch[0].held, 1);
	assert_int_equal(got.watch[0].times, 2);
	assert_int_equal(got.watch[0].not_run, 6);
	status_report_release(&got);
	status_report_release(&b);
	buf_release(&text);
}

static const struct {
	const char *name, *text, *want; /* NULL: it is taken */
} texts[] = {
	{ "least", "pid 1\n", NULL },
	{ "unknown names", "pid 1\nweather fine\n", NULL },
	{ "said twice", "pid 1\nuser a\nuser b\n", NULL },
	{ "nothing", "", "is empty" },
	{ "no pid", "user a\n", "is empty" },
	{ "no blank", "pid 1\nuser\n", "line 2" },
	{ "no number", "pid x\n", "line 1" },
	{ "number and more", "pid 1 2\n", "line 1" },
	{ "number too large", "pid 18446744073709551616\n", "line 1" },
	{ "negative number", "pid -1\n", "line 1" },
	{ "no real", "pid 1\ncpu_percent nan\n", "line 2" },
	{ "no time", "pid 1\nstarted soon\n", "line 2" },
	{ "host cut short", "pid 1\nat sdw1\tup\n", "line 2" },
	{ "host without a time", "pid 1\nat sdw1\tup\tx\t\n", "line 2" },
	{ "watch cut short", "pid 1\nwatch x\t1\t2\n", "line 2" },
	{ "server cut short", "pid 1\nserver port 1\tup\n", "line 2" },
};

static void test_read(void **state)
{
	const __typeof__(texts[0]) *c = *state;
	struct status_report b;
	struct gs_err err = { 0 };
	int r = status_report_read(&b, c->text, strlen(c->text), &err);

	if (!c->want) {
		assert_int_equal(r, 0);
		status_report_release(&b);
		return;
	}
	assert_int_equal(r, GS_E_PROTOCOL);
	assert_non_null(strstr(err.msg, c->want));
	assert_null(b.user);
}

int main(void)
{
	struct cases c = { 0 };

	cases_add(&c, "both ways", test_both_ways, NULL);
	CASES_TABLE(&c, test_read, texts);
	return cases_run(&c, "bulletin");
}
