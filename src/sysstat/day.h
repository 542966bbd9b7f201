/* SPDX-License-Identifier: Apache-2.0 */
/*
 * day.h - a day of a recording, as sar's -1, -2, ... name it: so many days ago.
 */
#ifndef GS_SYSSTAT_DAY_H
#define GS_SYSSTAT_DAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/zone.h"

struct day {
	bool wanted;
	int64_t ago; /* 0: today */
	struct buf from, to, place; /* of what is made here */
};

void day_release(struct day *d);

/* Removes "-1" and the like from a command line; returns the new argc. */
int day_parse(struct day *d, int argc, char **argv);

/* Times of day and open ends become those of the day, if one is wanted, as
 * seen from now_ns; *from and *to as written for a recording, NULL: open. */
void day_set(struct day *d, const struct zone *zone, int64_t now_ns,
	const char **from, const char **to);

#endif
