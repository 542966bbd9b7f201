/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hook.h - a command that is run when something is found: once at a time, with a
 * text on its standard input, and ended after a while.
 *
 * It is started from an argument vector, never by a shell, in a session of its
 * own, with no descriptor of the recorder but the standard error, which is its
 * standard output, too.  The recorder never waits for it: whatever it does not
 * read is dropped when it ends.
 */
#ifndef GS_RECORD_HOOK_H
#define GS_RECORD_HOOK_H

#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"
#include "base/err.h"

#define HOOK_TIMEOUT_MS 60000u /* then SIGTERM, */
#define HOOK_GRACE_MS 5000u /* and SIGKILL so long after it */
#define HOOK_ENV_MAX 16u

struct hook {
	uv_process_t proc;
	uv_pipe_t in;
	uv_timer_t timer;
	uv_write_t write;
	int handles; /* open ones */
	bool has_proc; /* proc is a handle */
	bool running; /* the command */
	bool warned; /* SIGTERM was sent */
	unsigned timeout_ms, grace_ms; /* 0: the above */
	struct buf input;
	/* why: "ended with status 3"; NULL: it ended well. */
	void (*ended)(void *arg, const char *why);
	void *arg;
};

/* The hook may be started. */
bool hook_is_idle(const struct hook *h);

/* env: "NAME=value", in addition to the recorder's own.  The text in h->input is
 * written.  Fails if the command can't be started; ended() is not called then. */
int hook_start(struct hook *h, uv_loop_t *loop, char *const *argv,
	const char *const *env, size_t n_env, struct gs_err *err);

/* Leaves a command that runs to itself; its handles are closed. */
void hook_close(struct hook *h);

/* After the loop has closed them. */
void hook_release(struct hook *h);

#endif
