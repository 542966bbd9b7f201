/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slice.h - which samples sar shows when it is asked for an interval other
 * than the file's: those whose time, give or take half of what has passed
 * since the sample before, is a multiple of the interval.  Time is the
 * host's uptime since the first sample, both rounded to seconds.
 */
#ifndef GS_SYSSTAT_SLICE_H
#define GS_SYSSTAT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/world.h"

struct slice {
	uint64_t every_s; /* 0, 1: all of them */
	uint64_t first_cs, last_cs; /* uptimes */
};

/* Whether it has a host's sample: the first of a stretch always. */
bool slice_has(struct slice *s, const struct host *h, bool first);

#endif
