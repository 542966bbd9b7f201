/* SPDX-License-Identifier: Apache-2.0 */
#include "record/child.h"

static void on_ended(uv_process_t *p, int64_t status, int sig)
{
	struct child *c = p->data;

	c->running = false;
	c->status = sig ? 128 + sig : (int)status;
	c->ended(c->arg);
}

int child_start(struct child *c, uv_loop_t *loop, char *const *argv,
	void (*ended)(void *arg), void *arg, struct gs_err *err)
{
	uv_stdio_container_t io[3] = {
		{ .flags = UV_INHERIT_FD, .data.fd = 0 },
		{ .flags = UV_INHERIT_FD, .data.fd = 1 },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 },
	};
	uv_process_options_t opt = { .exit_cb = on_ended,
		.file = argv[0],
		.args = (char **)(uintptr_t)argv,
		.stdio = io,
		.stdio_count = 3 };
	int r;

	*c = (struct child) { .ended = ended, .arg = arg, .open = true };
	r = uv_spawn(loop, &c->proc, &opt);
	c->proc.data = c;
	if (r < 0) {
		c->status = r == UV_ENOENT ? CHILD_NOT_FOUND
		                           : CHILD_NOT_RUNNABLE;
		return gs_fail_errno(err, -r, "%s", argv[0]);
	}
	c->running = true;
	return 0;
}

void child_signal(struct child *c, int sig)
{
	if (c->running)
		(void)uv_process_kill(&c->proc, sig); /* may be gone */
}

void child_close(struct child *c)
{
	if (c->open)
		uv_close((uv_handle_t *)&c->proc, NULL);
	c->open = false;
}
