/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overview.h - one screen: what was wrong, a timeline, events, and the top
 * sessions, processes and hosts.
 */
#ifndef GS_VIEW_OVERVIEW_H
#define GS_VIEW_OVERVIEW_H

#include "base/zone.h"
#include "query/engine.h"
#include "query/grid.h"

struct overview;
struct view_ask;

/* On an engine before its first tick.  length_ns: of a table's range; 0: not known.
 * whole_ns: of all the tables' together, by which findings are looked for.  zone: of
 * instants in texts; not owned; NULL: UTC.  like: an ask as brief as these tables and of
 * their width; NULL: they have all columns. */
struct overview *overview_open(struct engine *e, int64_t length_ns, int64_t whole_ns,
	const struct zone *zone, const struct view_ask *like);
void overview_close(struct overview *o);

/* The next tables are brief: without numbers on request. */
void overview_ask_again(struct overview *o, bool brief);

/* Of the range so far. */
struct report_most;
/* What the table of findings says in place of them; NULL: they are looked for. */
const char *overview_unasked(const struct overview *o);

const struct report_most *overview_most(const struct overview *o);

/* Passes the finished grids to show, one by one; false if show returned false. */
typedef bool (*overview_show_fn)(void *ctx, struct grid *g);
bool overview_show(struct overview *o, const struct engine *e,
	overview_show_fn show, void *ctx);

#endif
