/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unattributed.h - what the hosts' own counters say was used, without what the
 * recorded processes used: by others, by the kernel, by what may not be read.
 *
 * Use: a zeroed struct; unattributed_open() before the first tick;
 * unattributed_add_up() before the table of processes is made; unattributed_take()
 * with the whole table; unattributed_put() once it has its order, limit and columns.
 */
#ifndef GS_VIEW_UNATTRIBUTED_H
#define GS_VIEW_UNATTRIBUTED_H

#include "view/view.h"

struct unattributed {
	const struct grouping *hosts, *disks; /* the engine's; NULL: not open */
	double bytes; /* of IO, of all processes */
	struct cell cpu_s, cpu_percent, io_rate;
};

void unattributed_open(struct unattributed *u, struct engine *e);

/* What processes read and wrote, before their table is made. */
void unattributed_add_up(struct unattributed *u, const struct view_use *use);

/* g: all processes.  What is not known of some host, or less than noise, is
 * absent. */
void unattributed_take(struct unattributed *u, const struct engine *e,
	const struct grid *g);

/* Appends a row, if anything is left. */
void unattributed_put(const struct unattributed *u, struct grid *g);

#endif
