/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/worker.h"

#define JOBS 200
#define WORKERS 3

struct sum {
	unsigned from, total, jobs;
};

static void add(void *ctx)
{
	struct sum *s = ctx;
	unsigned i;

	for (i = s->from; i < s->from + 1000; i++)
		s->total += i;
	s->jobs++;
}

/* Each job is done once, and is done when the wait is over. */
static void test_jobs(void **state)
{
	struct worker *w[WORKERS];
	struct sum s[WORKERS] = { { 0 } };
	unsigned i, k;

	(void)state;
	for (k = 0; k < WORKERS; k++) {
		w[k] = worker_new();
		assert_non_null(w[k]);
	}
	for (i = 0; i < JOBS; i++) {
		k = i % WORKERS;
		worker_wait(w[k]);
		assert_true(s[k].jobs == i / WORKERS);
		s[k].from = i;
		worker_start(w[k], add, &s[k]);
	}
	for (k = 0; k < WORKERS; k++) {
		worker_wait(w[k]);
		worker_wait(w[k]); /* at once */
		worker_free(w[k]);
	}
	assert_true(s[0].jobs + s[1].jobs + s[2].jobs == JOBS);
}

/* A job that was not waited for is done before its worker is freed. */
static void test_unwaited(void **state)
{
	struct sum s = { 0 };
	struct worker *w = worker_new();

	(void)state;
	worker_start(w, add, &s);
	worker_free(w);
	assert_true(s.jobs == 1);
	worker_free(worker_new());
	worker_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_unwaited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
