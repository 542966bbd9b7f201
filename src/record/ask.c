/* SPDX-License-Identifier: Apache-2.0 */
#include "record/ask.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/scan.h"
#include "record/status_report.h"
#include "record/control.h"
#include "record/sockets.h"

#define PATIENCE_NS (5 * GS_NSEC_PER_SEC)

/* ---- who is there ---------------------------------------------------- */

static bool read_hex(struct span s, uint64_t *ret)
{
	char text[20];
	char *end;

	if (span_empty(s) || span_len(s) >= sizeof(text))
		return false;
	memcpy(text, s.ptr, span_len(s));
	text[span_len(s)] = '\0';
	*ret = strtoull(text, &end, 16);
	return *end == '\0';
}

/* "gpsnap/1000/0123456789abcdef" */
static bool read_name(struct span name, struct ask_whom *ret)
{
	struct span rest = name;
	uint64_t uid, random;

	if (!span_starts(rest, CONTROL_NAME) ||
	    span_len(name) >= sizeof(ret->name))
		return false;
	rest.ptr += sizeof(CONTROL_NAME) - 1;
	if (!scan_u64(&rest, &uid) || uid > UINT32_MAX || span_empty(rest) ||
	    *rest.ptr != '/')
		return false;
	rest.ptr++;
	if (!read_hex(rest, &random))
		return false;
	*ret = (struct ask_whom) { .uid = (uid_t)uid };
	memcpy(ret->name, name.ptr, span_len(name));
	return true;
}

static bool read_line(struct span line, struct ask_whom *ret)
{
	struct span path;
	uint64_t inode;

	if (!sockets_parse(line, &inode, &path) || *path.ptr != '@')
		return false;
	path.ptr++;
	if (!read_name(path, ret))
		return false;
	ret->inode = inode;
	return true;
}

static bool may_ask(const struct ask_whom *whom)
{
	return geteuid() == 0 || whom->uid == geteuid();
}

int ask_list(const char *sockets, struct ask_whom **ret, size_t *ret_n,
	size_t *ret_others, struct gs_err *err)
{
	struct ask_whom *list = NULL, one;
	size_t n = 0, others = 0, cap = 0, size = 0;
	char *line = NULL;
	ssize_t len;
	FILE *f;

	f = fopen(sockets, "re");
	if (!f)
		return gs_fail_errno(err, errno, "%s", sockets);
	while (n < ASK_NAMES_MAX &&
	    (len = getline(&line, &size, f)) > 0) {
		len -= line[len - 1] == '\n';
		if (!read_line(span_of(line, (size_t)len), &one))
			continue;
		if (!may_ask(&one)) {
			others++;
			continue;
		}
		GS_GROW(list, &cap, n + 1);
		list[n++] = one;
	}
	free(line);
	(void)fclose(f); /* was only read */
	*ret = list;
	*ret_n = n;
	*ret_others = others;
	return 0;
}

/* ---- asking ---------------------------------------------------------- */

static int gone(struct gs_err *err)
{
	return gs_fail(err, GS_E_GONE, "the recorder has just ended");
}

/* The uid in a name proves nothing; the kernel's credentials do. */
static int check_peer(int fd, const struct ask_whom *whom,
	struct gs_err *err)
{
	struct ucred who;
	socklen_t len = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0)
		return gs_fail_errno(err, errno, "@%s", whom->name);
	if (who.uid != whom->uid)
		return gs_fail(err, GS_E_DENIED,
		    "@%s: is not uid %ju's but uid %ju's", whom->name,
		    (uintmax_t)whom->uid, (uintmax_t)who.uid);
	return 0;
}

static int reach(const struct ask_whom *whom, int *ret_fd,
	struct gs_err *err)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(whom->name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);
	int r = 0;

	if (fd < 0)
		return gs_fail_errno(err, errno, "socket");
	memcpy(to.sun_path + 1, whom->name, len);
	if (connect(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(
	    struct sockaddr_un, sun_path) + 1 + len)) < 0)
		r = errno == ECONNREFUSED ? gone(err)
		    : errno == EAGAIN ? gs_fail(err, GS_E_LIMIT,
			  "the recorder is being asked by too many")
		    : gs_fail_errno(err, errno, "@%s", whom->name);
	if (r == 0)
		r = check_peer(fd, whom, err);
	if (r < 0)
		(void)close(fd); /* of no use */
	else
		*ret_fd = fd;
	return r;
}

static int await(int fd, short events, int64_t until_ns, struct gs_err *err)
{
	struct pollfd p = { .fd = fd, .events = events };
	int64_t left_ns = until_ns - gs_clock_mono_ns();
	int n = left_ns > 0
	    ? poll(&p, 1, (int)(left_ns / GS_NSEC_PER_MSEC) + 1) : 0;

	if (n > 0 || (n < 0 && errno == EINTR))
		return 0;
	return gs_fail(err, GS_E_BUSY, "no answer from the recorder for %d s",
	    (int)(PATIENCE_NS / GS_NSEC_PER_SEC));
}

static int send_all(int fd, const char *p, size_t len, int64_t until_ns,
	struct gs_err *err)
{
	while (len > 0) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);
		int r = 0;

		if (n >= 0) {
			p += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			r = await(fd, POLLOUT, until_ns, err);
		} else if (errno != EINTR) {
			return gone(err);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_all(int fd, struct buf *to, int64_t until_ns,
	struct gs_err *err)
{
	char part[4096];
	int r = 0;

	while (r == 0) {
		ssize_t n = recv(fd, part, sizeof(part), 0);

		if (n == 0)
			return 0;
		if (n > 0)
			buf_add(to, part, (size_t)n);
		else if (errno == EAGAIN)
			r = await(fd, POLLIN, until_ns, err);
		else if (errno != EINTR)
			return gone(err);
		if (to->len > STATUS_REPORT_BYTES_MAX)
			return gs_fail(err, GS_E_PROTOCOL,
			    "the recorder's answer is too long");
	}
	return r;
}

/* "ok\n..." or "error ...\n" */
static int judge(const struct buf *answer, struct buf *to,
	struct gs_err *err)
{
	struct span all = span_of(answer->ptr, answer->len), line;

	if (answer->len == 0 || !scan_until(&all, '\n', &line))
		return gone(err);
	if (span_eq(line, "ok")) {
		if (!span_empty(all))
			buf_add(to, all.ptr, span_len(all));
		return 0;
	}
	if (span_starts(line, "error "))
		return gs_fail(err, GS_E_USAGE, "%.*s",
		    (int)GS_MIN(span_len(line) - 6, 512), line.ptr + 6);
	return gs_fail(err, GS_E_PROTOCOL, "that is not a recorder's answer");
}

int ask(const struct ask_whom *whom, const char *request, struct buf *to,
	struct gs_err *err)
{
	int64_t until_ns = gs_clock_mono_ns() + PATIENCE_NS;
	struct buf words = BUF_INIT, answer = BUF_INIT;
	int fd = -1, r = reach(whom, &fd, err);

	if (r < 0)
		return r;
	buf_printf(&words, "%s\n", request);
	r = send_all(fd, buf_str(&words), words.len, until_ns, err);
	if (r == 0)
		r = read_all(fd, &answer, until_ns, err);
	if (r == 0)
		r = judge(&answer, to, err);
	(void)close(fd); /* nothing was left in it */
	buf_release(&words);
	buf_release(&answer);
	return r;
}
