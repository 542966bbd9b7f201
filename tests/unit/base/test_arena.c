/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <string.h>

#include "cases.h"

static void keeps_addresses(void **state)
{
	struct arena *a = arena_new();
	char *first = arena_dup(a, "first", 5);
	size_t i;

	(void)state;
	for (i = 1; i < 3000; i++) {
		char *p = arena_zalloc(a, i);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		assert_int_equal(p[0], 0);
		assert_int_equal(p[i - 1], 0);
		memset(p, 0xff, i);
	}
	assert_string_equal(first, "first");
	arena_free(a);
	arena_free(NULL);
}

static void large_pieces(void **state)
{
	struct arena *a = arena_new();
	char *small = arena_dup(a, "x", 1);
	char *large = arena_zalloc(a, 1 << 20);

	(void)state;
	memset(large, 1, 1 << 20);
	assert_string_equal(small, "x");
	assert_string_equal(arena_dup(a, "", 0), "");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_addresses),
		cmocka_unit_test(large_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
