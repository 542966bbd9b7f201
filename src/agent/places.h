/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.h - the directories in which a server may have temporary files:
 * base/pgsql_tmp of its data directory, and pgsql_tmp of every tablespace,
 * pg_tblspc/<oid>/<version>/pgsql_tmp.  <version> is PG_15_202209061,
 * GPDB_6_301908232 and the like; below one location there may be several, of
 * other servers and from before an upgrade.
 *
 * Paths start from DIR/proc or are absolute.  A tablespace on a network is
 * not asked.
 */
#ifndef GS_AGENT_PLACES_H
#define GS_AGENT_PLACES_H

#include <sys/stat.h>

#include "agent/mounts.h"

#define PLACES_MAX 256

struct place {
	struct buf path;
	struct timespec mtime;
	dev_t dev;
	ino_t ino;
	int64_t changed_ns; /* when it was first seen to be of that time */
	bool empty; /* nothing was in it when listed last */
};

struct places {
	struct place *place;
	size_t n, made, cap;
	struct timespec spaces_mtime; /* of pg_tblspc */
	bool all; /* none is left out */
	struct buf path; /* scratch */
};

void places_release(struct places *p);

/* Looks for them below dir, the data directory; version (may be empty) is
 * what its PG_VERSION says. */
void places_look(struct places *p, struct root *r, struct mounts *mounts,
	const char *dir, struct span version);

/* True if tablespaces came or went since. */
bool places_changed(struct places *p, struct root *r, const char *dir);

#endif
