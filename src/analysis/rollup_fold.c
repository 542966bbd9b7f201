/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups that are not kept one by one: a day has hundreds of thousands of
 * queries, and a table shows twenty.
 *
 * Folded groups keep sums: counters by host and by covered time, so that rates
 * are unchanged; last levels; and sums of their peaks, which their highest sum did
 * not exceed.
 */
#include "analysis/rollup_int.h"

#include <math.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/mem.h"

struct covered_time {
	const struct host *host;
	int64_t since_ns, left_ns;
};

/* A part of the folded group. */
struct folded_time {
	struct covered_time time;
	struct part *part; /* not owned */
	UT_hash_handle hh;
};

/* A candidate, and its rank. */
struct ranked {
	double rank;
	size_t at; /* index in rollup.group */
};

void rollup_bound(struct rollup *r, size_t keep, size_t every)
{
	r->keep = keep;
	r->every = r->by.done && r->by.rank ? every : 0;
	r->fold_at = r->every;
}

const struct group *rollup_folded(const struct rollup *r, size_t *ret_n)
{
	*ret_n = r->n_folded;
	return r->folded;
}

static struct part *new_part(struct rollup *r, struct group *to,
	const struct part *p)
{
	struct part *n = rollup_part_new(r, p->host);

	n->since_ns = p->since_ns;
	n->left_ns = p->left_ns;
	n->gone_ns = -1;
	GS_GROW(to->part, &r->folded_cap, to->n_part + 1);
	to->part[to->n_part++] = n;
	return n;
}

/* Merges parts with the same covered time: of rows that lived for a moment each
 * there may be as many times as rows. */
static struct part *part_like(struct rollup *r, struct group *to,
	const struct part *p)
{
	const struct covered_time time = { p->host, p->since_ns, p->left_ns };
	struct folded_time *e;

	HASH_FIND(hh, r->folded_times, &time, sizeof(time), e);
	if (e)
		return e->part;
	e = gs_calloc(1, sizeof(*e));
	e->time = time;
	e->part = new_part(r, to, p);
	HASH_ADD(hh, r->folded_times, time, sizeof(e->time), e);
	return e->part;
}

static void forget_times(struct rollup *r)
{
	struct folded_time *e, *next;

	HASH_ITER(hh, r->folded_times, e, next) {
		HASH_DEL(r->folded_times, e);
		free(e);
	}
}

static void add_lived(struct lived *to, const struct lived *l)
{
	to->ns = gs_sum(to->ns, l->ns);
	to->n += l->n;
}

static void add_part(struct rollup *r, struct group *to,
	const struct part *p)
{
	struct part *n = part_like(r, to, p);
	unsigned k;

	rollup_bits_add(r, part_present(r, n), part_present(r, p));
	rollup_bits_add(r, part_missing(r, n), part_missing(r, p));
	n->reaped_old |= p->reaped_old;
	n->late |= part_is_partial(r, p);
	n->threaded |= p->threaded;
	n->resets += p->resets;
	add_lived(&n->threads, &p->threads);
	add_lived(&n->rows, &p->rows);
	for (k = 0; k < r->n_col; k++)
		n->v[k] = gs_sum(n->v[k], p->v[k]);
}

static void fold(struct rollup *r, const struct group *g)
{
	struct group *to = r->folded;
	unsigned k;
	size_t i;

	if (!to) {
		to = r->folded = gs_calloc(1, sizeof(*to));
		to->peak = gs_calloc(r->n_level, sizeof(int64_t));
		to->last = gs_calloc(r->n_level, sizeof(int64_t));
		to->last_present = gs_calloc(r->n_word, sizeof(uint64_t));
		to->ended = true;
	}
	for (i = 0; i < g->n_part; i++)
		add_part(r, to, g->part[i]);
	for (k = 0; k < r->n_level; k++) {
		to->peak[k] = gs_sum(to->peak[k], g->peak[k]);
		if (g->ended)
			to->last[k] = gs_sum(to->last[k], g->last[k]);
	}
	if (g->ended)
		rollup_bits_add(r, to->last_present, g->last_present);
	to->estimated |= g->estimated;
	to->reaped |= g->reaped;
	to->n_rows += g->n_rows;
	to->n_born += g->n_born;
	r->n_folded++;
}

void rollup_unfold(struct rollup *r)
{
	struct group *g = r->folded;
	size_t i;

	r->folded = NULL;
	r->n_folded = 0;
	r->folded_cap = 0;
	forget_times(r);
	r->fold_at = r->every;
	if (!g)
		return;
	for (i = 0; i < g->n_part; i++)
		free(g->part[i]);
	free(g->part);
	free(g->peak);
	free(g->last);
	free(g->last_present);
	free(g);
}

/* Highest first, those of no rank (NaN) last; equals in order of appearance. */
static int compare(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->rank > b->rank)
		return -1;
	if (a->rank < b->rank)
		return 1;
	if (isnan(a->rank) != isnan(b->rank))
		return isnan(a->rank) - isnan(b->rank);
	return (a->at > b->at) - (a->at < b->at);
}

static size_t find_done(const struct rollup *r, struct ranked *list)
{
	size_t i, n = 0;

	for (i = 0; i < r->n_group; i++) {
		const struct group *g = r->group[i];

		if (g->n_live == 0 && !g->residual &&
		    r->by.done(r->by.ctx, g))
			list[n++].at = i;
	}
	return n;
}

static void rank(const struct rollup *r, struct ranked *list, size_t n)
{
	const struct group **g = gs_calloc(n + 1, sizeof(*g));
	double *ret = gs_calloc(n + 1, sizeof(*ret));
	size_t i;

	for (i = 0; i < n; i++)
		g[i] = r->group[list[i].at];
	r->by.rank(r->by.ctx, g, n, ret);
	for (i = 0; i < n; i++)
		list[i].rank = ret[i];
	free(g);
	free(ret);
}

void rollup_fold(struct rollup *r)
{
	struct ranked *list;
	size_t n, i, kept = 0;

	if (r->every == 0 || r->n_group < r->fold_at)
		return;
	list = gs_calloc(r->n_group, sizeof(*list));
	n = find_done(r, list);
	rank(r, list, n);
	qsort(list, n, sizeof(*list), compare);
	for (i = 0; i < n; i++) {
		if (i < r->keep && !isnan(list[i].rank))
			continue;
		fold(r, r->group[list[i].at]);
		rollup_group_drop(r, r->group[list[i].at]);
		r->group[list[i].at] = NULL;
	}
	free(list);
	for (i = 0; i < r->n_group; i++) {
		if (r->group[i])
			r->group[kept++] = r->group[i];
	}
	r->n_group = kept;
	r->fold_at = kept + r->every;
}
