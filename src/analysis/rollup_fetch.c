/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_fetch.c - the memory of a tick's rows is loaded before they are added up.
 *
 * A tick touches some rows of thousands, and what a rollup keeps of one lies in
 * four places that point to each other, and left the caches since the tick that
 * touched it before.  Row by row, each would be waited for; here those of all
 * rows are on their way together.
 */
#include "analysis/rollup_int.h"

static struct member *member_of(const struct rollup *r, const struct row *row)
{
	return row->entity == r->entity && row->serial < r->member_cap
	    ? r->member[row->serial] : NULL;
}

static void fetch_places(const struct rollup *r, struct row *const *rows,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (rows[i]->entity == r->entity &&
		    rows[i]->serial < r->member_cap)
			gs_fetch(&r->member[rows[i]->serial],
			    sizeof(struct member *));
	}
}

static void fetch_members(const struct rollup *r, struct row *const *rows,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct member *m = member_of(r, rows[i]);

		if (m)
			gs_fetch(m, sizeof(*m) + r->n_col * sizeof(*m->v));
	}
}

static void fetch_sums(const struct rollup *r, struct row *const *rows,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct member *m = member_of(r, rows[i]);

		if (!m)
			continue;
		gs_fetch(m->in, sizeof(*m->in));
		gs_fetch(m->part, rollup_part_size(r));
	}
}

/* What the owner looks at first, and the highest levels. */
static void fetch_groups(const struct rollup *r, struct row *const *rows,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct member *m = member_of(r, rows[i]);

		if (!m)
			continue;
		if (r->n_level > 0)
			gs_fetch(m->in->peak, r->n_col * sizeof(*m->v));
		if (m->in->label && r->by.fetch)
			r->by.fetch(m->in->label);
	}
}

void rollup_fetch_groups(const struct rollup *r, size_t from)
{
	size_t i, to = GS_MIN(r->n_group, from + ROLLUP_FETCH_GROUPS);

	for (i = from; i < to; i++)
		gs_fetch(r->group[i], sizeof(struct group));
	for (i = from; i < to; i++) {
		const struct group *g = r->group[i];

		gs_fetch(g->part, sizeof(*g->part));
		if (r->n_level > 0)
			gs_fetch(g->peak, r->n_col * sizeof(*g->peak));
		if (g->label && r->by.fetch)
			r->by.fetch(g->label);
	}
	for (i = from; i < to; i++) {
		if (r->group[i]->n_part > 0)
			gs_fetch(r->group[i]->part[0], rollup_part_size(r));
	}
}

void rollup_fetch(const struct rollup *r, struct row *const *rows, size_t n)
{
	fetch_places(r, rows, n);
	fetch_members(r, rows, n);
	fetch_sums(r, rows, n);
	fetch_groups(r, rows, n);
}
