/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For how long answers are gathered: of many hosts only, and never past what the loop
 * waits for; and that a loop does so.
 */
#include "cases.h"

#include "record/gather.h"

static const struct pause_case {
	const char *name;
	size_t awaited;
	int wait_ms, want;
} pause_cases[] = {
	{ "nothing is waited for", 0, -1, 0 },
	{ "a few hosts", GATHER_HOSTS - 1, -1, 0 },
	{ "many", GATHER_HOSTS, -1, GATHER_MS },
	{ "many, and a timer that is far", 1000, 5000, GATHER_MS },
	{ "many, and one that is near", 1000, 3, 3 },
	{ "many, and something to do", 1000, 0, 0 },
};

static void test_pause(void **state)
{
	const struct pause_case *c = *state;

	assert_int_equal(gather_pause_ms(c->awaited, c->wait_ms), c->want);
}

struct lab {
	struct gather gather;
	uv_async_t wake;
	unsigned asked, woken;
};

static size_t awaited(void *arg)
{
	struct lab *l = arg;

	l->asked++;
	return GATHER_HOSTS;
}

static void on_wake(uv_async_t *a)
{
	struct lab *l = a->data;

	l->woken++;
	uv_close((uv_handle_t *)a, NULL);
	gather_close(&l->gather);
}

/* It does not keep a loop going, nor keep it from what has come. */
static void test_loop(void **state)
{
	struct lab l = { .asked = 0 };
	uv_loop_t loop;

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	gather_open(&l.gather, &loop, awaited, &l);
	assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(uv_async_init(&loop, &l.wake, on_wake), 0);
	l.wake.data = &l;
	assert_int_equal(uv_async_send(&l.wake), 0);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(l.woken, 1);
	assert_true(l.asked > 0);
	assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_pause, pause_cases);
	cases_add(&c, "loop", test_loop, NULL);
	return cases_run(&c, "gather");
}
