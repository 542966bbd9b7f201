/* SPDX-License-Identifier: Apache-2.0 */
#include "record/summarizer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void summarizer_begin(struct summarizer *s, uv_loop_t *loop,
	char *const *command, void (*failed)(void *arg, const char *why),
	void *arg)
{
	*s = (struct summarizer) { .loop = loop, .command = command,
		.next_skip = 1, .failed = failed, .arg = arg };
}

static void start(struct summarizer *s);

static void on_closed(uv_handle_t *handle)
{
	struct summarizer *s = handle->data;

	s->open = false;
	start(s);
}

/* It failed: so will the next files, most likely. */
static void back_off(struct summarizer *s, const char *why)
{
	char text[160];

	s->skip = s->next_skip;
	s->next_skip = GS_MIN(s->next_skip * 2 + 1, SUMMARIZER_SKIP_MAX);
	(void)snprintf(text, sizeof(text), "a file gets no summaries: %s; nor "
	    "%s the next %u: gpsnap summarize adds them", why,
	    s->skip == 1 ? "does" : "do", s->skip);
	s->failed(s->arg, text);
}

static void on_ended(uv_process_t *p, int64_t status, int sig)
{
	struct summarizer *s = p->data;
	char why[64];

	uv_close((uv_handle_t *)p, on_closed);
	if (status == 0 && sig == 0) {
		s->next_skip = 1;
		return;
	}
	(void)snprintf(why, sizeof(why), sig ? "killed by signal %d"
	    : "ended with status %d", sig ? sig : (int)status);
	if (!s->closed)
		back_off(s, why);
}

/* The program, and the files that wait; the caller frees it. */
static char **arguments(const struct summarizer *s)
{
	size_t n = 0, i;
	char **argv, *path = s->waiting.ptr;

	while (s->command[n])
		n++;
	argv = gs_calloc(n + s->n_waiting + 1, sizeof(*argv));
	for (i = 0; i < n; i++)
		argv[i] = s->command[i];
	for (i = 0; i < s->n_waiting; i++) {
		argv[n + i] = path;
		path += strlen(path) + 1;
	}
	return argv;
}

static void start(struct summarizer *s)
{
	uv_stdio_container_t io[3] = { { .flags = UV_IGNORE },
		{ .flags = UV_IGNORE },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 } };
	uv_process_options_t opt = { .exit_cb = on_ended, .stdio = io,
		.stdio_count = 3 };
	int r;

	if (s->open || s->closed || s->n_waiting == 0)
		return;
	opt.args = arguments(s);
	opt.file = opt.args[0];
	s->proc = (uv_process_t) { 0 };
	r = uv_spawn(s->loop, &s->proc, &opt);
	s->proc.data = s;
	s->open = true;
	uv_unref((uv_handle_t *)&s->proc);
	free(opt.args);
	buf_reset(&s->waiting);
	s->n_waiting = 0;
	if (r < 0) {
		uv_close((uv_handle_t *)&s->proc, on_closed);
		back_off(s, uv_strerror(r));
	}
}

void summarizer_add(struct summarizer *s, const char *path)
{
	if (!s->command || s->closed || s->n_waiting == SUMMARIZER_FILES_MAX)
		return;
	if (s->skip > 0) {
		s->skip--;
		return;
	}
	buf_add(&s->waiting, path, strlen(path) + 1);
	s->n_waiting++;
	start(s);
}

void summarizer_close(struct summarizer *s)
{
	s->closed = true;
	if (!s->open || uv_is_closing((uv_handle_t *)&s->proc))
		return;
	(void)uv_process_kill(&s->proc, SIGTERM); /* it may be gone */
	uv_close((uv_handle_t *)&s->proc, on_closed);
}

void summarizer_release(struct summarizer *s)
{
	buf_release(&s->waiting);
}
