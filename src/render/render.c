/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/render_int.h"
#include "render/text_steps.h"

static const struct {
	const char *name;
	unsigned abilities;
	const struct render_ops *ops;
} formats[RENDER_FORMATS] = {
#define FORMAT(ID, name, abilities) { #name, abilities, &render_##name },
#include "render/formats.def"
#undef FORMAT
};

bool render_can(int format, unsigned abilities)
{
	return format >= 0 && format < RENDER_FORMATS &&
	    (formats[format].abilities & abilities) != 0;
}

enum render_format render_named(const char *name)
{
	int i;

	for (i = 0; i < RENDER_FORMATS; i++) {
		if (strcmp(formats[i].name, name) == 0)
			break;
	}
	return (enum render_format)i;
}

struct render *render_new(const struct render_options *options,
	struct buf *to)
{
	struct render *r = gs_calloc(1, sizeof(*r));

	r->ops = formats[options->format].ops;
	r->options = *options;
	r->to = to;
	return r;
}

void render_free(struct render *r)
{
	if (!r)
		return;
	text_steps_free(r->steps);
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
