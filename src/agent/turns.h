/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.h - how old what is read by turns may be.  A tick costs as much at long
 * intervals as at short ones, as far as the age permits.
 */
#ifndef GS_AGENT_TURNS_H
#define GS_AGENT_TURNS_H

#include <stdint.h>

enum turn {
	TURN_SOON, /* F_TURN of metrics.def */
	TURN_LATE, /* F_LATE */
	TURN_SELDOM, /* F_SELDOM */
	TURNS
};

#define TURN_INTERVALS 3

/* The interval by which turns are reckoned, of the last ones, newest first; 0: not
 * known yet.  The middle one: a tick that is late is followed by a short interval, and
 * neither shall put a turn off or bring many at once. */
int64_t turn_interval(const int64_t last_ns[TURN_INTERVALS]);

/* It is read again after so many ticks, at least 1.  interval_ns: between two
 * ticks; 0: not known yet. */
uint64_t turn_ticks(enum turn of, int64_t interval_ns);

#endif
