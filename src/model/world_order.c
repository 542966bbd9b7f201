/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_order.c - rows in the order of their identity, then of their other cells,
 * which is the same in each world that has the same rows.
 */
#include "model/world_int.h"

#include <stdlib.h>

#include "base/mem.h"

static int compare_texts(struct span a, struct span b)
{
	size_t n = span_len(a) < span_len(b) ? span_len(a) : span_len(b);
	int d = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;

	return d ? d : (span_len(a) > span_len(b)) -
	    (span_len(a) < span_len(b));
}

static int compare_cells(const struct world *w, const struct row *a,
	const struct row *b, unsigned col)
{
	uint64_t x = a->now.val[col], y = b->now.val[col];
	bool has = cells_has(a->now, col), other = cells_has(b->now, col);

	if (has != other)
		return has ? 1 : -1;
	if (x == y)
		return 0;
	if (metric_is_text(metric_get(a->entity, col)))
		return compare_texts(row_text(w, a, col), row_text(w, b, col));
	return x > y ? 1 : -1;
}

static int compare_rows(const void *pa, const void *pb, void *world)
{
	const struct row *a = *(struct row *const *)pa;
	const struct row *b = *(struct row *const *)pb;
	const struct entity *en = entity_get(a->entity);
	unsigned i;
	int d = 0;

	for (i = 0; d == 0 && i < en->ncols; i++) {
		if (en->metrics[i].flags & F_ID)
			d = compare_cells(world, a, b, i);
	}
	for (i = 0; d == 0 && i < en->ncols; i++)
		d = compare_cells(world, a, b, i);
	return d;
}

/* Two rows that are equal in all cells: which is which does not matter, but of
 * processes and threads it is known since when they are there. */
static bool has_twins(const struct world *w, struct row *const *row, size_t n)
{
	size_t i;

	if (n < 2 || !entity_get(row[0]->entity)->has_birth)
		return false;
	for (i = 1; i < n; i++) {
		if (compare_rows(&row[i - 1], &row[i],
		    (void *)(uintptr_t)w) == 0)
			return true;
	}
	return false;
}

bool world_by_identity(const struct world *w, const struct table *t,
	struct row ***ret, size_t *ret_n)
{
	struct row **row = gs_calloc(t->n_live + 1, sizeof(*row));
	size_t i, n = 0;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			row[n++] = t->slot[i];
	}
	if (n > 1)
		qsort_r(row, n, sizeof(*row), compare_rows, (void *)(uintptr_t)w);
	*ret = row;
	*ret_n = n;
	if (!has_twins(w, row, n))
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
