/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_levels.c - nested rows: a grouping for each level, by the first key, the
 * first two, and so on.
 *
 * So a row of any level is what --group-by with its keys alone shows: a rate
 * over the time of the whole group, the highest sum at one tick, a session
 * counted once.  Nothing is added up from the rows below it.
 */
#include <stdlib.h>
#include <uthash.h>

#include "base/mem.h"
#include "view/view_use.h"

/* The number of a group's row. */
struct numbered {
	const struct group *group;
	size_t nest;
	UT_hash_handle hh;
};

void view_open_levels(struct view_use *u, struct engine *e,
	const uint64_t want[COL_WORDS_MAX])
{
	const struct view_ask *ask = u->ask;
	struct grouping *l;
	size_t n;

	for (n = 1; n < ask->n_key; n++) {
		l = grouping_new(GROUPING_LABELS, u->view->entity, want,
		    ask->key, n);
		grouping_set_normal(l, &ask->normal);
		rollup_set_ema(grouping_rollup(l), ask->ema_ns, ask->n_ema);
		if (u->view->last_tick)
			grouping_set_last_tick(l);
		engine_add_grouping(e, l);
		u->level[n - 1] = l;
	}
	u->level[ask->n_key - 1] = u->grouping;
}

static size_t number_of(struct numbered *all, const struct group *g)
{
	struct numbered *found = NULL;

	HASH_FIND_PTR(all, &g, found);
	return found ? found->nest : 0;
}

static void number(struct numbered **all, const struct group *g, size_t nest)
{
	struct numbered *one = gs_calloc(1, sizeof(*one));

	one->group = g;
	one->nest = nest;
	HASH_ADD_PTR(*all, group, one);
}

/* The rows of one level; the level above was made before. */
static void put_level(struct view_sink *to, const struct grouping *above,
	struct numbered **all)
{
	struct grid *grid = to->env.grid;
	size_t i;

	for (i = 0; i < rollup_count(to->env.rollup); i++) {
		const struct group *g = rollup_get(to->env.rollup, i);
		size_t before = grid->n_row;
		struct grid_row *row;

		if (!view_has_group(to->use->view, g))
			continue;
		view_put(to, NULL, g);
		if (grid->n_row == before)
			continue; /* it was not picked */
		row = &grid->row[before];
		row->level = to->env.level;
		row->nest = grid->n_row;
		if (above)
			row->above = number_of(*all, grouping_above(
			    to->env.grouping, g, above));
		number(all, g, row->nest);
	}
}

void view_put_levels(const struct view_use *u, const struct engine *e,
	struct grid *g, const bool *left_out)
{
	struct numbered *all = NULL, *one, *tmp;
	unsigned n;

	for (n = 1; n <= u->ask->n_key; n++) {
		const struct grouping *l = u->level[n - 1];
		struct figure_cache cache = { 0 };
		struct view_sink to = { .use = u, .env = { .engine = e,
			.grouping = l, .rollup = grouping_rollup(l), .grid = g,
			.threads = l == u->grouping ? u->threads : NULL,
			.cache = &cache, .level = n },
			.left_out = left_out };

		put_level(&to, n > 1 ? u->level[n - 2] : NULL, &all);
		figure_cache_release(&cache);
	}
	HASH_ITER (hh, all, one, tmp) {
		HASH_DEL(all, one);
		free(one);
	}
}
