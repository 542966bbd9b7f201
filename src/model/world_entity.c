/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_entity.c - applies a delta of one entity of one host: slots closed,
 * slots opened, cells changed.
 */
#include "model/world_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

static void set_text(struct world *w, struct row *r, unsigned col,
	uint32_t own)
{
	texts_ref(w->texts, own);
	if (cells_has(r->now, col))
		texts_unref(w->texts, (uint32_t)r->now.val[col]);
	cells_set(r->now, col, own);
}

static int bad_slot(struct gs_err *err, const struct delta *d, uint32_t slot,
	const char *what)
{
	return gs_fail(err, GS_E_FORMAT, "%s: slot %" PRIu32 " %s",
	    entity_get(d->entity)->name, slot, what);
}

static int table_reach(struct world *w, struct table *t, uint32_t slot,
	struct gs_err *err)
{
	if (slot >= t->cap) {
		size_t want = (size_t)slot + 1 + slot / 4;

		if (w->n_slots - t->cap + slot >= SLOTS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "more than %zu slots", SLOTS_MAX);
		if (!world_charge(w, (want - t->cap) * sizeof(*t->slot)))
			return budget_fail(w->budget, err, "slots of rows");
		w->n_slots += want - t->cap;
		t->slot = gs_realloc(t->slot, want * sizeof(*t->slot));
		t->cap = want;
	}
	while (t->n_slot <= slot)
		t->slot[t->n_slot++] = NULL;
	return GS_OK;
}

static struct row *table_row(const struct table *t, uint32_t slot)
{
	return slot < t->n_slot ? t->slot[slot] : NULL;
}

/* If reading starts at a key, the slots that it closes were never open:
 * lenient skips slots that are not open. */
int world_close_slots(struct world *w, struct table *tab,
	const struct delta *d, bool lenient, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < d->n_closed; i++) {
		struct row *r = table_row(tab, d->closed[i].slot);

		if (!r && lenient)
			continue;
		if (!r)
			return bad_slot(err, d, d->closed[i].slot,
			    "closed but is not open");
		tab->slot[d->closed[i].slot] = NULL;
		tab->n_live--;
		world_row_closed(w, r, (enum row_close)d->closed[i].why);
	}
	return GS_OK;
}

int world_open_slots(struct world *w, struct host *h, struct table *tab,
	const struct delta *d, bool key, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < d->n_opened; i++) {
		uint32_t slot = d->opened[i].slot;
		struct row *r;
		int reached;

		if (table_row(tab, slot))
			return bad_slot(err, d, slot, "opened but is open");
		if (w->n_rows >= ROWS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "more than %u rows", ROWS_MAX);
		reached = table_reach(w, tab, slot, err);
		if (reached < 0)
			return reached;
		if (!world_charge(w, world_row_bytes(w, d->entity)))
			return budget_fail(w->budget, err, "rows");
		r = world_row_new(w, h, d->entity);
		r->slot = slot;
		r->opened = (enum row_open)d->opened[i].why;
		tab->slot[slot] = r;
		tab->n_live++;
		if (!key)
			world_row_opened(w, r, r->opened);
	}
	return GS_OK;
}

static int text_of(const struct world *w, uint64_t id, uint32_t *ret,
	struct gs_err *err)
{
	if (id == 0)
		*ret = 0;
	else if (id < w->map_len && w->map[id])
		*ret = w->map[id];
	else
		return gs_fail(err, GS_E_FORMAT,
		    "text %" PRIu64 " was never sent", id);
	return GS_OK;
}

static int change_texts(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	uint32_t own = 0;
	size_t i;
	int r;

	for (i = 0; i < c->n; i++) {
		struct row *row = table_row(tab, c->slot[i]);

		if (!row)
			return bad_slot(err, d, c->slot[i], "is not open");
		r = text_of(w, c->diff[i], &own, err);
		if (r < 0)
			return r;
		if (!key)
			world_touch(w, row);
		set_text(w, row, col, own);
	}
	return GS_OK;
}

static int change_numbers(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	size_t i;

	for (i = 0; i < c->n; i++) {
		struct row *row = table_row(tab, c->slot[i]);

		if (!row)
			return bad_slot(err, d, c->slot[i], "is not open");
		if (!key)
			world_touch(w, row);
		cells_set(row->now, col, row->now.val[col] + c->diff[i]);
	}
	return GS_OK;
}

static int remove_cells(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	bool text = metric_is_text(metric_get(d->entity, col));
	size_t i;

	for (i = 0; i < c->n_gone; i++) {
		struct row *row = table_row(tab, c->gone[i]);

		if (!row)
			return bad_slot(err, d, c->gone[i], "is not open");
		if (!key)
			world_touch(w, row);
		if (text && cells_has(row->now, col))
			texts_unref(w->texts, (uint32_t)row->now.val[col]);
		cells_unset(row->now, col);
	}
	return GS_OK;
}

int world_change_columns(struct world *w, const struct table *tab,
	const struct delta *d, bool key, struct gs_err *err)
{
	size_t word;
	int r = GS_OK;

	for (word = 0; word < COL_WORDS_MAX; word++) {
		uint64_t bits = d->used[word];

		for (; r == GS_OK && bits; bits &= bits - 1) {
			unsigned col = (unsigned)(word * 64) +
			    gs_ctz64(bits);

			if (metric_is_text(metric_get(d->entity, col)))
				r = change_texts(w, tab, d, col, key, err);
			else
				r = change_numbers(w, tab, d, col, key, err);
			if (r == GS_OK)
				r = remove_cells(w, tab, d, col, key, err);
		}
	}
	return r;
}

/* Sums of some rows stay in bounds. */
#define SUM_MAX (UINT64_C(1) << 62)

/* False if the sum already exists. */
static bool add_sum(const struct world *w, struct row *r,
	const struct tick_sum *s)
{
	struct left_out *l = world_left_out(w, r);
	uint64_t was;

	if (row_sum(r, s->col, (enum sum_of)s->of, &was))
		return false;
	GS_GROW(l->sum, &l->sum_cap, (size_t)l->n_sum + 1);
	l->sum[l->n_sum] = *s;
	l->sum[l->n_sum++].slot = 0;
	return true;
}

static char *copy_text(const struct world *w, uint32_t id)
{
	struct span s = texts_get(w->texts, id);

	return gs_strndup(s.ptr, span_len(s));
}

static size_t texts_len(const struct world *w, uint32_t id)
{
	return span_len(texts_get(w->texts, id));
}

/* A thousand sessions that wait for a day are 2^56 ns; nothing is a thousand times that. */
#define WAITED_MAX (INT64_C(1) << 60)

/* More than a year of one row: sums of many rows stay in bounds. */
#define WAITED_OF_ROW_MAX (INT64_C(1) << 55)

/* Those of samples' times are clocks, which may have been set by decades. */
static bool is_in_bounds(const struct tick_waited *t)
{
	size_t i;

	if (t->kind == WAITED_END || t->kind == WAITED_BEGIN ||
	    t->kind > WAITED_LAST)
		return true;
	for (i = 0; i < WAITED_AMOUNTS; i++) {
		if (t->amount[i] > WAITED_MAX || t->amount[i] < -WAITED_MAX)
			return false;
	}
	return true;
}

/* Its array grows by half; each text is an allocation. */
#define WAITED_EXTRA (sizeof(struct row_waited) * 3 / 2 + 2 * 32)

static int add_waited(struct world *w, struct row *r,
	const struct tick_waited *t, struct gs_err *err)
{
	uint32_t event = 0, query = 0;
	size_t bytes;
	struct left_out *l;
	struct row_waited *to;
	int s = text_of(w, t->event, &event, err);

	if (s == GS_OK)
		s = text_of(w, t->query, &query, err);
	if (s < 0)
		return s;
	l = world_left_out(w, r);
	bytes = WAITED_EXTRA + texts_len(w, event) + texts_len(w, query);
	if (!budget_take(l->budget, bytes))
		return budget_fail(w->budget, err, "waits of rows");
	l->charged += bytes;
	GS_GROW(l->waited, &l->waited_cap, (size_t)l->n_waited + 1);
	to = &l->waited[l->n_waited++];
	*to = (struct row_waited) { .kind = t->kind,
		.event = copy_text(w, event), .query = copy_text(w, query),
		.has_query_id = t->has_query_id, .query_id = t->query_id };
	memcpy(to->amount, t->amount, sizeof(to->amount));
	if (t->kind >= WAITED_END)
		return GS_OK;
	/* of waits: a time and a number of samples, whatever the kind */
	to->amount[0] = GS_MIN(GS_MAX(to->amount[0], 0), WAITED_OF_ROW_MAX);
	to->amount[1] = GS_MIN(GS_MAX(to->amount[1], 0), WAITED_OF_ROW_MAX);
	return GS_OK;
}

static int apply_waited(struct world *w, const struct table *tab,
	const struct delta *d, struct gs_err *err)
{
	size_t i;
	int s = GS_OK;

	for (i = 0; s == GS_OK && i < d->n_waited; i++) {
		struct row *r = table_row(tab, d->waited[i].slot);

		if (!r)
			return bad_slot(err, d, d->waited[i].slot,
			    "is not open");
		if (!is_in_bounds(&d->waited[i]))
			return bad_slot(err, d, d->waited[i].slot,
			    "has an amount that is out of bounds");
		world_touch(w, r);
		s = add_waited(w, r, &d->waited[i], err);
	}
	return s;
}

int world_sum_up(struct world *w, struct table *tab, const struct delta *d,
	struct gs_err *err)
{
	size_t i;
	int s = apply_waited(w, tab, d, err);

	if (s < 0)
		return s;

	for (i = 0; i < d->n_sum; i++) {
		struct row *r = table_row(tab, d->sum[i].slot);

		if (!r)
			return bad_slot(err, d, d->sum[i].slot, "is not open");
		world_touch(w, r);
		if (d->sum[i].amount > SUM_MAX)
			return bad_slot(err, d, d->sum[i].slot,
			    "has a sum that is out of bounds");
		if (!add_sum(w, r, &d->sum[i]))
			return bad_slot(err, d, d->sum[i].slot,
			    "has two sums of one kind");
	}
	for (i = 0; i < d->n_ended; i++) {
		struct row *r = table_row(tab, d->ended[i].slot);

		if (!r)
			return bad_slot(err, d, d->ended[i].slot,
			    "ended but is not open");
		tab->slot[d->ended[i].slot] = NULL;
		tab->n_live--;
		world_row_ended(w, r, (enum row_close)d->ended[i].why);
	}
	return GS_OK;
}

int world_apply_delta(struct world *w, struct host *h,
	const struct delta *d, struct gs_err *err)
{
	struct table *tab = &h->table[d->entity];
	/* a reboot has closed all rows already */
	int r = world_close_slots(w, tab, d, h->rebooted, err);

	if (r == GS_OK)
		r = world_open_slots(w, h, tab, d, false, err);
	if (r == GS_OK)
		r = world_change_columns(w, tab, d, false, err);
	if (r == GS_OK)
		r = world_sum_up(w, tab, d, err);
	return r;
}
