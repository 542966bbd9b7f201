/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A budget gives out what it has and no more, also to threads at the same time, and
 * says what did not fit, where.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/budget.h"

#define THREADS 4
#define TURNS 20000

static void test_bounds(void **state)
{
	struct gs_budget b = { .limit_bytes = 100 };

	(void)state;
	assert_true(budget_take(NULL, SIZE_MAX));
	assert_true(budget_fits(NULL, SIZE_MAX));
	assert_true(budget_take(&b, 60));
	assert_true(budget_fits(&b, 40));
	assert_false(budget_fits(&b, 41));
	assert_false(budget_take(&b, 41));
	assert_false(budget_take(&b, SIZE_MAX));
	assert_int_equal(b.used_bytes, 60); /* nothing of these */
	assert_true(budget_take(&b, 40));
	budget_give(&b, 30);
	assert_int_equal(b.used_bytes, 70);
	budget_charge(&b, 50); /* it is in use, whether it fits or not */
	assert_int_equal(b.used_bytes, 120);
	assert_false(budget_fits(&b, 0));
	budget_give(&b, 120);
	assert_int_equal(b.used_bytes, 0);
}

static struct gs_budget shared = { .limit_bytes = 2 * THREADS };

/* Takes what may not fit while others have the rest; whether it was never more than
 * there is. */
static void *take_turns(void *arg)
{
	bool *ok = arg;
	size_t i;

	for (i = 0; i < TURNS; i++) {
		if (!budget_take(&shared, 3))
			continue;
		*ok &= shared.used_bytes <= shared.limit_bytes;
		budget_give(&shared, 3);
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t t[THREADS];
	bool ok[THREADS];
	size_t i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		ok[i] = true;
		assert_int_equal(pthread_create(&t[i], NULL, take_turns,
		    &ok[i]), 0);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(t[i], NULL), 0);
		assert_true(ok[i]);
	}
	assert_int_equal(shared.used_bytes, 0);
}

static void expect_message(const struct gs_budget *b, const char *want)
{
	struct gs_err err = { 0 };

	assert_int_equal(budget_fail(b, &err, "rows"), GS_E_MEMORY);
	assert_string_equal(err.msg, want);
}

/* Another thread has no place. */
static void *elsewhere(void *arg)
{
	expect_message(arg, "rows: more than fits into 1.0 MiB of memory");
	return NULL;
}

static void test_message(void **state)
{
	struct gs_budget b = { .limit_bytes = 1 << 20 }, other = b;
	pthread_t t;

	(void)state;
	expect_message(NULL, "rows: too large");
	expect_message(&b, "rows: more than fits into 1.0 MiB of memory");
	budget_place(&b, "a.gpsnap", 64, 0);
	expect_message(&b, "a.gpsnap: offset 64: rows: more than fits into 1.0 MiB "
	    "of memory");
	budget_place(&b, "a.gpsnap", 64, 7);
	expect_message(&b, "a.gpsnap: tick 7 at offset 64: rows: more than fits "
	    "into 1.0 MiB of memory");
	expect_message(&other, "rows: more than fits into 1.0 MiB of memory");
	assert_int_equal(pthread_create(&t, NULL, elsewhere, &b), 0);
	assert_int_equal(pthread_join(t, NULL), 0);
	budget_leave(&b, "b.gpsnap"); /* it reads another */
	expect_message(&b, "a.gpsnap: tick 7 at offset 64: rows: more than fits "
	    "into 1.0 MiB of memory");
	budget_leave(&b, "a.gpsnap");
	expect_message(&b, "rows: more than fits into 1.0 MiB of memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
