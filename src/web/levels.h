/* SPDX-License-Identifier: Apache-2.0 */
/*
 * levels.h - what is exposed of hosts, disks, networks, file systems and so on:
 * the metrics of the registry as they are, counters with the totals that the
 * kernel keeps.
 */
#ifndef GS_WEB_LEVELS_H
#define GS_WEB_LEVELS_H

#include "query/engine.h"
#include "web/families.h"

/* A host that answered no tick for so long is down, and its rows are left out. */
#define LEVELS_LATE_TICKS 3

struct levels;

struct levels *levels_new(void);
void levels_free(struct levels *l);

/* After each tick. */
void levels_tick(struct levels *l, const struct engine *e);
void levels_put(const struct levels *l, const struct engine *e,
	struct families *x);

#endif
