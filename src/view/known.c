/* SPDX-License-Identifier: Apache-2.0 */
#include "view/known.h"

#include <stdlib.h>

#include "base/mem.h"
#include "view/view_use.h"

void known_note_shown(struct known_shown *s, const struct group *g,
	bool as_queries)
{
	const struct label *n = grouping_label(g);

	if (g->residual)
		return;
	GS_GROW(s->of, &s->cap, s->n + 1);
	s->of[s->n++] = as_queries ? (const void *)n->query
	                           : (const void *)n->session;
}

void known_release(struct known_shown *s)
{
	free(s->of);
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)*(const void *const *)a;
	uintptr_t y = (uintptr_t)*(const void *const *)b;

	return x < y ? -1 : x > y;
}

/* Only filled when it is needed. */
static bool is_shown(struct known_shown *s, const void *of)
{
	if (!s->sorted && s->n > 1)
		qsort(s->of, s->n, sizeof(*s->of), by_address);
	s->sorted = true;
	return s->n > 0 && bsearch(&of, s->of, s->n, sizeof(of), by_address);
}

static void put_session(struct view_sink *to, struct session *n,
	bool as_query)
{
	struct label label = { .session = n,
		.query = as_query ? n->query : NULL };
	const struct group g = { .label = &label };

	view_put(to, NULL, &g);
}

void known_put(struct view_sink *to, struct known_shown *s, bool as_queries)
{
	const struct sessions *all = view_env(to)->engine->sessions;
	const struct view_ask *ask = to->use->ask;
	size_t i;

	for (i = 0; i < sessions_count(all); i++) {
		struct session *n = sessions_get(all, i);

		if (n->n_procs > 0 || !n->backend || n->own || n->ended ||
		    (as_queries && !n->query) ||
		    (ask->only && !ask->only(ask->only_ctx, n)))
			continue;
		/* its processes ended a moment earlier */
		if (!is_shown(s, as_queries ? (const void *)n->query
		    : (const void *)n))
			put_session(to, n, as_queries);
	}
}

void known_put_hosts(struct view_sink *to, const struct view *v)
{
	const struct figure_env *env = view_env(to);
	const struct engine *e = env->engine;
	size_t i, k, at = 0, n = world_hosts(e->world);
	bool *shown = gs_calloc(n, sizeof(*shown));

	/* groups are mostly in the order of hosts */
	for (i = 0; i < rollup_count(env->rollup); i++) {
		const struct group *g = rollup_get(env->rollup, i);

		for (k = 0; g->n_part > 0 && k < n &&
		    world_host(e->world, at) != g->part[0]->host; k++)
			at = (at + 1) % n;
		if (g->n_part > 0 && k < n)
			shown[at] = view_has_group(v, g);
	}
	for (i = 0; i < n; i++) {
		const struct host *h = world_host(e->world, i);

		if (!shown[i] && !h->catalog && h->named)
			view_put(to, h, NULL);
	}
	free(shown);
}
