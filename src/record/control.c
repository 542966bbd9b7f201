/* SPDX-License-Identifier: Apache-2.0 */
#include "record/control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"

#define BACKLOG 8

/* A client. */
struct client {
	struct control *c;
	uv_pipe_t pipe;
	uv_timer_t timer;
	int handles; /* open ones */
	uid_t uid;
	char line[CONTROL_LINE_MAX];
	size_t len;
	struct buf answer;
	uv_write_t write;
};

struct control {
	struct control_ops ops;
	uv_loop_t *loop;
	uv_pipe_t listener;
	bool closed;
	bool waiting; /* a connection, until a client leaves */
	struct client client[CONTROL_CLIENTS];
};

/* ---- one client ------------------------------------------------------- */

static void accept_client(struct control *c);

static void on_closed(uv_handle_t *h)
{
	struct client *g = h->data;

	if (--g->handles > 0)
		return;
	buf_reset(&g->answer);
	if (g->c->waiting && !g->c->closed)
		accept_client(g->c);
}

static void leave(struct client *g)
{
	if (g->handles == 0 || uv_is_closing((uv_handle_t *)&g->pipe))
		return;
	uv_close((uv_handle_t *)&g->pipe, on_closed);
	uv_close((uv_handle_t *)&g->timer, on_closed);
}

static void on_written(uv_write_t *w, int status)
{
	(void)status; /* the client may be gone */
	leave(w->data);
}

static void on_patience_over(uv_timer_t *t)
{
	leave(t->data);
}

static void add_mark(struct client *g, const char *text)
{
	struct gs_err err;

	if (g->c->ops.mark(g->c->ops.arg, g->uid, text, &err) == 0)
		buf_add_str(&g->answer, "ok\n");
	else
		buf_printf(&g->answer, "error %s\n", err.msg);
}

static void answer(struct client *g, const char *line)
{
	static const char mark[] = "mark ";
	uv_buf_t out;

	if (strcmp(line, "status") == 0) {
		buf_add_str(&g->answer, "ok\n");
		g->c->ops.status(g->c->ops.arg, &g->answer);
	} else if (strncmp(line, mark, sizeof(mark) - 1) == 0) {
		add_mark(g, line + sizeof(mark) - 1);
	} else {
		buf_add_str(&g->answer,
		    "error the recorder does not know this request: it is "
		    "of another version\n");
	}
	out = uv_buf_init(g->answer.ptr, (unsigned)g->answer.len);
	g->write.data = g;
	if (uv_write(&g->write, (uv_stream_t *)&g->pipe, &out, 1,
		on_written) < 0)
		leave(g);
}

static void alloc_line(uv_handle_t *h, size_t suggested, uv_buf_t *buf)
{
	struct client *g = h->data;

	(void)suggested;
	*buf = uv_buf_init(g->line + g->len,
	    (unsigned)(sizeof(g->line) - g->len));
}

/* A line that is longer than any request ends with UV_ENOBUFS. */
static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
	struct client *g = s->data;
	char *end;

	(void)buf;
	if (n < 0) {
		leave(g);
		return;
	}
	g->len += (size_t)n;
	end = memchr(g->line, '\n', g->len);
	if (!end)
		return;
	*end = '\0';
	(void)uv_read_stop(s);
	answer(g, g->line);
}

/* ---- the door -------------------------------------------------------- */

static bool is_welcome(struct client *g)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&g->pipe, &fd) < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0)
		return false;
	g->uid = who.uid;
	return who.uid == 0 || who.uid == geteuid();
}

static struct client *free_place(struct control *c)
{
	size_t i;

	for (i = 0; i < CONTROL_CLIENTS; i++) {
		if (c->client[i].handles == 0)
			return &c->client[i];
	}
	return NULL;
}

/* Until it is accepted libuv accepts no other. */
static void accept_client(struct control *c)
{
	struct client *g = free_place(c);

	c->waiting = g == NULL;
	if (!g)
		return;
	g->c = c;
	g->len = 0;
	g->handles = 2;
	/* None of these fails once there is a loop. */
	(void)uv_pipe_init(c->loop, &g->pipe, 0);
	(void)uv_timer_init(c->loop, &g->timer);
	g->pipe.data = g->timer.data = g;
	if (uv_accept((uv_stream_t *)&c->listener,
		(uv_stream_t *)&g->pipe) < 0 || !is_welcome(g) ||
	    uv_read_start((uv_stream_t *)&g->pipe, alloc_line, on_read) < 0)
		leave(g);
	else
		(void)uv_timer_start(&g->timer, on_patience_over,
		    CONTROL_PATIENCE_MS, 0);
}

static void on_connection(uv_stream_t *s, int status)
{
	if (status == 0)
		accept_client(s->data);
}

static socklen_t make_name(struct sockaddr_un *to)
{
	uint64_t random = (uint64_t)getpid() << 32;
	int n;

	*to = (struct sockaddr_un) { .sun_family = AF_UNIX };
	/* On failure or a short read it is still a number. */
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random ^= (uint64_t)(uintptr_t)to;
	n = snprintf(to->sun_path + 1, sizeof(to->sun_path) - 1,
	    CONTROL_NAME "%ju/%016" PRIx64, (uintmax_t)geteuid(), random);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    (size_t)n);
}

static int bound_socket(struct gs_err *err)
{
	struct sockaddr_un name;
	socklen_t len = make_name(&name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);

	if (fd < 0)
		return gs_fail_errno(err, errno, "socket");
	if (bind(fd, (struct sockaddr *)&name, len) == 0)
		return fd;
	(void)gs_fail_errno(err, errno, "@%s", name.sun_path + 1);
	(void)close(fd); /* of no use */
	return GS_E_IO;
}

struct control *control_open(uv_loop_t *loop, const struct control_ops *ops,
	struct gs_err *err)
{
	int fd = bound_socket(err), r;
	struct control *c;

	if (fd < 0)
		return NULL;
	c = gs_calloc(1, sizeof(*c));
	c->ops = *ops;
	c->loop = loop;
	(void)uv_pipe_init(loop, &c->listener, 0); /* as above */
	c->listener.data = c;
	r = uv_pipe_open(&c->listener, fd);
	if (r == 0)
		r = uv_listen((uv_stream_t *)&c->listener, BACKLOG,
		    on_connection);
	if (r == 0)
		return c;
	(void)gs_fail_errno(err, -r, "listen");
	control_close(c);
	(void)uv_run(loop, UV_RUN_NOWAIT); /* nothing else is in it yet */
	control_free(c);
	return NULL;
}

void control_close(struct control *c)
{
	size_t i;

	if (!c || c->closed)
		return;
	c->closed = true;
	uv_close((uv_handle_t *)&c->listener, NULL);
	for (i = 0; i < CONTROL_CLIENTS; i++)
		leave(&c->client[i]);
}

void control_free(struct control *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		buf_release(&c->client[i].answer);
	free(c);
}
