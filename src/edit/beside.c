/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/beside.h"

#include <stdlib.h>

#include "base/mem.h"
#include "edit/gist.h"
#include "format/packer.h"

struct beside {
	uint64_t ticks_least;
	struct stretch *stretch;
	struct gists *gists;
	bool any;
};

struct beside *beside_new(const struct beside_options *o)
{
	struct beside *b = gs_calloc(1, sizeof(*b));

	b->ticks_least = o->ticks_least;
	b->stretch = stretch_new(&o->also);
	b->gists = gists_new(o->level, GISTS_WORTH);
	gists_follow(b->gists, &o->follower);
	if (o->spares_short)
		gists_spare_short(b->gists);
	return b;
}

void beside_free(struct beside *b)
{
	if (!b)
		return;
	stretch_free(b->stretch);
	gists_free(b->gists);
	free(b);
}

static void put_gist(struct beside *b, const struct buf *frame, struct packer *to)
{
	if (!frame)
		return;
	packer_add_gist(to, frame);
	b->any = true;
}

static void put_summary(struct beside *b, const struct summary *sum,
	struct packer *to)
{
	if (!sum || sum->n_ticks < b->ticks_least)
		return;
	packer_add_summary(to, sum);
	b->any = true;
}

void beside_tick(struct beside *b, struct tick *t, struct span record,
	struct packer *to)
{
	/* gists first: they need all of the tick */
	put_gist(b, gists_tick(b->gists, t, record), to);
	put_summary(b, stretch_tick(b->stretch, t), to);
}

void beside_end(struct beside *b, struct packer *to)
{
	put_gist(b, gists_end(b->gists), to);
	stretch_begin(b->stretch);
}

bool beside_any(const struct beside *b)
{
	return b->any;
}
