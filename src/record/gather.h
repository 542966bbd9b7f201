/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.h - takes the answers of many hosts together: waking up for each of them
 * takes as long as reading it.
 *
 * An answer that has come is then read up to GATHER_MS later, and counts as that
 * much later: the host's rtt is larger, which bounds the error of its clock's offset.
 */
#ifndef GS_RECORD_GATHER_H
#define GS_RECORD_GATHER_H

#include <stddef.h>
#include <uv.h>

/* While so many hosts or more have not answered yet; the last answers are read at once. */
#define GATHER_HOSTS 64u
#define GATHER_MS 20

struct gather {
	uv_prepare_t before_wait;
	size_t (*awaited)(void *arg);
	void *arg;
};

/* awaited() says how many hosts have not answered yet, 0 if no pause may be made; it is
 * called whenever the loop is about to wait. */
void gather_open(struct gather *g, uv_loop_t *loop,
	size_t (*awaited)(void *arg), void *arg);
void gather_close(struct gather *g);

/* For how long a loop that would wait for wait_ms (-1: for ever) lets answers come of so
 * many hosts. */
int gather_pause_ms(size_t awaited, int wait_ms);

#endif
