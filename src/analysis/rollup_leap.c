/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_leap.c - one tick that stands for many: whether sums come out the same,
 * and what it does not tell.
 */
#include "analysis/rollup_int.h"

#include <string.h>

#include "base/arith.h"

/* No row joined, left or was reset since rollup_restart(). */
static bool is_quiet(const struct group *g)
{
	const struct part *p = g->n_part == 1 ? g->part[0] : NULL;

	return p && g->n_live == 1 && g->n_rows == 1 && g->n_born == 0 &&
	    g->row && !g->row->closed && !g->ended && !g->residual &&
	    !g->estimated && !g->reaped && p->since_ns == 0 &&
	    p->left_ns < 0 && !p->late && p->gone_ns < 0 && p->resets == 0 && !p->threaded &&
	    p->rows.n == 1 && p->rows.ns == 0 && p->threads.ns == 0;
}

/* The row was there, has the columns that it had, and no counter is lower. */
static bool only_grew(const struct rollup *r, const struct world *w,
	const struct row *row)
{
	unsigned k;

	if (row->touched_tick != world_ticks(w))
		return true;
	if (row->first_tick == world_ticks(w))
		return false;
	for (k = 0; k < r->n_col; k++) {
		unsigned col = r->col[k];

		if (cells_has(row->was, col) != cells_has(row->now, col))
			return false;
		if (rollup_bit(r->counters, k) &&
		    row->now.val[col] < row->was.val[col])
			return false;
	}
	return true;
}

static bool is_same(const struct rollup *r, const struct group *a,
	const struct group *b)
{
	const struct part *p = a->part[0], *q = b->part[0];

	return a->row->slot == b->row->slot &&
	    p->host->index == q->host->index &&
	    memcmp(part_present(r, p), part_present(r, q), rollup_bits_size(r)) == 0 &&
	    rollup_part_alike(r, p, q);
}

bool rollup_leaps(const struct rollup *all, const struct rollup *keys,
	const struct world *w)
{
	size_t i;

	if (all->n_group != keys->n_group || all->folded || keys->folded)
		return false;
	for (i = 0; i < all->n_group; i++) {
		const struct group *a = all->group[i], *b = keys->group[i];

		if (!is_quiet(a) || !is_quiet(b) || !is_same(all, a, b) ||
		    !only_grew(keys, w, b->row))
			return false;
	}
	return true;
}

struct group *rollup_group_of(const struct rollup *r, const struct row *row)
{
	const struct member *m = row->serial < r->member_cap
	    ? r->member[row->serial] : NULL;

	return m ? m->in : NULL;
}

int64_t rollup_level(const struct rollup *r, const struct group *g,
	unsigned col)
{
	int k = r->pos[col];

	return k >= 0 ? rollup_level_at(g, (unsigned)k) : 0;
}

bool rollup_peak(const struct rollup *r, const struct group *g, unsigned col,
	int64_t *ret)
{
	int k = r->pos[col];

	if (k < 0 || rollup_bit(r->counters, (unsigned)k))
		return false;
	*ret = *rollup_peak_at(r, g, (unsigned)k);
	return *ret > 0;
}

bool rollup_missing(const struct rollup *r, const struct group *g,
	uint64_t ret[COL_WORDS_MAX])
{
	bool any = false;
	unsigned k;
	size_t i;

	memset(ret, 0, COL_WORDS_MAX * sizeof(*ret));
	for (i = 0; i < g->n_part; i++) {
		for (k = 0; k < r->n_col; k++) {
			if (!rollup_bit(part_missing(r, g->part[i]), k))
				continue;
			ret[r->col[k] / 64] |= UINT64_C(1) <<
			    (r->col[k] % 64);
			any = true;
		}
	}
	return any;
}

void rollup_raise(struct rollup *r, struct group *g, unsigned col,
	int64_t peak)
{
	int k = r->pos[col];
	int64_t *to;

	g->stirred = true;
	if (k < 0 || rollup_bit(r->counters, (unsigned)k))
		return;
	to = rollup_peak_at(r, g, (unsigned)k);
	*to = GS_MAX(*to, peak);
}

void rollup_add_missing(struct rollup *r, struct group *g,
	const uint64_t missing[COL_WORDS_MAX])
{
	unsigned k;
	size_t i;

	g->stirred = true;
	for (i = 0; i < g->n_part; i++) {
		for (k = 0; k < r->n_col; k++) {
			if (missing[r->col[k] / 64] >> (r->col[k] % 64) & 1)
				rollup_bit_set(part_missing(r, g->part[i]), k);
		}
	}
}

bool rollup_has_ema(const struct rollup *r)
{
	return r->n_tau > 0;
}

/* ---- the same sums by other ticks ------------------------------------- */

static bool same_lived(const struct lived *a, const struct lived *b)
{
	return a->ns == b->ns && a->n == b->n;
}

static bool same_bits(const struct rollup *r, const uint64_t *a,
	const uint64_t *b)
{
	return memcmp(a, b, rollup_bits_size(r)) == 0;
}

static bool same_part(const struct rollup *r, const struct part *a,
	const struct part *b)
{
	return a->host->index == b->host->index && a->n_live == b->n_live &&
	    a->since_ns == b->since_ns && a->left_ns == b->left_ns &&
	    a->late == b->late && a->fresh == b->fresh &&
	    a->later == b->later && a->gone_ns == b->gone_ns &&
	    same_lived(&a->threads, &b->threads) &&
	    same_lived(&a->rows, &b->rows) &&
	    same_bits(r, part_present(r, a), part_present(r, b)) &&
	    same_bits(r, part_missing(r, a), part_missing(r, b)) &&
	    a->threaded == b->threaded && a->reaped_old == b->reaped_old &&
	    a->resets == b->resets &&
	    rollup_part_alike(r, a, b);
}

static bool same_levels(const struct rollup *r, const struct group *a,
	const struct group *b, const uint64_t peaks[COL_WORDS_MAX])
{
	unsigned k;

	for (k = 0; k < r->n_level; k++) {
		unsigned col = r->col[r->level[k]];

		if (peaks[col / 64] >> (col % 64) & 1 &&
		    a->peak[k] != b->peak[k])
			return false;
	}
	return !a->ended || (same_bits(r, a->last_present, b->last_present) &&
	    memcmp(a->last, b->last, r->n_level * sizeof(*a->last)) == 0);
}

bool rollup_same(const struct rollup *r, const struct group *g,
	const struct rollup *q, const struct group *h,
	const uint64_t peaks[COL_WORDS_MAX])
{
	size_t i;

	if (r->n_col != q->n_col || g->n_part != h->n_part ||
	    g->n_live != h->n_live || g->n_rows != h->n_rows ||
	    g->n_born != h->n_born || g->reaped != h->reaped ||
	    g->residual != h->residual || g->estimated != h->estimated ||
	    g->ended != h->ended || !same_levels(r, g, h, peaks))
		return false;
	for (i = 0; i < g->n_part; i++) {
		if (!same_part(r, g->part[i], h->part[i]))
			return false;
	}
	return true;
}
