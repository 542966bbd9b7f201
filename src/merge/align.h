/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align.h - aligns the ticks of several recordings.
 *
 * The recording with the shortest interval sets the ticks: a tick of another
 * one less than half of that interval away joins its tick, any other becomes a
 * separate tick.
 */
#ifndef GS_MERGE_ALIGN_H
#define GS_MERGE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next tick of a recording. */
struct align_next {
	bool has; /* false: it has ended, the rest is invalid */
	bool begun; /* it has returned ticks before */
	int64_t at_ns; /* on the common time line */
	int64_t interval_ns;
	bool joined; /* out: it is part of the merged tick */
};

struct aligned {
	int64_t at_ns; /* of the joined tick with the shortest interval */
	int64_t interval_ns; /* the shortest of those that have not ended */
};

/* False: all have ended. */
bool align_choose(struct align_next *next, size_t n, struct aligned *ret);

#endif
