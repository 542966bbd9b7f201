/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_remark.h - what a gist says beside its ticks (tick_remark): how high the
 * memory of a process and of its session was, where the last tick that tells of the
 * process is lower; at the end of the stretch, since when sessions do what they do.
 */
#ifndef GS_EDIT_GIST_REMARK_H
#define GS_EDIT_GIST_REMARK_H

#include "edit/gist_plan.h"

struct engine;
struct gist_remarks;

/* all: followed every tick of the stretch. */
struct gist_remarks *gist_remarks_new(const struct engine *all);
void gist_remarks_free(struct gist_remarks *g);

/* The engine has taken tick number `tick` of the gist: adds what has to be said after
 * it, and says it to the engine. */
void gist_remarks_tick(struct gist_remarks *g, struct engine *e,
	const struct gist_plan *p, uint32_t tick);

/* All so far, in order of ticks. */
const struct tick_remark *gist_remarks_list(const struct gist_remarks *g,
	size_t *ret_n);

#endif
