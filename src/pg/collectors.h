/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectors.h - names of the collectors, each of which reads one part of the
 * catalog.
 */
#ifndef GS_PG_COLLECTORS_H
#define GS_PG_COLLECTORS_H

#include <stdint.h>

#include "base/err.h"

enum collector_id {
	COLLECT_ACTIVITY, /* backends */
	COLLECT_TOPOLOGY, /* segments */
	COLLECT_LOCKS,
	COLLECT_REPLICATION,
	COLLECT_GROUPS, /* resource groups or queues */
	COLLECT_VMEM,
	COLLECT_LIMITS, /* max_connections of segments; sent to them */
	COLLECT_SEGMENT_ACTIVITY, /* backends of segments; sent to them */
	COLLECT_WORKFILES, /* gp_workfile views; sent to them */
	COLLECT_DATABASES, /* pg_stat_database */
	COLLECT_WAL, /* checkpoints, the log, its archiving */
	COLLECT_SLOTS, /* replication slots */
	COLLECT_PROGRESS, /* pg_stat_progress_* */
	COLLECT_PGSTATEMENTS, /* pg_stat_statements */
	COLLECTOR_COUNT
};

/* "activity", ...; in the order of the enum. */
const char *collector_name(enum collector_id c);

/* Parses "locks,vmem" ("-locks" removes from the default, "+workfiles" adds to
 * it; "none") into bits 1 << collector_id.  GS_E_USAGE names the unknown word
 * and all collectors. */
int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err);
#define COLLECTORS_DEFAULT \
	(~(1u << COLLECT_SEGMENT_ACTIVITY | 1u << COLLECT_WORKFILES) & \
	    ((1u << COLLECTOR_COUNT) - 1))

#endif
