/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parents.h - finds the parents of processes that ended.
 *
 * A host may have very many processes, and each child that ends is one to look for.
 * So what was found last is tried first.
 */
#ifndef GS_ANALYSIS_PARENTS_H
#define GS_ANALYSIS_PARENTS_H

#include "model/world.h"

/* Many children have a parent that is not recorded, and often the same. */
#define PARENTS_ABSENT_MAX 4

struct parents {
	uint32_t near; /* the slot of the one that was found last */
	struct parent_absent {
		const struct host *host; /* NULL: nothing is known */
		uint64_t pid; /* no live process has it */
	} absent[PARENTS_ABSENT_MAX];
	unsigned n_absent; /* so many were found out */
};

/* In each tick before the first is looked for. */
void parents_tick(struct parents *p, const struct world *w, bool key);

/* The live process of that pid; NULL: no process has it. */
struct row *parents_live(struct parents *p, const struct host *h,
	uint64_t pid);

/* The process that is charged with the usage of a child that ended in the last tick:
 * its parent, or, if that ended in the same tick, the parent's parent.  A parent that
 * is no longer recorded has it, and nobody sees that: NULL. */
struct row *parents_find(struct parents *p, const struct world *w,
	const struct row *child);

#endif
