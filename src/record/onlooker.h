/*
 * onlooker.h - somebody at a terminal, who is served between samples: called
 * when there is something to read, and a few times a second.
 */
#ifndef GS_RECORD_ONLOOKER_H
#define GS_RECORD_ONLOOKER_H

#include <stdbool.h>

#include <uv.h>

struct onlooker {
	uv_poll_t ready;
	uv_timer_t due;
	bool open;
	void (*serve)(void *arg);
	void *arg;
};

/* Does not keep the loop going.  fd is not owned. */
void onlooker_open(struct onlooker *o, uv_loop_t *loop, int fd,
	void (*serve)(void *arg), void *arg);
void onlooker_close(struct onlooker *o);

#endif
