/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_sink.c - the rows of a view: the cells of each, and which rows are kept.
 */
#include <string.h>

#include "base/arena.h"
#include "base/fnv.h"
#include "view/view_use.h"

bool view_has_group(const struct view *v, const struct group *g)
{
	if (v->living)
		return g->n_live > 0;
	return g->n_live > 0 || g->ended || g->residual || g->n_part > 0;
}

const struct figure_env *view_env(const struct view_sink *to)
{
	return &to->env;
}

const struct view_use *view_use_of(const struct view_sink *to)
{
	return to->use;
}

bool view_is_of_last_tick(const struct view_use *u)
{
	return u->view->last_tick || (u->ask && u->ask->last_tick);
}

/* For sessions and queries it does not depend on addresses, which may be
 * reused. */
static uint64_t row_id(const struct view_use *u, const struct group *g)
{
	enum grouping_kind kind =
	    u->grouping ? grouping_kind(u->grouping) : GROUPING_ROW;
	const struct label *n = g ? g->label : NULL;
	uint64_t h = FNV_BASIS;

	if (!n)
		return 0;
	if (n->session && n->session->key)
		h = n->session->key_hash;
	if (kind == GROUPING_QUERY && n->query)
		h = fnv_add(h, &n->query->number, sizeof(n->query->number));
	if ((kind != GROUPING_SESSION && kind != GROUPING_QUERY) || g->residual)
		h = fnv_add(h, g->key, g->key_len);
	return h ? h : 1;
}

static void make_cell(const struct view_sink *to, const struct group *g,
	struct cell *cell, size_t k)
{
	const struct figure *f = &to->use->figure[k];

	if ((g || f->alone) && !(to->left_out && to->left_out[k]))
		cell[k] = f->fn(&to->env, f, g);
}

/* Those that are late, or that are not; all_late NULL: none is. */
static void fill_cells(struct view_sink *to, const struct group *g,
	struct cell *cell, const bool *all_late, bool late)
{
	size_t k;

	for (k = 0; k < to->use->n_figure; k++) {
		if (!all_late || all_late[k] == late)
			make_cell(to, g, cell, k);
	}
}

/* Cells on demand. */
struct making {
	struct row_cells cells; /* first */
	const struct view_sink *to;
	const struct group *g;
};

static const struct cell *get_cell(const struct row_cells *of, size_t col)
{
	const struct making *m = (const struct making *)of;
	const struct view_use *u = m->to->use;

	if (!u->made[col]) {
		u->made[col] = true;
		make_cell(m->to, m->g, u->scratch, col);
	}
	return &u->scratch[col];
}

static bool keep_made(struct view_sink *to, const struct group *g,
	const struct view_pick *p, const struct grid_row *row)
{
	const struct view_use *u = to->use;
	const struct making m = { { get_cell }, to, g };
	const struct arena_mark before = arena_mark(to->env.grid->arena);
	size_t k;

	memset(u->made, 0, u->n_figure * sizeof(*u->made));
	if (!p->keep_made(p->ctx, row, &m.cells)) {
		arena_rewind(to->env.grid->arena, before);
		return false;
	}
	for (k = 0; k < u->n_figure; k++)
		(void)get_cell(&m.cells, k);
	return true;
}

static bool keep(struct view_sink *to, const struct group *g,
	const struct view_pick *p, struct grid_row *row)
{
	if (p->keep_made)
		return keep_made(to, g, p, row);
	fill_cells(to, g, row->cell, to->use->late, false);
	if (p->keep && !p->keep(p->ctx, row))
		return false;
	fill_cells(to, g, row->cell, to->use->late, true);
	return true;
}

static void set_cover(const struct view_sink *to, const struct group *g,
	struct grid_row *row)
{
	const struct group_edges e = group_edges(to->env.rollup, g);
	bool part;

	row->covered_s = group_covered_s(to->env.rollup, g);
	if (to->use->clock)
		(void)group_sum(to->env.rollup, g, to->use->clock->col, 1,
		    &row->answered_s, &part); /* stays 0 */
	row->came = e.came;
	row->left = e.left;
	row->later = e.later;
}

/* Columns for keep are computed first, the others only for kept rows. */
static void put_kept(struct view_sink *to, const struct group *g,
	const struct view_pick *p)
{
	const struct view_use *u = to->use;
	struct grid_row row = { .cell = u->scratch,
		.done = g && u->grouping && grouping_is_done(u->grouping, g) };
	struct grid_row *added;

	if ((p->only_done && !row.done) || (p->stirred && g && !g->stirred))
		return;
	row.id = row_id(u, g);
	if (g)
		set_cover(to, g, &row);
	row.memo = g ? g->memo : NULL;
	memset(row.cell, 0, u->n_figure * sizeof(*row.cell));
	if (!keep(to, g, p, &row))
		return;
	added = grid_add_row(to->env.grid);
	memcpy(added->cell, row.cell, u->n_figure * sizeof(*row.cell));
	added->id = row.id;
	added->answered_s = row.answered_s;
	added->residual = g && g->residual;
}

void view_put(struct view_sink *to, const void *subject,
	const struct group *g)
{
	const struct view_use *u = to->use;
	struct grid_row *row;

	to->env.subject = subject;
	figure_cache_next_row(to->env.cache);
	if (u->ask->pick) {
		put_kept(to, g, u->ask->pick);
		return;
	}
	row = grid_add_row(to->env.grid);
	row->residual = g && g->residual;
	row->id = row_id(u, g);
	fill_cells(to, g, row->cell, to->top.late, false);
	if (to->top.late && view_top_take(&to->top, row))
		fill_cells(to, g, row->cell, to->top.late, true);
}
