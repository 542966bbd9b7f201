/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arith.h - sums of numbers from a file: modulo 2^64, as the kernel's counters
 * are, even if the file is damaged.
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

#endif
