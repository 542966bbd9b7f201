/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/cancel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"

/* The thread and its caller hold one reference each. */
struct cancel {
	PGcancel *request;
	atomic_bool done;
	atomic_int refs;
};

static void drop(struct cancel *c)
{
	if (atomic_fetch_sub(&c->refs, 1) != 1)
		return;
	PQfreeCancel(c->request);
	free(c);
}

static void *run(void *arg)
{
	struct cancel *c = arg;
	char why[256];

	/* the connection shows whether it worked */
	(void)PQcancel(c->request, why, sizeof(why));
	atomic_store(&c->done, true);
	drop(c);
	return NULL;
}

/* This thread handles no signals. */
static int start_thread(struct cancel *c)
{
	pthread_t thread;
	sigset_t all, before;
	int r;

	(void)sigfillset(&all); /* fails for no valid set */
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&thread, NULL, run, c);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r == 0)
		(void)pthread_detach(thread); /* it is ours and joinable */
	return r;
}

struct cancel *cancel_start(PGconn *pg)
{
	PGcancel *request = PQgetCancel(pg);
	struct cancel *c;

	if (!request)
		return NULL;
	c = gs_calloc(1, sizeof(*c));
	c->request = request;
	atomic_init(&c->done, false);
	atomic_init(&c->refs, 2);
	if (start_thread(c) != 0) {
		PQfreeCancel(request);
		free(c);
		return NULL;
	}
	return c;
}

bool cancel_is_done(const struct cancel *c)
{
	return atomic_load(&c->done);
}

void cancel_free(struct cancel *c)
{
	if (c)
		drop(c);
}
