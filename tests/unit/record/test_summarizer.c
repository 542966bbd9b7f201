/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program is one that shows which files it gets: it writes a line to a file for
 * each run.
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/summarizer.h"
#include "tempdir.h"

#define TOLD_MAX 64

static struct tempdir dir;

struct told {
	int failures;
	char why[200];
};

static void on_failed(void *arg, const char *why)
{
	struct told *t = arg;

	t->failures++;
	(void)snprintf(t->why, sizeof(t->why), "%s", why);
}

static void on_late(uv_timer_t *t)
{
	(void)t;
	fail_msg("the program has not ended");
}

/* A program is no reason for the loop to go on: a timer is. */
static void wait_idle(struct summarizer *s)
{
	uv_timer_t late;

	(void)uv_timer_init(s->loop, &late);
	(void)uv_timer_start(&late, on_late, 20000, 0);
	while (s->open || s->n_waiting > 0)
		(void)uv_run(s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&late, NULL);
	(void)uv_run(s->loop, UV_RUN_NOWAIT);
}

static void read_runs(char text[TOLD_MAX])
{
	FILE *f = fopen(tempdir_file(&dir, "runs"), "r");
	size_t n = f ? fread(text, 1, TOLD_MAX - 1, f) : 0;

	text[n] = '\0';
	if (f)
		(void)fclose(f);
	(void)unlink(tempdir_file(&dir, "runs"));
}

static void begin(struct summarizer *s, uv_loop_t *loop, char *const *argv,
	struct told *told)
{
	assert_int_equal(uv_loop_init(loop), 0);
	summarizer_begin(s, loop, argv, on_failed, told);
}

static void end(struct summarizer *s)
{
	summarizer_close(s);
	summarizer_add(s, "late"); /* nothing is begun */
	(void)uv_run(s->loop, UV_RUN_DEFAULT);
	assert_false(s->open);
	assert_int_equal(uv_loop_close(s->loop), 0);
	summarizer_release(s);
}

/* Writes its arguments to runs, and ends with status 1 if the first says so. */
static void make_argv(char *argv[5])
{
	static char text[300];

	(void)snprintf(text, sizeof(text), "echo \"$@\" >>%s; sleep 0.05; "
	    "test \"$1\" != bad", tempdir_file(&dir, "runs"));
	argv[0] = (char *)(uintptr_t)"/bin/sh";
	argv[1] = (char *)(uintptr_t)"-c";
	argv[2] = text;
	argv[3] = (char *)(uintptr_t)"x";
	argv[4] = NULL;
}

static void test_one_at_a_time(void **state)
{
	struct told told = { 0 };
	struct summarizer s;
	char runs[TOLD_MAX];
	uv_loop_t loop;
	char *argv[5];

	(void)state;
	make_argv(argv);
	begin(&s, &loop, argv, &told);
	summarizer_add(&s, "a");
	summarizer_add(&s, "b"); /* while a is under way */
	summarizer_add(&s, "c d");
	wait_idle(&s);
	read_runs(runs);
	assert_string_equal(runs, "a\nb c d\n");
	summarizer_add(&s, "e");
	wait_idle(&s);
	read_runs(runs);
	assert_string_equal(runs, "e\n");
	assert_int_equal(told.failures, 0);
	end(&s);
}

static void add(struct summarizer *s, const char *path)
{
	summarizer_add(s, path);
	wait_idle(s);
}

static void test_failures(void **state)
{
	struct told told = { 0 };
	struct summarizer s;
	char runs[TOLD_MAX];
	uv_loop_t loop;
	char *argv[5];
	int i;

	(void)state;
	make_argv(argv);
	begin(&s, &loop, argv, &told);
	add(&s, "bad");
	assert_int_equal(told.failures, 1);
	assert_non_null(strstr(told.why, "ended with status 1"));
	add(&s, "left out");
	add(&s, "bad"); /* then three are left out */
	for (i = 0; i < 3; i++)
		add(&s, "left out");
	add(&s, "good");
	add(&s, "bad"); /* then one again */
	add(&s, "left out");
	add(&s, "good");
	read_runs(runs);
	assert_string_equal(runs, "bad\nbad\ngood\nbad\ngood\n");
	assert_int_equal(told.failures, 3);
	end(&s);
}

static void test_stopped(void **state)
{
	char *argv[] = { (char *)(uintptr_t)"/bin/sleep", NULL };
	struct told told = { 0 };
	struct summarizer s;
	uv_loop_t loop;

	(void)state;
	begin(&s, &loop, argv, &told);
	summarizer_add(&s, "100");
	assert_true(s.open);
	end(&s);
	assert_int_equal(told.failures, 0);
}

static void test_missing(void **state)
{
	char *argv[] = { (char *)(uintptr_t)"/nonexistent/x", NULL };
	struct told told = { 0 };
	struct summarizer s;
	uv_loop_t loop;

	(void)state;
	begin(&s, &loop, argv, &told);
	summarizer_add(&s, "a");
	assert_int_equal(told.failures, 1);
	wait_idle(&s);
	end(&s);
}

static void test_off(void **state)
{
	struct told told = { 0 };
	struct summarizer s;
	uv_loop_t loop;

	(void)state;
	begin(&s, &loop, NULL, &told);
	summarizer_add(&s, "a");
	assert_false(s.open);
	end(&s);
}

int main(void)
{
	struct cases all = { 0 };
	int r;

	tempdir_make(&dir);
	cases_add(&all, "one at a time", test_one_at_a_time, NULL);
	cases_add(&all, "failures", test_failures, NULL);
	cases_add(&all, "stopped", test_stopped, NULL);
	cases_add(&all, "missing", test_missing, NULL);
	cases_add(&all, "off", test_off, NULL);
	r = cases_run(&all, "record/summarizer");
	tempdir_remove(&dir);
	return r;
}
