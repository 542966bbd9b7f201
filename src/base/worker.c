/* SPDX-License-Identifier: Apache-2.0 */
#include "base/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

/* Enough for a compressor; the usual size counts as memory of the program. */
#define STACK_BYTES ((size_t)1 << 20)

struct worker {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	worker_fn fn; /* NULL: no job */
	void *ctx;
	bool ends;
};

static void *serve(void *arg)
{
	struct worker *w = arg;

	(void)pthread_mutex_lock(&w->lock); /* valid, as all below */
	for (;;) {
		while (!w->fn && !w->ends)
			(void)pthread_cond_wait(&w->changed, &w->lock);
		if (!w->fn)
			break;
		(void)pthread_mutex_unlock(&w->lock);
		w->fn(w->ctx);
		(void)pthread_mutex_lock(&w->lock);
		w->fn = NULL;
		(void)pthread_cond_signal(&w->changed);
	}
	(void)pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Without signals: their handlers are to interrupt the owner. */
static int create(struct worker *w)
{
	pthread_attr_t attr;
	sigset_t all, before;
	int r;

	if (pthread_attr_init(&attr) != 0)
		return -1;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&w->thread, &attr, serve, w);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attr);
	return r;
}

struct worker *worker_new(void)
{
	struct worker *w = gs_calloc(1, sizeof(*w));

	(void)pthread_mutex_init(&w->lock, NULL); /* never fails on Linux */
	(void)pthread_cond_init(&w->changed, NULL);
	if (create(w) == 0)
		return w;
	(void)pthread_cond_destroy(&w->changed);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
	return NULL;
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	(void)pthread_mutex_lock(&w->lock);
	w->ends = true;
	(void)pthread_cond_signal(&w->changed);
	(void)pthread_mutex_unlock(&w->lock);
	(void)pthread_join(w->thread, NULL);
	(void)pthread_cond_destroy(&w->changed);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}

void worker_start(struct worker *w, worker_fn fn, void *ctx)
{
	(void)pthread_mutex_lock(&w->lock);
	w->fn = fn;
	w->ctx = ctx;
	(void)pthread_cond_signal(&w->changed);
	(void)pthread_mutex_unlock(&w->lock);
}

void worker_wait(struct worker *w)
{
	(void)pthread_mutex_lock(&w->lock);
	while (w->fn)
		(void)pthread_cond_wait(&w->changed, &w->lock);
	(void)pthread_mutex_unlock(&w->lock);
}
