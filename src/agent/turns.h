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

/* It is read again after so many ticks, at least 1.  interval_ns: between two
 * ticks; 0: not known yet. */
uint64_t turn_ticks(enum turn of, int64_t interval_ns);

#endif
