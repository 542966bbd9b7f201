/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.h - the increase of a counter between two samples.
 */
#ifndef GS_MODEL_DIFF_H
#define GS_MODEL_DIFF_H

#include "metric/unit.h"
#include "model/world.h"

/* What the last tick added to a counter of the row.  It counts from 0 if the
 * row was born in this tick, and 0 if the row only appeared or the counter was
 * absent before.  A counter that went back has wrapped if the kernel's is
 * narrow enough and was nearly full; else it was reset and counts 0.  False if
 * it is absent now. */
bool diff_counter(const struct row *r, unsigned col, uint64_t *ret);

/* The same as a number; 0 if it is absent. */
double diff_or_zero(const struct row *r, unsigned col);

/* The increase of a counter from an earlier value to a later one; it may have
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
