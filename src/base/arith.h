/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arith.h - sums of numbers from a file: modulo 2^64, as the kernel's counters
 * are, even if the file is damaged; steps.
 */
#ifndef GS_BASE_ARITH_H
#define GS_BASE_ARITH_H

#include <stdint.h>

static inline int64_t gs_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t gs_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The first multiple of step after t. */
static inline int64_t gs_next_multiple(int64_t step, int64_t t)
{
	int64_t k = t / step;

	if (t < 0 && t % step)
		k--;
	return (k + 1) * step;
}

#endif
