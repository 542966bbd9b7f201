/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_track.h - the course of the queries of some sessions: for each, at most
 * QUERY_POINTS_MAX intervals with what it used, waited for, and who kept it
 * waiting.  Intervals are merged in pairs when there are too many.
 */
#ifndef GS_VIEW_QUERY_TRACK_H
#define GS_VIEW_QUERY_TRACK_H

#include "query/dbtime.h"
#include "query/grouping.h"

#define QUERY_POINTS_MAX 20u

struct query_point {
	int64_t from_ns, to_ns; /* wall */
	uint32_t first, last; /* ticks */
	bool has_cpu, has_io, has_memory, has_spill;
	double cpu_s; /* by its processes that live at its ticks' ends */
	double io_bytes;
	double memory, spill; /* highest at a tick */
	char *blocker; /* chain at the last tick that has one; NULL: none */
};

struct query_course {
	const char *name; /* as in queries: "86/1" */
	const struct query_point *point;
	size_t n;
};

struct query_track;

/* It follows the engine; only tells whose sessions'. */
struct query_track *query_track_new(struct engine *e, grouping_only_fn only,
	void *ctx);
void query_track_free(struct query_track *t);

/* NULL: it was not seen. */
const struct query_course *query_track_find(const struct query_track *t,
	struct span name);

/* Its DB time by event, most first: in one interval, or all; *ret_n of them.  The
 * caller frees it. */
struct dbtime_part *query_track_waits(const struct query_track *t,
	struct span name, const struct query_point *in, size_t *ret_n);

#endif
