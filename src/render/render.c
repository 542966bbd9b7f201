/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "render/render_int.h"

struct render *render_new(const struct render_options *options,
	struct buf *to)
{
	static const struct render_ops *const ops[] = {
		[RENDER_TEXT] = &render_text,
		[RENDER_JSON] = &render_json,
		[RENDER_CSV] = &render_csv,
		[RENDER_OPENMETRICS] = &render_openmetrics,
	};
	struct render *r = gs_calloc(1, sizeof(*r));

	r->ops = ops[options->format];
	r->options = *options;
	r->to = to;
	return r;
}

void render_free(struct render *r)
{
	if (!r)
		return;
	buf_release(&r->scratch);
	free(r);
}

void render_begin(struct render *r, const struct report *report)
{
	r->report = report;
	r->ops->begin(r);
}

void render_grid(struct render *r, const struct grid *g)
{
	assert(r->report); /* begun */
	r->ops->grid(r, g);
	r->n_grid++;
	(void)snprintf(r->last_name, sizeof(r->last_name), "%s",
	    g->name); /* cut is fine */
}

void render_end(struct render *r)
{
	r->ops->end(r);
}
