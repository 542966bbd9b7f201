/*
 * figure_cache.c - what figures of a grid have in common, worked out once: lock
 * graphs, instances, balance over segments.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "view/figure.h"
#include "view/skew.h"

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

void figure_cache_release(struct figure_cache *c)
{
	size_t i;

	skews_free(c->skews);
	for (i = 0; i < c->n_graph; i++)
		lockgraph_free(c->graph[i]);
	free(c->graph);
	instances_free(c->instances);
}
