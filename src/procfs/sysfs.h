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
#include "procfs/cgroup_io.h"
#include "procfs/keys.h"

/* Where control groups are: the one hierarchy of version 2, or one for each
 * controller of version 1.  A hybrid host has both. */
enum cgroup_hierarchy {
	CG_UNIFIED,
	CG_CPU,
	CG_CPUACCT,
	CG_MEMORY,
	CG_PIDS,
	CG_BLKIO,
	CG_HIERARCHIES
};

/* When a file has to be read for its columns to be right. */
enum cgroup_when {
	CG_TICK, /* at every tick */
	CG_WORK, /* if the group used CPU time, or its memory changed */
	CG_LIMIT /* rarely: people set it */
};

/* A file of a control group, and how it is parsed.  If an earlier one gave
 * its column, it says nothing new. */
struct cgroup_file {
	uint8_t hierarchy; /* enum cgroup_hierarchy */
	uint8_t when; /* enum cgroup_when */
	const char *name;
	void (*scan)(const struct cgroup_file *f, struct span text,
		struct cells c);
	unsigned col, last; /* columns that it gives, besides those of keys */
	unsigned some; /* pressure: column of the line "some" */
	uint8_t io; /* enum cgroup_io_file: of devices */
	const struct key_row *key;
	size_t n_key;
};

#define CGROUP_FILES 47
extern const struct cgroup_file cgroup_files[]; /* CGROUP_FILES of them */

/* Adds the columns that the file can give. */
void cgroup_file_columns(const struct cgroup_file *f,
	uint64_t to[COL_WORDS_MAX]);

/* One line of mountinfo; the spans hold the kernel's octal escapes. */
struct mount {
	uint64_t major, minor;
	struct span point; /* mount point */
	struct span source; /* device or remote path */
	struct span type;
	struct span root; /* what of the file system is mounted */
	struct span super; /* options of the file system: rw,cpu,cpuacct */
};

/* Takes the next valid line; false at the end. */
bool mountinfo_next(struct span *text, struct mount *ret);

/* Appends text with \ooo turned back into bytes. */
void mountinfo_unescape(struct span text, struct buf *to);

#endif
