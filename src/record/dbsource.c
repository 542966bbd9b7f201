/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq opens and closes sockets at any time, and a new one may have the
 * number of an old one.  So our own epoll descriptor watches them, and the loop
 * watches that: it is updated after each call that may have changed them.
 */
#include "record/dbsource.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/event_limit.h"

/* How often titles are searched for a session that waits. */
#define WAITS_EVERY_NS (5 * GS_NSEC_PER_SEC)

/* Events of a server, which may make as many as it likes: a cluster that fails
 * over, then one in 10 s; at 100 bytes each that is less than 1 MB a day. */
#define EVENTS_BURST 200.0
#define EVENTS_PER_S 0.1

/* How long the end waits for a statement to be cancelled. */
#define GOODBYE_NS GS_NSEC_PER_SEC

struct dbsource {
	const struct catalog_options *given;
	struct catalog_options opt; /* a copy */
	bool (*backend_alive)(void *arg, int pid); /* the owner's, or NULL */
	struct catalog *catalog;
	struct host_set *host_set;
	bool follows;
	uint32_t index; /* of its host in the recording */
	uint64_t generation; /* of the topology that the host_set has */
	uint64_t names; /* host_set_names() when hosts were named last */
	char **host; /* names that the topology added */
	size_t n_host;
	struct dbsource *const *peers; /* all sources; NULL: this one only */
	const size_t *n_peers;
	bool up, was_up, was_down; /* as reported by events */
	int64_t since_ns; /* up or down, wall; 0: neither yet */
	struct buf why; /* it is down */
	struct event_limit events;
	int64_t searched_ns; /* titles, monotonic */
	int epoll_fd;
	uv_poll_t ready;
	uv_timer_t due;
	bool handles; /* the two above are open */
	struct catalog_wait wait[CATALOG_WAITS_MAX]; /* what is watched */
	size_t n_wait;
	void (*answered)(void *arg);
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

	/* A new socket with an old number is not registered. */
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
		/* The kernel removes closed ones. */
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
		s->answered(s->arg);
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

/* ---- what the catalog asks ------------------------------------------- */

static bool is_alive(void *arg, int pid)
{
	struct dbsource *s = arg;

	return s->backend_alive(s->opt.arg, pid);
}

static bool ends_with(struct span title, const char *word)
{
	size_t len = strlen(word);

	return span_len(title) > len &&
	    memcmp(title.end - len, word, len) == 0;
}

static bool is_queued_there(const struct world *w, uint64_t pid)
{
	const struct table *t;
	uint64_t v;
	size_t i;

	if (world_hosts(w) == 0)
		return false;
	t = &world_host(w, 0)->table[ENTITY_PROCESS];
	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (r && (row_peek(r, COL(PROCESS, NS_PID), &v) ||
		    row_peek(r, COL(PROCESS, PID), &v)) && v == pid)
			return ends_with(row_peek_text(w, r,
			    COL(PROCESS, TITLE)), " queuing");
	}
	return false;
}

/* Uses the titles of the last tick. */
static bool is_queued(void *arg, int pid)
{
	const struct dbsource *s = arg;
	size_t i;

	for (i = 0; pid > 0 && i < host_set_count(s->host_set); i++) {
		const struct host_conn *at = host_set_host_conn(s->host_set, i);

		if (at->local && is_queued_there(host_conn_world(at),
		    (uint64_t)pid))
			return true;
	}
	return false;
}

/* A server that is reached through a socket runs on this host. */
static const char *host_of(void *arg, const char *hostname,
	const char *address)
{
	const struct dbsource *s = arg;

	if (hostname[0] == '\0' && address[0] == '\0')
		return host_set_host_of(s->host_set, "localhost", NULL);
	return host_set_host_of(s->host_set,
	    hostname[0] != '\0' ? hostname : NULL,
	    address[0] != '\0' ? address : NULL);
}

/* ---- life ------------------------------------------------------------ */

static int open_catalog(struct dbsource *s, struct gs_err *err)
{
	struct catalog_options opt = s->opt;

	opt.arg = s;
	opt.is_queued = is_queued;
	if (s->backend_alive)
		opt.backend_alive = is_alive;
	s->catalog = catalog_new(&opt, err);
	if (!s->catalog)
		return err ? (int)err->status : GS_E_USAGE;
	catalog_set_hosts(s->catalog, host_of);
	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll_fd < 0)
		return gs_fail_errno(err, errno, "epoll");
	return 0;
}

struct dbsource *dbsource_new(uv_loop_t *loop,
    const struct catalog_options *opt, struct host_set *host_set, bool follows,
    void (*answered)(void *arg), void *arg, struct gs_err *err)
{
	struct dbsource *s = gs_calloc(1, sizeof(*s));

	s->given = opt;
	s->opt = *opt;
	s->backend_alive = opt->backend_alive;
	s->host_set = host_set;
	s->follows = follows;
	s->answered = answered;
	s->arg = arg;
	s->events = event_limit_of(EVENTS_BURST, EVENTS_PER_S,
	    gs_clock_mono_ns());
	s->epoll_fd = -1;
	if (open_catalog(s, err) < 0) {
		dbsource_free(s);
		return NULL;
	}
	s->index = host_set_new_index(host_set);
	/* None of these fails on a valid loop and descriptor. */
	(void)uv_poll_init(loop, &s->ready, s->epoll_fd);
	(void)uv_timer_init(loop, &s->due);
	s->ready.data = s->due.data = s;
	s->handles = true;
	(void)uv_poll_start(&s->ready, UV_READABLE, on_ready);
	watch(s);
	return s;
}

bool dbsource_is_of(const struct dbsource *s,
	const struct catalog_options *opt)
{
	return s->given == opt;
}

void dbsource_move(struct dbsource *s)
{
	s->opt = *s->given;
	catalog_move(s->catalog, s->given);
}

void dbsource_tick(struct dbsource *s)
{
	if (s->names != host_set_names(s->host_set)) {
		s->names = host_set_names(s->host_set);
		catalog_rename_hosts(s->catalog);
	}
	catalog_tick(s->catalog);
	watch(s);
}

bool dbsource_is_waiting(const struct dbsource *s)
{
	return catalog_is_waiting(s->catalog);
}

/* ---- hosts ----------------------------------------------------------- */

static bool has_host(const struct dbsource *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n_host; i++) {
		if (strcmp(s->host[i], name) == 0)
			return true;
	}
	return false;
}

/* True if another server's topology has it, too. */
static bool is_shared(const struct dbsource *s, const char *name)
{
	size_t i;

	for (i = 0; s->peers && i < *s->n_peers; i++) {
		if (s->peers[i] != s && has_host(s->peers[i], name))
			return true;
	}
	return false;
}

static bool in_topology(const struct dbsource *s, const char *name)
{
	uint64_t generation;
	size_t i, n = catalog_segments(s->catalog, &generation);

	for (i = 0; i < n; i++) {
		if (strcmp(catalog_segment(s->catalog, i).hostname, name) == 0)
			return true;
	}
	return false;
}

static void add_host(struct dbsource *s, const struct catalog_segment *seg,
	struct tick *events)
{
	struct gs_err err;

	if (seg->hostname[0] == '\0' || has_host(s, seg->hostname))
		return;
	if (!is_shared(s, seg->hostname) &&
	    host_set_add_host(s->host_set, seg->hostname, seg->hostname,
		seg->address[0] != '\0' ? seg->address : NULL, &err) < 0) {
		tick_add_event(events, EVENT_NOTE, 0, EVENT_NO_HOST, 0,
		    err.msg, strlen(err.msg));
		return;
	}
	s->host = gs_realloc(s->host, (s->n_host + 1) * sizeof(*s->host));
	s->host[s->n_host++] = gs_strdup(seg->hostname);
}

static void remove_hosts(struct dbsource *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_host; i++) {
		if (in_topology(s, s->host[i])) {
			s->host[kept++] = s->host[i];
			continue;
		}
		if (!is_shared(s, s->host[i]))
			host_set_remove_host(s->host_set, s->host[i]);
		free(s->host[i]);
	}
	s->n_host = kept;
}

/* An unknown topology changes nothing. */
static void follow_topology(struct dbsource *s, struct tick *events)
{
	uint64_t generation;
	size_t i, n = catalog_segments(s->catalog, &generation);

	if (!s->follows || n == 0 || generation == s->generation)
		return;
	s->generation = generation;
	for (i = 0; i < n; i++) {
		struct catalog_segment seg = catalog_segment(s->catalog, i);

		add_host(s, &seg, events);
	}
	remove_hosts(s);
}

/* ---- frames ---------------------------------------------------------- */

void dbsource_set_peers(struct dbsource *s, struct dbsource *const *peers,
	const size_t *n)
{
	s->peers = peers;
	s->n_peers = n;
}

void dbsource_list(const struct dbsource *s, size_t number,
	struct header *h)
{
	char name[32] = "catalog";

	if (number > 0)
		(void)snprintf(name, sizeof(name), "catalog-%zu",
		    number + 1);
	header_add_catalog(h, s->index, name);
}

/* "port 5433: no answer": with several servers, an event names its server. */
static void add_event(const struct dbsource *s, const struct event *e,
	const char *text, struct tick *events)
{
	struct buf b = BUF_INIT;

	if (s->opt.label && s->n_peers && *s->n_peers > 1)
		buf_printf(&b, "%s: ", s->opt.label);
	buf_add(&b, text, e->len);
	tick_add_event(events, e->kind, e->wall_ns, e->host, e->value,
	    buf_str(&b), b.len);
	buf_release(&b);
}

/* Down since the first failure, with the newest reason. */
static void note_state(struct dbsource *s, bool up, const char *text,
	size_t len)
{
	if (s->since_ns == 0 || s->up != up)
		s->since_ns = gs_clock_wall_ns();
	s->up = up;
	s->was_up |= up;
	s->was_down |= !up;
	buf_reset(&s->why);
	if (!up)
		buf_add(&s->why, text, len);
}

/* The catalog does not count those beyond its own limit. */
static void add_left_out(struct dbsource *s, struct tick *events)
{
	uint64_t n = event_limit_tell(&s->events, gs_clock_mono_ns());
	struct event e = { .kind = EVENT_NOTE, .host = EVENT_NO_HOST,
		.wall_ns = gs_clock_wall_ns(), .value = (int64_t)n };
	char text[128];

	if (n == 0)
		return;
	(void)snprintf(text, sizeof(text), "at least %" PRIu64 " events were "
	    "left out: a server's are %g, then one in %g s", n, EVENTS_BURST,
	    1 / EVENTS_PER_S);
	e.len = strlen(text);
	add_event(s, &e, text, events);
}

static void move_events(struct dbsource *s, struct tick *events)
{
	struct tick *t = catalog_events(s->catalog);
	int64_t now_ns = gs_clock_mono_ns();
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];
		const char *text = buf_str(&t->bytes) + e->off;
		bool up = e->kind == EVENT_DATABASE_UP;
		bool is_state = up || e->kind == EVENT_DATABASE_DOWN;

		if (is_state)
			note_state(s, up, text, e->len);
		if (is_state || event_limit_take(&s->events, now_ns))
			add_event(s, e, text, events);
	}
	tick_reset(t);
	add_left_out(s, events);
}

static bool somebody_waits(const struct world *w)
{
	const struct table *t;
	size_t i;

	if (world_hosts(w) == 0)
		return false;
	t = &world_host(w, 0)->table[ENTITY_PROCESS];
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && ends_with(row_peek_text(w, t->slot[i],
			COL(PROCESS, TITLE)), " waiting"))
			return true;
	}
	return false;
}

/* The coordinator does not show that a session waits on a segment, but the
 * title of its process there does. */
static void search_titles(struct dbsource *s)
{
	int64_t now_ns = gs_clock_mono_ns();
	uint64_t generation;
	bool waits = false;
	size_t i;

	if (catalog_segments(s->catalog, &generation) == 0 ||
	    now_ns - s->searched_ns < WAITS_EVERY_NS)
		return;
	s->searched_ns = now_ns;
	for (i = 0; i < host_set_count(s->host_set) && !waits; i++)
		waits = somebody_waits(
		    host_conn_world(host_set_host_conn(s->host_set, i)));
	catalog_somebody_waits(s->catalog, waits);
}

bool dbsource_prepare(struct dbsource *s, struct header *h,
	struct tick *events)
{
	bool changed = catalog_describe(s->catalog, h, s->index);

	move_events(s, events);
	follow_topology(s, events);
	search_titles(s);
	if (changed)
		h->content |= CONTENT_ADDRESSES |
		    (s->opt.query_text != QUERY_TEXT_NONE &&
		    s->opt.query_text_size > 0 ? CONTENT_QUERY_TEXT : 0u);
	return changed;
}

void dbsource_encode(struct dbsource *s, struct tick_encoder *m)
{
	bool fresh;
	const struct world *w = catalog_world(s->catalog, &fresh);

	if (w && fresh)
		encoder_block(m, s->index, w);
}

struct dbsource_state dbsource_get_state(const struct dbsource *s)
{
	return (struct dbsource_state) {
		.label = s->opt.label ? s->opt.label : "database",
		.up = s->up,
		.since_ns = s->since_ns,
		.why = s->why.len > 0 ? buf_str(&s->why) : NULL,
	};
}

bool dbsource_never_answered(const struct dbsource *s)
{
	return s->was_down && !s->was_up;
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
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n_host; i++)
		free(s->host[i]);
	free(s->host);
	buf_release(&s->why);
	if (s->catalog)
		catalog_finish(s->catalog, GOODBYE_NS);
	catalog_free(s->catalog);
	if (s->epoll_fd >= 0)
		(void)close(s->epoll_fd);
	free(s);
}
