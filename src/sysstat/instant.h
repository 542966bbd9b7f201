/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instant.h - one sample of a host as sysstat's programs see it: when it was
 * taken, and what their formulas divide by.
 */
#ifndef GS_SYSSTAT_INSTANT_H
#define GS_SYSSTAT_INSTANT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/world.h"

struct instant {
	int64_t wall_ns; /* the host's */
	int64_t mono_ns;
	uint64_t uptime_cs; /* /proc/uptime; 0: unknown */
	uint64_t jiffies; /* of all CPUs; guests are in user time already */
	uint64_t mem_total_kib; /* 0: unknown */
	uint64_t hz; /* clock ticks per second */
};

struct instant instant_of(const struct host *h);

/*
 * Hundredths of a second from one instant to another.  As sysstat counts
 * them: whole ones of the uptime, at least 1; else of the monotonic clock, 0
 * if no time has passed.
 */
double instant_between_cs(const struct instant *a, const struct instant *b,
	bool strict);

/*
 * Which samples sar shows when it is asked for an interval other than the
 * file's: those whose time, give or take half of what has passed since the
 * sample before, is a multiple of the interval.  Time is the host's uptime
 * since the first sample, both rounded to seconds.
 */
struct slice {
	uint64_t every_s; /* 0, 1: all of them */
	uint64_t first_cs, last_cs; /* uptimes */
};

/* Whether it has a host's sample: the first of a stretch always. */
bool slice_has(struct slice *s, const struct host *h, bool first);

#endif
