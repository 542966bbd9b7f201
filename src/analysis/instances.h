/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instances.h - the database servers of a recording: postmasters that were
 * seen, segments that the catalog names, and which of them are the same.
 *
 * A segment of the catalog is a postmaster if it runs on that host and has
 * that port or data directory.  Role, mode and status come from the catalog
 * alone.  Without one, a postmaster's segment is what the titles of executors
 * below it say; one with sessions and without executors of a segment is the
 * coordinator; of the others (mirrors, standby) nothing is known.
 */
#ifndef GS_ANALYSIS_INSTANCES_H
#define GS_ANALYSIS_INSTANCES_H

#include "analysis/sessions.h"
#include "model/world.h"

struct instance {
	const struct host *host; /* NULL: not recorded */
	uint64_t pid; /* of its postmaster; 0: not seen */
	const struct row *process; /* that, or NULL */
	const struct row *postmaster; /* its row of entity postmaster, or NULL */
	const struct row *segment; /* its row of the catalog, or NULL */
	const struct row *cluster; /* the catalog's own, of the coordinator */
	const struct host *catalog; /* that the two are of, or NULL */
	bool has_content;
	int64_t content; /* -1: coordinator */
	char role; /* 'p', 'm'; 0: not known */
	bool has_port;
	uint64_t port;
	struct span datadir; /* empty: not known */
	size_t at; /* its place in the list */
};

struct instances;

/* As of the newest tick; rows and texts are the world's. */
struct instances *instances_new(const struct world *w,
	const struct sessions *s);
void instances_free(struct instances *t);

/* By segment, primary before mirror; those without a segment last. */
size_t instances_count(const struct instances *t);
const struct instance *instances_get(const struct instances *t, size_t i);

/* That of a postmaster; NULL. */
const struct instance *instances_find(const struct instances *t,
	const struct host *h, uint64_t pid);

/* That which a process is of: the postmaster, or below it; NULL. */
const struct instance *instances_of(const struct instances *t,
	const struct row *process);

/* True if it holds data of its own and takes part in queries: a primary with
 * segment >= 0 that is not down. */
bool instance_is_primary(const struct instance *i);

/* The pid of the postmaster that a process is or is below; 0. */
uint64_t process_postmaster(const struct row *process);

#endif
