/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.h - the directories in which a server may have temporary files:
 * base/pgsql_tmp of its data directory, and pgsql_tmp of every tablespace,
 * pg_tblspc/<oid>/<version>/pgsql_tmp.  <version> is PG_15_202209061,
 * GPDB_6_301908232 and the like; one location may have several, of other
 * servers and from before an upgrade.
 *
 * Paths start from DIR/proc or are absolute.  Tablespaces on a network are not
 * read.
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
	int64_t changed_ns; /* when this modification time was first seen */
	bool empty; /* it was empty when listed last */
};

struct places {
	struct place *place;
	size_t n, made, cap;
	struct timespec spaces_mtime; /* of pg_tblspc */
	bool all; /* no directory is left out */
	struct buf path; /* scratch */
};

void places_release(struct places *p);

/* Finds them below dir, the data directory; version (may be empty) is from its
 * PG_VERSION. */
void places_find(struct places *p, struct root *r, struct mounts *mounts,
	const char *dir, struct span version);

/* True if tablespaces were added or removed since. */
bool places_changed(struct places *p, struct root *r, const char *dir);

#endif
