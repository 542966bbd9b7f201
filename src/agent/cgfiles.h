/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgfiles.h - reads the files of control groups, each no more often than it
 * has to be.
 *
 * Opening a file costs more than reading it, so files that are read at every
 * tick stay open, and a file that a group lacks is not looked for at every
 * tick.  Limits, and what only changes if the group works, keep their cells
 * until they are due.
 */
#ifndef GS_AGENT_CGFILES_H
#define GS_AGENT_CGFILES_H

#include "agent/cgmounts.h"
#include "agent/proc.h"

/* One control group. */
struct cgfiles_group {
	uint32_t id; /* text of its path */
	bool seen; /* at this tick */
	bool all_devices; /* at the last tick, none lacked a row */
	int64_t full_ns; /* when all its files were read; 0: never */
	int fd[CGROUP_FILES]; /* -1: not open */
	bool lacks[CGROUP_FILES]; /* does not exist or is empty; until all are
				   * read again */
};

struct cgfiles {
	struct cgmounts mounts;
	uint64_t columns[CGROUP_FILES][COL_WORDS_MAX]; /* that each can give */
	size_t n_open, max_open;
};

void cgfiles_init(struct cgfiles *f);

/* Makes g a group that was never read. */
void cgfiles_add(struct cgfiles_group *g, uint32_t id);

/* Closes what is open. */
void cgfiles_drop(struct cgfiles *f, struct cgfiles_group *g);

/* True if a hierarchy has a group of that path. */
bool cgfiles_exists(const struct cgfiles *f, const struct scan *sc,
	struct span path);

/* Sets the cells of the group, and its devices: was are the cells of the tick
 * before (val is NULL if there was none). */
void cgfiles_read(struct cgfiles *f, struct cgfiles_group *g,
	const struct scan *sc, struct span path, struct cells was,
	struct cells now, struct cgroup_devices *devices);

#endif
