/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_key.c - keys: matches the rows of a key with the open rows, by
 * identity.
 */
#include "model/world_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool same_identity(const struct world *w, const struct row *a,
	const struct row *b)
{
	size_t i;

	for (i = 0; i < COL_WORDS_MAX; i++) {
		uint64_t bits = w->id_mask[a->entity][i];

		if (bits && (a->now.present[i] ^ b->now.present[i]) & bits)
			return false;
		for (; bits; bits &= bits - 1) {
			size_t col = i * 64 + gs_ctz64(bits);

			if (a->now.val[col] != b->now.val[col])
				return false;
		}
	}
	return true;
}

static size_t hash_identity(const struct world *w, const struct row *r)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
	size_t i;

	for (i = 0; i < COL_WORDS_MAX; i++) {
		uint64_t bits = w->id_mask[r->entity][i];

		for (; bits; bits &= bits - 1) {
			h = (h ^ r->now.val[i * 64 + gs_ctz64(bits)]) *
			    UINT64_C(0xff51afd7ed558ccd);
			h ^= h >> 32;
		}
	}
	return (size_t)h;
}

/* The bucket of the identity of r, or the empty one where it is to be.  However many
 * rows have one identity, it has one bucket. */
static struct match_bucket *match_find(const struct world *w,
	struct row *const *old, const struct row *r)
{
	const struct match *m = &w->match;
	size_t k = hash_identity(w, r) & (m->n_bucket - 1);

	while (m->bucket[k].like &&
	    !same_identity(w, old[m->bucket[k].like - 1], r))
		k = (k + 1) & (m->n_bucket - 1);
	return &m->bucket[k];
}

static void match_fill(struct world *w, struct row *const *old, size_t n_old,
	size_t n_live)
{
	struct match *m = &w->match;
	size_t i;

	m->n_bucket = 16;
	while (m->n_bucket < n_live * 2)
		m->n_bucket *= 2;
	GS_GROW(m->bucket, &m->cap, m->n_bucket);
	GS_GROW(m->after, &m->after_cap, n_old);
	memset(m->bucket, 0, m->n_bucket * sizeof(*m->bucket));
	for (i = n_old; i-- > 0; ) {
		struct match_bucket *b;

		if (!old[i])
			continue;
		b = match_find(w, old, old[i]);
		m->after[i] = b->next;
		b->like = b->next = (uint32_t)i + 1;
	}
}

/* A row that was matched is marked by this slot number until match_rows() is done.
 * So a second row of the same identity is a row of its own. */
#define CLAIMED UINT32_MAX

static struct row *match_claim(const struct world *w, struct row *const *old,
	const struct row *r)
{
	struct match_bucket *b = match_find(w, old, r);
	struct row *row;

	if (b->next == 0)
		return NULL;
	row = old[b->next - 1];
	b->next = w->match.after[b->next - 1];
	row->slot = CLAIMED;
	return row;
}

/* Continues the row with its cells in the key. */
static void continue_row(struct world *w, struct row *old, struct row *fresh)
{
	size_t len = cells_words(old->entity) * sizeof(uint64_t);

	if (memcmp(old->now.present, fresh->now.present, len) != 0) {
		world_touch(w, old);
		world_each_text(w, old->entity, old->now, texts_unref);
		cells_copy(old->entity, old->now, fresh->now);
		world_each_text(w, old->entity, old->now, texts_ref);
	}
	world_row_forget(w, fresh);
}

/* A continued row of the key that was not open here started in the missing
 * part, or before. */
static enum row_open birth_of(const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	const struct host *h = r->host;
	const struct row *facts = host_row(h);
	uint64_t hz = 100, start = 0;
	unsigned i;

	if (r->opened != OPEN_CONTINUED || !en->has_birth || h->blocks < 2)
		return r->opened;
	if (facts) /* usually absent */
		(void)row_peek(facts, COL(HOST, CLOCK_TICKS), &hz);
	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].flags & F_BIRTH &&
		    !row_get(r, i, &start))
			return OPEN_APPEARED;
	}
	if (hz == 0 || hz > 1000000 || start / hz > INT64_MAX / 2000000000)
		return OPEN_APPEARED;
	return (int64_t)(start / hz) * 1000000000 +
	    (int64_t)(start % hz * 1000000000 / hz) >= h->prev.boot_ns
	    ? OPEN_BORN : OPEN_APPEARED;
}

/* Matches the open rows (old) with the rows of the key (in tab). */
static void match_rows(struct world *w, struct table *tab,
	struct row *const *old, size_t n_old, size_t n_old_live)
{
	size_t i;

	match_fill(w, old, n_old, n_old_live);
	for (i = 0; i < tab->n_slot; i++) {
		struct row *r = tab->slot[i];
		struct row *before = r ? match_claim(w, old, r) : NULL;

		if (before) {
			tab->slot[i] = before;
			continue_row(w, before, r);
		} else if (r) {
			world_row_opened(w, r, birth_of(r));
		}
	}
	for (i = 0; i < n_old; i++) {
		if (old[i] && old[i]->slot != CLAIMED)
			world_row_closed(w, old[i], CLOSE_UNSEEN);
	}
	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			tab->slot[i]->slot = (uint32_t)i;
	}
}

/* Slots begin again with a key.  Otherwise a table would keep its largest size
 * for ever, and all tables together could reach their limit even with few rows
 * at a time. */
void world_shrink(struct world *w, struct table *tab)
{
	size_t less = tab->cap - tab->n_slot;

	if (tab->cap / 2 <= tab->n_slot)
		return;
	if (tab->n_slot == 0) {
		free(tab->slot);
		tab->slot = NULL;
	} else {
		tab->slot = gs_realloc(tab->slot,
		    tab->n_slot * sizeof(*tab->slot));
	}
	tab->cap = tab->n_slot;
	w->n_slots -= less;
	world_refund(w, less * sizeof(*tab->slot));
}

int world_apply_key(struct world *w, struct host *h,
	const struct delta *d, struct gs_err *err)
{
	struct table *tab = &h->table[d->entity];
	struct row **old;
	size_t n_old, n_live;
	int r = GS_OK;

	/* After a loss the closed slots belong to an unknown numbering:
	 * missing rows then close as unseen. */
	if (!w->lost)
		r = world_close_slots(w, tab, d, true, err);
	if (w->resting)
		world_wake_all(tab);
	n_old = tab->n_slot;
	n_live = tab->n_live;
	GS_GROW(w->fresh, &w->fresh_cap, n_old);
	old = w->fresh;
	if (n_old)
		memcpy(old, tab->slot, n_old * sizeof(*old));
	tab->n_slot = tab->n_live = 0;
	if (r == GS_OK)
		r = world_open_slots(w, h, tab, d, true, err);
	if (r == GS_OK)
		r = world_change_columns(w, tab, d, true, err);
	match_rows(w, tab, old, n_old, n_live);
	world_shrink(w, tab);
	if (r == GS_OK)
		r = world_sum_up(w, tab, d, err);
	return r;
}
