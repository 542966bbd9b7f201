/* SPDX-License-Identifier: Apache-2.0 */
#include "record/ticker.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"

int ticker_open(struct ticker *t, uv_loop_t *loop, int64_t interval_ns,
	int64_t origin_ns, void (*due)(void *arg, int64_t due_ns), void *arg,
	struct gs_err *err)
{
	schedule_init(&t->schedule, interval_ns, origin_ns);
	t->due = due;
	t->arg = arg;
	t->timer_fd = timerfd_create(CLOCK_REALTIME,
	    TFD_CLOEXEC | TFD_NONBLOCK);
	if (t->timer_fd < 0)
		return gs_fail_errno(err, errno, "timerfd");
	/* Does not fail once there is a loop. */
	(void)uv_poll_init(loop, &t->wake, t->timer_fd);
	t->wake.data = t;
	t->open = true;
	return 0;
}

static void arm(struct ticker *t)
{
	struct itimerspec at = { 0 };

	t->due_ns = schedule_due(&t->schedule, gs_clock_wall_ns());
	at.it_value.tv_sec = (time_t)(t->due_ns / GS_NSEC_PER_SEC);
	at.it_value.tv_nsec = (long)(t->due_ns % GS_NSEC_PER_SEC);
	/* Fails only on values that are no times. */
	(void)timerfd_settime(t->timer_fd,
	    TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL);
}

static void on_wake(uv_poll_t *p, int status, int events)
{
	struct ticker *t = p->data;
	uint64_t expired;
	ssize_t n;

	(void)status;
	(void)events;
	n = read(t->timer_fd, &expired, sizeof(expired));
	if (n < 0 && errno == EAGAIN)
		return;
	/* ECANCELED: the clock was set; compute the due time again. */
	if (n >= 0)
		t->due(t->arg, t->due_ns);
	if (!t->stopped)
		arm(t);
}

void ticker_start(struct ticker *t)
{
	(void)uv_poll_start(&t->wake, UV_READABLE, on_wake);
	arm(t);
}

void ticker_set_interval(struct ticker *t, int64_t interval_ns)
{
	schedule_set_interval(&t->schedule, interval_ns);
	if (!t->stopped)
		arm(t);
}

void ticker_stop(struct ticker *t)
{
	t->stopped = true;
	if (t->open)
		(void)uv_poll_stop(&t->wake);
}

struct schedule_tick ticker_judge(struct ticker *t, int64_t due_ns,
	int64_t wall_ns)
{
	struct schedule_clocks now = { .wall_ns = wall_ns,
		.mono_ns = gs_clock_mono_ns(), .boot_ns = gs_clock_boot_ns() };

	return schedule_tick(&t->schedule, due_ns, &now);
}

void ticker_close(struct ticker *t)
{
	ticker_stop(t);
	if (t->open)
		uv_close((uv_handle_t *)&t->wake, NULL);
	t->open = false;
}

void ticker_release(struct ticker *t)
{
	if (t->timer_fd >= 0)
		(void)close(t->timer_fd);
	t->timer_fd = -1;
}
