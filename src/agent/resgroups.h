/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resgroups.h - the control groups of Greenplum's resource groups: gpdb (or
 * gpdb.service) and all below it, even those without processes.
 *
 * Version 1 has them below each controller, version 2 once.
 */
#ifndef GS_AGENT_RESGROUPS_H
#define GS_AGENT_RESGROUPS_H

#include "agent/cgmounts.h"
#include "base/buf.h"
#include "model/sent_texts.h"
#include "procfs/root.h"

#define RESGROUPS_MAX 1000

struct resgroups {
	uint32_t *id; /* texts: their paths, one reference each */
	size_t n, cap;
	struct buf path; /* scratch */
};

void resgroups_release(struct resgroups *g);

/* Finds them again. */
void resgroups_find(struct resgroups *g, struct root *r,
	const struct cgmounts *m, struct sent_texts *sent);

/* True if the group of that path still exists. */
bool resgroups_exists(struct resgroups *g, const struct root *r,
	const struct cgmounts *m, struct span path);

#endif
