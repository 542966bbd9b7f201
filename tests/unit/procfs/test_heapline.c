/* SPDX-License-Identifier: Apache-2.0 */
/* Lines between the agent and gpsnap-heap: there and back, and what is none. */
#include "procfs/heapline.h"

#include <string.h>

#include "cases.h"

static const struct line {
	const char *name; /* the line; NULL: it is none */
	const char *text;
} requests[] = {
	{ "usual", "77 123456 0" },
	{ "named", "4194304 18446744073709551615 1" },
	{ NULL, "" }, { NULL, "77" }, { NULL, "77 1" }, { NULL, "77 1 2" },
	{ NULL, "0 1 0" }, { NULL, "4194305 1 0" }, { NULL, "-1 1 0" },
	{ NULL, "77 1 0 x" }, { NULL, "77 18446744073709551616 0" },
	{ NULL, "x 1 0" },
}, answers[] = {
	{ "thread", "T 77 78 123456 1000 18446744073709551615" },
	{ "busy", "B 77 78 123456" },
	{ "end", "P 77 123456 0" },
	{ "error", "P 77 123456 4095" },
	{ NULL, "" }, { NULL, "T" }, { NULL, "P 77 1" }, { NULL, "B 77 78" },
	{ NULL, "T 77 78 1 2" }, { NULL, "P 77 1 4096" }, { NULL, "P 0 1 1" },
	{ NULL, "Q 77 1 1" }, { NULL, "T 77 0 1 2 3" }, { NULL, "P 77 1 -1" },
	{ NULL, "T 77 78 1 2 3 4" }, { NULL, "P 77 1 1\n" },
};

static void there_and_back(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct span text = span_str(requests[i].text);
		struct heap_request r;
		struct buf b = BUF_INIT;
		bool good = heapline_request(text, &r);

		if (good != (requests[i].name != NULL))
			fail_msg("request \"%s\"", requests[i].text);
		if (good) {
			heapline_put_request(&r, &b);
			assert_true(b.len <= HEAP_LINE_MAX);
			assert_memory_equal(b.ptr, text.ptr, b.len - 1);
		}
		buf_release(&b);
	}
}

static void back(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct span text = span_str(answers[i].text);
		struct heap_answer a;
		struct buf b = BUF_INIT;
		bool good = heapline_answer(text, &a);

		if (good != (answers[i].name != NULL))
			fail_msg("answer \"%s\"", answers[i].text);
		if (good) {
			heapline_put_answer(&a, &b);
			assert_true(b.len <= HEAP_LINE_MAX);
			assert_int_equal(b.len, span_len(text) + 1);
			assert_memory_equal(b.ptr, text.ptr, b.len - 1);
		}
		buf_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(back),
	};

	return cmocka_run_group_tests_name("heapline", tests, NULL, NULL);
}
