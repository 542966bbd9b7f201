/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgmounts.h - the directories of the control group hierarchies.
 *
 * Version 2 alone is mounted at fs/cgroup.  Version 1 has a directory for each
 * controller there, or for several (cpu,cpuacct), mostly with links of the
 * single names; a hybrid host has version 2 at fs/cgroup/unified as well.  What
 * is not there is looked for in the mount table, which is read once in
 * CGMOUNTS_TABLE_EVERY times.  Of a hierarchy that is mounted in part, as in a
 * container, paths are not known: it counts as not mounted.
 */
#ifndef GS_AGENT_CGMOUNTS_H
#define GS_AGENT_CGMOUNTS_H

#include "procfs/root.h"
#include "procfs/sysfs.h"

#define CGMOUNTS_DIR_MAX 256
#define CGMOUNTS_TABLE_EVERY 6

struct cgmounts {
	/* Below DIR/sys, or from "/", which is DIR; by hierarchy; "": not
	 * mounted. */
	char dir[CG_HIERARCHIES][CGMOUNTS_DIR_MAX];
	char listed[CG_HIERARCHIES][CGMOUNTS_DIR_MAX]; /* in the table */
	unsigned finds; /* zeroed at first */
};

/* Finds them again. */
void cgmounts_find(struct cgmounts *m, struct root *r);

#endif
