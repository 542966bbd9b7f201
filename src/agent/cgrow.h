/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgrow.h - rows of the control groups of recorded processes, and of resource
 * groups.
 */
#ifndef GS_AGENT_CGROW_H
#define GS_AGENT_CGROW_H

#include "agent/procs.h"
#include "agent/resgroups.h"
#include "model/rows.h"

struct cgrow {
	struct rows rows;
	uint32_t *id; /* texts: the paths in use, in order of first use */
	size_t n, cap;
	uint8_t *used; /* by text id: in the list */
	size_t used_cap;
	struct resgroups res;
};

void cgrow_init(struct cgrow *g, struct sent_texts *sent);
void cgrow_release(struct cgrow *g);
void cgrow_tick(struct cgrow *g, const struct scan *sc,
	const struct procs *ps, struct block *b);

#endif
