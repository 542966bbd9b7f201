/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - runs the program that a recording is about.
 */
#ifndef GS_RECORD_CHILD_H
#define GS_RECORD_CHILD_H

#include <stdbool.h>
#include <uv.h>

#include "base/err.h"

struct child {
	uv_process_t proc;
	void (*ended)(void *arg);
	void *arg;
	bool running;
	bool open; /* its handle must be closed */
	int status; /* exit status, or 128 + signal, once it has ended */
};

/* Exit statuses as a shell gives them. */
#define CHILD_NOT_RUNNABLE 126
#define CHILD_NOT_FOUND 127

/* Starts argv (NULL-terminated) with our own standard streams.  ended() is
 * called from the loop. */
int child_start(struct child *c, uv_loop_t *loop, char *const *argv,
	void (*ended)(void *arg), void *arg, struct gs_err *err);

/* Passes a signal on, if it runs. */
void child_signal(struct child *c, int sig);

/* Closes its handle; the program goes on. */
void child_close(struct child *c);

#endif
