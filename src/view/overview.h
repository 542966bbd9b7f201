/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overview.h - what happened, on one screen: a line of time, events, and the
 * top of sessions, processes and hosts.
 */
#ifndef GS_VIEW_OVERVIEW_H
#define GS_VIEW_OVERVIEW_H

#include "base/zone.h"
#include "query/engine.h"
#include "query/grid.h"

struct overview;

/* On an engine that has seen no tick.  length_ns: of the range that is
 * coming, 0: not known. */
struct overview *overview_open(struct engine *e, int64_t length_ns);
void overview_close(struct overview *o);

/* Gives the grids one by one, ready to be shown; false if show was. */
typedef bool (*overview_show_fn)(void *ctx, struct grid *g);
bool overview_show(struct overview *o, const struct engine *e,
	overview_show_fn show, void *ctx);

#endif
