/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin.h - accumulates the ticks that are left out, for the next tick that is
 * written.
 *
 * A tick is kept where a multiple of the new interval is passed, and on both
 * sides of each discontinuity: a hole, a new connection to an agent, a boot, a
 * clock that was set, a database server that came or went, a kill for lack of memory.
 *
 * Between two kept ticks counters grow by as much as in the source, even if a
 * row came or went or a counter was reset in between: if the cells alone do
 * not show that, a sum is written.  The usage of reaped children (reap.h) is
 * written in the same way, since it can't be derived any more; and so are the
 * samples of what backends did (thin_waits.h).
 *
 * Use: thin_before() with each tick before the world has it, thin_tick()
 * after; thin_collect() before the current world is written, thin_written()
 * after.
 */
#ifndef GS_EDIT_THIN_H
#define GS_EDIT_THIN_H

#include "analysis/sessions.h"
#include "model/header.h"
#include "model/world.h"

struct thin;

struct thin *thin_new(int64_t every_ns);
void thin_free(struct thin *t);

/* True if the tick is the first after a discontinuity: the current world and
 * this tick are kept. */
bool thin_before(const struct world *w, const struct tick *tick);

/* True for a key in which all rows existed before. */
bool thin_continues(const struct tick *t);

/* Takes the last tick of the world, scheduled for nominal_ns, in a recording
 * with that interval; true: the new interval says to keep it. */
bool thin_tick(struct thin *t, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns, bool key,
	int64_t nominal_ns);

/* The last tick came again, as a key. */
void thin_repeat(struct thin *t, const struct world *w);

/* The sums to write for a row; valid until the next call. */
const struct tick_sum *thin_sums(void *thin, const struct row *r, size_t *ret_n);

/* What its samples saw it do since the last kept tick: as thin_sums(). */
const struct row_waited *thin_waited(void *thin, const struct row *r,
	size_t *ret_n);

/* Before the current world is written. */
void thin_collect(struct thin *t);

/* True if the host at that position was sampled since the last kept tick. */
bool thin_is_fresh(const struct thin *t, size_t i);

void thin_written(struct thin *t);

/* Marks the header as thinned; numbered: its ticks keep the numbers of the
 * source. */
void thin_header(const struct thin *t, struct header *h, bool numbered);

#endif
