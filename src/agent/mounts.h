/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mounts.h - the mount table, and which file system holds a directory.
 */
#ifndef GS_AGENT_MOUNTS_H
#define GS_AGENT_MOUNTS_H

#include <stdbool.h>

#include "procfs/root.h"
#include "procfs/sysfs.h"

struct mounts {
	struct buf table; /* as last read */
	struct buf path; /* scratch */
};

void mounts_release(struct mounts *m);

/* Reads the table again; if it can not be read, returns false and the table is
 * empty. */
bool mounts_read(struct mounts *m, struct root *r);

/* The mount that holds dir; its spans are valid until mounts_read(). */
bool mounts_find(struct mounts *m, struct span dir, struct mount *ret);

/* True for a network file system: a call may never return. */
bool mount_may_hang(const struct mount *m);

#endif
