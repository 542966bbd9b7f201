/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records come back in order, whether they fit into memory or not.
 */
#include "history/sorter.h"

#include <stdlib.h>
#include <string.h>
#include "cases.h"

struct sort_case {
	const char *name;
	size_t n, memory;
};

static const struct sort_case sort_cases[] = {
	{ "nothing", 0, 1024 },
	{ "one", 1, 1024 },
	{ "all in memory", 100, 1 << 20 },
	{ "exactly one run", 64, 64 * sizeof(uint64_t) },
	{ "one more", 65, 64 * sizeof(uint64_t) },
	{ "many runs", 10000, 64 * sizeof(uint64_t) },
	{ "a run each", 300, 1 },
	{ "longer than a buffer", 50000, 20000 * sizeof(uint64_t) },
};

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void in_order(void **state)
{
	const struct sort_case *c = *state;
	struct sorter *s = sorter_new(sizeof(uint64_t), c->memory, compare);
	uint64_t v = 12345, sum = 0, last = 0;
	const void *p;
	size_t i;

	for (i = 0; i < c->n; i++) {
		v = v * UINT64_C(6364136223846793005) + 1442695040888963407u;
		sum += v;
		assert_int_equal(sorter_add(s, &v, NULL), GS_OK);
	}
	assert_int_equal(sorter_done(s, NULL), GS_OK);
	for (i = 0; i < c->n; i++) {
		assert_int_equal(sorter_next(s, &p, NULL), GS_OK);
		assert_non_null(p);
		v = *(const uint64_t *)p;
		assert_true(i == 0 || v >= last);
		last = v;
		sum -= v;
	}
	assert_int_equal(sum, 0);
	assert_int_equal(sorter_next(s, &p, NULL), GS_OK);
	assert_null(p);
	sorter_free(s);
}

static void no_directory(void **state)
{
	struct sorter *s = sorter_new(sizeof(uint64_t), 1, compare);
	struct gs_err err;
	uint64_t v = 1;

	(void)state;
	assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
	assert_int_equal(sorter_add(s, &v, &err), GS_OK);
	assert_true(sorter_add(s, &v, &err) < 0);
	assert_non_null(strstr(err.msg, "/nonexistent"));
	assert_int_equal(unsetenv("TMPDIR"), 0);
	sorter_free(s);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, in_order, sort_cases);
	cases_add(&c, "no temporary directory", no_directory, NULL);
	return cases_run(&c, "sorter");
}
