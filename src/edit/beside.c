/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/beside.h"

#include <stdlib.h>

#include "base/budget.h"
#include "base/mem.h"
#include "edit/gist.h"
#include "format/packer.h"

/* Bytes for each of a record, and for zstd: measured with 12,000 processes. */
#define RECORD_TIMES 32u
#define FIXED_BYTES ((size_t)16 << 20)

struct beside {
	int level;
	bool alone, lacked;
	uint64_t ticks_least;
	size_t record_len; /* of the last tick */
	struct stretch *stretch;
	struct gists *gists;
	bool any;
};

struct beside *beside_new(const struct beside_options *o)
{
	struct beside *b = gs_calloc(1, sizeof(*b));

	b->level = o->level;
	b->alone = o->alone;
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

/* A tick that stands alone is taken apart and compressed again for what comes beside it;
 * without the memory for that, nothing does. */
static bool has_room(struct beside *b)
{
	bool room = !b->alone || b->record_len * RECORD_TIMES + FIXED_BYTES <=
	    budget_heap_left(budget_own());

	b->lacked |= !room;
	return room;
}

static void put_gist(struct beside *b, const struct buf *frame, struct packer *to)
{
	if (!frame)
		return;
	if (!has_room(b)) {
		gists_lose(b->gists);
		return;
	}
	packer_add_gist(to, frame);
	b->any = true;
}

static void put_summary(struct beside *b, const struct summary *sum,
	struct packer *to)
{
	if (!sum || sum->n_ticks < b->ticks_least || !has_room(b))
		return;
	packer_add_summary(to, sum);
	b->any = true;
}

void beside_tick(struct beside *b, struct tick *t, struct span record,
	struct packer *to)
{
	b->record_len = span_len(record);
	/* gists first: they need all of the tick */
	put_gist(b, gists_tick(b->gists, t, record), to);
	put_summary(b, stretch_tick(b->stretch, t), to);
}

void beside_end(struct beside *b, struct packer *to)
{
	put_gist(b, gists_end(b->gists), to);
	stretch_abandon(b->stretch);
}

bool beside_any(const struct beside *b)
{
	return b->any;
}

bool beside_lacked(const struct beside *b)
{
	return b->lacked || gists_lacked(b->gists);
}

int beside_level(const struct beside *b)
{
	return b->level;
}
