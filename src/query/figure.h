/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure.h - cells of columns from a group's sums.
 *
 * Used by src/query and src/view.  A figure is a column's heading, a function, and the
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

#define FIGURE_COLS 16

/* A row that is in a group at the end of the range. */
struct group_row {
	const struct group *in;
	const struct row *row;
};

/* The rows of one group. */
struct group_rows {
	const struct group_row *row;
	size_t n;
};

/* Filled on first use; initially zeroed. */
struct figure_cache {
	struct lockgraph **graph; /* one per catalog */
	size_t n_graph;
	struct instances *instances;
	struct skews *skews;
	struct group_row *row; /* of all groups, by group */
	size_t n_row;
	struct offcpu_times *offcpu; /* of the row that is being made */
};

void figure_cache_release(struct figure_cache *c);

/* Another row is made: what was computed for the one before is dropped. */
void figure_cache_next_row(struct figure_cache *c);

/* Input of a figure. */
struct figure_env {
	const struct engine *engine;
	const struct grouping *grouping; /* of the group */
	const struct rollup *rollup; /* its rollup */
	const struct grouping *disks; /* for hosts: the disks, by row */
	const struct grouping *processes; /* for hosts: one group per host;
	                                   * NULL: not wanted */
	const struct grouping *threads; /* of the same groups: threads; NULL:
	                                 * not wanted */
	const struct grouping *segments; /* usage by segment; NULL: not wanted */
	const struct dbtime *dbtime; /* of sessions; NULL: not wanted */
	struct grid *grid; /* owns the texts */
	struct figure_cache *cache; /* computed once per grid */
	void *state; /* the view's, from struct view_rows */
	unsigned level; /* of nested rows; 0: they are not nested */
	const void *subject; /* object of the row, set by some views */
};

/* Blocking sessions on each server, and the servers, at the end of the range. */
size_t figure_graphs(const struct figure_env *v);
const struct lockgraph *figure_graph(const struct figure_env *v, size_t i);

/* The graph of a catalog, or NULL. */
const struct lockgraph *figure_graph_of(const struct figure_env *v,
	const struct host *catalog);
const struct instances *figure_instances(const struct figure_env *v);

/* The rows of a group; none if there is no cache. */
struct group_rows figure_rows(const struct figure_env *v,
	const struct group *g);

/* Balance over segments; NULL if env.segments is NULL. */
const struct skews *figure_skews(const struct figure_env *v);

struct figure;

/* A function that makes a cell. group is NULL for a figure of the subject. */
#define FIGURE_ARGS GS_UNUSED const struct figure_env *v, \
	GS_UNUSED const struct figure *f, GS_UNUSED const struct group *g

typedef struct cell (*figure_fn)(FIGURE_ARGS);

struct figure {
	struct grid_col col;
	figure_fn fn;
	double scale;
	unsigned n_from;
	unsigned from[FIGURE_COLS]; /* columns of the entity */
	unsigned pick; /* figure_share(): bits of the columns in the numerator */
	unsigned ema; /* 0: none; n: the n-th moving average of the rate */
	size_t member; /* offset of the text that fn shows */
	figure_fn inner; /* makes the cell for fn, which finds the group */
	bool alone; /* uses the subject: needs no group */
	bool by_threads; /* uses figure_env.threads */
	bool dear; /* needs rows that the table does not: made if it is named */
};

/* Sum of all columns in from, times scale: over the range, or now. */
struct cell figure_sum(FIGURE_ARGS);

/* An amount of the range: a lower bound if rows of the group may have had more
 * while they were not seen. */
struct cell figure_amount(
    const struct figure_env *v, const struct group *g, struct cell c);


/* The same for counters, per second of covered time. */
struct cell figure_rate(FIGURE_ARGS);

/* Highest sum of a gauge in the range. */
struct cell figure_peak(FIGURE_ARGS);

/* The picked columns as a share of the sum of all of them. */
struct cell figure_share(FIGURE_ARGS);

/* The same; absent unless all rows have all of them. */
struct cell figure_part(FIGURE_ARGS);

/* The first column divided by the second; both summed over the range. */
struct cell figure_ratio(FIGURE_ARGS);

/* The same; absent unless all rows have both, for columns that not all rows
 * have together. */
struct cell figure_ratio_of_all(FIGURE_ARGS);

/* The same; if some rows lack these, the third divided by the fourth. */
struct cell figure_ratio_or(FIGURE_ARGS);

/* The first column without the second, at least 0. */
struct cell figure_rest(FIGURE_ARGS);

/* The cell of the group's newest row, by the column's quantity: a number, an
 * instant (from us since 1970), a text (also from a letter). */
struct cell figure_cell(FIGURE_ARGS);

/* The same for any row, which may be NULL. */
struct cell figure_row_cell(const struct figure_env *v,
	const struct figure *f, const struct row *r);

/* CPU time of processes: from = CPU clock, utime, stime.  The clock if the host
 * could read it, else utime and stime. */
struct cell figure_cpu_rate(FIGURE_ARGS);
struct cell figure_cpu_sum(FIGURE_ARGS);

/* Memory of processes: from = RssAnon, VmSwap, statm's private. */
struct cell figure_memory(FIGURE_ARGS);
struct cell figure_memory_peak(FIGURE_ARGS);

/* A text of the grid; absent if it is empty. */
struct cell figure_text(const struct figure_env *v, const char *s);

#endif
