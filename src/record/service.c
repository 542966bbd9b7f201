/* SPDX-License-Identifier: Apache-2.0 */
#include "record/service.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"
#include "record/progress.h"

#define PAUSE_NS (20 * GS_NSEC_PER_SEC)
/* Until it is ready. */
#define PAUSE_FIRST_NS (50 * GS_NSEC_PER_MSEC)
/* Ticks may be this much later than an interval. */
#define PATIENCE_NS (60 * GS_NSEC_PER_SEC)

/* "/run/systemd/notify", or "@..." for the abstract namespace. */
static bool set_address(struct service *s, const char *path)
{
	size_t len = path ? strlen(path) : 0;

	if (len < 2 || len >= sizeof(s->to.sun_path) ||
	    (path[0] != '/' && path[0] != '@'))
		return false;
	s->to.sun_family = AF_UNIX;
	memcpy(s->to.sun_path, path, len);
	if (path[0] == '@')
		s->to.sun_path[0] = '\0';
	s->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	return true;
}

/* The watchdog's timeout; 0: no watchdog. */
static int64_t watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");
	int64_t v;

	if (pid && (units_int(pid, 1, INT32_MAX, &v, NULL) < 0 ||
	    v != getpid()))
		return 0;
	if (!usec ||
	    units_int(usec, 1, INT64_MAX / GS_NSEC_PER_USEC, &v, NULL) < 0)
		return 0;
	return v * GS_NSEC_PER_USEC;
}

void service_open(struct service *s, int64_t interval_ns)
{
	static const char *const names[] = { "NOTIFY_SOCKET",
		"WATCHDOG_USEC", "WATCHDOG_PID" };
	int64_t limit_ns = watchdog_ns();
	size_t i;

	*s = (struct service) { .fd = -1, .pause_ns = PAUSE_NS,
		.patience_ns = interval_ns + PATIENCE_NS,
		.ticked_ns = gs_clock_mono_ns() };
	if (limit_ns > 0)
		s->pause_ns = GS_MIN(s->pause_ns, limit_ns / 3);
	if (set_address(s, getenv("NOTIFY_SOCKET")))
		s->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	for (i = 0; i < GS_LEN(names); i++)
		(void)unsetenv(names[i]); /* the names are valid */
}

/* Never blocks: a busy manager gets the next message. */
static bool send_status(const struct service *s, const char *text)
{
	return sendto(s->fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL,
	    (const struct sockaddr *)&s->to, s->len) >= 0;
}

static bool is_alive(struct service *s, const struct recorder_status *status)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (status->ticks != s->ticks) {
		s->ticks = status->ticks;
		s->ticked_ns = now_ns;
	}
	return now_ns - s->ticked_ns <= s->patience_ns;
}

int64_t service_status_timer(
    struct service *s, const struct recorder_status *status, bool *ret_ready)
{
	bool first = !s->ready && status->written > 0;
	struct buf b = BUF_INIT;

	*ret_ready = false;
	if (!s->ready && !first)
		return PAUSE_FIRST_NS;
	if (first)
		buf_add_str(&b, "READY=1\n");
	if (is_alive(s, status))
		buf_add_str(&b, "WATCHDOG=1\n");
	buf_add_str(&b, "STATUS=");
	progress_add_line(status, &b);
	if (send_status(s, buf_str(&b)) && first)
		*ret_ready = s->ready = true;
	buf_release(&b);
	return s->ready ? s->pause_ns : PAUSE_FIRST_NS;
}

void service_close(struct service *s)
{
	if (s->fd >= 0)
		(void)close(s->fd); /* it was empty */
	s->fd = -1;
}
