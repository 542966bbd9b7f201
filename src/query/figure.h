/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure.h - how the cell of a column comes from a group's sums.
 *
 * Private to src/view.  A figure is a column's heading, a function, and the
 * columns of the entity that it needs; the tables of views_*.c are made of
 * them.
 */
#ifndef GS_QUERY_FIGURE_H
#define GS_QUERY_FIGURE_H

#include "analysis/instances.h"
#include "analysis/lockgraph.h"
#include "base/compiler.h"
#include "query/engine.h"
#include "query/grid.h"

#define FIGURE_COLS 8

/* A row that is in a group at the end of the range. */
struct group_row {
	const struct group *in;
	const struct row *row;
};

/* Those of one group. */
struct group_rows {
	const struct group_row *row;
	size_t n;
};

/* Made by those who ask first; begins zeroed. */
struct figure_cache {
	struct lockgraph **graph; /* one per catalog */
	size_t n_graph;
	struct instances *instances;
	struct skews *skews;
	struct group_row *row; /* of all groups, by group */
	size_t n_row;
};

void figure_cache_release(struct figure_cache *c);

/* Where a figure looks. */
struct figure_env {
	const struct engine *engine;
	const struct grouping *grouping; /* that the group is of */
	const struct rollup *rollup; /* its rollup */
	const struct grouping *disks; /* for hosts: the disks, by row */
	const struct grouping *segments; /* work by segment; NULL: not wanted */
	struct grid *grid; /* whose memory texts go to */
	struct figure_cache *cache; /* what is worked out once for a grid */
	void *state; /* of the view's own, struct view_rows */
	const void *subject; /* what the row is about, where a view says */
};

/* Who keeps whom waiting on each server, and the servers, at the end of the
 * range. */
size_t figure_graphs(const struct figure_env *v);
const struct lockgraph *figure_graph(const struct figure_env *v, size_t i);

/* That of a catalog; NULL. */
const struct lockgraph *figure_graph_of(const struct figure_env *v,
	const struct host *catalog);
const struct instances *figure_instances(const struct figure_env *v);

/* The rows of a group; none without a cache. */
struct group_rows figure_rows(const struct figure_env *v,
	const struct group *g);

/* Balance over segments; NULL where env.segments is. */
const struct skews *figure_skews(const struct figure_env *v);

struct figure;

/* What makes a cell takes: where it looks, the figure that it is of, and the
 * group; that is NULL for one that looks at the subject. */
#define FIGURE_ARGS GS_UNUSED const struct figure_env *v, \
	GS_UNUSED const struct figure *f, GS_UNUSED const struct group *g

typedef struct cell (*figure_fn)(FIGURE_ARGS);

struct figure {
	struct grid_col col;
	figure_fn fn;
	double scale;
	unsigned n_from;
	unsigned from[FIGURE_COLS]; /* columns of the entity */
	unsigned pick; /* figure_share(): bits of those that count */
	unsigned ema; /* 0: none; n: the n-th moving average of the rate */
	bool alone; /* looks at the subject: needs no group */
};

/* Sum over the range, or now, of all columns of from, times scale. */
struct cell figure_sum(FIGURE_ARGS);

/* The same for counters, per second that was covered. */
struct cell figure_rate(FIGURE_ARGS);

/* Highest sum of a gauge in the range. */
struct cell figure_peak(FIGURE_ARGS);

/* The picked columns as a share of the sum of all of them. */
struct cell figure_share(FIGURE_ARGS);

/* The first column divided by the second; both summed over the range. */
struct cell figure_ratio(FIGURE_ARGS);

/* The cell of the newest row that came into the group: by the column's
 * quantity a number, an instant (from us since 1970), a text (also from a
 * letter). */
struct cell figure_cell(FIGURE_ARGS);

/* The same of any row, which may be NULL. */
struct cell figure_row_cell(const struct figure_env *v,
	const struct figure *f, const struct row *r);

/* CPU of processes: from = CPU clock, utime, stime.  The clock where the
 * host could read it, else ticks. */
struct cell figure_cpu_rate(FIGURE_ARGS);
struct cell figure_cpu_sum(FIGURE_ARGS);

/* Memory of processes: from = RssAnon, VmSwap, statm's private. */
struct cell figure_memory(FIGURE_ARGS);
struct cell figure_memory_peak(FIGURE_ARGS);

/* A text of the grid; absent if it is empty. */
struct cell figure_text(const struct figure_env *v, const char *s);

#endif
