/* SPDX-License-Identifier: Apache-2.0 */
#include "model/closings.h"

#include <stdlib.h>

#include "base/mem.h"

void closings_release(struct closings *c)
{
	free(c->at);
	*c = (struct closings) { 0 };
}

static int by_serial(const void *pa, const void *pb)
{
	const struct closing *a = pa, *b = pb;

	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

void closings_list(struct closings *c, const struct world *w,
	enum entity_id e)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	c->n = 0;
	for (i = 0; i < n; i++) {
		if (touched[i]->entity != e || !touched[i]->closed)
			continue;
		GS_GROW(c->at, &c->cap, c->n + 1);
		c->at[c->n++] = (struct closing) { touched[i]->serial,
			touched[i]->closed };
	}
	if (c->n > 1)
		qsort(c->at, c->n, sizeof(*c->at), by_serial);
}

enum row_close closings_why(const struct closings *c, uint32_t serial)
{
	struct closing key = { .serial = serial };
	const struct closing *found = NULL;

	if (c->n > 0)
		found = bsearch(&key, c->at, c->n, sizeof(key), by_serial);
	return found ? found->why : (enum row_close)0;
}
