/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping_bound.c - groups that are complete, and which of them are kept.
 */
#include "query/grouping_int.h"

#include <math.h>

/* A query that ended one tick ago may still be charged with that tick.  Nothing
 * is charged to one of a session that ended some ticks ago. */
static bool query_done(const struct query *q)
{
	const struct session *s = q->session;

	return q->number ? !q->open && (q != s->before || s->ended) : s->ended;
}

/* Its texts are those of a session that goes on. */
static bool may_be_renamed(const struct grouping *l, const struct label *n)
{
	return l->order && n->session && !n->session->ended;
}

bool grouping_done(void *ctx, const struct group *g)
{
	const struct grouping *l = ctx;
	const struct label *n = g->label;

	if (may_be_renamed(l, n))
		return false;
	switch (l->kind) {
	case GROUPING_ROW:
		return g->row && g->row->closed == CLOSE_EXITED;
	case GROUPING_PROCESS: /* its main thread is a row as long as it is */
		return true;
	case GROUPING_SESSION:
	case GROUPING_SESSION_SEGMENT:
	case GROUPING_SLICE:
		return n->session && n->session->ended;
	case GROUPING_QUERY:
	case GROUPING_QUERY_SEGMENT:
		return n->query && query_done(n->query);
	case GROUPING_SERVER:
		return false;
	case GROUPING_LABELS:
		return n->of && n->of->ended;
	}
	return false;
}

/* Of a query that ended in this tick, all groupings have counted the tick. */
bool grouping_is_done(const struct grouping *l, const struct group *g)
{
	const struct query *q = ((const struct label *)g->label)->query;

	if (g->n_live > 0 || g->n_part == 0)
		return false;
	return l->kind == GROUPING_QUERY && q && q->number
	    ? !q->open : grouping_done((void *)(uintptr_t)l, g);
}

void grouping_rank(void *ctx, const struct group *const *g, size_t n,
	double *ret)
{
	const struct grouping *l = ctx;
	size_t i;

	if (l->order)
		l->order(l->rank_ctx, g, n, ret);
	for (i = 0; !l->order && i < n; i++)
		ret[i] = l->rank(l->rank_ctx, g[i]);
}

void grouping_bound(
    struct grouping *l, size_t keep, grouping_rank_fn fn, void *ctx)
{
	l->rank = fn;
	l->rank_ctx = ctx;
	rollup_bound(l->rollup, keep, keep);
}

void grouping_bound_order(struct grouping *l, size_t keep,
	grouping_order_fn fn, void *ctx)
{
	l->order = fn;
	l->rank_ctx = ctx;
	rollup_bound(l->rollup, keep, keep);
}

/* New groups between two checks for groups to drop. */
#define SEGMENTS_EVERY 16384
#define NEEDED_EVERY 1024

void grouping_bound_needed(
    struct grouping *l, grouping_rank_fn fn, void *ctx)
{
	l->rank = fn;
	l->rank_ctx = ctx;
	rollup_bound(l->rollup, SIZE_MAX, NEEDED_EVERY);
}

static double rank_as(void *ctx, const struct group *g)
{
	const struct grouping *whole = ctx;
	const struct label *n = g->label;
	const void *key = whole->kind == GROUPING_QUERY ? (const void *)n->query
	                                            : (const void *)n->session;

	return rollup_find(whole->rollup, &key, sizeof(key)) ? 0 : NAN;
}

/* Of the same keys. */
static double rank_by_key(void *ctx, const struct group *g)
{
	const struct grouping *whole = ctx;

	return rollup_find(whole->rollup, g->key, g->key_len) ? 0 : NAN;
}

void grouping_bound_as(struct grouping *l, const struct grouping *whole)
{
	l->rank = l->entity == ENTITY_THREAD ? rank_by_key : rank_as;
	l->rank_ctx = (void *)(uintptr_t)whole;
	rollup_bound(l->rollup, SIZE_MAX, SEGMENTS_EVERY);
}
