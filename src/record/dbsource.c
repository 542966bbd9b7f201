/*
 * libpq opens and closes its sockets as it likes, and a new one may have the
 * number of an old one.  So they are watched by an epoll descriptor of our
 * own, which is what the loop watches: it is brought up to date after each
 * call that may have changed them.
 */
#include "record/dbsource.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

struct dbsource {
	struct catalog *catalog;
	int epoll_fd;
	uv_poll_t ready;
	uv_timer_t due;
	bool handles; /* the two above are open */
	struct catalog_wait wait[CATALOG_WAITS_MAX]; /* what is watched */
	size_t n_wait;
	void (*settled)(void *arg);
	void *arg;
};

static void on_due(uv_timer_t *t);

static bool has_fd(const struct catalog_wait *w, size_t n, int fd)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (w[i].fd == fd)
			return true;
	}
	return false;
}

static void watch_fd(int epoll_fd, const struct catalog_wait *w)
{
	struct epoll_event ev = { .data.fd = w->fd,
		.events = (w->readable ? EPOLLIN : 0u) |
		    (w->writable ? EPOLLOUT : 0u) };

	/* A socket that is new under an old number is not registered. */
	if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, w->fd, &ev) < 0 &&
	    errno == ENOENT)
		(void)epoll_ctl(epoll_fd, EPOLL_CTL_ADD, w->fd, &ev);
}

static void watch(struct dbsource *s)
{
	struct catalog_wait now[CATALOG_WAITS_MAX];
	int64_t due_ns, wait_ns;
	size_t i, n = catalog_waits(s->catalog, now, &due_ns);

	for (i = 0; i < s->n_wait; i++) {
		/* Closed ones went by themselves. */
		if (!has_fd(now, n, s->wait[i].fd))
			(void)epoll_ctl(s->epoll_fd, EPOLL_CTL_DEL,
			    s->wait[i].fd, NULL);
	}
	for (i = 0; i < n; i++) {
		watch_fd(s->epoll_fd, &now[i]);
		s->wait[i] = now[i];
	}
	s->n_wait = n;
	if (due_ns == INT64_MAX) {
		(void)uv_timer_stop(&s->due);
		return;
	}
	wait_ns = GS_MAX(due_ns - gs_clock_mono_ns(), 0);
	(void)uv_timer_start(&s->due, on_due,
	    (uint64_t)((wait_ns + GS_NSEC_PER_MSEC - 1) / GS_NSEC_PER_MSEC),
	    0);
}

static void advance(struct dbsource *s)
{
	bool waited = catalog_is_waiting(s->catalog);

	catalog_advance(s->catalog);
	watch(s);
	if (waited && !catalog_is_waiting(s->catalog))
		s->settled(s->arg);
}

static void on_due(uv_timer_t *t)
{
	advance(t->data);
}

static void on_ready(uv_poll_t *p, int status, int events)
{
	(void)status;
	(void)events;
	advance(p->data);
}

struct dbsource *dbsource_new(uv_loop_t *loop,
	const struct catalog_options *opt, void (*settled)(void *arg),
	void *arg, struct gs_err *err)
{
	struct catalog *c = catalog_new(opt, err);
	struct dbsource *s;

	if (!c)
		return NULL;
	s = gs_calloc(1, sizeof(*s));
	s->catalog = c;
	s->settled = settled;
	s->arg = arg;
	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll_fd < 0) {
		(void)gs_fail_errno(err, errno, "epoll");
		dbsource_free(s);
		return NULL;
	}
	/* None of these fails on a valid loop and descriptor. */
	(void)uv_poll_init(loop, &s->ready, s->epoll_fd);
	(void)uv_timer_init(loop, &s->due);
	s->ready.data = s->due.data = s;
	s->handles = true;
	(void)uv_poll_start(&s->ready, UV_READABLE, on_ready);
	watch(s);
	return s;
}

void dbsource_tick(struct dbsource *s)
{
	catalog_tick(s->catalog);
	watch(s);
}

bool dbsource_is_waiting(const struct dbsource *s)
{
	return catalog_is_waiting(s->catalog);
}

struct catalog *dbsource_catalog(const struct dbsource *s)
{
	return s->catalog;
}

void dbsource_stop(struct dbsource *s)
{
	if (!s || !s->handles)
		return;
	s->handles = false;
	uv_close((uv_handle_t *)&s->ready, NULL);
	uv_close((uv_handle_t *)&s->due, NULL);
}

void dbsource_free(struct dbsource *s)
{
	if (!s)
		return;
	catalog_free(s->catalog);
	if (s->epoll_fd >= 0)
		(void)close(s->epoll_fd);
	free(s);
}
