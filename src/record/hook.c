/* SPDX-License-Identifier: Apache-2.0 */
#include "record/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"

extern char **environ;

static void on_closed(uv_handle_t *handle)
{
	struct hook *h = handle->data;

	if (--h->handles == 0)
		buf_reset(&h->input);
}

static void close_one(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_closed);
}

bool hook_is_idle(const struct hook *h)
{
	return h->handles == 0;
}

void hook_close(struct hook *h)
{
	if (h->handles == 0)
		return;
	h->running = false;
	if (h->has_proc)
		close_one((uv_handle_t *)&h->proc);
	close_one((uv_handle_t *)&h->in);
	close_one((uv_handle_t *)&h->timer);
}

void hook_release(struct hook *h)
{
	buf_release(&h->input);
}

static unsigned or_default(unsigned ms, unsigned dflt)
{
	return ms > 0 ? ms : dflt;
}

static void on_ended(uv_process_t *p, int64_t status, int sig)
{
	struct hook *h = p->data;
	char why[80] = "";

	if (!h->running)
		return;
	if (h->warned)
		(void)snprintf(why, sizeof(why), "took longer than %g s",
		    or_default(h->timeout_ms, HOOK_TIMEOUT_MS) / 1000.0);
	else if (sig)
		(void)snprintf(why, sizeof(why), "was killed by signal %d",
		    sig);
	else if (status)
		(void)snprintf(why, sizeof(why), "ended with status %d",
		    (int)status);
	hook_close(h);
	h->ended(h->arg, why[0] ? why : NULL);
}

/* Its whole session, which bears its number. */
static void on_timeout(uv_timer_t *t)
{
	struct hook *h = t->data;

	if (!h->running)
		return;
	(void)uv_kill(-uv_process_get_pid(&h->proc),
	    h->warned ? SIGKILL : SIGTERM); /* it may be gone */
	if (!h->warned)
		(void)uv_timer_start(t, on_timeout,
		    or_default(h->grace_ms, HOOK_GRACE_MS), 0);
	h->warned = true;
}

/* All of it, or as much as the command wanted to read. */
static void on_written(uv_write_t *w, int status)
{
	struct hook *h = w->data;

	(void)status;
	close_one((uv_handle_t *)&h->in);
}

/* A variable of another finding, where the recorder itself was started by a
 * command: of two with one name a shell takes the last. */
static bool is_of_finding(const char *entry)
{
	static const char *const settings[] = { "CONFIG=", "NO_CATALOG=" };
	size_t i;

	if (strncmp(entry, "GPSNAP_", 7) != 0)
		return false;
	for (i = 0; i < GS_LEN(settings); i++) {
		if (strncmp(entry + 7, settings[i], strlen(settings[i])) == 0)
			return false;
	}
	return true;
}

static char **environment(const char *const *env, size_t n)
{
	size_t own = 0, i;
	char **all, **to;

	while (environ[own])
		own++;
	to = all = gs_calloc(own + n + 1, sizeof(*all));
	for (i = 0; i < n; i++)
		*to++ = (char *)(uintptr_t)env[i];
	for (i = 0; i < own; i++) {
		if (!is_of_finding(environ[i]))
			*to++ = environ[i];
	}
	return all;
}

static int spawn(struct hook *h, uv_loop_t *loop, char *const *argv,
	char **env, int in)
{
	uv_stdio_container_t io[3] = {
		{ .flags = UV_INHERIT_FD, .data.fd = in },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 },
	};
	uv_process_options_t opt = { .exit_cb = on_ended, .file = argv[0],
		.args = (char **)(uintptr_t)argv, .env = env, .stdio = io,
		.stdio_count = 3, .flags = UV_PROCESS_DETACHED };

	return uv_spawn(loop, &h->proc, &opt);
}

/* A pipe, not libuv's pair of sockets: a script may open /dev/stdin. */
static int spawn_on_pipe(struct hook *h, uv_loop_t *loop, char *const *argv,
	char **env)
{
	int fd[2], r;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	r = uv_pipe_open(&h->in, fd[1]);
	if (r < 0)
		(void)close(fd[1]);
	else
		r = spawn(h, loop, argv, env, fd[0]);
	(void)close(fd[0]); /* the command has a copy */
	return r;
}

int hook_start(struct hook *h, uv_loop_t *loop, char *const *argv,
	const char *const *env, size_t n_env, struct gs_err *err)
{
	char **all = environment(env, n_env);
	uv_buf_t out;
	int r;

	h->warned = false;
	/* None of both fails once there is a loop. */
	(void)uv_pipe_init(loop, &h->in, 0);
	(void)uv_timer_init(loop, &h->timer);
	h->in.data = h->timer.data = h;
	h->proc = (uv_process_t) { 0 };
	r = spawn_on_pipe(h, loop, argv, all);
	free(all);
	h->proc.data = h;
	h->has_proc = h->proc.type == UV_PROCESS; /* uv_spawn() was called */
	h->handles = 2 + h->has_proc;
	if (r < 0) {
		hook_close(h);
		return gs_fail_errno(err, -r, "%s", argv[0]);
	}
	h->running = true;
	uv_unref((uv_handle_t *)&h->proc);
	uv_unref((uv_handle_t *)&h->timer);
	(void)uv_timer_start(&h->timer, on_timeout,
	    or_default(h->timeout_ms, HOOK_TIMEOUT_MS), 0);
	out = uv_buf_init(h->input.ptr, (unsigned)h->input.len);
	h->write.data = h;
	if (uv_write(&h->write, (uv_stream_t *)&h->in, &out, 1,
	    on_written) < 0)
		close_one((uv_handle_t *)&h->in);
	return 0;
}
