/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_plan.h - which tick of a gist tells what happened to a row.
 *
 * Rows open and close in their own ticks, and so does all that sums by session
 * depend on: who a process belongs to, the number of its threads, the counters
 * of its reaped children.  Other cells may be told later, at the row's last
 * change; remarks (gist_remark.h) say what they do not.
 *
 * Counters of a process that is born count from 0.  If it did more after its first
 * tick, that they have grown is told then, all at once.
 *
 * Threads and catalogs are told in each tick, but for backends: what these waited for is
 * in gistwaits.h, after the first ticks, which show it (gist_plan_sample()).  Of hosts
 * and disks those columns are told in each tick that views show over time.
 *
 * Ticks are numbered from 0, the key with which the stretch begins.
 */
#ifndef GS_EDIT_GIST_PLAN_H
#define GS_EDIT_GIST_PLAN_H

#include "analysis/sessions.h"

struct gist_plan;

struct gist_plan *gist_plan_new(void);
void gist_plan_free(struct gist_plan *p);

/* Forgets all rows. */
void gist_plan_reset(struct gist_plan *p);

/* The next tick, which world and sessions have taken. */
void gist_plan_tick(struct gist_plan *p, const struct world *w,
	const struct sessions *s);

/* All of the row is told in each tick, from gist_plan_end() on; false: it was
 * already. */
bool gist_plan_force(struct gist_plan *p, uint32_t serial);

/* The same of all backends of the session with that hash of its key. */
bool gist_plan_force_backends(struct gist_plan *p, uint64_t session);

/* Of a process of a database the server is not known. */
bool gist_plan_is_serverless(const struct gist_plan *p);

/* With a catalog, ticks up to that one show all that its backends and the processes of
 * servers do.  Before gist_plan_end(). */
void gist_plan_sample(struct gist_plan *p, uint32_t last);

/* There are no more ticks; again after gist_plan_force(). */
void gist_plan_end(struct gist_plan *p);

/* Whether that tick tells what the row is, but for the columns of *ret_later, a
 * bit each; NULL: all. */
bool gist_plan_tells(const struct gist_plan *p, const struct row *r,
	uint32_t tick, const uint64_t **ret_later);

/* Counters of a row that opens in that tick, a bit each, which a later tick tells;
 * NULL: none.  What opens in the first tick a reader knows in full. */
const uint64_t *gist_plan_begins_at_0(const struct gist_plan *p,
	const struct row *r, uint32_t tick);

/* Nothing is told of the row after that tick: it is the last, or the row ends. */
bool gist_plan_ends(const struct gist_plan *p, const struct row *r,
	uint32_t tick);

#endif
