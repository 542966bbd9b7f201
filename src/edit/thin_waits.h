/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_waits.h - what samples saw backends do in ticks that are left out, for the
 * next tick that is written.
 *
 * Use: thin_waits_tick() with each tick; thin_waits_collect() before the current
 * world is written, thin_waits_of() with each of its rows, and
 * thin_waits_written() after.
 */
#ifndef GS_EDIT_THIN_WAITS_H
#define GS_EDIT_THIN_WAITS_H

#include "analysis/sessions.h"

struct thin_waits;

struct thin_waits *thin_waits_new(void);
void thin_waits_free(struct thin_waits *t);

void thin_waits_tick(struct thin_waits *t, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns);

void thin_waits_collect(struct thin_waits *t);
const struct row_waited *thin_waits_of(const struct thin_waits *t,
	const struct row *r, size_t *ret_n);
void thin_waits_written(struct thin_waits *t);

#endif
