/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extremes.h - between what the figures of each tick were, per stretch: so that
 * --find can pass over stretches in which its condition can't have held.
 *
 * For the views hosts and disks, and their columns that are numbers; for sessions, the
 * columns that say how much they use.
 *
 * Use: extremes_also() gives what stretch_new() takes; extremes_free() after it.
 * extremes_beside() saves following the ticks where an engine does that anyway.
 */
#ifndef GS_VIEW_EXTREMES_H
#define GS_VIEW_EXTREMES_H

#include "query/follower.h"
#include "query/stretch.h"

struct extremes;

struct extremes *extremes_new(void);
void extremes_free(struct extremes *x);
struct stretch_also extremes_also(struct extremes *x);

/* Whether a summary's figure of that name, "hosts.busy_percent", would be one of these;
 * others are of other versions.  x: a struct extremes. */
bool extremes_know(void *x, struct span name);

/* The same where *ret_follower is a follower of engines: each has every tick from its
 * first on, before the stretch has it.  An engine may begin where another ended. */
struct stretch_also extremes_beside(struct extremes *x,
	struct follower *ret_follower);

#endif
