/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.h - one pass over a recording: from, to, and a table per step.
 *
 * A range begins at the last tick at or before its start, if that is not older
 * than 1.5 intervals, else at the first tick after it; it ends with the last
 * tick at or before its end.  A tick that came a little late counts for the
 * multiple of the interval at which it was due; in a thinned recording
 * tick_instant() says which.
 */
#ifndef GS_QUERY_RANGE_H
#define GS_QUERY_RANGE_H

#include "query/engine.h"

struct range {
	int64_t from_ns, to_ns; /* INT64_MIN, INT64_MAX: open */
	int64_t every_ns; /* 0: one table; RANGE_EACH_TICK: one per tick */
};

#define RANGE_EACH_TICK INT64_C(-1)

/* Called with the engine at the end of a table's range.  Non-zero ends the
 * pass. */
typedef int (*range_emit_fn)(void *ctx, const struct engine *e);

/* Why a range has no tick. */
struct range_hole {
	bool any; /* false: no hole */
	int64_t from_ns, to_ns; /* as of cursor_gap */
	char why[200]; /* "": not known */
};

struct range_result {
	bool any; /* some tick was in the range */
	struct range_hole hole; /* in which it is, if none was */
	bool clamped; /* data begins after the requested start */
	bool waiting; /* ended at the end of a recording that is still written */
	size_t n_tables;
	size_t n_holes; /* sum over all tables */
};

/*
 * A pass that follows ticks as they arrive: range_go() reads all available
 * ticks and emits each table once it is complete; range_end() emits the rest.
 * The tables are those of range_run() once all ticks are there.  All arguments
 * must outlive it.
 */
struct range_run;

/* Result of range_go() if the cursor has no more ticks for now; at the range's
 * end, or if emit() ended the pass, it is GS_OK. */
#define RANGE_WAITS 2

struct range_run *range_open(const struct range *r, struct cursor c,
	struct engine *e, range_emit_fn emit, void *ctx,
	struct range_result *ret);
int range_go(struct range_run *u, struct gs_err *err);
void range_end(struct range_run *u);
void range_close(struct range_run *u);

/* The whole pass at once.  Fails with the cursor's error. */
int range_run(const struct range *r, struct cursor c, struct engine *e,
	range_emit_fn emit, void *ctx, struct range_result *ret,
	struct gs_err *err);

#endif
