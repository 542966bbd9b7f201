/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aligned.h - which ticks of several recordings are one tick.
 *
 * The finest recording sets the aligned: what the others sampled less than half
 * of its interval away comes with its tick, what they sampled elsewhere is a
 * tick of its own.
 */
#ifndef GS_MERGE_ALIGN_H
#define GS_MERGE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next tick of a recording. */
struct align_next {
	bool has; /* false: it has ended, all else is void */
	bool begun; /* it has given ticks before */
	int64_t at_ns; /* all on one time line */
	int64_t interval_ns;
	bool taken; /* out: it comes now */
};

struct aligned {
	int64_t at_ns; /* when: as the finest of those taken says it */
	int64_t interval_ns; /* of the finest that there is now */
};

/* False: all have ended. */
bool align_choose(struct align_next *next, size_t n, struct aligned *ret);

#endif
