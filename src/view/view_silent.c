/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_silent.c - rows of expected hosts without any data.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "view/view_int.h"

void view_put_silent(struct view_sink *to, const struct view *v)
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
