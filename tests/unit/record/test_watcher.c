/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that judges ticks: a judge that is slow costs ticks of its own, and
 * never the recorder's time.
 */
#include "cases.h"

#include <semaphore.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "format/tickcode.h"
#include "model/tick_encoder.h"
#include "record/watcher.h"

struct fixture {
	uv_loop_t loop;
	uv_timer_t alive; /* as the recorder's: the watcher is no reason to go on */
	struct watcher *w;
	struct tick_encoder *encoder;
	struct tickcode *code;
	struct buf raw;
	sem_t go; /* the judge waits for it, once per tick */
	/* the judge's: */
	uint64_t seq[200];
	bool lost[200];
	size_t n;
	bool fails;
	/* the loop's: */
	size_t news;
};

static int judge(void *arg, const struct tick *t, bool again, bool lost,
	struct watch_news ***ret_end, size_t *ret_bytes, struct gs_err *err)
{
	struct fixture *f = arg;
	struct watch_news *n = gs_calloc(1, sizeof(*n));

	(void)again;
	(void)sem_wait(&f->go);
	f->seq[f->n] = t->seq;
	f->lost[f->n++] = lost;
	**ret_end = n;
	*ret_end = &n->link;
	*ret_bytes = 1000;
	return f->fails ? gs_fail(err, GS_E_MEMORY, "no memory") : GS_OK;
}

static void on_news(void *arg, struct watch_news *list)
{
	struct fixture *f = arg;

	while (list) {
		struct watch_news *n = list;

		list = n->link;
		f->news++;
		watch_news_free(n);
	}
}

static void on_alive(uv_timer_t *t)
{
	(void)t;
}

static void open_all(struct fixture *f)
{
	struct watch_judge j = { .tick = judge, .arg = f };

	*f = (struct fixture) { .raw = BUF_INIT };
	assert_int_equal(uv_loop_init(&f->loop), 0);
	assert_int_equal(sem_init(&f->go, 0, 0), 0);
	(void)uv_timer_init(&f->loop, &f->alive);
	(void)uv_timer_start(&f->alive, on_alive, 1000000, 0);
	f->encoder = encoder_new(header_new());
	f->code = tickcode_new(TICKCODE_LEVEL);
	f->w = watcher_new(&f->loop, &j, on_news, f, NULL);
	assert_non_null(f->w);
}

static void close_all(struct fixture *f)
{
	watcher_close(f->w);
	uv_close((uv_handle_t *)&f->alive, NULL);
	(void)uv_run(&f->loop, UV_RUN_DEFAULT);
	watcher_free(f->w);
	assert_int_equal(uv_loop_close(&f->loop), 0);
	(void)sem_destroy(&f->go);
	encoder_free(f->encoder);
	tickcode_free(f->code);
	buf_release(&f->raw);
}

/* The next tick; every tenth is a key. */
static void push(struct fixture *f, unsigned i)
{
	const struct tick *t;

	if (i % 10 == 0)
		encoder_need_key(f->encoder);
	encoder_begin(f->encoder, (int64_t)i * GS_NSEC_PER_SEC);
	t = encoder_end(f->encoder);
	tickcode_encode(f->code, t, &f->raw);
	watcher_push(f->w, &f->raw, t->key, false);
}

/* A tick is counted before the loop is woken with its news. */
static void wait_judged(struct fixture *f, uint64_t n)
{
	int64_t until_ns = gs_clock_mono_ns() + 20 * GS_NSEC_PER_SEC;
	struct watcher_stats s;

	do {
		(void)uv_run(&f->loop, UV_RUN_NOWAIT);
		watcher_get_stats(f->w, &s);
	} while ((s.ticks < n || f->news < n) &&
	    gs_clock_mono_ns() < until_ns);
	assert_int_equal(s.ticks, n);
}

/* The first tick is the judge's, who waits. */
static void wait_taken(struct fixture *f)
{
	int64_t until_ns = gs_clock_mono_ns() + 20 * GS_NSEC_PER_SEC;
	struct watcher_stats s;

	do {
		(void)uv_run(&f->loop, UV_RUN_NOWAIT);
		watcher_get_stats(f->w, &s);
	} while (s.queued > 0 && gs_clock_mono_ns() < until_ns);
	assert_int_equal(s.queued, 0);
}

/* It holds one tick and the queue is full: later ones are dropped, and the next
 * that it gets is a key, with the word that some are missing. */
static void test_slow(void **state)
{
	struct fixture f;
	struct watcher_stats s;
	unsigned i, pushed = 195;
	size_t k;

	(void)state;
	open_all(&f);
	push(&f, 0);
	wait_taken(&f);
	for (i = 1; i < pushed; i++)
		push(&f, i);
	watcher_get_stats(f.w, &s);
	assert_int_equal(s.dropped, pushed - WATCHER_QUEUE_MAX - 1);
	assert_true(s.queued <= WATCHER_QUEUE_MAX);
	for (k = 0; k < pushed; k++)
		(void)sem_post(&f.go);
	wait_judged(&f, pushed - s.dropped);
	push(&f, pushed); /* a delta on what is lost */
	push(&f, 200); /* a key */
	(void)sem_post(&f.go);
	wait_judged(&f, pushed - s.dropped + 1);
	for (k = 0; k + 1 < f.n; k++)
		assert_false(f.lost[k]);
	assert_true(f.lost[k]);
	assert_int_equal(f.seq[k], pushed + 2);
	assert_int_equal(f.news, f.n);
	watcher_get_stats(f.w, &s);
	assert_int_equal(s.bytes, 1000);
	close_all(&f);
}

/* The reason is told once, and no tick is taken any more. */
static void test_failure(void **state)
{
	struct fixture f;
	struct watcher_stats s;
	struct gs_err err;

	(void)state;
	open_all(&f);
	f.fails = true;
	(void)sem_post(&f.go);
	push(&f, 0);
	wait_judged(&f, 1);
	assert_int_equal(watcher_fetch_failure(f.w, &err), GS_E_MEMORY);
	assert_string_equal(err.msg, "no memory");
	assert_int_equal(watcher_fetch_failure(f.w, &err), GS_OK);
	push(&f, 10);
	watcher_get_stats(f.w, &s);
	assert_int_equal(s.dropped, 1);
	close_all(&f);
}

/* It ends while ticks wait. */
static void test_end(void **state)
{
	struct fixture f;
	unsigned i;

	(void)state;
	open_all(&f);
	(void)sem_post(&f.go);
	(void)sem_post(&f.go);
	for (i = 0; i < 2; i++)
		push(&f, i);
	close_all(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
