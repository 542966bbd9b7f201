/* SPDX-License-Identifier: Apache-2.0 */
#include "web/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "web/secret.h"

static const struct {
	const char *raw;
	const char *path; /* NULL: refused */
	const char *name, *value; /* of the first parameter; NULL: none */
} rows[] = {
	{ "/", "/", NULL, NULL },
	{ "/a/view?view=sessions", "/a/view", "view", "sessions" },
	{ "/a/?", "/a/", NULL, NULL },
	{ "/a?x=", "/a", "x", "" },
	{ "/a?x=1&y=2", "/a", "x", "1" },
	{ "/a?x=a+b%20c%2Bd", "/a", "x", "a b c+d" },
	{ "/a?x==&y=2", "/a", "x", "=" },
	{ "/a?x=%c3%bc", "/a", "x", "\xc3\xbc" },
	{ "/a?x=1&", "/a", "x", "1" },
	{ "/../etc/passwd", "/../etc/passwd", NULL, NULL },
	{ "", NULL, NULL, NULL },
	{ "a", NULL, NULL, NULL },
	{ "http://x/", NULL, NULL, NULL },
	{ "*", NULL, NULL, NULL },
	{ "/%2e", NULL, NULL, NULL },
	{ "/a b", NULL, NULL, NULL },
	{ "/\\", NULL, NULL, NULL },
	{ "/a?x", NULL, NULL, NULL },
	{ "/a?&x=1", NULL, NULL, NULL },
	{ "/a?x=%", NULL, NULL, NULL },
	{ "/a?x=%4", NULL, NULL, NULL },
	{ "/a?x=%g0", NULL, NULL, NULL },
	{ "/a?x=%00", NULL, NULL, NULL },
	{ "/a?x=%0a", NULL, NULL, NULL },
	{ "/a?x=%7f", NULL, NULL, NULL },
	{ "/a?x=1&x=2", NULL, NULL, NULL },
	{ "/a?x=1&%78=2", NULL, NULL, NULL },
};

static void test_parse(void **state)
{
	struct gs_err err;
	struct target t;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(rows); i++) {
		int r = target_parse(rows[i].raw, &t, &err);

		if (!rows[i].path) {
			assert_int_equal(r, GS_E_USAGE);
			assert_null(t.text);
			continue;
		}
		assert_int_equal(r, GS_OK);
		assert_string_equal(t.path, rows[i].path);
		assert_int_equal(t.n > 0, rows[i].name != NULL);
		if (t.n > 0) {
			assert_string_equal(t.param[0].name, rows[i].name);
			assert_string_equal(t.param[0].value, rows[i].value);
		}
		target_release(&t);
	}
}

static void test_limits(void **state)
{
	struct buf b = BUF_INIT;
	struct gs_err err;
	struct target t;
	int i;

	(void)state;
	buf_add_str(&b, "/a?");
	for (i = 0; i < TARGET_PARAMS_MAX; i++)
		buf_printf(&b, "%sx%d=1", i > 0 ? "&" : "", i);
	assert_int_equal(target_parse(buf_str(&b), &t, &err), GS_OK);
	assert_int_equal(t.n, TARGET_PARAMS_MAX);
	target_release(&t);
	buf_add_str(&b, "&y=1");
	assert_int_equal(target_parse(buf_str(&b), &t, &err), GS_E_USAGE);
	buf_reset(&b);
	buf_add_char(&b, '/');
	buf_add_fill(&b, 'a', TARGET_MAX - 1);
	assert_int_equal(target_parse(buf_str(&b), &t, &err), GS_OK);
	target_release(&t);
	buf_add_char(&b, 'a');
	assert_int_equal(target_parse(buf_str(&b), &t, &err), GS_E_USAGE);
	buf_release(&b);
}

static void test_secret(void **state)
{
	char a[SECRET_LEN + 1], b[SECRET_LEN + 1];
	struct gs_err err;

	(void)state;
	assert_int_equal(secret_make(a, &err), GS_OK);
	assert_int_equal(secret_make(b, &err), GS_OK);
	assert_int_equal(strlen(a), SECRET_LEN);
	assert_int_equal(strspn(a, "0123456789abcdef"), SECRET_LEN);
	assert_string_not_equal(a, b);
	assert_true(secret_is(a, a));
	assert_false(secret_is(b, a));
	assert_false(secret_is("", a));
	b[0] = a[0];
	b[1] = '\0';
	assert_false(secret_is(b, a)); /* its beginning */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
