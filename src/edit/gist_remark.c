/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_remark.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/mem.h"
#include "edit/gist_check.h"
#include "query/engine.h"
#include "query/remark.h"

struct gist_remarks {
	const struct engine *all;
	const struct group **process; /* in all, by serial; NULL: none */
	size_t n;
	struct tick_remark *said;
	size_t n_said, cap;
};

struct gist_remarks *gist_remarks_new(const struct engine *all)
{
	const struct rollup *r =
	    grouping_rollup(all->grouping[GIST_PROCESSES]);
	struct gist_remarks *g = gs_calloc(1, sizeof(*g));
	size_t i;

	g->all = all;
	for (i = 0; i < rollup_count(r); i++)
		g->n = GS_MAX(g->n, (size_t)grouping_label(rollup_get(r,
		    i))->serial + 1);
	g->process = gs_calloc(g->n + 1, sizeof(*g->process));
	for (i = 0; i < rollup_count(r); i++)
		g->process[grouping_label(rollup_get(r, i))->serial] =
		    rollup_get(r, i);
	return g;
}

void gist_remarks_free(struct gist_remarks *g)
{
	if (!g)
		return;
	free(g->process);
	free(g->said);
	free(g);
}

/* Keeps a remark, and gives it to the engine of the gist. */
static void say(struct gist_remarks *g, struct engine *e, const struct row *row,
	uint32_t tick, enum remark_kind kind, int64_t value)
{
	struct tick_remark r = { .tick = tick, .host = row->host->index,
		.slot = row->slot, .kind = kind, .value = value };

	GS_GROW(g->said, &g->cap, g->n_said + 1);
	g->said[g->n_said++] = r;
	engine_remark(e, &r);
}

const struct tick_remark *gist_remarks_list(const struct gist_remarks *g,
	size_t *ret_n)
{
	*ret_n = g->n_said;
	return g->said;
}

/* ---- levels ------------------------------------------------------------- */

/* How much higher a level is at its highest by all ticks than it is now, if the
 * gist has not told of that. */
static int64_t missing(const struct rollup *all, const struct group *a,
	const struct rollup *told, const struct group *b, unsigned col)
{
	int64_t high, seen = 0;

	if (!a || !b || !rollup_peak(all, a, col, &high) ||
	    (rollup_peak(told, b, col, &seen) && seen >= high))
		return 0;
	return gs_difference(high, rollup_level(told, b, col));
}

static int64_t missing_of(const struct gist_remarks *g,
	const struct engine *e, size_t grouping, const struct group *a,
	const struct row *row, unsigned col)
{
	const struct rollup *r = grouping_rollup(e->grouping[grouping]);

	return missing(grouping_rollup(g->all->grouping[grouping]), a, r,
	    rollup_group_of(r, row), col);
}

static void say_level(struct gist_remarks *g, struct engine *e,
	const struct row *row, const struct remark_level *l, uint32_t tick)
{
	const struct group *process = row->serial < g->n
	    ? g->process[row->serial] : NULL;
	const struct session *s = process ? grouping_label(process)->session
	                                  : NULL;
	int64_t own = missing_of(g, e, GIST_PROCESSES, process, row, l->col);
	int64_t all = s ? missing_of(g, e, GIST_SESSIONS, rollup_find(
	    grouping_rollup(g->all->grouping[GIST_SESSIONS]), &s, sizeof(s)),
	    row, l->col) : 0;

	if (own > 0 && own == all) {
		say(g, e, row, tick, l->both, own);
		return;
	}
	if (own > 0)
		say(g, e, row, tick, l->process, own);
	if (all > 0)
		say(g, e, row, tick, l->session, all);
}

static void say_levels(struct gist_remarks *g, struct engine *e,
	const struct row *row, uint32_t tick)
{
	size_t i;

	for (i = 0; i < REMARK_LEVELS; i++)
		say_level(g, e, row, &remark_levels[i], tick);
}

/* ---- times -------------------------------------------------------------- */

static bool is_time_in(const struct engine *e, int64_t ns)
{
	return ns >= e->from_ns && ns <= e->to_ns;
}

static void say_since(struct gist_remarks *g, struct engine *e,
	const struct session *s, const struct session *told, uint32_t tick)
{
	const struct proc *p = told->leader ? told->leader : told->procs;

	if (p && is_time_in(e, s->since_ns) &&
	    (s->since_ns != told->since_ns ||
	    s->since_exact != told->since_exact))
		say(g, e, p->row, tick, s->since_exact ? REMARK_SINCE_SEEN
		                                    : REMARK_SINCE,
		    s->since_ns);
}

static void say_waits(struct gist_remarks *g, struct engine *e,
	const struct session *s, const struct session *told, uint32_t tick)
{
	const struct proc *p, *q;

	for (p = s->procs, q = told->procs; p && q; p = p->next, q = q->next) {
		if (p->waits_ns != q->waits_ns && is_time_in(e, p->waits_ns))
			say(g, e, q->row, tick, REMARK_WAITS, p->waits_ns);
	}
}

/* ---- a tick ------------------------------------------------------------- */

static void say_all_levels(struct gist_remarks *g, struct engine *e,
	uint32_t tick)
{
	size_t i, k;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct table *t =
		    &world_host(e->world, i)->table[ENTITY_PROCESS];

		for (k = 0; k < t->n_slot; k++) {
			if (t->slot[k])
				say_levels(g, e, t->slot[k], tick);
		}
	}
}

static void end(struct gist_remarks *g, struct engine *e, uint32_t tick)
{
	const struct sessions *s = g->all->sessions;
	size_t i;

	say_all_levels(g, e, tick);
	for (i = 0; i < sessions_count(s) &&
	    i < sessions_count(e->sessions); i++) {
		const struct session *told = sessions_get(e->sessions, i);

		say_since(g, e, sessions_get(s, i), told, tick);
		say_waits(g, e, sessions_get(s, i), told, tick);
	}
}

void gist_remarks_tick(struct gist_remarks *g, struct engine *e,
	const struct gist_plan *p, uint32_t tick)
{
	struct row *const *touched;
	size_t n, i;

	if (tick == 0)
		return;
	if (e->to_seq == g->all->to_seq) {
		end(g, e, tick);
		return;
	}
	touched = world_touched(e->world, &n);
	for (i = 0; i < n; i++) {
		const struct row *r = touched[i];

		if (r->entity == ENTITY_PROCESS && !r->closed &&
		    gist_plan_ends(p, r, tick))
			say_levels(g, e, r, tick);
	}
}
