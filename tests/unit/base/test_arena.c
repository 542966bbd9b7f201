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

/* What came after the mark is used again, whatever blocks it took. */
static void rewinds(void **state)
{
	struct arena *a = arena_new();
	char *first = arena_dup(a, "first", 5);
	struct arena_mark mark = arena_mark(a);
	char *next = arena_dup(a, "next", 4);
	size_t i;

	(void)state;
	arena_rewind(a, mark);
	assert_ptr_equal(arena_dup(a, "again", 5), next);
	for (i = 0; i < 100; i++) {
		arena_rewind(a, mark);
		memset(arena_zalloc(a, 1 << 14), 1, 1 << 14);
		memset(arena_zalloc(a, 1 << (10 + i % 10)), 1, 1 << (10 + i % 10));
		assert_int_equal(*(char *)arena_zalloc(a, 1 << 13), 0);
	}
	/* what is larger than a piece that was given back */
	arena_rewind(a, mark);
	memset(arena_zalloc(a, 1 << 20), 1, 1 << 20);
	memset(arena_zalloc(a, 1 << 14), 1, 1 << 14);
	memset(arena_zalloc(a, 1 << 14), 1, 1 << 14);
	arena_rewind(a, mark);
	memset(arena_zalloc(a, 1 << 20), 1, 1 << 20);
	arena_rewind(a, mark);
	assert_string_equal(first, "first");
	arena_free(a);
	a = arena_new();
	mark = arena_mark(a);
	(void)arena_dup(a, "x", 1);
	arena_rewind(a, mark);
	assert_string_equal(arena_dup(a, "y", 1), "y");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_addresses),
		cmocka_unit_test(large_pieces),
		cmocka_unit_test(rewinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
