/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_limit.h - how many events of a source are recorded and reported: a
 * burst, then one in some time.  The rest is counted.
 */
#ifndef GS_RECORD_EVENT_LIMIT_H
#define GS_RECORD_EVENT_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/allowance.h"

struct event_limit {
	struct allowance allowed;
	uint64_t left_out; /* since that was told last */
	int64_t told_ns; /* monotonic; 0: never */
};

struct event_limit event_limit_of(double burst, double per_second,
	int64_t now_ns);

/* False: one more is left out. */
bool event_limit_take(struct event_limit *l, int64_t now_ns);

/* How many were left out, to be told now: at once, then each minute.  0: there
 * is nothing to tell yet. */
uint64_t event_limit_tell(struct event_limit *l, int64_t now_ns);

#endif
