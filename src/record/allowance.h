/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allowance.h - so much at once, and so much a second: a token bucket.
 */
#ifndef GS_RECORD_ALLOWANCE_H
#define GS_RECORD_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

struct allowance {
	double burst; /* at most so much is saved up */
	double per_second;
	double left; /* below 0: taken in advance */
	int64_t at_ns; /* left was so much then, on the monotonic clock */
};

/* A full one. */
struct allowance allowance_of(double burst, double per_second,
	int64_t now_ns);

/* Takes n if there is as much; else nothing, and false. */
bool allowance_take(struct allowance *a, double n, int64_t now_ns);

/* Takes n in any case. */
void allowance_charge(struct allowance *a, double n, int64_t now_ns);

/* Until nothing is owed any more; 0: nothing is. */
int64_t allowance_wait_ns(struct allowance *a, int64_t now_ns);

#endif
