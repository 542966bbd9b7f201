/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.h - the instances of a cluster, from gp_segment_configuration, and
 * their changes.
 */
#ifndef GS_PG_TOPOLOGY_H
#define GS_PG_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "model/tick.h"

struct instance {
	int64_t content, dbid, port;
	char role, mode, status;
	char *hostname, *address, *datadir; /* owned */
};

/* max_connections of a segment's primary. */
struct limit {
	int64_t content, max_connections;
};

struct topology {
	struct instance *list, *before; /* owned */
	size_t n, cap, n_before, before_cap;
	uint64_t generation;
	struct limit *limit;
	size_t n_limit, limit_cap;
};

void topology_release(struct topology *t);

/* Takes the answer of the collector topology.  If it has changed, increments
 * the generation; each change of an instance that existed before becomes an
 * event. */
void topology_apply(struct topology *t, const PGresult *r,
	struct tick *events);

/* Takes the answer of the collector limits. */
void topology_apply_limits(struct topology *t, const PGresult *r);

/* max_connections of the primary of a segment; false: not known. */
bool topology_limit(const struct topology *t, int64_t content,
	uint64_t *ret);

/* The active coordinator; NULL: not known. */
const struct instance *topology_coordinator(const struct topology *t);

#endif
