/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_group.c - groups, their parts by host, and their rows.
 */
#include "analysis/rollup_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

void rollup_part_free(struct part *p)
{
	free(p->ema);
	free(p);
}

void rollup_group_drop(struct rollup *r, struct group *g)
{
	struct rollup_entry *e = (struct rollup_entry *)g;
	size_t i;

	HASH_DEL(r->by_key, e);
	if (r->by.gone)
		r->by.gone(r->by.ctx, g);
	for (i = 0; i < g->n_part; i++)
		rollup_part_free(g->part[i]);
	if (g->part != &e->only)
		free(g->part);
	if (g->row)
		row_drop(g->row);
	free(e);
}

/* One allocation: there are many, of short life. */
static struct rollup_entry *entry_new(const struct rollup *r, const void *key,
	size_t len)
{
	struct rollup_entry *e = gs_calloc(1, sizeof(*e) +
	    2 * r->n_level * sizeof(int64_t) + 2 * rollup_bits_size(r) +
	    len + 1);
	uint64_t *bits = (uint64_t *)&e->v[2 * r->n_level];
	char *to = (char *)(bits + 2 * r->n_word);

	e->group.memo = &e->memo;
	e->group.part = &e->only;
	e->group.peak = e->v;
	e->group.last = e->v + r->n_level;
	e->group.changed = bits;
	e->group.last_present = bits + r->n_word;
	memcpy(to, key, len);
	e->group.key = to;
	e->group.key_len = len;
	return e;
}

struct group *rollup_group(struct rollup *r, const void *key, size_t len,
	bool *ret_new)
{
	struct rollup_entry *e = NULL;

	HASH_FIND(hh, r->by_key, key, len, e);
	*ret_new = e == NULL;
	if (e)
		return &e->group;
	e = entry_new(r, key, len);
	HASH_ADD_KEYPTR(hh, r->by_key, e->group.key, len, e);
	GS_GROW(r->group, &r->group_cap, r->n_group + 1);
	r->group[r->n_group++] = &e->group;
	return &e->group;
}

struct group *rollup_find(const struct rollup *r, const void *key,
	size_t len)
{
	struct rollup_entry *e = NULL;

	HASH_FIND(hh, r->by_key, key, len, e);
	return e ? &e->group : NULL;
}

void rollup_spend(struct rollup *r, size_t from, size_t n)
{
	size_t i;

	for (i = from; i < from + n; i++) {
		struct group *g = r->group[i];

		if (!g->ended || g->n_live > 0)
			continue;
		rollup_group_drop(r, g);
		r->group[i] = NULL;
	}
}

void rollup_close_up(struct rollup *r)
{
	size_t i, kept = 0;

	for (i = 0; i < r->n_group; i++) {
		if (r->group[i])
			r->group[kept++] = r->group[i];
	}
	r->n_group = kept;
}

void rollup_grow_covered(struct rollup *r, const struct host *h)
{
	size_t old = r->covered_cap;

	GS_GROW(r->covered, &r->covered_cap, (size_t)h->index + 1);
	memset(r->covered + old, 0, (r->covered_cap - old) *
	    sizeof(*r->covered));
}

int64_t rollup_before_tick(struct rollup *r, const struct row *row)
{
	return life_before(row, *rollup_covered(r, row->host));
}

int64_t rollup_begin(struct rollup *r, const struct row *row)
{
	return life_begin(row, *rollup_covered(r, row->host));
}

int64_t rollup_end(struct rollup *r, const struct row *row)
{
	return life_end(row, *rollup_covered(r, row->host));
}

static void add_part(struct group *g, struct part *p)
{
	struct rollup_entry *e = (struct rollup_entry *)g;

	if (g->part != &e->only) {
		g->part = gs_realloc(g->part,
		    (g->n_part + 1) * sizeof(*g->part));
	} else if (g->n_part > 0) {
		g->part = gs_calloc(2, sizeof(*g->part));
		g->part[0] = e->only;
	}
	g->part[g->n_part++] = p;
}

struct part *rollup_part_new(const struct rollup *r, struct host *h)
{
	struct part *p = gs_calloc(1, rollup_part_size(r));

	p->host = h;
	return p;
}

/* A row of which all of the tick is known came to a part that began at its end. */
static void note_known(struct rollup *r, struct part *p, const struct row *row)
{
	if (p->fresh && !r->life.in_tick && p->made_tick == (uint32_t)r->tick)
		p->since_ns = GS_MIN(p->since_ns, rollup_before_tick(r, row));
}

struct part *rollup_part(struct rollup *r, struct group *g,
	const struct row *row, bool fresh)
{
	struct host *h = row->host;
	struct part *p;
	size_t i;

	g->stirred = true;
	for (i = 0; i < g->n_part; i++) {
		if (g->part[i]->host == h) {
			if (!fresh)
				note_known(r, g->part[i], row);
			return g->part[i];
		}
	}
	p = rollup_part_new(r, h);
	p->since_ns = fresh ? rollup_begin(r, row) : 0;
	p->fresh = fresh;
	p->made_tick = (uint32_t)r->tick;
	p->left_ns = -1;
	p->gone_ns = -1;
	add_part(g, p);
	return p;
}

void rollup_grow_slots(struct rollup *r, const struct row *row)
{
	size_t old = r->member_cap;

	GS_GROW(r->member, &r->member_cap, (size_t)row->serial + 1);
	memset(r->member + old, 0, (r->member_cap - old) *
	    sizeof(*r->member));
}

void rollup_rest_rows(struct rollup *r)
{
	r->rests_rows = true;
}

void rollup_set_row(struct group *g, struct row *row)
{
	if (g->row == row)
		return;
	row_hold(row);
	if (g->row)
		row_drop(g->row);
	g->row = row;
}
