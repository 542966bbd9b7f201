/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin.h - what happened in ticks that are left out, so that the next one
 * that is written can say it.
 *
 * A tick is kept where a multiple of the new interval is passed, and on both
 * sides of whatever separates what is before from what is behind it: a hole,
 * a new connection to an agent, a boot, a clock that was set.
 *
 * Counters grow from one kept tick to the next by what they grew by in the
 * source, also where a row came or went or a counter began anew in between:
 * wherever cells do not say that by themselves, a sum does.  The same of what
 * children left behind that were waited for (reap.h), as it can't be concluded
 * any more.
 *
 * Use: thin_before() with each tick before the world has it, thin_tick()
 * after; thin_said() when what the world is now was written.
 */
#ifndef GS_EDIT_THIN_H
#define GS_EDIT_THIN_H

#include "model/header.h"
#include "model/world.h"

struct thin;

struct thin *thin_new(int64_t every_ns);
void thin_free(struct thin *t);

/* The tick is the first behind an edge: what is now, and it, are kept. */
bool thin_before(const struct thin *t, const struct world *w,
	const struct tick *tick);

/* Takes in the last tick of the world, meant for nominal_ns; true: by the
 * interval it is to be kept. */
bool thin_tick(struct thin *t, const struct world *w, bool key,
	int64_t nominal_ns);

/* A tick that was there before came again, as a key. */
void thin_repeat(struct thin *t, const struct world *w);

/* What there is to say of a row; valid until the next call. */
const struct tick_sum *thin_sums(void *thin, const struct row *r, size_t *ret_n);

/* The host at that position was sampled since. */
bool thin_is_fresh(const struct thin *t, size_t i);

void thin_said(struct thin *t);

/* Says of the header that the file is thinned; numbered: and that its ticks
 * have the numbers of the source. */
void thin_header(const struct thin *t, struct header *h, bool numbered);

#endif
