/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ticker.h - wakes the loop whenever a tick is due by the wall clock.
 */
#ifndef GS_RECORD_TICKER_H
#define GS_RECORD_TICKER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "record/schedule.h"

struct ticker {
	uv_poll_t wake; /* of a timerfd: uv_timer_t has no wall clock */
	int timer_fd;
	bool open; /* wake is */
	bool stopped;
	struct schedule schedule;
	int64_t due_ns;
	void (*due)(void *arg, int64_t due_ns);
	void *arg;
};

#define TICKER_INIT { .timer_fd = -1 }

/* due() is called from the loop, with the wall clock time that it was
 * scheduled for.  origin_ns: as in schedule_init(). */
int ticker_open(struct ticker *t, uv_loop_t *loop, int64_t interval_ns,
	int64_t origin_ns, void (*due)(void *arg, int64_t due_ns), void *arg,
	struct gs_err *err);
void ticker_start(struct ticker *t);

/* Ticks are due at multiples of another interval, from the next one on. */
void ticker_set_interval(struct ticker *t, int64_t interval_ns);

/* No more calls of due(). */
void ticker_stop(struct ticker *t);

/* A tick happens now; due_ns as in schedule_tick(). */
struct schedule_tick ticker_judge(struct ticker *t, int64_t due_ns,
	int64_t wall_ns);

/* Closes its handle; allowed after a failed ticker_open(), too. */
void ticker_close(struct ticker *t);

/* After the loop has closed the handle. */
void ticker_release(struct ticker *t);

#endif
