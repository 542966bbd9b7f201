/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick_encoder_base.c - the rows that were encoded last (the base), and their
 * differences to the rows of the source.
 */
#include "model/tick_encoder_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/packed.h"

/* Cells of all hosts that are not packed. */
#define AWAKE_BYTES_MAX ((size_t)6 << 20)

/* ---- texts ----------------------------------------------------------- */

static void drop_texts(struct tick_encoder *m, enum entity_id e, struct cells c)
{
	const struct entity *en = entity_get(e);
	uint64_t id;
	unsigned k;

	for (k = 0; k < en->n_text; k++) {
		if (cells_get(c, en->text_col[k], &id))
			texts_unref(m->texts, (uint32_t)id);
	}
}

static void hide(enum entity_id e, const uint64_t hidden[], struct cells c)
{
	size_t w, words = COL_WORDS(entity_get(e)->ncols);

	for (w = 0; w < words; w++) {
		uint64_t bits = c.present[w] & hidden[w];

		for (; bits; bits &= bits - 1)
			cells_unset(c, (unsigned)(w * 64) + gs_ctz64(bits));
	}
}

static bool has_bit(const uint64_t bits[], unsigned col)
{
	return bits[col / 64] >> (col % 64) & 1;
}

static bool hides(const struct tick_encoder *m, enum entity_id e, unsigned col)
{
	return has_bit(m->hidden[e], col);
}

/* Of this row alone; NULL: none. */
static const uint64_t *hidden_of(const struct tick_encoder *m,
	const struct row *r)
{
	return m->hide ? m->hide(m->hide_arg, r) : NULL;
}

/* The source's cells with texts of the encoder's pool, each referenced. */
static void adopt_cells(struct tick_encoder *m, const struct world *src,
	const struct row *r, struct cells to)
{
	const struct entity *en = entity_get(r->entity);
	const uint64_t *hidden = hidden_of(m, r);
	unsigned k;

	row_cells(r, to);
	hide(r->entity, m->hidden[r->entity], to);
	if (hidden)
		hide(r->entity, hidden, to);
	for (k = 0; k < en->n_text; k++) {
		unsigned col = en->text_col[k];
		struct span s;

		if (!cells_has(to, col))
			continue;
		s = world_text(src, to.val[col]);
		if (m->change &&
		    !m->change(m->change_arg, r, col, s, &s)) {
			cells_unset(to, col);
			continue;
		}
		to.val[col] = texts_intern(m->texts, s.ptr, span_len(s),
		    NULL);
	}
}

/* ---- closed rows ---------------------------------------------------- */

static int by_serial(const void *pa, const void *pb)
{
	const struct closing *a = pa, *b = pb;

	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

/* Lists the closed rows of one entity, in place of the previous list. */
static void list_closings(struct closings *c, const struct world *w,
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

/* 0: it did not close. */
static enum row_close closing_why(const struct closings *c, uint32_t serial)
{
	struct closing key = { .serial = serial };
	const struct closing *found = NULL;

	if (c->n > 0)
		found = bsearch(&key, c->at, c->n, sizeof(key), by_serial);
	return found ? found->why : (enum row_close)0;
}

/* ---- one entity ------------------------------------------------------ */

static uint32_t *texts_of(const struct base *b, enum entity_id e, size_t i)
{
	return b->text ? b->text + i * entity_get(e)->n_text : NULL;
}

/* The last encoded cells of row i; valid until the next call. */
static struct cells base_cells(struct tick_encoder *m, const struct base *b,
	enum entity_id e, size_t i)
{
	const struct entity *en = entity_get(e);
	const uint32_t *text = texts_of(b, e, i);
	struct cells c = cells_over(e, m->before);
	unsigned k;

	if (b->row[i].is_awake)
		return cells_over(e, b->row[i].awake);
	packed_get(e, b->row[i].packed, c);
	hide(e, m->hidden[e], c);
	for (k = 0; k < en->n_text; k++) {
		if (cells_has(c, en->text_col[k]))
			c.val[en->text_col[k]] = text[k];
	}
	return c;
}

/* Rows of these change at each tick. */
static bool may_be_awake(const struct tick_encoder *m, enum entity_id e)
{
	return (e == ENTITY_HOST || e == ENTITY_CPU || e == ENTITY_DISK ||
	    e == ENTITY_NET) && m->awake_bytes < AWAKE_BYTES_MAX;
}

static size_t cells_bytes(enum entity_id e)
{
	return cells_words(e) * sizeof(uint64_t);
}

/* False: they are to be packed. */
static bool keep_awake(struct tick_encoder *m, enum entity_id e,
	struct base_row *s, struct cells now)
{
	if (!s->is_awake && !may_be_awake(m, e))
		return false;
	if (!s->is_awake) {
		packed_drop(s->packed);
		s->awake = gs_malloc(cells_bytes(e));
		s->is_awake = true;
		m->awake_bytes += cells_bytes(e);
	}
	cells_copy(e, cells_over(e, s->awake), now);
	return true;
}

/* Cells that the source has packed are kept as they are; not if they differ from
 * these in more than hidden columns and ids of texts. */
static void keep_cells(struct tick_encoder *m, struct base *b,
	const struct row *r, size_t i, struct cells now, bool as_source)
{
	const struct entity *en = entity_get(r->entity);
	uint32_t *text = texts_of(b, r->entity, i);
	struct base_row *s = &b->row[i];
	struct packed *p;
	unsigned k;

	for (k = 0; k < en->n_text; k++)
		text[k] = (uint32_t)now.val[en->text_col[k]];
	if (keep_awake(m, r->entity, s, now))
		return;
	p = as_source ? row_packed(r) : NULL;
	if (p) {
		packed_drop(s->packed);
		s->packed = p;
	} else {
		packed_keep(r->entity, now, &s->packed);
	}
}

void encoder_drop_cells(struct tick_encoder *m, enum entity_id e,
	struct base_row *s)
{
	if (s->is_awake) {
		m->awake_bytes -= cells_bytes(e);
		free(s->awake);
	} else {
		packed_drop(s->packed);
	}
	s->packed = NULL;
	s->is_awake = false;
}

void encoder_forget_row(struct tick_encoder *m, struct base *b,
	enum entity_id e, size_t i)
{
	drop_texts(m, e, base_cells(m, b, e, i));
	encoder_drop_cells(m, e, &b->row[i]);
}

void encoder_close_row(struct tick_encoder *m, struct base *b, struct delta *d,
	size_t i, enum row_close why)
{
	delta_close_slot(d, b->row[i].slot, why);
	encoder_forget_row(m, b, d->entity, i);
}

static void close_gone(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by)
{
	const struct table *tab = &by->table[d->entity];
	bool listed = false;
	enum row_close why;
	size_t i;

	for (i = 0; i < b->n_row; i++) {
		struct base_row *s = &b->row[i];

		if (!s->packed)
			continue;
		if (i < tab->n_slot && tab->slot[i] &&
		    tab->slot[i]->serial == s->serial)
			continue;
		if (!listed)
			list_closings(&m->closings, by->world, d->entity);
		listed = true;
		/* if the source still knows why */
		why = closing_why(&m->closings, s->serial);
		encoder_close_row(m, b, d, i, why ? why : by->gone);
	}
}

/* A key is due long before slots need all bits: numbers_run_out(). */
static void give_slot(struct base *b, struct base_row *s)
{
	s->slot = b->next_slot++ & ((1u << BASE_SLOT_BITS) - 1);
}

static struct base_row *base_row_at(struct base *b, enum entity_id e,
	size_t slot)
{
	GS_GROW(b->row, &b->row_cap, slot + 1);
	GS_GROW(b->text, &b->text_cap, (slot + 1) * entity_get(e)->n_text);
	while (b->n_row <= slot)
		b->row[b->n_row++] = (struct base_row) { 0 };
	return &b->row[slot];
}

/* How a row opens that was not encoded yet. */
static enum row_open how_opened(const struct tick_encoder *m,
	const struct encoder_source *by, const struct row *r)
{
	if (r->first_tick > by->since)
		return r->opened;
	return m->tick.key ? OPEN_CONTINUED : OPEN_APPEARED;
}

/* Cells of these columns stay as they were encoded; not texts. */
static void put_off(enum entity_id e, struct cells now, struct cells was,
	const uint64_t *later)
{
	size_t w, words = COL_WORDS(entity_get(e)->ncols);

	for (w = 0; w < words; w++) {
		uint64_t bits = later[w] & now.present[w] & was.present[w];

		for (; bits; bits &= bits - 1) {
			size_t col = w * 64 + gs_ctz64(bits);

			now.val[col] = was.val[col];
		}
	}
}

static void put_off_birth(enum entity_id e, const struct encoder_source *by,
	const struct row *r, struct cells now)
{
	const uint64_t *later = by->rows && by->rows->begins_at_0
	    ? by->rows->begins_at_0(by->rows->ctx, r) : NULL;
	size_t w, words = later ? COL_WORDS(entity_get(e)->ncols) : 0;

	for (w = 0; w < words; w++) {
		uint64_t bits = later[w] & now.present[w];

		for (; bits; bits &= bits - 1)
			now.val[w * 64 + gs_ctz64(bits)] = 0;
	}
}

/* Adds the changes of the row in slot i; in a key only updates the base.  later:
 * as in encoder_rows.is_due(). */
static void encode_row(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by, size_t i, const uint64_t *later)
{
	const struct row *r = by->table[d->entity].slot[i];
	enum entity_id e = d->entity;
	struct base_row *s = base_row_at(b, e, i);
	struct cells now = cells_over(e, m->scratch);
	struct cells none = { NULL, NULL };
	struct cells was = s->packed ? base_cells(m, b, e, i) : none;

	adopt_cells(m, by->world, r, now);
	if (later && was.val)
		put_off(e, now, was, later);
	if (!s->packed) {
		put_off_birth(e, by, r, now);
		s->serial = r->serial;
		give_slot(b, s);
		s->fresh = how_opened(m, by, r);
		if (!m->tick.key)
			delta_open_slot(d, s->slot, (enum row_open)s->fresh);
	}
	if (!m->tick.key)
		(void)delta_row(d, s->slot, was, now);
	if (was.val)
		drop_texts(m, e, was);
	keep_cells(m, b, r, i, now, !m->change && !m->hide && !by->rows);
}

/* Sums of the row since it was last encoded. */
static const struct tick_sum *sums_of(const struct encoder_source *by,
	const struct row *r, size_t *ret_n)
{
	const struct left_out *l = row_left_out(r);

	*ret_n = 0;
	if (!by->rows)
		return NULL;
	if (by->rows->sums)
		return by->rows->sums(by->rows->ctx, r, ret_n);
	if (!l || l->tick <= by->since)
		return NULL;
	*ret_n = l->n_sum;
	return l->sum;
}

/* What the row was seen to wait for since it was last encoded. */
static const struct row_waited *waited_of(const struct encoder_source *by,
	const struct row *r, size_t *ret_n)
{
	const struct left_out *l = row_left_out(r);

	*ret_n = 0;
	if (by->rows->waited)
		return by->rows->waited(by->rows->ctx, r, ret_n);
	if (!l || l->tick <= by->since)
		return NULL;
	*ret_n = l->n_waited;
	return l->waited;
}

/* Texts of queries are left out and changed as those of their column, which
 * processes do not have. */
static uint32_t send_query(struct tick_encoder *m, const struct row *r,
	const char *text)
{
	unsigned col = COL(BACKEND, QUERY);
	struct span s = span_str(text);
	char *changed;
	uint32_t id;

	if (!text[0] || hides(m, ENTITY_BACKEND, col) || (m->change &&
	    (r->entity != ENTITY_BACKEND ||
	    !m->change(m->change_arg, r, col, s, &s))))
		return 0;
	changed = gs_strndup(s.ptr, span_len(s));
	id = encoder_send_text(m, changed);
	free(changed);
	return id;
}

static void encode_waited(struct tick_encoder *m, struct delta *d,
	const struct encoder_source *by, const struct row *r, uint32_t slot)
{
	size_t i, n;
	const struct row_waited *w = waited_of(by, r, &n);

	for (i = 0; i < n; i++) {
		struct tick_waited t = { .slot = slot, .kind = w[i].kind,
			.has_query_id = w[i].has_query_id,
			.query_id = w[i].query_id };

		t.event = encoder_send_text(m, w[i].event);
		t.query = send_query(m, r, w[i].query);
		memcpy(t.amount, w[i].amount, sizeof(t.amount));
		delta_add_waited(d, &t);
	}
}

/* True if the row closed without further changes. */
static bool closed_unchanged(struct tick_encoder *m, const struct base *b,
	const struct encoder_source *by, size_t i, const struct row *r)
{
	struct cells now = cells_over(r->entity, m->scratch);
	struct cells was;
	size_t n;

	(void)sums_of(by, r, &n);
	if (n == 0 && by->rows)
		(void)waited_of(by, r, &n);
	if (n > 0 || i >= b->n_row || !b->row[i].packed)
		return false;
	was = base_cells(m, b, r->entity, i);
	adopt_cells(m, by->world, r, now);
	n = memcmp(was.present, now.present, cells_words(r->entity) *
	    sizeof(*was.present)) == 0;
	drop_texts(m, r->entity, now);
	return n > 0;
}

void encoder_sums(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by)
{
	const struct table *tab = &by->table[d->entity];
	size_t i, k, n;

	for (i = 0; i < tab->n_slot && i < b->n_row; i++) {
		const struct row *r = tab->slot[i];
		const struct tick_sum *sum;
		const uint64_t *hidden;

		if (!r || !b->row[i].packed)
			continue;
		encode_waited(m, d, by, r, b->row[i].slot);
		if (r->touched_tick <= by->since)
			continue;
		sum = sums_of(by, r, &n);
		hidden = n > 0 ? hidden_of(m, r) : NULL;
		for (k = 0; k < n; k++) {
			unsigned col = sum[k].col;

			if (!hides(m, d->entity, col) && !(hidden &&
			    has_bit(hidden, col)))
				delta_add_sum(d, b->row[i].slot, sum[k]);
		}
		if (r->closed) {
			delta_end_slot(d, b->row[i].slot, r->closed);
			encoder_forget_row(m, b, d->entity, i);
		}
	}
	delta_sort_sums(d);
}

static bool is_due(const struct encoder_source *by, const struct row *r,
	const uint64_t **ret_later)
{
	return by->rows && by->rows->is_due
	    ? by->rows->is_due(by->rows->ctx, r, ret_later)
	    : r->touched_tick > by->since;
}

void encoder_rows_of(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by)
{
	const struct table *tab = &by->table[d->entity];
	size_t i;

	close_gone(m, b, d, by);
	for (i = 0; i < tab->n_slot; i++) {
		const struct row *r = tab->slot[i];

		const uint64_t *later = NULL;

		if (!r || (i < b->n_row && b->row[i].packed &&
		    !is_due(by, r, &later)))
			continue;
		if (r->closed && closed_unchanged(m, b, by, i, r))
			encoder_close_row(m, b, d, i, r->closed);
		else
			encode_row(m, b, d, by, i, later);
	}
}

/* ---- all rows ---------------------------------------------------------- */

static int by_kind(const void *pa, const void *pb)
{
	const struct sorted *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Processes of one program are like each other: cells of such rows one after the
 * other take less room when they are compressed. */
static uint64_t kind_of(struct tick_encoder *m, const struct base *b,
	enum entity_id e, size_t i)
{
	uint64_t text = 0;

	if (e == ENTITY_PROCESS)
		(void)cells_get(base_cells(m, b, e, i),
		    COL(PROCESS, COMM), &text);
	return text;
}

void encoder_all_rows(struct tick_encoder *m, struct base *b, struct delta *d)
{
	struct cells none = { NULL, NULL };
	size_t i, n = 0;

	b->next_slot = 0;
	for (i = 0; i < b->n_row; i++) {
		struct base_row *s = &b->row[i];

		if (!s->packed)
			continue;
		give_slot(b, s);
		delta_open_slot(d, s->slot, (enum row_open)s->fresh);
		GS_GROW(m->sorted, &m->sorted_cap, n + 1);
		m->sorted[n++] = (struct sorted) {
			kind_of(m, b, d->entity, i), (uint32_t)i };
	}
	if (n > 1)
		qsort(m->sorted, n, sizeof(*m->sorted), by_kind);
	for (i = 0; i < n; i++) {
		uint32_t at = m->sorted[i].row;

		(void)delta_row(d, b->row[at].slot, none,
		    base_cells(m, b, d->entity, at));
	}
}
