/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgrow.h - rows of the control groups of recorded processes, and of resource
 * groups, with their devices.
 */
#ifndef GS_AGENT_CGROW_H
#define GS_AGENT_CGROW_H

#include "agent/cgfiles.h"
#include "agent/cgio.h"
#include "agent/procs.h"
#include "agent/resgroups.h"
#include "model/rows.h"

struct cgrow {
	struct rows rows;
	struct cgfiles files;
	struct cgio io;
	struct cgfiles_group *group; /* those with a row, in order of first
				      * use */
	size_t n, cap;
	uint32_t *number; /* by text id: number in group + 1; 0: none */
	size_t number_cap;
	struct resgroups res;
};

void cgrow_init(struct cgrow *g, struct sent_texts *sent);
void cgrow_release(struct cgrow *g);
void cgrow_tick(struct cgrow *g, const struct scan *sc,
	const struct procs *ps, const struct hostrow *host, struct block *b);

#endif
