/* SPDX-License-Identifier: Apache-2.0 */
#include "record/watcher.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "format/tickcode.h"
#include "record/allowance.h"

#define NICE 10

struct entry {
	struct buf raw;
	bool again;
	bool lost; /* ticks before it were dropped */
	struct entry *next;
};

struct watcher {
	struct watch_judge judge;
	void (*news)(void *arg, struct watch_news *list);
	void *arg;
	uv_async_t wake;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;
	bool running; /* the thread is, */
	bool open; /* and the handle */
	bool losing; /* drops up to the next key; the recorder's thread only */
	/* under the lock: */
	bool stop;
	struct entry *first, **end;
	struct watch_news *list, **list_end;
	struct watcher_stats stats;
	size_t queue_bytes, judge_bytes;
	struct gs_err err;
	/* the watcher's thread only: */
	struct tickcode *code;
	struct tick tick;
	struct allowance cpu;
};

void watch_news_free(struct watch_news *n)
{
	if (!n)
		return;
	free(n->rule);
	free(n->severity);
	free(n->host);
	free(n->session);
	free(n->subject);
	free(n->says);
	free(n->next);
	free(n->figures);
	free(n);
}

static void entry_free(struct entry *e)
{
	buf_release(&e->raw);
	free(e);
}

/* ---- the thread ------------------------------------------------------ */

static int64_t cpu_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) < 0)
		return 0;
	return t.tv_sec * GS_NSEC_PER_SEC + t.tv_nsec;
}

/* The oldest tick; NULL: it is the end.  Waits for it. */
static struct entry *next_entry(struct watcher *w)
{
	struct entry *e;

	(void)pthread_mutex_lock(&w->lock);
	while (!w->first && !w->stop)
		(void)pthread_cond_wait(&w->more, &w->lock);
	e = w->stop ? NULL : w->first;
	if (e) {
		w->first = e->next;
		if (!w->first)
			w->end = &w->first;
		w->stats.queued--;
		w->queue_bytes -= e->raw.len;
	}
	(void)pthread_mutex_unlock(&w->lock);
	return e;
}

/* Passes the results of a tick to the loop. */
static void deliver(struct watcher *w, struct watch_news *list,
	struct watch_news **end, double seconds, size_t bytes,
	const struct gs_err *err)
{
	bool wake = list || err->status;

	(void)pthread_mutex_lock(&w->lock);
	w->stats.ticks++;
	w->stats.seconds += seconds;
	w->judge_bytes = bytes;
	if (list) {
		*w->list_end = list;
		w->list_end = end;
	}
	if (err->status)
		w->err = *err;
	(void)pthread_mutex_unlock(&w->lock);
	if (wake)
		(void)uv_async_send(&w->wake); /* the handle is open */
}

static int judge(struct watcher *w, struct entry *e)
{
	struct watch_news *list = NULL, **end = &list;
	struct gs_err err = { .status = GS_OK };
	int64_t from_ns = cpu_ns();
	size_t bytes = 0;
	double seconds;
	int r = tickcode_decode(w->code, e->raw.ptr, e->raw.len, &w->tick,
	    &err);

	if (r == GS_OK)
		r = w->judge.tick(w->judge.arg, &w->tick, e->again, e->lost,
		    &end, &bytes, &err);
	seconds = (double)(cpu_ns() - from_ns) / 1e9;
	deliver(w, list, end, seconds, bytes, &err);
	allowance_charge(&w->cpu, seconds, gs_clock_mono_ns());
	return r;
}

/* Until the thread may use the CPU again, or it is the end. */
static void pause_for_cpu(struct watcher *w)
{
	int64_t ns = allowance_wait_ns(&w->cpu, gs_clock_mono_ns());
	struct timespec until;

	if (ns <= 0)
		return;
	(void)clock_gettime(CLOCK_MONOTONIC, &until); /* it exists */
	ns += until.tv_nsec;
	until.tv_sec += (time_t)(ns / GS_NSEC_PER_SEC);
	until.tv_nsec = (long)(ns % GS_NSEC_PER_SEC);
	(void)pthread_mutex_lock(&w->lock);
	while (!w->stop && pthread_cond_timedwait(&w->more, &w->lock,
	    &until) == 0)
		continue;
	(void)pthread_mutex_unlock(&w->lock);
}

static void *run(void *arg)
{
	struct watcher *w = arg;
	struct entry *e;
	int r = GS_OK;

	/* Of this thread alone, on Linux; samples come first. */
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
	w->cpu = allowance_of(WATCHER_BURST_S, WATCHER_SHARE,
	    gs_clock_mono_ns());
	while (r == GS_OK && (e = next_entry(w)) != NULL) {
		r = judge(w, e);
		entry_free(e);
		pause_for_cpu(w);
	}
	return NULL;
}

/* ---- the loop's side ------------------------------------------------- */

static void on_wake(uv_async_t *a)
{
	struct watcher *w = a->data;
	struct watch_news *list;

	(void)pthread_mutex_lock(&w->lock);
	list = w->list;
	w->list = NULL;
	w->list_end = &w->list;
	(void)pthread_mutex_unlock(&w->lock);
	w->news(w->arg, list);
}

/* Signals are the loop's. */
static int start(struct watcher *w)
{
	sigset_t all, before;
	int r;

	(void)sigfillset(&all); /* valid arguments */
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	r = pthread_create(&w->thread, NULL, run, w);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

struct watcher *watcher_new(uv_loop_t *loop, const struct watch_judge *judge,
	void (*news)(void *arg, struct watch_news *list), void *arg,
	struct gs_err *err)
{
	struct watcher *w = gs_calloc(1, sizeof(*w));
	pthread_condattr_t attr;
	int r;

	w->judge = *judge;
	w->news = news;
	w->arg = arg;
	w->end = &w->first;
	w->list_end = &w->list;
	w->code = tickcode_new(TICKCODE_LEVEL);
	(void)pthread_mutex_init(&w->lock, NULL); /* never fail on Linux */
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&w->more, &attr);
	(void)pthread_condattr_destroy(&attr);
	r = uv_async_init(loop, &w->wake, on_wake);
	if (r < 0) {
		(void)gs_fail_errno(err, -r, "watching");
		watcher_free(w);
		return NULL;
	}
	w->wake.data = w;
	w->open = true;
	uv_unref((uv_handle_t *)&w->wake);
	r = start(w);
	if (r == 0) {
		w->running = true;
		return w;
	}
	(void)gs_fail_errno(err, r, "watching");
	watcher_close(w);
	(void)uv_run(loop, UV_RUN_NOWAIT); /* ends the handle */
	watcher_free(w);
	return NULL;
}

/* Whether it fits; under the lock. */
static bool has_room(const struct watcher *w, size_t len)
{
	return w->err.status == GS_OK &&
	    w->stats.queued < WATCHER_QUEUE_MAX &&
	    w->queue_bytes + len <= WATCHER_QUEUE_BYTES_MAX;
}

void watcher_push(struct watcher *w, const struct buf *raw, bool key,
	bool again)
{
	struct entry *e = gs_calloc(1, sizeof(*e));
	bool fits;

	buf_add(&e->raw, raw->ptr, raw->len);
	e->again = again;
	(void)pthread_mutex_lock(&w->lock);
	fits = has_room(w, raw->len) && (key || !w->losing);
	if (fits) {
		e->lost = w->losing;
		*w->end = e;
		w->end = &e->next;
		w->stats.queued++;
		w->queue_bytes += raw->len;
		(void)pthread_cond_signal(&w->more);
	} else {
		w->stats.dropped += !again;
	}
	(void)pthread_mutex_unlock(&w->lock);
	w->losing = !fits;
	if (!fits)
		entry_free(e);
}

void watcher_get_stats(struct watcher *w, struct watcher_stats *ret)
{
	(void)pthread_mutex_lock(&w->lock);
	*ret = w->stats;
	ret->bytes = w->queue_bytes + w->judge_bytes;
	(void)pthread_mutex_unlock(&w->lock);
}

int watcher_fetch_failure(struct watcher *w, struct gs_err *err)
{
	int r;

	(void)pthread_mutex_lock(&w->lock);
	r = w->err.msg[0] ? (int)w->err.status : GS_OK;
	if (r < 0) {
		*err = w->err;
		w->err.msg[0] = '\0'; /* its status stays: it has ended */
	}
	(void)pthread_mutex_unlock(&w->lock);
	return r;
}

void watcher_close(struct watcher *w)
{
	if (!w || !w->open)
		return;
	(void)pthread_mutex_lock(&w->lock);
	w->stop = true;
	(void)pthread_cond_signal(&w->more);
	(void)pthread_mutex_unlock(&w->lock);
	if (w->running)
		(void)pthread_join(w->thread, NULL);
	w->running = false;
	w->open = false;
	uv_close((uv_handle_t *)&w->wake, NULL);
}

void watcher_free(struct watcher *w)
{
	if (!w)
		return;
	while (w->first) {
		struct entry *e = w->first;

		w->first = e->next;
		entry_free(e);
	}
	while (w->list) {
		struct watch_news *n = w->list;

		w->list = n->link;
		watch_news_free(n);
	}
	(void)pthread_mutex_destroy(&w->lock); /* nobody holds it */
	(void)pthread_cond_destroy(&w->more);
	tickcode_free(w->code);
	tick_release(&w->tick);
	free(w);
}
