/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysfs.h - scanners of control group files and of the mount table.
 */
#ifndef GS_PROCFS_SYSFS_H
#define GS_PROCFS_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"
#include "model/row.h"

/* A file of a control group: its hierarchy, and how it is parsed. */
struct cgroup_file {
	const char *hierarchy; /* v1: controller's directory; "" in v2 */
	const char *name;
	void (*scan)(struct span text, unsigned col, struct cells c);
	unsigned col;
};

/* The files of version 2 and of version 1, ended by a NULL name. */
extern const struct cgroup_file cgroup_v2_files[];
extern const struct cgroup_file cgroup_v1_files[];

/* One line of mountinfo; the spans hold the kernel's octal escapes. */
struct mount {
	uint64_t major, minor;
	struct span point; /* mount point */
	struct span source; /* device or remote path */
	struct span type;
};

/* Takes the next valid line; false at the end. */
bool mountinfo_next(struct span *text, struct mount *ret);

/* Appends text with \ooo turned back into bytes. */
void mountinfo_unescape(struct span text, struct buf *to);

#endif
