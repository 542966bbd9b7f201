/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finish.c - closes connections.
 *
 * A server that answers a client that is gone writes that to its log.  So we
 * wait for answers for a moment, then cancel running statements and wait for
 * their end; a server that does not answer is left alone.
 */
#include "pg/catalog_int.h"

#include <poll.h>

#include "base/clock.h"
#include "base/compiler.h"

static bool is_pending(const struct conn *c)
{
	return c->state == CONN_BUSY || c->state == CONN_CANCELLING ||
	    (c->state == CONN_CONNECTING && c->pg);
}

static void advance_all(struct catalog *c)
{
	int i;

	for (i = 0; i < LINKS; i++)
		(void)conn_advance(&c->link[i].conn, gs_clock_mono_ns());
}

/* Waits for outstanding answers; false: there are none. */
static bool wait_for_any(const struct catalog *c, int64_t until_ns)
{
	struct pollfd p[LINKS];
	int64_t left_ns = until_ns - gs_clock_mono_ns(), due_ns = INT64_MAX;
	struct catalog_wait w;
	nfds_t n = 0;
	int i;

	for (i = 0; i < LINKS; i++) {
		if (!is_pending(&c->link[i].conn) ||
		    !conn_wait(&c->link[i].conn, &w, &due_ns))
			continue;
		p[n++] = (struct pollfd) { .fd = w.fd,
			.events = (short)((w.readable ? POLLIN : 0) |
			    (w.writable ? POLLOUT : 0)) };
	}
	if (n == 0 || left_ns <= 0)
		return false;
	/* a signal or an error: try again, until the time is up */
	(void)poll(p, n, (int)(left_ns / GS_NSEC_PER_MSEC) + 1);
	return true;
}

static void wait_for_all(struct catalog *c, int64_t until_ns)
{
	do
		advance_all(c);
	while (wait_for_any(c, until_ns));
}

void catalog_finish(struct catalog *c, int64_t wait_ns)
{
	int64_t now_ns = gs_clock_mono_ns();
	int i;

	wait_for_all(c, now_ns + wait_ns / 5);
	for (i = 0; i < LINKS; i++)
		conn_cancel(&c->link[i].conn);
	wait_for_all(c, now_ns + wait_ns);
	for (i = 0; i < LINKS; i++)
		conn_close(&c->link[i].conn);
}
