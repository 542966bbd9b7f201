/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.h - from two samples of a counter to what happened between them.
 */
#ifndef GS_MODEL_DIFF_H
#define GS_MODEL_DIFF_H

#include "metric/unit.h"
#include "model/world.h"

/* What the last tick added to a counter of the row: from 0 if the row was
 * born in it, nothing if it only appeared or the counter was absent before.
 * A counter that went back wraps if the kernel's is narrow enough and nearly
 * full, else it was reset and counts 0.  False if it is absent now. */
bool diff_counter(const struct row *r, unsigned col, uint64_t *ret);

/* What a counter grew by from one value of it to a later one: it may have
 * wrapped.  False if it was reset. */
bool diff_between(enum entity_id e, unsigned col, uint64_t was, uint64_t now,
	uint64_t *ret);

/* True if the counter went back without a wrap in the last tick. */
bool diff_was_reset(const struct row *r, unsigned col);

/* Facts of the row's host, with defaults where they are unknown. */
struct unit_env diff_env(const struct host *h);

/* Nanoseconds of one clock tick of the host. */
uint64_t diff_tick_ns(const struct host *h);

/* Time between the host's last two samples on its monotonic clock; 0 if
 * there is no sample before or the host was booted in between. */
int64_t diff_elapsed_ns(const struct host *h);

#endif
