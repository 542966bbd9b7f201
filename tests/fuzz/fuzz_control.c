/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_control.c - any bytes as what is said to a running recorder over its
 * socket: a real one, in the event loop of the recorder.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"
#include "record/ask.h"
#include "record/sockets.h"
#include "record/control.h"

/* Rounds of the loop until a client must have been answered or left. */
#define ROUNDS 64

static void status(void *arg, struct buf *to)
{
	(void)arg;
	buf_add_str(to, "pid 1\n");
}

static int mark(void *arg, uid_t uid, const char *text, struct gs_err *err)
{
	(void)arg;
	if (uid != geteuid() || strlen(text) > CONTROL_LINE_MAX ||
	    strchr(text, '\n'))
		abort();
	return strlen(text) % 2 ? GS_OK
	    : gs_fail(err, GS_E_USAGE, "%.20s", text);
}

/* The socket that this process listens on. */
static struct sockaddr_un our_name(socklen_t *ret_len)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct ucred who;
	struct ask_whom *list = NULL;
	size_t n = 0, others, i;

	(void)ask_list(SOCKETS_TABLE, &list, &n, &others, NULL);
	for (i = 0; i < n; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);
		socklen_t len = sizeof(who);

		memset(name.sun_path, 0, sizeof(name.sun_path));
		memcpy(name.sun_path + 1, list[i].name, strlen(list[i].name));
		*ret_len = (socklen_t)(offsetof(struct sockaddr_un,
		    sun_path) + 1 + strlen(list[i].name));
		if (connect(fd, (struct sockaddr *)&name, *ret_len) == 0 &&
		    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
		    who.pid == getpid()) {
			(void)close(fd); /* nothing was said */
			free(list);
			return name;
		}
		(void)close(fd); /* another's */
	}
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct control_ops ops = { status, mark, NULL };
	static uv_loop_t loop;
	static struct control *c;
	static struct sockaddr_un name;
	static socklen_t len;
	char answer[4096];
	int fd, i;

	if (!c) {
		if (uv_loop_init(&loop) < 0)
			abort();
		c = control_open(&loop, &ops, NULL);
		if (!c)
			return 0; /* no such sockets here */
		name = our_name(&len);
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&name, len) < 0)
		abort();
	if (send(fd, data, size, MSG_NOSIGNAL) < 0 && size > 0 &&
	    size < 100000)
		abort();
	(void)shutdown(fd, SHUT_WR); /* it is all */
	for (i = 0; i < ROUNDS; i++) {
		(void)uv_run(&loop, UV_RUN_NOWAIT); /* it says if more waits */
		if (recv(fd, answer, sizeof(answer), 0) == 0)
			break;
	}
	if (i == ROUNDS)
		abort(); /* it keeps who has said all */
	(void)close(fd); /* read to the end */
	return 0;
}
