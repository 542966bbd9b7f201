/* SPDX-License-Identifier: Apache-2.0 */
#include "query/remark.h"

#include "base/arith.h"

const struct remark_level remark_levels[REMARK_LEVELS] = {
	{ COL(PROCESS, RSS_ANON), REMARK_ANON, REMARK_ANON_SESSION,
	    REMARK_ANON_BOTH },
	{ COL(PROCESS, PRIVATE), REMARK_PRIVATE, REMARK_PRIVATE_SESSION,
	    REMARK_PRIVATE_BOTH },
};

const struct row *remark_row(const struct world *w, uint32_t host,
	enum entity_id e, uint32_t slot)
{
	const struct host *h = world_host_of(w, host);
	const struct table *t = h ? &h->table[e] : NULL;

	return t && slot < t->n_slot ? t->slot[slot] : NULL;
}

/* The groups of rows, or those of sessions. */
static void raise(const struct remark_to *to, enum grouping_kind kind, unsigned col,
	const struct row *row, int64_t by)
{
	size_t i;

	for (i = 0; i < to->n_grouping; i++) {
		struct rollup *r = grouping_rollup(to->grouping[i]);
		struct group *g;

		if (grouping_kind(to->grouping[i]) != kind ||
		    rollup_entity(r) != ENTITY_PROCESS)
			continue;
		g = rollup_group_of(r, row);
		if (g)
			rollup_raise(r, g, col, gs_sum(by, rollup_level(r, g,
			    col)));
	}
}

/* NULL: it is not about a level. */
static const struct remark_level *level_of(enum remark_kind kind)
{
	size_t i;

	for (i = 0; i < REMARK_LEVELS; i++) {
		const struct remark_level *l = &remark_levels[i];

		if (kind == l->process || kind == l->session || kind == l->both)
			return l;
	}
	return NULL;
}

static void raise_level(const struct remark_to *to, const struct remark_level *l,
	const struct tick_remark *r, const struct row *row)
{
	if (r->kind != l->session)
		raise(to, GROUPING_ROW, l->col, row, r->value);
	if (r->kind != l->process)
		raise(to, GROUPING_SESSION, l->col, row, r->value);
}

void remark_apply(const struct remark_to *to, const struct tick_remark *r)
{
	const struct row *row = remark_row(to->world, r->host, ENTITY_PROCESS,
	    r->slot);
	struct proc *p = row ? sessions_proc(to->sessions, row) : NULL;
	const struct remark_level *l = level_of(r->kind);

	if (row && l)
		raise_level(to, l, r, row);
	else if (p && r->kind == REMARK_WAITS)
		session_set_waits(p, r->value);
	else if (p)
		session_set_since(p, r->value, r->kind == REMARK_SINCE_SEEN);
}
