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

/* Returns their number. */
static size_t fetch_members(const struct rollup *r, struct row *const *rows,
	size_t n, const struct member *ret[])
{
	size_t i, n_member = 0;

	for (i = 0; i < n; i++) {
		const struct member *m = rows[i]->entity == r->entity &&
		    rows[i]->serial < r->member_cap
		    ? r->member[rows[i]->serial] : NULL;

		if (!m)
			continue;
		gs_fetch(m, rollup_member_size(r));
		ret[n_member++] = m;
	}
	return n_member;
}

static void fetch_sums(const struct rollup *r, const struct member *const m[],
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		gs_fetch(m[i]->in, sizeof(*m[i]->in));
		gs_fetch(m[i]->part, rollup_part_size(r));
	}
}

/* What the owner looks at first, and the highest levels. */
static void fetch_groups(const struct rollup *r, const struct member *const m[],
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct group *g = m[i]->in;

		if (r->n_level > 0)
			gs_fetch(g->peak, r->n_level * sizeof(*g->peak));
		if (g->label && r->by.fetch)
			r->by.fetch(g->label, false);
	}
}

void rollup_fetch(const struct rollup *r, struct row *const *rows, size_t n)
{
	const struct member *m[GS_FETCH_ROWS];
	size_t n_member;

	fetch_places(r, rows, n);
	n_member = fetch_members(r, rows, n, m);
	fetch_sums(r, m, n_member);
	fetch_groups(r, m, n_member);
}

void rollup_fetch_groups(const struct rollup *r, size_t from, size_t n)
{
	size_t i, to = from + n;

	for (i = from; i < to; i++)
		gs_fetch(r->group[i], sizeof(struct rollup_entry));
	for (i = from; i < to; i++) {
		const struct group *g = r->group[i];

		gs_fetch(g->part, sizeof(*g->part));
		if (r->n_level > 0)
			gs_fetch(g->peak, r->n_level * sizeof(*g->peak));
		if (g->label && r->by.fetch)
			r->by.fetch(g->label, true);
	}
	for (i = from; i < to; i++) {
		if (r->group[i]->n_part > 0)
			gs_fetch(r->group[i]->part[0], rollup_part_size(r));
	}
}
