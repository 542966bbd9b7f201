/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgmounts.h - the directories of the control group hierarchies.
 *
 * Version 2 alone is mounted at fs/cgroup.  Version 1 has a directory for each
 * controller there, or for several (cpu,cpuacct), mostly with links of the
 * single names; a hybrid host has version 2 at fs/cgroup/unified as well.
 */
#ifndef GS_AGENT_CGMOUNTS_H
#define GS_AGENT_CGMOUNTS_H

#include "procfs/root.h"
#include "procfs/sysfs.h"

#define CGMOUNTS_DIR_MAX 128

struct cgmounts {
	/* below DIR/sys, by hierarchy; "": not mounted */
	char dir[CG_HIERARCHIES][CGMOUNTS_DIR_MAX];
};

/* Finds them again. */
void cgmounts_find(struct cgmounts *m, const struct root *r);

#endif
