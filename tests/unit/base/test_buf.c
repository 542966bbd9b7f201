/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_buf.c - growable bytes: numbers, formatted text at the edge of the room
 * there is, text made safe for a terminal.
 */
#include "cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

static void test_int(void **state)
{
	static const int64_t number[] = { 0, 7, -1, 10, 999, -1000,
		INT64_MAX, INT64_MIN };
	struct buf b = BUF_INIT;
	char want[32];
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(number); i++) {
		buf_reset(&b);
		buf_add_int(&b, number[i]);
		(void)snprintf(want, sizeof(want), "%" PRId64, number[i]);
		assert_string_equal(buf_str(&b), want);
	}
	buf_release(&b);
}

/* Texts that just fit the room there is, and those that do not. */
static void test_printf(void **state)
{
	char text[200];
	size_t before, len;

	(void)state;
	for (before = 0; before < 70; before++) {
		for (len = 0; len < sizeof(text); len++) {
			struct buf b = BUF_INIT;

			memset(text, 'x', len);
			text[len] = '\0';
			buf_add_fill(&b, '-', before);
			buf_printf(&b, "%s|", text);
			assert_int_equal(b.len, before + len + 1);
			assert_true(b.len < b.cap);
			assert_int_equal(strlen(b.ptr), b.len);
			assert_memory_equal(b.ptr + before, text, len);
			assert_int_equal(b.ptr[b.len - 1], '|');
			buf_release(&b);
		}
	}
}

static const struct {
	const char *name, *text, *want;
} safe[] = {
	{ "nothing", "", "" },
	{ "plain", "SELECT 1 ~", "SELECT 1 ~" },
	{ "control at the start", "\033[2J after", "\\x1B[2J after" },
	{ "control in the middle", "a\tb\nc", "a\\x09b\\x0Ac" },
	{ "delete at the end", "a\177", "a\\x7F" },
	{ "two bytes", "gr\303\274n", "gr\303\274n" },
	{ "cut short", "gr\303", "gr\\xC3" },
	{ "invisible", "a\342\200\256b", "a\\u{202E}b" },
};

static void test_safe(void **state)
{
	const __typeof__(safe[0]) *c = *state;
	struct buf b = BUF_INIT;

	utf8_add_safe(&b, c->text, strlen(c->text));
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "int", test_int, NULL);
	cases_add(&c, "printf", test_printf, NULL);
	CASES_TABLE(&c, test_safe, safe);
	return cases_run(&c, "buf");
}
