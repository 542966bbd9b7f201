/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tty_watch.h - serves a terminal between samples: calls serve() when there is
 * input, and a few times a second.
 */
#ifndef GS_RECORD_TTY_WATCH_H
#define GS_RECORD_TTY_WATCH_H

#include <stdbool.h>

#include <uv.h>

struct tty_watch {
	uv_poll_t ready;
	uv_timer_t due;
	bool open;
	void (*serve)(void *arg);
	void *arg;
};

/* Does not keep the loop alive.  fd is not owned. */
void tty_watch_open(struct tty_watch *o, uv_loop_t *loop, int fd,
	void (*serve)(void *arg), void *arg);
void tty_watch_close(struct tty_watch *o);

#endif
