/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.c - connections that take long are closed by shutting down their
 * sockets: libmicrohttpd's own limit begins again with each byte, so that a
 * client that sends one byte at a time would stay for ever.
 */
#include "web/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "web/mhd.h"
#include "web/secret.h"

#define BACKLOG 128
#define TURN_MS 1000

enum conn_state { CONN_READS, CONN_WORKS, CONN_SENDS };

struct call;

struct conn {
	int fd; /* libmicrohttpd's; -1: free */
	enum conn_state state;
	int64_t since_ms;
	struct call *call; /* NULL: no request yet */
};

/* A request with what libmicrohttpd needs. */
struct call {
	struct http_request q; /* first */
	struct http *h;
	struct MHD_Connection *con;
	struct conn *conn;
	char *target;
	bool begun, waits; /* waits: for its answer */
	struct MHD_Response *response; /* NULL: not answered yet */
	unsigned status;
};

struct http {
	struct http_options o;
	struct MHD_Daemon *daemon;
	int listener, wake, epoll;
	uint16_t port;
	atomic_bool stops;
	struct conn conn[HTTP_CONNECTIONS_MAX];
};

static int64_t now_ms(void)
{
	return gs_clock_mono_ns() / GS_NSEC_PER_MSEC;
}

static void set_state(struct conn *c, enum conn_state s)
{
	if (!c)
		return;
	c->state = s;
	c->since_ms = now_ms();
}

/* ---- connections ------------------------------------------------------- */

static void on_connection(void *ctx, struct MHD_Connection *con,
	void **socket_context, enum MHD_ConnectionNotificationCode code)
{
	struct http *h = ctx;
	struct conn *c = *socket_context;
	const union MHD_ConnectionInfo *info;
	size_t i;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (c)
			*c = (struct conn) { .fd = -1 };
		return;
	}
	info = mhd()->MHD_get_connection_info(con, MHD_CONNECTION_INFO_CONNECTION_FD);
	for (i = 0; info && i < HTTP_CONNECTIONS_MAX; i++) {
		if (h->conn[i].fd >= 0)
			continue;
		h->conn[i].fd = info->connect_fd;
		set_state(&h->conn[i], CONN_READS);
		*socket_context = &h->conn[i];
		return;
	}
}

static int64_t patience(const struct conn *c, bool full)
{
	switch (c->state) {
	case CONN_READS:
		return full ? HTTP_HASTE_MS : HTTP_PATIENCE_MS;
	case CONN_SENDS:
		return full ? HTTP_HASTE_MS : HTTP_TAKE_MS;
	case CONN_WORKS:
		break;
	}
	return INT64_MAX;
}

/* Nobody waits for the answer.  A client that closed its side for sending counts
 * as gone: it can't be told from one that closed both. */
static bool is_gone(const struct conn *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP |
	    POLLERR));
}

static void cancel(struct conn *c)
{
	struct call *call = c->call;

	if (!call || !call->waits || call->response)
		return;
	http_send(&call->q, &(struct http_answer) { .status = 503,
	    .type = "text/plain" }, "", 0);
}

static void sweep(struct http *h)
{
	int64_t now = now_ms();
	size_t i, n = 0;

	for (i = 0; i < HTTP_CONNECTIONS_MAX; i++)
		n += h->conn[i].fd >= 0;
	for (i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
		struct conn *c = &h->conn[i];

		if (c->fd < 0)
			continue;
		if (c->state == CONN_WORKS && is_gone(c))
			cancel(c);
		else if (now - c->since_ms > patience(c,
		    n == HTTP_CONNECTIONS_MAX))
			(void)shutdown(c->fd, SHUT_RDWR); /* it may be gone */
	}
}

/* ---- requests ---------------------------------------------------------- */

static void *on_target(void *ctx, const char *target,
	struct MHD_Connection *con)
{
	struct call *c = gs_calloc(1, sizeof(*c));
	const union MHD_ConnectionInfo *info = mhd()->MHD_get_connection_info(con,
	    MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	c->h = ctx;
	c->con = con;
	c->target = gs_strdup(target);
	c->q.target = c->target;
	c->conn = info ? info->socket_context : NULL;
	if (c->conn)
		c->conn->call = c;
	return c;
}

static void on_completed(void *ctx, struct MHD_Connection *con, void **call,
	enum MHD_RequestTerminationCode why)
{
	struct call *c = *call;

	(void)ctx;
	(void)con;
	(void)why;
	if (!c)
		return;
	if (c->q.user)
		c->h->o.over(c->h->o.ctx, c->q.user);
	if (c->conn) {
		c->conn->call = NULL;
		set_state(c->conn, CONN_READS);
	}
	if (c->response)
		mhd()->MHD_destroy_response(c->response);
	free(c->target);
	free(c);
	*call = NULL;
}

static const char *header(struct MHD_Connection *con, const char *name)
{
	return mhd()->MHD_lookup_connection_value(con, MHD_HEADER_KIND, name);
}

/* Of two, a program in between may take the other one. */
static const char *const once[] = { MHD_HTTP_HEADER_HOST,
	MHD_HTTP_HEADER_CONTENT_LENGTH, MHD_HTTP_HEADER_TRANSFER_ENCODING,
	MHD_HTTP_HEADER_ORIGIN, "Sec-Fetch-Site" };

/* Also with a blank before the colon, which others may pass over. */
static bool is_named(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);

	return strncasecmp(name, wanted, n) == 0 &&
	    name[n + strspn(name + n, " \t")] == '\0';
}

static enum MHD_Result count_name(void *ctx, enum MHD_ValueKind kind,
	const char *name, const char *value)
{
	size_t *n = ctx, i;

	(void)kind;
	(void)value;
	for (i = 0; i < GS_LEN(once); i++)
		n[i] += is_named(name, once[i]);
	return MHD_YES;
}

static bool has_twice(struct MHD_Connection *con)
{
	size_t n[GS_LEN(once)] = { 0 }, i = 0;

	(void)mhd()->MHD_get_connection_values(con, MHD_HEADER_KIND,
	    count_name, n); /* how many there are */
	while (i < GS_LEN(once) && n[i] < 2)
		i++;
	return i < GS_LEN(once);
}

static enum MHD_Result queue(struct call *c)
{
	set_state(c->conn, CONN_SENDS);
	return mhd()->MHD_queue_response(c->con, c->status, c->response);
}

/* TLS is on: the name and password can't be read on the way. */
static bool is_known(struct http *h, struct MHD_Connection *con)
{
	struct buf given = BUF_INIT;
	char *user, *password = NULL;
	bool ok;

	if (!h->o.login)
		return true;
	user = mhd()->MHD_basic_auth_get_username_password(con, &password);
	buf_printf(&given, "%s:%s", user ? user : "",
	    password ? password : "");
	ok = user && password && secret_is(buf_str(&given), h->o.login);
	mhd()->MHD_free(user);
	mhd()->MHD_free(password);
	buf_release(&given);
	return ok;
}

static enum MHD_Result ask_login(struct MHD_Connection *con)
{
	static char text[] = "a name and a password are needed\n";
	struct MHD_Response *r = mhd()->MHD_create_response_from_buffer(
	    sizeof(text) - 1, text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result ok = mhd()->MHD_queue_basic_auth_fail_response(con, "gpsnap",
	    r);

	mhd()->MHD_destroy_response(r);
	return ok;
}

static void fill(struct call *c, const char *method)
{
	struct http_request *q = &c->q;
	const char *len = header(c->con, "Content-Length");

	q->host = header(c->con, MHD_HTTP_HEADER_HOST);
	q->origin = header(c->con, "Origin");
	q->site = header(c->con, "Sec-Fetch-Site");
	q->accept = header(c->con, "Accept");
	q->is_get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
	q->has_body = (len && strcmp(len, "0") != 0) ||
	    header(c->con, "Transfer-Encoding");
}

#define TWICE "a header came twice\n"

/* First with the headers, then again when the request is whole, and when a
 * waiting one goes on. */
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *con,
	const char *url, const char *method, const char *version,
	const char *body, size_t *body_len, void **call)
{
	struct http *h = ctx;
	struct call *c = *call;

	(void)url;
	(void)version;
	(void)body;
	if (!c)
		return MHD_NO;
	if (c->response)
		return queue(c);
	if (!c->begun) {
		c->begun = true;
		fill(c, method);
		if (c->q.is_get && !c->q.has_body)
			return MHD_YES;
	} else if (*body_len > 0) {
		return MHD_NO;
	}
	set_state(c->conn, CONN_WORKS);
	if (!is_known(h, con))
		return ask_login(con);
	if (has_twice(con))
		http_send(&c->q, &(struct http_answer) { .status = 400,
		    .type = "text/plain" }, TWICE, sizeof(TWICE) - 1);
	else
		h->o.serve(h->o.ctx, &c->q);
	if (c->response)
		return queue(c);
	c->waits = true;
	mhd()->MHD_suspend_connection(con);
	return MHD_YES;
}

/* ---- answers ----------------------------------------------------------- */

static void add_headers(struct MHD_Response *r, const struct http_answer *a)
{
	const struct {
		const char *name, *value;
	} all[] = {
		{ "Content-Type", a->type },
		{ "Content-Security-Policy", a->policy ? a->policy
		    : "default-src 'none'; frame-ancestors 'none'; sandbox" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "DENY" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cache-Control", "no-store" },
		{ "Retry-After", a->retry ? "1" : NULL },
		{ "Allow", a->status == 405 ? "GET, HEAD" : NULL },
	};
	size_t i;

	for (i = 0; i < GS_LEN(all); i++) {
		if (all[i].value)
			(void)mhd()->MHD_add_response_header(r, all[i].name,
			    all[i].value); /* constants */
	}
}

static void answer(struct http_request *q, const struct http_answer *a,
	struct MHD_Response *r)
{
	struct call *c = (struct call *)q;

	if (!r)
		gs_out_of_memory();
	if (c->response) {
		mhd()->MHD_destroy_response(r);
		return;
	}
	add_headers(r, a);
	c->response = r;
	c->status = a->status;
	if (c->waits) {
		mhd()->MHD_resume_connection(c->con);
		http_wake(c->h); /* it is resumed at the next turn */
	}
	c->waits = false;
}

void http_send(struct http_request *q, const struct http_answer *a,
	const char *body, size_t len)
{
	answer(q, a, mhd()->MHD_create_response_from_buffer(len,
	    (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY));
}

void http_send_file(struct http_request *q, const struct http_answer *a,
	int fd, uint64_t len)
{
	answer(q, a, mhd()->MHD_create_response_from_fd64(len, fd));
}

/* ---- listening --------------------------------------------------------- */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static int parse_address(const struct http_options *o, union address *ret,
	socklen_t *ret_len, struct gs_err *err)
{
	*ret = (union address) { .v6 = { .sin6_family = AF_INET6 } };
	if (inet_pton(AF_INET, o->address, &ret->v4.sin_addr) == 1) {
		ret->v4.sin_family = AF_INET;
		ret->v4.sin_port = htons(o->port);
		*ret_len = sizeof(ret->v4);
		return GS_OK;
	}
	*ret = (union address) { .v6 = { .sin6_family = AF_INET6 } };
	if (inet_pton(AF_INET6, o->address, &ret->v6.sin6_addr) == 1) {
		ret->v6.sin6_port = htons(o->port);
		*ret_len = sizeof(ret->v6);
		return GS_OK;
	}
	return gs_fail(err, GS_E_USAGE, "expected an address such as "
	    "127.0.0.1 or ::1, got \"%s\"", o->address);
}

static int listen_at(struct http *h, struct gs_err *err)
{
	const struct http_options *o = &h->o;
	union address a;
	socklen_t len;
	int one = 1, r = parse_address(o, &a, &len, err);

	if (r < 0)
		return r;
	h->listener = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC |
	    SOCK_NONBLOCK, 0);
	if (h->listener < 0)
		return gs_fail_errno(err, errno, "socket");
	(void)setsockopt(h->listener, SOL_SOCKET, SO_REUSEADDR, &one,
	    sizeof(one)); /* else a port is free a minute later */
	if (bind(h->listener, &a.any, len) < 0 ||
	    listen(h->listener, BACKLOG) < 0 ||
	    getsockname(h->listener, &a.any, &len) < 0)
		return gs_fail_errno(err, errno, "%s, port %u", o->address,
		    o->port);
	h->port = ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port
	                                           : a.v6.sin6_port);
	return GS_OK;
}

/* What is older can be read or changed on the way. */
#define TLS_VERSIONS "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

/* The certificate and its key, if there are some, and the end. */
static size_t tls_options(const struct http_options *o,
	struct MHD_OptionItem to[4])
{
	size_t n = 0;

	if (o->cert) {
		to[n++] = (struct MHD_OptionItem) { MHD_OPTION_HTTPS_MEM_CERT,
			0, (void *)(uintptr_t)o->cert };
		to[n++] = (struct MHD_OptionItem) { MHD_OPTION_HTTPS_MEM_KEY,
			0, (void *)(uintptr_t)o->key };
		to[n++] = (struct MHD_OptionItem) {
			MHD_OPTION_HTTPS_PRIORITIES, 0,
			(void *)(uintptr_t)TLS_VERSIONS };
	}
	to[n] = (struct MHD_OptionItem) { MHD_OPTION_END, 0, NULL };
	return n;
}

static int start(struct http *h, struct gs_err *err)
{
	const union MHD_DaemonInfo *info;
	struct MHD_OptionItem tls[4];
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
	    (tls_options(&h->o, tls) > 0 ? MHD_USE_TLS : 0) |
	    (strchr(h->o.address, ':') ? MHD_USE_IPv6 : 0);

	h->daemon = mhd()->MHD_start_daemon(flags, h->port, NULL, NULL, on_request, h,
	    MHD_OPTION_LISTEN_SOCKET, h->listener,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS_MAX,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_REQUEST_MAX,
	    MHD_OPTION_STRICT_FOR_CLIENT, 1,
	    MHD_OPTION_URI_LOG_CALLBACK, on_target, h,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
	    MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
	info = h->daemon ? mhd()->MHD_get_daemon_info(h->daemon,
	    MHD_DAEMON_INFO_EPOLL_FD) : NULL;
	if (!info)
		return gs_fail(err, GS_E_IO, "the HTTP server can't be started%s",
		    h->o.cert ? ": is the certificate that of the key?" : "");
	h->epoll = info->epoll_fd;
	h->listener = -1; /* libmicrohttpd's, which closes it */
	return GS_OK;
}

int http_open(const struct http_options *o, struct http **ret,
	struct gs_err *err)
{
	struct http *h;
	size_t i;
	int r = mhd_load(err);

	if (r < 0)
		return r;
	h = gs_calloc(1, sizeof(*h));
	h->o = *o;
	h->listener = -1;
	for (i = 0; i < HTTP_CONNECTIONS_MAX; i++)
		h->conn[i].fd = -1;
	h->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = h->wake < 0 ? gs_fail_errno(err, errno, "eventfd")
	    : listen_at(h, err);
	if (r == GS_OK)
		r = start(h, err);
	if (r == GS_OK)
		*ret = h;
	else
		http_close(h);
	return r;
}

uint16_t http_port(const struct http *h)
{
	return h->port;
}

void http_close(struct http *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < HTTP_CONNECTIONS_MAX; i++)
		cancel(&h->conn[i]);
	if (h->daemon)
		mhd()->MHD_stop_daemon(h->daemon);
	if (h->listener >= 0)
		(void)close(h->listener); /* nothing was written */
	if (h->wake >= 0)
		(void)close(h->wake);
	free(h);
}

/* ---- the loop ---------------------------------------------------------- */

void http_wake(struct http *h)
{
	const uint64_t one = 1;
	ssize_t n = write(h->wake, &one, sizeof(one));

	(void)n; /* it can't be full before it is read */
}

void http_stop(struct http *h)
{
	h->stops = true;
	http_wake(h);
}

static int timeout_ms(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (mhd()->MHD_get_timeout(h->daemon, &ms) == MHD_YES && ms < TURN_MS)
		return (int)ms;
	return TURN_MS;
}

void http_run(struct http *h)
{
	struct pollfd p[2 + HTTP_WATCH_MAX];
	uint64_t count;

	while (!h->stops) {
		int wait_ms = timeout_ms(h);
		nfds_t n = 2;
		ssize_t got;

		p[0] = (struct pollfd) { .fd = h->epoll, .events = POLLIN };
		p[1] = (struct pollfd) { .fd = h->wake, .events = POLLIN };
		if (h->o.watch)
			n += h->o.watch(h->o.ctx, p + 2, &wait_ms);
		(void)poll(p, n, wait_ms); /* a signal: the next turn */
		got = read(h->wake, &count, sizeof(count));
		(void)got; /* only to empty it */
		(void)mhd()->MHD_run(h->daemon); /* it closes what fails */
		h->o.turn(h->o.ctx);
		sweep(h);
	}
}
