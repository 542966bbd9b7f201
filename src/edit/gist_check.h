/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_check.h - whether a gist tells the same as all ticks: two engines follow
 * a stretch, one by each, and must agree on every sum and every name at its end.
 */
#ifndef GS_EDIT_GIST_CHECK_H
#define GS_EDIT_GIST_CHECK_H

#include "base/err.h"
#include "edit/gist_plan.h"
#include "query/follower.h"

struct engine;
struct dbtime;

/* Groupings of the engine, by number. */
enum { GIST_PROCESSES = 1, GIST_SESSIONS };

/* An engine with the groupings that are compared. */
struct gist_check {
	struct engine *engine;
	struct dbtime *waits; /* of sessions, if there is a catalog */
	uint64_t relations; /* of its sessions after the first tick */
};

struct gist_check *gist_check_new(int64_t interval_ns);
void gist_check_free(struct gist_check *c);

/* The highest value of that level is compared, since a view may show it. */
bool gist_check_has_peak(enum entity_id e, unsigned col);

/* Before its first tick; self NULL: nobody follows it. */
void gist_check_follow(struct gist_check *c, const struct follower *f);

/* The key with which the stretch begins; the same again, as a gist has it; a tick
 * after it. */
int gist_check_begin(struct gist_check *c, const struct tick *t,
	struct gs_err *err);
int gist_check_again(struct gist_check *c, const struct tick *t,
	struct gs_err *err);
int gist_check_tick(struct gist_check *c, const struct tick *t,
	struct gs_err *err);

/* Rows that the engine has sums of, also of what has ended. */
size_t gist_check_rows(const struct gist_check *c);

/* Adds the last tick to the plan; returns the census of its sessions. */
struct tick_census gist_check_plan(const struct gist_check *c,
	struct gist_plan *p);

/* Rows that differ are forced in the plan.  True: nothing differs.  *ret_forced:
 * with a new plan nothing might. */
bool gist_check_same(const struct gist_check *all, const struct gist_check *gist,
	struct gist_plan *p, bool *ret_forced);

#endif
