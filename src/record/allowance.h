/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allowance.h - a token bucket: a burst, and a rate per second.
 */
#ifndef GS_RECORD_ALLOWANCE_H
#define GS_RECORD_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

struct allowance {
	double burst; /* maximum of left */
	double per_second;
	double left; /* below 0: taken in advance */
	int64_t at_ns; /* time of left, on the monotonic clock */
};

/* A full bucket. */
struct allowance allowance_of(double burst, double per_second,
	int64_t now_ns);

/* Takes n if that much is left; else takes nothing and returns false. */
bool allowance_spend(struct allowance *a, double n, int64_t now_ns);

/* Takes n in any case. */
void allowance_charge(struct allowance *a, double n, int64_t now_ns);

/* Time until left is 0 or more; 0: it is now. */
int64_t allowance_wait_ns(struct allowance *a, int64_t now_ns);

#endif
