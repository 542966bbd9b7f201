/* SPDX-License-Identifier: Apache-2.0 */
#include "record/tty_watch.h"

#define EVERY_MS 100

static void on_ready(uv_poll_t *p, int status, int events)
{
	struct tty_watch *o = p->data;

	(void)events;
	/* SIGHUP reports a terminal that is gone */
	if (status < 0)
		(void)uv_poll_stop(p);
	o->serve(o->arg);
}

static void on_due(uv_timer_t *t)
{
	struct tty_watch *o = t->data;

	o->serve(o->arg);
}

void tty_watch_open(struct tty_watch *o, uv_loop_t *loop, int fd,
	void (*serve)(void *arg), void *arg)
{
	*o = (struct tty_watch) { .serve = serve, .arg = arg };
	if (uv_poll_init(loop, &o->ready, fd) < 0)
		return; /* a file: nobody types there */
	(void)uv_timer_init(loop, &o->due); /* can't fail */
	o->open = true;
	o->ready.data = o->due.data = o;
	(void)uv_poll_start(&o->ready, UV_READABLE, on_ready);
	(void)uv_timer_start(&o->due, on_due, EVERY_MS, EVERY_MS);
	uv_unref((uv_handle_t *)&o->ready);
	uv_unref((uv_handle_t *)&o->due);
}

void tty_watch_close(struct tty_watch *o)
{
	if (!o->open)
		return;
	o->open = false;
	uv_close((uv_handle_t *)&o->ready, NULL);
	uv_close((uv_handle_t *)&o->due, NULL);
}
