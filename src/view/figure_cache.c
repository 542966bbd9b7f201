/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure_cache.c - data that figures of a grid share, computed once: lock
 * graphs, instances, skew.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "query/offcpu.h"
#include "query/skew.h"

size_t figure_graphs(const struct figure_env *v)
{
	struct figure_cache *c = v->cache;
	const struct world *w = v->engine->world;
	const struct host *h;

	for (; (h = world_catalog(w, c->n_graph)) != NULL; c->n_graph++) {
		c->graph = gs_realloc(c->graph, (c->n_graph + 1) *
		    sizeof(*c->graph));
		c->graph[c->n_graph] = lockgraph_new(w, h,
		    v->engine->sessions, figure_instances(v));
	}
	return c->n_graph;
}

const struct lockgraph *figure_graph(const struct figure_env *v, size_t i)
{
	return v->cache->graph[i];
}

const struct lockgraph *figure_graph_of(const struct figure_env *v,
	const struct host *catalog)
{
	size_t i;

	for (i = 0; catalog && i < figure_graphs(v); i++) {
		if (lockgraph_catalog(v->cache->graph[i]) == catalog)
			return v->cache->graph[i];
	}
	return NULL;
}

const struct instances *figure_instances(const struct figure_env *v)
{
	if (!v->cache->instances)
		v->cache->instances = instances_new(v->engine->world,
		    v->engine->sessions);
	return v->cache->instances;
}

const struct skews *figure_skews(const struct figure_env *v)
{
	if (!v->cache->skews && v->segments)
		v->cache->skews = skews_new(v->engine, v->segments,
		    figure_instances(v));
	return v->cache->skews;
}

/* Sorted by address: the order does not matter, only that rows of a group are
 * adjacent. */
static int by_group(const void *x, const void *y)
{
	uintptr_t a = (uintptr_t)((const struct group_row *)x)->in;
	uintptr_t b = (uintptr_t)((const struct group_row *)y)->in;

	return (a > b) - (a < b);
}

static void find_rows(struct figure_cache *c, const struct rollup *r)
{
	size_t i;

	c->n_row = rollup_live(r);
	c->row = gs_calloc(c->n_row + 1, sizeof(*c->row));
	for (i = 0; i < c->n_row; i++)
		c->row[i].row = rollup_live_row(r, i, &c->row[i].in);
	qsort(c->row, c->n_row, sizeof(*c->row), by_group);
}

struct group_rows figure_rows(const struct figure_env *v,
	const struct group *g)
{
	struct figure_cache *c = v->cache;
	struct group_rows found = { .n = 0 };
	size_t lo = 0, hi;

	if (!c)
		return found;
	if (!c->row)
		find_rows(c, v->rollup);
	for (hi = c->n_row; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if ((uintptr_t)c->row[mid].in < (uintptr_t)g)
			lo = mid + 1;
		else
			hi = mid;
	}
	found.row = &c->row[lo];
	while (lo + found.n < c->n_row && c->row[lo + found.n].in == g)
		found.n++;
	return found;
}

void figure_cache_next_row(struct figure_cache *c)
{
	offcpu_forget(c->offcpu);
}

void figure_cache_release(struct figure_cache *c)
{
	size_t i;

	skews_free(c->skews);
	for (i = 0; i < c->n_graph; i++)
		lockgraph_free(c->graph[i]);
	free(c->graph);
	instances_free(c->instances);
	free(c->row);
	free(c->offcpu);
}
