/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/page_pack.h"

#define uthash_malloc(n) gs_malloc(n)
#include <uthash.h>

/* A row in all its steps.  Its bytes: per step the number of steps since the
 * one before, then a value per column: page_pack.h. */
struct entity {
	UT_hash_handle hh;
	struct buf rows;
	size_t n_rows, last_step;
	unsigned best; /* position in the order of a step; 0: never high */
	bool chosen;
	bool folded; /* it is in the sum of the others, and what follows too */
	struct col_state {
		double total; /* of a column that ranks: sum or highest */
		int64_t last; /* of the last row that had it */
		unsigned char mark; /* bits of MARK_... */
	} *col; /* NULL: folded */
	char key[];
};

enum { MARK_ESTIMATE = 1, MARK_AT_LEAST = 2 };

/* The highest rows of a step. */
struct top {
	size_t n;
	double value[PAGE_TOP];
	struct entity *of[PAGE_TOP];
};

/* The sum of rows that were not chosen, per step and column. */
struct sum {
	double v;
	bool known;
	unsigned char mark;
};

struct page_store {
	const struct page_store_col *col;
	size_t n_col, max_values;
	struct entity *by_key;
	size_t step, n_step;
	struct top top[PAGE_COLS_MAX];
	struct sum *rest; /* n_step times n_col */
	size_t rest_cap;
	size_t n_rest; /* most rows that the table itself cut off in a step */
	size_t n_chosen, n_others;
	size_t n_gone; /* of the others; forgotten */
	size_t bytes; /* of all entities' rows */
	unsigned depth; /* so many of each step's highest are chosen */
	unsigned limit; /* highest depth: of the others some were folded */
	bool known[PAGE_COLS_MAX]; /* some value of the column was put */
	size_t put_bytes;
};

/* What a row costs besides its values, in values. */
#define PAGE_ROW_COST 48

/* Bytes of the rows that wait for the choice. */
#define STORE_BYTES_MAX ((size_t)12 << 20)

struct page_store *page_store_new(const struct page_store_col *col,
	size_t n_col, size_t max_values)
{
	struct page_store *s = gs_calloc(1, sizeof(*s));

	s->col = col;
	s->n_col = n_col;
	s->max_values = max_values;
	s->limit = PAGE_TOP;
	return s;
}

/* Of a row that is not folded, besides its steps; about. */
static size_t fixed_bytes(const struct page_store *s)
{
	return sizeof(struct entity) + s->n_col * sizeof(struct col_state) + 96;
}

static void drop_rows(struct page_store *s, struct entity *e)
{
	s->bytes -= e->rows.cap + fixed_bytes(s);
	buf_release(&e->rows);
	free(e->col);
	e->col = NULL;
}

void page_store_free(struct page_store *s)
{
	struct entity *e, *next;

	if (!s)
		return;
	for (e = s->by_key; e; e = next) {
		next = e->hh.next;
		HASH_DEL(s->by_key, e);
		if (!e->folded)
			drop_rows(s, e);
		free(e);
	}
	free(s->rest);
	free(s);
}

/* ---- steps ------------------------------------------------------------- */

void page_store_begin(struct page_store *s, size_t step)
{
	size_t i, was = s->n_step * s->n_col;

	s->step = step;
	s->n_step = step + 1;
	GS_GROW(s->rest, &s->rest_cap, s->n_step * s->n_col);
	memset(s->rest + was, 0,
	    (s->n_step * s->n_col - was) * sizeof(*s->rest));
	for (i = 0; i < s->n_col; i++)
		s->top[i].n = 0;
}

static struct entity *entity_of(struct page_store *s, const void *key,
	size_t len)
{
	struct entity *e;

	HASH_FIND(hh, s->by_key, key, len, e);
	if (e)
		return e;
	e = gs_calloc(1, sizeof(*e) + len);
	memcpy(e->key, key, len);
	e->col = gs_calloc(s->n_col, sizeof(*e->col));
	HASH_ADD(hh, s->by_key, key[0], len, e);
	s->bytes += fixed_bytes(s);
	return e;
}

static void note_top(struct top *t, struct entity *e, double value)
{
	size_t i;

	if (value <= 0 || (t->n == PAGE_TOP && value <= t->value[PAGE_TOP - 1]))
		return;
	i = t->n < PAGE_TOP ? t->n++ : PAGE_TOP - 1;
	for (; i > 0 && t->value[i - 1] < value; i--) {
		t->value[i] = t->value[i - 1];
		t->of[i] = t->of[i - 1];
	}
	t->value[i] = value;
	t->of[i] = e;
}

static void rank(struct page_store *s, struct entity *e, size_t col, double v)
{
	if (s->col[col].peaks)
		e->col[col].total = GS_MAX(e->col[col].total, v);
	else
		e->col[col].total += v;
	note_top(&s->top[col], e, v);
}

static unsigned char mark_bits(char mark)
{
	return mark == '~' ? MARK_ESTIMATE : mark == '>' ? MARK_AT_LEAST : 0;
}

static void add_sum(struct page_store *s, size_t step, size_t col, double v,
	unsigned char mark)
{
	struct sum *to = &s->rest[step * s->n_col + col];

	to->v += v;
	to->known = true;
	to->mark |= mark;
}

static void add_rest(struct page_store *s, const struct page_value v[])
{
	size_t i;

	for (i = 0; i < s->n_col; i++) {
		if (v[i].known && s->col[i].adds && !s->col[i].text)
			add_sum(s, s->step, i, (double)v[i].v,
			    mark_bits(v[i].mark));
	}
}

void page_store_row(struct page_store *s, const void *key, size_t key_len,
	const struct page_value v[])
{
	struct entity *e = entity_of(s, key, key_len);
	size_t i, cap = e->rows.cap;

	/* two rows of one key in a step: the first one */
	if (e->n_rows > 0 && e->last_step == s->step)
		return;
	if (e->folded) {
		e->last_step = s->step;
		add_rest(s, v);
		return;
	}
	buf_add_varint(&e->rows, s->step - e->last_step);
	e->last_step = s->step;
	e->n_rows++;
	for (i = 0; i < s->n_col; i++) {
		page_pack_value(&e->rows, v[i].known, v[i].v,
		    &e->col[i].last);
		e->col[i].mark |= mark_bits(v[i].mark);
		if (s->col[i].ranks && v[i].known)
			rank(s, e, i, (double)v[i].v);
	}
	s->bytes += e->rows.cap - cap;
}

void page_store_rest(struct page_store *s, size_t n,
	const struct page_value v[])
{
	s->n_rest = GS_MAX(s->n_rest, n);
	add_rest(s, v);
}

/* ---- the choice -------------------------------------------------------- */

static void choose_top(struct page_store *s, size_t col)
{
	struct top top = { .n = 0 };
	struct entity *e;
	size_t i;

	for (e = s->by_key; e; e = e->hh.next) {
		if (!e->folded)
			note_top(&top, e, e->col[col].total);
	}
	for (i = 0; i < top.n; i++)
		top.of[i]->chosen = true;
}

static void choose_tops(struct page_store *s)
{
	size_t i;

	for (i = 0; i < s->n_col; i++) {
		if (s->col[i].ranks)
			choose_top(s, i);
	}
}

/* ---- room -------------------------------------------------------------- */

static void fold(struct page_store *s, struct entity *e)
{
	struct page_unpack u = { e->rows.ptr, e->rows.len, 0 };
	int64_t last[PAGE_COLS_MAX] = { 0 };
	size_t k, i, step = 0;

	for (k = 0; k < e->n_rows; k++) {
		step += page_unpack_number(&u);
		for (i = 0; i < s->n_col; i++) {
			if (page_unpack_value(&u, &last[i]) &&
			    s->col[i].adds && !s->col[i].text)
				add_sum(s, step, i, (double)last[i],
				    e->col[i].mark);
		}
	}
	drop_rows(s, e);
	e->folded = true;
}

/* Worst first: a step's highest are better than what was never high. */
static int by_best(const void *a, const void *b)
{
	const struct entity *x = *(struct entity *const *)a;
	const struct entity *y = *(struct entity *const *)b;
	unsigned p = x->best ? x->best : PAGE_TOP + 1;
	unsigned q = y->best ? y->best : PAGE_TOP + 1;

	return p < q ? 1 : p > q ? -1
	    : x->last_step < y->last_step ? -1 : x->last_step > y->last_step;
}

/* What is folded and was not seen for two steps has ended. */
static void forget_gone(struct page_store *s)
{
	struct entity *e, *next;

	for (e = s->by_key; e; e = next) {
		next = e->hh.next;
		if (!e->folded || e->last_step + 2 >= s->step)
			continue;
		HASH_DEL(s->by_key, e);
		free(e);
		s->n_gone++;
	}
}

/* Folds those that will hardly be chosen, until half of the room is free. */
static void make_room(struct page_store *s)
{
	struct entity **all = gs_calloc(HASH_COUNT(s->by_key) + 1,
	    sizeof(struct entity *));
	struct entity *e;
	size_t n = 0, i;

	choose_tops(s);
	for (e = s->by_key; e; e = e->hh.next) {
		if (!e->chosen && !e->folded)
			all[n++] = e;
		e->chosen = false;
	}
	qsort(all, n, sizeof(struct entity *), by_best);
	for (i = 0; i < n && s->bytes > STORE_BYTES_MAX / 2; i++) {
		if (all[i]->best > 0)
			s->limit = GS_MIN(s->limit, all[i]->best - 1);
		fold(s, all[i]);
	}
	free(all);
	forget_gone(s);
}

void page_store_end(struct page_store *s)
{
	size_t i, k;

	for (i = 0; i < s->n_col; i++) {
		for (k = 0; k < s->top[i].n; k++) {
			struct entity *e = s->top[i].of[k];

			if (e->best == 0 || k + 1 < e->best)
				e->best = (unsigned)k + 1;
		}
	}
	if (s->max_values > 0 && s->bytes > STORE_BYTES_MAX)
		make_room(s);
}

/* ---- the choice, at the end ------------------------------------------- */

static void choose_all(struct page_store *s)
{
	struct entity *e;

	for (e = s->by_key; e; e = e->hh.next)
		e->chosen = !e->folded;
	s->depth = s->limit;
}

/* Of a row: its values, and its texts, which are its own in long tables. */
static size_t cost_of(const struct page_store *s, const struct entity *e)
{
	return e->n_rows * s->n_col + PAGE_ROW_COST;
}

/* The highest of each step, as many as there is room for. */
static void choose_steps(struct page_store *s)
{
	size_t cost[PAGE_TOP + 1] = { 0 }, used = 0;
	struct entity *e;

	for (e = s->by_key; e; e = e->hh.next) {
		if (e->folded)
			continue;
		cost[e->chosen ? 0 : e->best] +=
		    e->chosen || e->best ? cost_of(s, e) : 0;
	}
	used = cost[0];
	while (s->depth < s->limit &&
	    used + cost[s->depth + 1] <= s->max_values)
		used += cost[++s->depth];
	for (e = s->by_key; e; e = e->hh.next)
		e->chosen |= !e->folded && e->best > 0 &&
		    e->best <= s->depth;
}

/* For all rows. */
static bool has_room(const struct page_store *s)
{
	const struct entity *e;
	size_t n = 0;

	for (e = s->by_key; e; e = e->hh.next)
		n += cost_of(s, e);
	return n <= s->max_values;
}

void page_store_choose(struct page_store *s)
{
	struct entity *e;

	if (s->max_values == 0 || has_room(s)) {
		choose_all(s);
	} else {
		choose_tops(s);
		choose_steps(s);
	}
	s->n_others = s->n_rest + s->n_gone;
	for (e = s->by_key; e; e = e->hh.next) {
		s->n_chosen += e->chosen;
		s->n_others += !e->chosen;
		if (!e->chosen && !e->folded)
			fold(s, e);
	}
}

size_t page_store_rows(const struct page_store *s)
{
	return s->n_chosen;
}

size_t page_store_others(const struct page_store *s)
{
	return s->n_others;
}

size_t page_store_depth(const struct page_store *s)
{
	return s->depth;
}

/* ---- the page ---------------------------------------------------------- */

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

static void sheet_of(const struct page_store *s, const struct entity *e,
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

static void put_entity(struct page_store *s, const struct entity *e,
	struct sheet *t, struct page_texts *texts, struct buf *to)
{
	unsigned char mark[PAGE_COLS_MAX];
	size_t i;

	for (i = 0; i < s->n_col; i++)
		mark[i] = e->col[i].mark;
	sheet_of(s, e, t);
	put_sheet(s, t, texts, mark, to);
}

void page_store_put(struct page_store *s, struct page_texts *texts,
	struct buf *to)
{
	struct sheet t = { 0 };
	struct entity *e;
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
