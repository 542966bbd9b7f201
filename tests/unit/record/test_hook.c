/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/hook.h"

#define SH(text) { "/bin/sh", "-c", text, NULL }

static const struct hook_case {
	const char *name;
	const char *argv[4];
	size_t input; /* bytes */
	const char *want; /* NULL: it ends well */
} cases[] = {
	{ "ends well", SH("exit 0"), 10, NULL },
	{ "reads all", SH("test $(wc -c) = 1000000"), 1000000, NULL },
	{ "reads nothing", SH("exit 0"), 1000000, NULL },
	{ "closes its input at once", SH("exec <&-; sleep 0.2"), 1000000,
	    NULL },
	{ "opens it by name", SH("test $(cat /dev/stdin | wc -c) = 10"), 10,
	    NULL },
	{ "environment", SH("test \"$GPSNAP_A\" = '$(x) \"'"), 10, NULL },
	{ "nothing of another finding", SH("test -z \"$GPSNAP_B\""), 10, NULL },
	{ "settings", SH("test -n \"$GPSNAP_NO_CATALOG\""), 10, NULL },
	{ "fails", SH("exit 3"), 10, "ended with status 3" },
	{ "is killed", SH("kill -9 $$"), 10, "was killed by signal 9" },
	{ "hangs", SH("sleep 100"), 10, "took longer than 0.3 s" },
	{ "hangs, and so do its children", SH("sleep 100 | sleep 100"), 10,
	    "took longer than 0.3 s" },
	{ "hangs, and does not want to end",
	    SH("trap '' TERM; while :; do sleep 0.1; done"), 10,
	    "took longer than 0.3 s" },
};

struct result {
	bool ended;
	char why[100];
};

static void on_ended(void *arg, const char *why)
{
	struct result *r = arg;

	r->ended = true;
	(void)snprintf(r->why, sizeof(r->why), "%s", why ? why : "");
}

/* A command is no reason for the loop to go on: a timer is. */
static void on_late(uv_timer_t *t)
{
	(void)t;
	fail_msg("the command has not ended");
}

static void test_hook(void **state)
{
	const struct hook_case *c = *state;
	static const char *const env[] = { "GPSNAP_A=$(x) \"" };
	struct result got = { .ended = false };
	struct hook h = { .ended = on_ended, .arg = &got, .timeout_ms =
	    c->want && strstr(c->want, "longer") ? 300 : 0, .grace_ms = 300 };
	struct gs_err err;
	uv_timer_t late;
	uv_loop_t loop;

	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(uv_loop_init(&loop), 0);
	(void)uv_timer_init(&loop, &late);
	(void)uv_timer_start(&late, on_late, 20000, 0);
	buf_add_fill(&h.input, 'x', c->input);
	assert_true(hook_is_idle(&h));
	assert_int_equal(hook_start(&h, &loop,
	    (char *const *)(uintptr_t)c->argv, env, 1, &err), 0);
	while (!got.ended || !hook_is_idle(&h))
		(void)uv_run(&loop, UV_RUN_ONCE);
	assert_string_equal(got.why, c->want ? c->want : "");
	uv_close((uv_handle_t *)&late, NULL);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&loop), 0);
	hook_release(&h);
}

static void test_missing(void **state)
{
	char *argv[] = { (char *)(uintptr_t)"/nonexistent/x", NULL };
	struct result got = { .ended = false };
	struct hook h = { .ended = on_ended, .arg = &got };
	struct gs_err err;
	uv_loop_t loop;

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	assert_true(hook_start(&h, &loop, argv, NULL, 0, &err) < 0);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	assert_true(hook_is_idle(&h));
	assert_false(got.ended);
	assert_int_equal(uv_loop_close(&loop), 0);
	hook_release(&h);
}

int main(void)
{
	struct cases all = { 0 };

	/* of a recorder that such a command started */
	assert_int_equal(setenv("GPSNAP_A", "another", 1), 0);
	assert_int_equal(setenv("GPSNAP_B", "another", 1), 0);
	assert_int_equal(setenv("GPSNAP_NO_CATALOG", "1", 1), 0);
	CASES_TABLE(&all, test_hook, cases);
	cases_add(&all, "does not exist", test_missing, NULL);
	return cases_run(&all, "record/hook");
}
