/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_threads.h - for how long the threads of a process were there between two ticks
 * that stay: the rest of a tick has the last number of them only.
 *
 * Use: thin_covered_tick() with each tick, before its rows; thread_time_tick() with each
 * row that it touched; thin_covered_kept() once a tick was written.
 */
#ifndef GS_EDIT_THIN_THREADS_H
#define GS_EDIT_THIN_THREADS_H

#include "model/world.h"

/* How long hosts were seen, by index. */
struct thin_covered {
	int64_t *now, *kept; /* so far; at the last tick that stays */
	size_t n, now_cap, kept_cap;
};

void thin_covered_tick(struct thin_covered *c, const struct world *w);
void thin_covered_kept(struct thin_covered *c);
void thin_covered_release(struct thin_covered *c);

/* Of a process since then; zeroed: it was not there. */
struct thread_time {
	int64_t ns; /* up to at_ns of its host's time */
	int64_t at_ns;
	int64_t n; /* threads from then on; 0: it is not there */
	bool varies; /* their number changed */
};

/* It was there at the last tick that stays, with so many. */
void thread_time_begin(struct thread_time *t, const struct thin_covered *c,
	const struct row *r, int64_t n);

void thread_time_tick(struct thread_time *t, const struct thin_covered *c,
	const struct row *r);

/* The amounts of WAITED_THREADS; false: its number says it. */
bool thread_time_get(const struct thread_time *t, const struct thin_covered *c,
	const struct row *r, int64_t *ret_ns);

#endif
