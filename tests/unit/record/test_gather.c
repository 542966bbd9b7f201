/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For how long answers are gathered: of many hosts only, and never past what the loop
 * waits for; and what it is to a loop.
 */
#include "cases.h"

#include "base/compiler.h"
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

#define WHOLE_MS (GATHER_MS - 1u) /* the loop's time has whole ms */
/* A pause is shorter where the machine was late and the timer is near. */
#define PATIENCE 50

struct lab {
	struct gather gather;
	uv_async_t wake;
	uv_timer_t timer;
	uv_prepare_t after; /* what the loop does next */
	unsigned asked, woken;
	uint64_t asked_ms; /* the loop's time then */
	uint64_t most_ms; /* that it went on */
};

static size_t count(void *arg)
{
	struct lab *l = arg;

	l->asked++;
	l->asked_ms = uv_now(l->gather.before_wait.loop);
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
	gather_open(&l.gather, &loop, count, &l);
	assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(uv_async_init(&loop, &l.wake, on_wake), 0);
	l.wake.data = &l;
	assert_int_equal(uv_async_send(&l.wake), 0);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(l.woken, 1);
	assert_true(l.asked > 0);
	assert_int_equal(uv_loop_close(&loop), 0);
}

static void on_after(uv_prepare_t *p)
{
	struct lab *l = p->data;

	l->most_ms = GS_MAX(l->most_ms, uv_now(p->loop) - l->asked_ms);
}

static void on_timer(uv_timer_t *t)
{
	struct lab *l = t->data;

	if (++l->woken < PATIENCE && l->most_ms < WHOLE_MS)
		return;
	uv_close((uv_handle_t *)t, NULL);
	uv_close((uv_handle_t *)&l->after, NULL);
	gather_close(&l->gather);
}

/* The loop knows that time has passed: else it would wait for its timers as long as
 * without the pause, after it. */
static void test_time(void **state)
{
	struct lab l = { .asked = 0 };
	uv_loop_t loop;

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	(void)uv_prepare_init(&loop, &l.after);
	l.after.data = &l;
	(void)uv_prepare_start(&l.after, on_after); /* the first comes last */
	gather_open(&l.gather, &loop, count, &l);
	(void)uv_timer_init(&loop, &l.timer);
	l.timer.data = &l;
	(void)uv_timer_start(&l.timer, on_timer, 1, 3 * GATHER_MS);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	assert_true(l.most_ms >= WHOLE_MS);
	assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_pause, pause_cases);
	cases_add(&c, "loop", test_loop, NULL);
	cases_add(&c, "time", test_time, NULL);
	return cases_run(&c, "gather");
}
