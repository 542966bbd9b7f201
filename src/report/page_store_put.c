/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_store_put.c - the chosen rows as numbers of the page, column by column.
 */
#include "report/page_store_int.h"

#include <math.h>
#include <stdlib.h>

#include "report/page_pack.h"

/* All values of a row, column by column. */
struct sheet {
	size_t n_rows, cap;
	size_t *step;
	bool *known;
	int64_t *v;
};

static void sheet_make(struct sheet *t, size_t n_rows, size_t n_col)
{
	t->n_rows = n_rows;
	if (n_rows <= t->cap)
		return;
	t->cap = n_rows;
	t->step = gs_realloc(t->step, n_rows * sizeof(*t->step));
	t->known = gs_realloc(t->known, n_rows * n_col * sizeof(*t->known));
	t->v = gs_realloc(t->v, n_rows * n_col * sizeof(*t->v));
}

static void sheet_of(const struct page_store *s, const struct page_row *e,
	struct sheet *t)
{
	struct page_unpack u = { e->rows.ptr, e->rows.len, 0 };
	int64_t last[PAGE_COLS_MAX] = { 0 };
	size_t k, i, step = 0;

	sheet_make(t, e->n_rows, s->n_col);
	for (k = 0; k < e->n_rows; k++) {
		step += page_unpack_number(&u);
		t->step[k] = step;
		for (i = 0; i < s->n_col; i++) {
			t->known[i * e->n_rows + k] =
			    page_unpack_value(&u, &last[i]);
			t->v[i * e->n_rows + k] = last[i];
		}
	}
}

static void sheet_of_others(const struct page_store *s, struct sheet *t)
{
	size_t k, i;

	sheet_make(t, s->n_step, s->n_col);
	for (k = 0; k < s->n_step; k++) {
		t->step[k] = k;
		for (i = 0; i < s->n_col; i++) {
			const struct sum *x = &s->rest[k * s->n_col + i];

			t->known[i * s->n_step + k] = x->known;
			t->v[i * s->n_step + k] = llround(x->v);
		}
	}
}

static void put_sheet(struct page_store *s, const struct sheet *t,
	struct page_texts *texts, const unsigned char *mark, struct buf *to)
{
	size_t k, i, was = 0;

	buf_add_varint(to, t->n_rows);
	for (k = 0; k < t->n_rows; k++) {
		buf_add_varint(to, t->step[k] - was);
		was = t->step[k];
	}
	for (i = 0; i < s->n_col; i++) {
		int64_t last = 0;

		for (k = 0; k < t->n_rows; k++) {
			size_t at = i * t->n_rows + k;
			int64_t v = t->v[at];

			s->known[i] |= t->known[at];
			if (t->known[at] && s->col[i].text)
				v = (int64_t)page_text_use(texts, (size_t)v);
			page_pack_value(to, t->known[at], v, &last);
		}
	}
	for (i = 0; i < s->n_col; i++)
		buf_add_varint(to, mark[i]);
}

static void put_others(struct page_store *s, struct sheet *t,
	struct page_texts *texts, struct buf *to)
{
	unsigned char mark[PAGE_COLS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < s->n_step * s->n_col; i++)
		mark[i % s->n_col] |= s->rest[i].mark;
	sheet_of_others(s, t);
	put_sheet(s, t, texts, mark, to);
}

static void put_entity(struct page_store *s, const struct page_row *e,
	struct sheet *t, struct page_texts *texts, struct buf *to)
{
	sheet_of(s, e, t);
	put_sheet(s, t, texts, e->mark, to);
}

void page_store_put(struct page_store *s, struct page_texts *texts,
	struct buf *to)
{
	struct sheet t = { 0 };
	struct page_row *e;
	size_t was = to->len;

	for (e = s->by_key; e; e = e->hh.next) {
		if (e->chosen)
			put_entity(s, e, &t, texts, to);
	}
	if (s->n_others > 0)
		put_others(s, &t, texts, to);
	s->put_bytes = to->len - was;
	free(t.step);
	free(t.known);
	free(t.v);
}

size_t page_store_bytes(const struct page_store *s)
{
	return s->put_bytes;
}

bool page_store_known(const struct page_store *s, size_t col)
{
	return s->known[col];
}
