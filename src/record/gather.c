/* SPDX-License-Identifier: Apache-2.0 */
#include "record/gather.h"

#include <time.h>

#include "base/clock.h"
#include "base/compiler.h"

int gather_pause_ms(size_t awaited, int wait_ms)
{
	if (awaited < GATHER_HOSTS)
		return 0;
	return wait_ms < 0 ? GATHER_MS : GS_MIN(wait_ms, GATHER_MS);
}

static void on_prepare(uv_prepare_t *p)
{
	const struct gather *g = p->data;
	int ms = gather_pause_ms(g->awaited(g->arg),
	    uv_backend_timeout(p->loop));
	const struct timespec pause = { 0, ms * GS_NSEC_PER_MSEC };

	if (ms == 0)
		return;
	(void)nanosleep(&pause, NULL); /* a signal may end it */
	/* else the loop waits for its timers by the time before */
	uv_update_time(p->loop);
}

void gather_open(struct gather *g, uv_loop_t *loop,
	size_t (*awaited)(void *arg), void *arg)
{
	g->awaited = awaited;
	g->arg = arg;
	/* None of these fails. */
	(void)uv_prepare_init(loop, &g->before_wait);
	g->before_wait.data = g;
	(void)uv_prepare_start(&g->before_wait, on_prepare);
	uv_unref((uv_handle_t *)&g->before_wait);
}

void gather_close(struct gather *g)
{
	uv_close((uv_handle_t *)&g->before_wait, NULL);
}
