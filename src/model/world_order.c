/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_order.c - rows in the order of their identity, then of their other cells,
 * which is the same in each world that has the same rows.
 */
#include "model/world_int.h"

#include <stdlib.h>

#include "base/mem.h"

/* Longer texts are compared with each other once, and not for each two rows: many
 * rows may have a few of very many bytes. */
#define LONG_TEXT 256

struct long_text {
	uint64_t id;
	struct span text;
	size_t rank;
};

struct order {
	const struct world *w;
	struct long_text *text; /* of the rows, by id */
	size_t n, cap;
};

static int compare_texts(struct span a, struct span b)
{
	size_t n = span_len(a) < span_len(b) ? span_len(a) : span_len(b);
	int d = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;

	return d ? d : (span_len(a) > span_len(b)) -
	    (span_len(a) < span_len(b));
}

static int by_text(const void *a, const void *b)
{
	const struct long_text *x = a, *y = b;

	return compare_texts(x->text, y->text);
}

static int by_id(const void *a, const void *b)
{
	const struct long_text *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Each text once. */
static void keep_distinct(struct order *o)
{
	size_t i, n = 0;

	qsort(o->text, o->n, sizeof(*o->text), by_id);
	for (i = 0; i < o->n; i++) {
		if (n == 0 || o->text[n - 1].id != o->text[i].id)
			o->text[n++] = o->text[i];
	}
	o->n = n;
}

static void add_long_texts(struct order *o, const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	size_t i;

	for (i = 0; i < en->n_text; i++) {
		unsigned col = en->text_col[i];
		struct span s = row_text(o->w, r, col);

		if (span_len(s) <= LONG_TEXT)
			continue;
		GS_GROW(o->text, &o->cap, o->n + 1);
		o->text[o->n++] = (struct long_text) {
			r->now.val[col], s, 0 };
	}
}

static void rank_texts(struct order *o, struct row *const *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		add_long_texts(o, row[i]);
	if (o->n == 0)
		return;
	keep_distinct(o);
	qsort(o->text, o->n, sizeof(*o->text), by_text);
	for (i = 1; i < o->n; i++)
		o->text[i].rank = o->text[i - 1].rank +
		    (by_text(&o->text[i - 1], &o->text[i]) != 0);
	qsort(o->text, o->n, sizeof(*o->text), by_id);
}

static const struct long_text *find_long(const struct order *o, uint64_t id)
{
	const struct long_text key = { .id = id };

	return o->n > 0 ? bsearch(&key, o->text, o->n, sizeof(*o->text),
	    by_id) : NULL;
}

static int compare_text_cells(const struct order *o, const struct row *a,
	const struct row *b, unsigned col)
{
	const struct long_text *x = find_long(o, a->now.val[col]);
	const struct long_text *y = find_long(o, b->now.val[col]);

	if (x && y)
		return (x->rank > y->rank) - (x->rank < y->rank);
	return compare_texts(row_text(o->w, a, col), row_text(o->w, b, col));
}

static int compare_cells(const struct order *o, const struct row *a,
	const struct row *b, unsigned col)
{
	uint64_t x = a->now.val[col], y = b->now.val[col];
	bool has = cells_has(a->now, col), other = cells_has(b->now, col);

	if (has != other)
		return has ? 1 : -1;
	if (x == y)
		return 0;
	if (metric_is_text(metric_get(a->entity, col)))
		return compare_text_cells(o, a, b, col);
	return x > y ? 1 : -1;
}

static int compare_rows(const void *pa, const void *pb, void *order)
{
	const struct row *a = *(struct row *const *)pa;
	const struct row *b = *(struct row *const *)pb;
	const struct entity *en = entity_get(a->entity);
	unsigned i;
	int d = 0;

	for (i = 0; d == 0 && i < en->ncols; i++) {
		if (en->metrics[i].flags & F_ID)
			d = compare_cells(order, a, b, i);
	}
	for (i = 0; d == 0 && i < en->ncols; i++)
		d = compare_cells(order, a, b, i);
	return d;
}

/* Two rows that are equal in all cells: which is which does not matter, but of
 * processes and threads it is known since when they are there. */
static bool has_twins(struct order *o, struct row *const *row, size_t n)
{
	size_t i;

	if (n < 2 || !entity_get(row[0]->entity)->has_birth)
		return false;
	for (i = 1; i < n; i++) {
		if (compare_rows(&row[i - 1], &row[i], o) == 0)
			return true;
	}
	return false;
}

bool world_by_identity(const struct world *w, const struct table *t,
	struct row ***ret, size_t *ret_n)
{
	struct row **row = gs_calloc(t->n_live + 1, sizeof(*row));
	struct order o = { .w = w };
	size_t i, n = 0;
	bool ok;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			row[n++] = t->slot[i];
	}
	rank_texts(&o, row, n);
	if (n > 1)
		qsort_r(row, n, sizeof(*row), compare_rows, &o);
	ok = !has_twins(&o, row, n);
	free(o.text);
	*ret = row;
	*ret_n = n;
	if (ok)
		return true;
	free(row);
	*ret = NULL;
	*ret_n = 0;
	return false;
}

static int renumber_table(struct world *w, struct table *t,
	struct gs_err *err)
{
	struct row **row;
	size_t n, i;

	if (!world_by_identity(w, t, &row, &n))
		return gs_fail(err, GS_E_FORMAT,
		    "two rows are the same");
	for (i = 0; i < n; i++) {
		t->slot[i] = row[i];
		row[i]->slot = (uint32_t)i;
	}
	t->n_slot = n;
	free(row);
	world_shrink(w, t);
	return GS_OK;
}

int world_renumber(struct world *w, struct gs_err *err)
{
	size_t i;
	int e, r = GS_OK;

	for (i = 0; r == GS_OK && i < w->n_host; i++) {
		for (e = 0; r == GS_OK && e < ENTITY_COUNT; e++)
			r = renumber_table(w, &w->host[i]->table[e], err);
	}
	w->lost = r < 0;
	return r;
}
