/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/deploy.h"

static const struct {
	const char *name, *said;
	enum deploy_step want;
	size_t used, noise;
	const char *why;
} cases[] = {
	{ "nothing", "", DEPLOY_WAIT, 0, 0, NULL },
	{ "greeting", "Welcome\n", DEPLOY_WAIT, 0, 0, NULL },
	{ "half a mark", "#gpsn", DEPLOY_WAIT, 0, 0, NULL },
	{ "half a line", "#gpsnap# ready", DEPLOY_WAIT, 0, 0, NULL },
	{ "ready", "#gpsnap# ready\n\001\002", DEPLOY_READY, 15, 0, NULL },
	{ "greeting, ready", "Hi: #gpsnap# ready\n", DEPLOY_READY, 19, 4,
	    NULL },
	{ "need", "#gpsnap# need pdp11\n", DEPLOY_SEND, 20, 0, NULL },
	{ "another machine", "#gpsnap# need pdp10\n", DEPLOY_FAILED, 20, 0,
	    "it is pdp10, the agent here is for pdp11: install gpsnap-agent "
	    "there" },
	{ "part of the machine", "#gpsnap# need pdp1\n", DEPLOY_FAILED, 19, 0,
	    "it is pdp1, the agent here is for pdp11: install gpsnap-agent "
	    "there" },
	{ "fail", "#gpsnap# fail /tmp: no room\n", DEPLOY_FAILED, 28, 0,
	    "/tmp: no room" },
	{ "unknown", "#gpsnap# hm\033\n", DEPLOY_FAILED, 13, 0,
	    "sent \"hm\\x1B\" instead of an answer" },
};

static void test_parse(void **state)
{
	const __typeof__(cases[0]) *c = *state;
	struct deploy d = { .machine = "pdp11" };
	size_t used = 0, noise = 0;
	struct gs_err err;

	assert_int_equal(deploy_parse(&d, c->said, strlen(c->said), &used,
		&noise, &err), c->want);
	assert_int_equal(used, c->used);
	assert_int_equal(noise, c->noise);
	if (c->why)
		assert_string_equal(err.msg, c->why);
}

static void test_endless(void **state)
{
	size_t len = DEPLOY_NOISE_MAX + 1, used, noise;
	struct deploy d = { .machine = "pdp11" };
	char *text = gs_malloc(len);
	struct gs_err err;

	(void)state;
	memset(text, '#', len);
	assert_int_equal(deploy_parse(&d, text, len - 1, &used, &noise, &err),
	    DEPLOY_WAIT);
	assert_int_equal(deploy_parse(&d, text, len, &used, &noise, &err),
	    DEPLOY_FAILED);
	free(text);
}

/* A path with any characters is one word of the script. */
static void test_quoted(void **state)
{
	struct deploy d = { 0 };
	struct buf script = BUF_INIT;

	(void)state;
	assert_int_equal(deploy_open(&d, "/proc/self/exe", "1.0",
		"/opt/it's; rm -r x", NULL), 0);
	deploy_script(&d, DEPLOY_AUTO, &script);
	assert_non_null(strstr(buf_str(&script),
	    "for a in '/opt/it'\\''s; rm -r x' gpsnap-agent; do"));
	assert_non_null(strstr(buf_str(&script), "v='gpsnap-agent 1.0'"));
	buf_reset(&script);
	deploy_script(&d, DEPLOY_NEVER, &script);
	assert_null(strstr(buf_str(&script), "mktemp"));
	buf_reset(&script);
	deploy_script(&d, DEPLOY_ALWAYS, &script);
	assert_null(strstr(buf_str(&script), "for a in"));
	buf_release(&script);
	deploy_release(&d);
}

/* Which image is asked for; one that is not here is none. */
static void test_machine(void **state)
{
	static const char said[] = "motd\n#gpsnap# need pdp11\n";
	struct deploy d = { .machine = "pdp11",
		.image = (char *)(uintptr_t)"xyz", .len = 3 };
	const char *image = NULL;
	struct span machine;
	size_t len = 0;

	(void)state;
	machine = deploy_machine(said, sizeof(said) - 1);
	assert_true(span_eq(machine, "pdp11"));
	assert_true(deploy_image(&d, machine, &image, &len));
	assert_ptr_equal(image, d.image);
	assert_int_equal(len, 3);
	assert_false(deploy_image(&d, span_str("vax"), &image, &len));
	assert_true(span_empty(deploy_machine("ready\n", 6)));
}

int main(void)
{
	static struct cases all;

	CASES_TABLE(&all, test_parse, cases);
	cases_add(&all, "endless", test_endless, NULL);
	cases_add(&all, "quoted", test_quoted, NULL);
	cases_add(&all, "machine", test_machine, NULL);
	return cases_run(&all, "record/deploy");
}
