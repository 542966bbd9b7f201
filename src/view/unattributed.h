/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unattributed.h - what the hosts' own counters say was used, without what the
 * recorded processes used: by others, by the kernel, by what may not be read.
 *
 * Use: a zeroed struct; unattributed_open() before the first tick;
 * unattributed_take() with the whole table of processes; unattributed_put() once
 * the table has its order, limit and columns.
 */
#ifndef GS_VIEW_UNATTRIBUTED_H
#define GS_VIEW_UNATTRIBUTED_H

#include "view/view.h"

struct unattributed {
	const struct grouping *hosts, *disks; /* the engine's; NULL: not open */
	struct cell cpu_s, cpu_percent, io_rate;
};

void unattributed_open(struct unattributed *u, struct engine *e);

/* g: all processes.  What is not known of some host, or less than noise, is
 * absent. */
void unattributed_take(struct unattributed *u, const struct view_use *use,
	const struct engine *e, const struct grid *g);

/* Appends a row, if anything is left. */
void unattributed_put(const struct unattributed *u, struct grid *g);

#endif
