/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/serve.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"

#define READ_BYTES 4096u
/* The longest request; more is not from a recorder. */
#define REQUEST_MAX 65536u

struct talk {
	struct wire_codec *codec;
	struct sampler *sampler;
	struct buf in, out;
	int out_fd;
};

static int send_all(const struct talk *t, struct gs_err *err)
{
	int e = io_write_all(t->out_fd, t->out.ptr, t->out.len);

	return e == 0 ? 0 : gs_fail_errno(err, e, "writing an answer");
}

static int answer_one(struct talk *t, size_t len, struct gs_err *err)
{
	struct request req;
	struct answer a;
	int status = wire_get_request(t->codec, t->in.ptr, len, &req, err);

	if (status < 0)
		return status;
	status = sampler_answer(t->sampler, &req, &a, err);
	if (status < 0)
		return status;
	buf_reset(&t->out);
	wire_put_answer(t->codec, &a, &t->out);
	return send_all(t, err);
}

/* Answers all complete requests. */
static int answer_all(struct talk *t, struct gs_err *err)
{
	while (t->in.len > 0) {
		int64_t len = wire_message_len(t->in.ptr, t->in.len, err);
		int status;

		if (len < 0)
			return (int)len;
		if (len == 0 && t->in.len > REQUEST_MAX)
			return gs_fail(err, GS_E_PROTOCOL,
			    "a request of more than %u bytes", REQUEST_MAX);
		if (len == 0)
			return 0;
		status = answer_one(t, (size_t)len, err);
		if (status < 0)
			return status;
		t->in.len -= (size_t)len;
		memmove(t->in.ptr, t->in.ptr + len, t->in.len);
	}
	return 0;
}

/* False if nothing came for idle_ms.  Other results of poll() are reported by
 * read(). */
static bool wait_input(int fd, int idle_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return idle_ms < 0 || poll(&p, 1, idle_ms) != 0;
}

int serve(struct sampler *s, int in_fd, int out_fd, int idle_ms,
	struct gs_err *err)
{
	struct talk t = { .codec = wire_codec_new(), .sampler = s,
		.out_fd = out_fd };
	int status = 0;

	while (status == 0) {
		char *to = buf_reserve(&t.in, READ_BYTES);
		ssize_t n;

		if (!wait_input(in_fd, idle_ms))
			break;
		n = read(in_fd, to, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = gs_fail_errno(err, errno,
			    "reading a request");
		if (n <= 0)
			break;
		t.in.len += (size_t)n;
		status = answer_all(&t, err);
	}
	if (status == 0 && t.in.len > 0)
		status = gs_fail(err, GS_E_PROTOCOL,
		    "input ended within a request, after %zu bytes of it",
		    t.in.len);
	wire_codec_free(t.codec);
	buf_release(&t.in);
	buf_release(&t.out);
	return status;
}
