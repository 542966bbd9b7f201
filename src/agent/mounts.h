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
	struct buf table; /* as read last */
	struct buf path; /* scratch */
};

void mounts_release(struct mounts *m);

/* Reads the table anew; false, and none is known, if it can not be read. */
bool mounts_read(struct mounts *m, struct root *r);

/* The mount that holds dir; its spans are valid until mounts_read(). */
bool mounts_find(struct mounts *m, struct span dir, struct mount *ret);

/* True for a file system on a network: asked about a file, it may never
 * answer. */
bool mount_may_hang(const struct mount *m);

#endif
