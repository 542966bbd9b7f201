/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/rowset.h"

#include <assert.h>

#include "base/clock.h"
#include "model/header.h"

void rowset_init(struct rowset *s)
{
	int e;

	*s = (struct rowset) { .world = world_new() };
	sent_init(&s->sent);
	for (e = 0; e < ENTITY_COUNT; e++)
		rows_init(&s->rows[e], (enum entity_id)e, &s->sent);
	s->clock.connection = 1;
}

void rowset_release(struct rowset *s)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		rows_release(&s->rows[e]);
	sent_release(&s->sent);
	tick_release(&s->tick);
	world_free(s->world);
}

void rowset_connected(struct rowset *s)
{
	s->clock.connection++;
	s->clock.sequence = 0;
}

void rowset_begin(struct rowset *s)
{
	tick_reset(&s->tick);
	sent_begin(&s->sent, &s->tick);
	s->tick.key = !s->has_key;
	if (!s->has_key) {
		s->tick.header = header_new();
		header_add_catalog(s->tick.header, 0, "database");
	}
	s->clock.sequence++;
	s->clock.wall_ns = gs_clock_wall_ns();
	s->clock.mono_ns = gs_clock_mono_ns();
	s->clock.boot_ns = gs_clock_boot_ns();
	s->block = tick_add_block(&s->tick, 0);
	s->block->clock = s->clock;
}

void rowset_end(struct rowset *s)
{
	int r;

	s->tick.seq++;
	s->tick.wall_ns = s->clock.wall_ns;
	/* our own slots and texts, and bounded results: it can't fail */
	r = world_apply(s->world, &s->tick, NULL);
	assert(r == 0);
	(void)r; /* without assertions */
	s->has_key = true;
	s->block = NULL;
}

void rowset_open(struct rowset *s, enum entity_id e, uint32_t part)
{
	rows_begin_part(&s->rows[e], &s->block->ent[e], part);
}

struct cells rowset_now(struct rowset *s, enum entity_id e)
{
	return rows_now(&s->rows[e]);
}

void rowset_text(struct rowset *s, struct cells now, unsigned col,
	struct span text)
{
	cells_set(now, col, sent_text(&s->sent, text));
}

void rowset_keep(struct rowset *s, struct cells now, struct cells was,
	unsigned col)
{
	sent_keep(&s->sent, now, was, col);
}

struct span rowset_get_text(const struct rowset *s, struct cells c,
	unsigned col)
{
	if (!c.val || !cells_has(c, col))
		return span_of("", 0);
	return texts_get(s->sent.texts, (uint32_t)c.val[col]);
}

/* Ids of texts stay while a row has them, so they are as good as texts. */
static uint64_t identity(enum entity_id e, struct cells c)
{
	const struct entity *en = entity_get(e);
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (!(en->metrics[i].flags & F_ID))
			continue;
		h = (h ^ (cells_has(c, i) ? c.val[i] : 7)) *
		    UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 33;
	}
	return h;
}

struct cells rowset_was(struct rowset *s, enum entity_id e, struct cells now)
{
	return rows_was(&s->rows[e], identity(e, now));
}

/* A second row with the same identity (a lock taken in two ways) is a separate
 * row. */
void rowset_put_as(struct rowset *s, enum entity_id e, struct cells now,
	enum row_open how)
{
	uint64_t key = rows_unused(&s->rows[e], identity(e, now));

	rows_put_as(&s->rows[e], key, how);
}

void rowset_put(struct rowset *s, enum entity_id e, struct cells now)
{
	rowset_put_as(s, e, now, OPEN_APPEARED);
}

void rowset_close(struct rowset *s, enum entity_id e, enum row_close why)
{
	rows_end_as(&s->rows[e], why);
}

void rowset_drop(struct rowset *s, enum entity_id e, uint32_t part,
	enum row_close why)
{
	rowset_open(s, e, part);
	rowset_close(s, e, why);
}

size_t rowset_count(const struct rowset *s, enum entity_id e)
{
	return s->rows[e].n;
}
