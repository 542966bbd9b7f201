/* SPDX-License-Identifier: Apache-2.0 */
/*
 * skew.h - skew: how unevenly the load of sessions or queries is distributed
 * over segments.
 *
 * The segments are all acting primaries of the session's cluster whose servers
 * are recorded now, idle ones included; without its catalog all segments that
 * titles of its sessions name.  Executors on the coordinator, mirrors, and the
 * coordinator's own processes are not included.
 */
#ifndef GS_QUERY_SKEW_H
#define GS_QUERY_SKEW_H

#include "analysis/instances.h"
#include "query/engine.h"

/* With less CPU time, balance has no meaning. */
#define SKEW_CPU_LEAST_S 1.0

struct skew {
	struct session *session;
	struct query *query; /* NULL: the whole session */
	double cpu_s; /* on all segments */
	double max_s; /* on the most loaded one */
	int32_t hot; /* the most loaded one */
	const struct host *hot_host;
	uint32_t server; /* of the session, in the recording */
	/* segments in the average, and primaries of its cluster that are not
	 * recorded */
	size_t n_segment, n_absent;
};

struct skews;

/* Sums so far of a GROUPING_SESSION_SEGMENT or GROUPING_QUERY_SEGMENT with the
 * columns of CPU time. */
struct skews *skews_new(const struct engine *e, const struct grouping *grouping,
	const struct instances *t);
void skews_free(struct skews *s);

size_t skews_count(const struct skews *s);
const struct skew *skews_get(const struct skews *s, size_t i);

/* Skew of a session, or of one of its queries (NULL: the session); NULL if it
 * has no executor on a segment. */
const struct skew *skews_find(const struct skews *s,
	const struct session *session, const struct query *query);

/* CPU seconds of the average segment. */
double skew_average_s(const struct skew *k);

/* Segments that work for the session now: their processes used CPU or IO in the
 * last tick, or wait for a disk.  Returns their number and the first max of
 * them in ret, in order. */
size_t skew_busy(const struct skews *s, const struct engine *e,
	const struct session *session, int32_t *ret, size_t max);

#endif
