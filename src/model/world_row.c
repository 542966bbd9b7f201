/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_row.c - the rows of a world: opened, changed, closed and freed, with
 * the texts and the memory that each holds.
 */
#include "model/world_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/packed.h"

void world_each_text(struct world *w, enum entity_id e, struct cells c,
	void (*fn)(struct texts *, uint32_t))
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t i;

	for (i = 0; i < words; i++) {
		uint64_t bits = w->text_mask[e][i] & c.present[i];

		for (; bits; bits &= bits - 1)
			fn(w->texts, (uint32_t)c.val[i * 64 +
			    gs_ctz64(bits)]);
	}
}

bool world_charge(struct world *w, size_t bytes)
{
	if (!budget_take(w->budget, bytes))
		return false;
	w->charged += bytes;
	return true;
}

void world_refund(struct world *w, size_t bytes)
{
	budget_give(w->budget, bytes);
	w->charged -= bytes;
}

/* malloc() overhead, and pointers: touched, fresh, twice in match. */
#define ROW_EXTRA (2 * 16 + 4 * sizeof(struct row *))

size_t world_row_bytes(const struct world *w, enum entity_id e)
{
	size_t cells = cells_words(e) * sizeof(uint64_t);

	return sizeof(struct row) + ROW_EXTRA + cells * (w->plain ? 1 : 2);
}

struct row *world_row_new(struct world *w, struct host *h, enum entity_id e)
{
	size_t inside = w->resting ? 0 : cells_words(e);
	struct row *r = gs_calloc(1, sizeof(*r) + inside * sizeof(uint64_t));

	r->entity = e;
	r->host = h;
	r->now = inside > 0 ? cells_over(e, (uint64_t *)(void *)(r + 1))
	                    : cells_new(e);
	r->holds = 1;
	w->n_rows++;
	return r;
}

static bool has_own_cells(const struct row *r)
{
	return r->now.present != (const uint64_t *)(const void *)(r + 1);
}

void world_wake(struct row *r)
{
	if (r->now.val)
		return;
	r->now = cells_new(r->entity);
	packed_get(r->entity, r->rest, r->now);
}

void world_wake_all(const struct table *tab)
{
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			world_wake(tab->slot[i]);
	}
}

static void rest(struct row *r)
{
	if (!r->now.val)
		return;
	packed_keep(r->entity, r->now, &r->rest);
	cells_free(r->now);
	r->now = (struct cells) { 0 };
}

static void rest_table(const struct table *tab)
{
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			rest(tab->slot[i]);
	}
}

static void rest_untouched(struct world *w)
{
	size_t i;

	for (i = 0; i < w->n_awake; i++) {
		if (w->awake[i]->touched_tick != w->ticks)
			rest(w->awake[i]);
		row_drop(w->awake[i]);
	}
	w->n_awake = 0;
	w->awake_bytes = 0;
}

static size_t cells_bytes(const struct row *r)
{
	return cells_words(r->entity) * sizeof(uint64_t);
}

static bool stays_awake(const struct world *w, const struct row *r)
{
	return !r->closed &&
	    w->awake_bytes + cells_bytes(r) <= w->awake_max_bytes;
}

static void keep_awake(struct world *w, struct row *r)
{
	w->awake_bytes += cells_bytes(r);
	GS_GROW(w->awake, &w->awake_cap, w->n_awake + 1);
	w->awake[w->n_awake++] = r;
	row_hold(r);
}

void world_rest(struct world *w, bool key)
{
	size_t i;
	int e;

	rest_untouched(w);
	for (i = 0; i < w->n_touched; i++) {
		if (!key && stays_awake(w, w->touched[i]))
			keep_awake(w, w->touched[i]);
		else
			rest(w->touched[i]);
	}
	for (i = 0; key && i < w->n_host; i++) {
		for (e = 0; e < ENTITY_COUNT; e++)
			rest_table(&w->host[i]->table[e]);
	}
}

bool row_peek(const struct row *r, unsigned col, uint64_t *ret)
{
	return r->now.val ? row_get(r, col, ret)
	                  : packed_find(r->entity, r->rest, col, ret);
}

struct span row_peek_text(const struct world *w, const struct row *r,
	unsigned col)
{
	uint64_t id;

	return row_peek(r, col, &id) ? world_text(w, id) : span_of("", 0);
}

void row_cells(const struct row *r, struct cells to)
{
	if (r->now.val)
		cells_copy(r->entity, to, r->now);
	else
		packed_get(r->entity, r->rest, to);
}

struct packed *row_packed(const struct row *r)
{
	return r->now.val ? NULL : packed_hold(r->rest);
}

void row_hold(struct row *r)
{
	r->holds++;
}

static void empty(struct left_out *l)
{
	uint32_t i;

	for (i = 0; i < l->n_waited; i++) {
		free(l->waited[i].event);
		free(l->waited[i].query);
	}
	l->n_waited = l->n_sum = 0;
	budget_give(l->budget, l->charged);
	l->charged = 0;
}

static void free_left_out(struct left_out *l)
{
	if (!l)
		return;
	empty(l);
	free(l->waited);
	free(l->sum);
	free(l);
}

struct left_out *world_left_out(const struct world *w, struct row *r)
{
	if (!r->left_out)
		r->left_out = gs_calloc(1, sizeof(*r->left_out));
	r->left_out->budget = w->budget;
	if (r->left_out->tick != w->ticks)
		empty(r->left_out);
	r->left_out->tick = w->ticks;
	return r->left_out;
}

void row_drop(struct row *r)
{
	if (--r->holds > 0)
		return;
	free_left_out(r->left_out);
	packed_drop(r->rest);
	if (has_own_cells(r))
		cells_free(r->now);
	free(r);
}

struct row *row_resting(const struct row *r)
{
	struct row *to = gs_calloc(1, sizeof(*to));

	*to = *r;
	to->now = to->was = (struct cells) { 0 };
	to->left_out = NULL;
	to->user = NULL;
	to->rest = row_packed(r);
	to->holds = 1;
	if (r->now.val)
		packed_keep(r->entity, r->now, &to->rest);
	return to;
}

void world_hold(struct world *w, struct row *r)
{
	row_hold(r);
	world_each_text(w, r->entity, r->now, texts_ref);
}

void world_drop(struct world *w, struct row *r)
{
	world_each_text(w, r->entity, r->now, texts_unref);
	row_drop(r);
}

bool row_is_brief(const struct row *r)
{
	return r->closed && r->first_tick == r->touched_tick;
}

bool row_ended_late(const struct row *r)
{
	if (!r->closed)
		return false;
	return row_is_brief(r) || row_left_out(r) ||
	    (r->was.val && memcmp(r->was.present, r->now.present,
	    cells_words(r->entity) * sizeof(uint64_t)) != 0);
}

const int64_t *left_out_amounts(const struct left_out *l, uint32_t kind)
{
	uint32_t i;

	for (i = 0; l && i < l->n_waited; i++) {
		if (l->waited[i].kind == kind)
			return l->waited[i].amount;
	}
	return NULL;
}

static bool told_ns(const struct row *r, uint32_t kind, int64_t *ret_ns)
{
	const int64_t *a = left_out_amounts(row_left_out(r), kind);

	if (a)
		*ret_ns = GS_MAX(a[0], 0);
	return a != NULL;
}

bool row_told_end(const struct row *r, int64_t *ret_before_ns)
{
	return r->closed && told_ns(r, WAITED_END, ret_before_ns);
}

bool row_told_begin(const struct row *r, int64_t *ret_before_ns)
{
	return r->first_tick == r->touched_tick &&
	    told_ns(r, WAITED_BEGIN, ret_before_ns);
}

bool row_told_threads(const struct row *r, int64_t *ret_ns)
{
	return told_ns(r, WAITED_THREADS, ret_ns);
}

bool row_sum(const struct row *r, unsigned col, enum sum_of of,
	uint64_t *ret)
{
	const struct left_out *l = row_left_out(r);
	uint32_t i;

	for (i = 0; l && i < l->n_sum; i++) {
		if (l->sum[i].col == col && l->sum[i].of == of) {
			*ret = l->sum[i].amount;
			return true;
		}
	}
	return false;
}

/* The world drops its reference and the texts of the cells, so a holder of the
 * row must not read them any more. */
void world_row_forget(struct world *w, struct row *r)
{
	world_wake(r);
	world_each_text(w, r->entity, r->now, texts_unref);
	if (r->was.val)
		world_each_text(w, r->entity, r->was, texts_unref);
	cells_free(r->was);
	r->was = (struct cells) { 0 };
	w->n_rows--;
	world_refund(w, world_row_bytes(w, r->entity));
	row_drop(r);
}

/* `was` gets references to the texts of now, and drops its old ones; most are
 * the same. */
static void move_texts(struct world *w, const struct row *r)
{
	size_t words = COL_WORDS(entity_get(r->entity)->ncols);
	size_t i;

	for (i = 0; i < words; i++) {
		uint64_t had = r->was.present[i], has = r->now.present[i];
		uint64_t bits = w->text_mask[r->entity][i] & (had | has);

		for (; bits; bits &= bits - 1) {
			uint64_t bit = bits & (~bits + 1);
			size_t col = i * 64 + gs_ctz64(bits);
			uint32_t old = (uint32_t)r->was.val[col];
			uint32_t new = (uint32_t)r->now.val[col];

			if (old == new && (had & has & bit))
				continue;
			if (has & bit)
				texts_ref(w->texts, new);
			if (had & bit)
				texts_unref(w->texts, old);
		}
	}
}

static void list_touched(struct world *w, struct row *r)
{
	r->touched_tick = w->ticks;
	GS_GROW(w->touched, &w->touched_cap, w->n_touched + 1);
	w->touched[w->n_touched++] = r;
	w->touched_of |= UINT64_C(1) << r->entity;
}

void world_touch_first(struct world *w, struct row *r)
{
	world_wake(r);
	if (r->was.val) {
		move_texts(w, r);
		cells_copy(r->entity, r->was, r->now);
	}
	list_touched(w, r);
}

void world_row_opened(struct world *w, struct row *r, enum row_open how)
{
	if (!w->plain) /* freed before the row: world_row_forget() */
		r->was = cells_new(r->entity);
	r->opened = how == OPEN_BORN ? OPEN_BORN : OPEN_APPEARED;
	r->first_ns = r->host->clock.wall_ns;
	r->first_tick = w->ticks;
	r->serial = w->serial++;
	list_touched(w, r);
}

void world_row_closed(struct world *w, struct row *r, enum row_close why)
{
	world_touch(w, r);
	/* 0 would mean open; other values are of a newer version */
	r->closed = why >= CLOSE_EXITED && why <= CLOSE_UNSEEN ? why
	                                                       : CLOSE_EXITED;
	r->last_ns = r->host->prev.wall_ns;
}

void world_row_ended(struct world *w, struct row *r, enum row_close why)
{
	int64_t now = r->host->clock.wall_ns, was = r->host->prev.wall_ns;
	const int64_t *a;

	world_row_closed(w, r, why);
	a = left_out_amounts(row_left_out(r), WAITED_END);
	r->last_ns = now; /* else an upper bound */
	if (a && was != 0) /* whatever a file says, between the two samples */
		r->last_ns = GS_MAX(GS_MIN(was, now), GS_MIN(GS_MAX(was, now),
		    gs_difference(now, gs_sum(a[0], a[1]))));
}

struct span row_text(const struct world *w, const struct row *r,
	unsigned col)
{
	if (!cells_has(r->now, col))
		return span_of("", 0);
	return world_text(w, r->now.val[col]);
}

struct span world_text(const struct world *w, uint64_t id)
{
	return texts_get(w->texts, (uint32_t)id);
}

const struct row *host_row(const struct host *h)
{
	const struct table *tab = &h->table[ENTITY_HOST];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			return tab->slot[i];
	}
	return NULL;
}
