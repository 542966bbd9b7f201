/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instances.h - the database servers of a recording: postmasters that were
 * seen, segments in the catalog, and which of these are the same server.
 *
 * A segment of the catalog is matched with a postmaster on its host that has
 * its port or data directory.  Role, mode and status come from the catalog
 * alone.  Without a catalog, the titles of a postmaster's executors give its
 * segment; a postmaster with sessions and without executors of a segment is the
 * coordinator; of the others (mirrors, standby) nothing is known.
 */
#ifndef GS_ANALYSIS_INSTANCES_H
#define GS_ANALYSIS_INSTANCES_H

#include "analysis/sessions.h"
#include "model/world.h"

struct instance {
	const struct host *host; /* NULL: not recorded */
	uint64_t pid; /* of its postmaster; 0: not seen */
	const struct row *process; /* of the postmaster, or NULL */
	const struct row *postmaster; /* row of entity postmaster, or NULL */
	const struct row *segment; /* of its segment in the catalog, or NULL */
	const struct row *cluster; /* of the catalog's cluster; on the
	                            * coordinator only */
	const struct host *catalog; /* that segment and cluster are of, or NULL */
	bool has_content;
	int64_t content; /* -1: coordinator */
	char role; /* 'p', 'm'; 0: not known */
	bool has_port;
	uint64_t port;
	struct span datadir; /* empty: not known */
	size_t at; /* index in the list */
};

struct instances;

/* State at the newest tick.  Rows and texts belong to the world. */
struct instances *instances_new(const struct world *w,
	const struct sessions *s);
void instances_free(struct instances *t);

/* Ordered by segment, primary before mirror; those without a segment last. */
size_t instances_count(const struct instances *t);
const struct instance *instances_get(const struct instances *t, size_t i);

/* The instance of a postmaster, or NULL. */
const struct instance *instances_find(const struct instances *t,
	const struct host *h, uint64_t pid);

/* The instance of a process: its postmaster's, if it is the postmaster or
 * descends from it; or NULL. */
const struct instance *instances_of(const struct instances *t,
	const struct row *process);

/* True if it holds data of its own and takes part in queries: a primary with
 * segment >= 0 that is not down. */
bool instance_is_primary(const struct instance *i);

/* The pid of the postmaster that the process is or descends from, or 0. */
uint64_t process_postmaster(const struct row *process);

#endif
