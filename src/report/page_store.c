/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_store_int.h"

#include <stdlib.h>
#include <string.h>

#include "report/page_pack.h"

/* What a row costs besides its values, in values. */
#define PAGE_ROW_COST 48

/* Bytes of the rows that wait for the choice. */
#define STORE_BYTES_MAX ((size_t)12 << 20)

struct page_store *page_store_new(const struct page_store_col *col,
	size_t n_col, size_t max_values)
{
	struct page_store *s = gs_calloc(1, sizeof(*s));
	size_t i;

	s->col = col;
	s->n_col = n_col;
	s->max_values = max_values;
	s->limit = PAGE_TOP;
	for (i = 0; i < n_col; i++) {
		s->nth_rank[i] = s->n_rank;
		s->n_rank += col[i].ranks;
	}
	return s;
}

/* Of a row that is not folded, besides its steps; about.  Which rows are folded, and
 * so the page, depends on it. */
static size_t fixed_bytes(const struct page_store *s)
{
	return 208 + s->n_col * 24;
}

static size_t column_bytes(const struct page_store *s)
{
	const struct page_row *e;

	return s->n_col * (sizeof(*e->last) + sizeof(*e->mark)) +
	    s->n_rank * sizeof(*e->total);
}

static void make_columns(const struct page_store *s, struct page_row *e)
{
	e->last = gs_calloc(1, column_bytes(s));
	e->total = (double *)(e->last + s->n_col);
	e->mark = (unsigned char *)(e->total + s->n_rank);
}

static void drop_rows(struct page_store *s, struct page_row *e)
{
	s->bytes -= e->rows.cap + fixed_bytes(s);
	buf_release(&e->rows);
	free(e->last);
	e->last = NULL;
}

void page_store_free(struct page_store *s)
{
	struct page_row *e, *next;

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
		s->top[i].n = s->ended[i].n = 0;
}

struct page_row *page_store_row(struct page_store *s, const void *key,
	size_t len)
{
	struct page_row *e;

	HASH_FIND(hh, s->by_key, key, len, e);
	if (e)
		return e;
	e = gs_calloc(1, sizeof(*e) + len);
	memcpy(e->key, key, len);
	make_columns(s, e);
	HASH_ADD(hh, s->by_key, key[0], len, e);
	s->bytes += fixed_bytes(s);
	s->cost += PAGE_ROW_COST;
	return e;
}

bool page_row_is_folded(const struct page_row *e)
{
	return e->folded;
}

int64_t page_row_last(const struct page_row *e, size_t col)
{
	return e->last[col];
}

bool page_store_has(const struct page_store *s, size_t step)
{
	return step <= s->step && s->step - step <= 1;
}

void page_store_fetch(const struct page_store *s, struct page_row *const row[],
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		gs_fetch(row[i], sizeof(*row[i]));
	for (i = 0; i < n; i++) {
		if (row[i]->folded)
			continue;
		gs_fetch(row[i]->last, column_bytes(s));
		gs_fetch(row[i]->rows.ptr + row[i]->rows.len, GS_LINE);
	}
}

static void note_top(struct top *t, struct page_row *e, double value)
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

static void rank(struct page_store *s, struct page_row *e, size_t col, double v)
{
	double *total = &e->total[s->nth_rank[col]];

	if (s->col[col].peaks)
		*total = GS_MAX(*total, v);
	else
		*total += v;
	note_top(&s->top[col], e, v);
}

static unsigned char mark_bits(const struct page_value *v)
{
	switch (v->mark) {
	case '~':
		return MARK_ESTIMATE;
	case '>':
		return v->of_part ? MARK_OF_PART : MARK_AT_LEAST;
	case '?':
		return MARK_UNREAD;
	default:
		return 0;
	}
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
		if (v[i].known && !v[i].ended && s->col[i].adds && !s->col[i].text)
			add_sum(s, s->step, i, (double)v[i].v,
			    mark_bits(&v[i]));
	}
}

void page_store_add(struct page_store *s, struct page_row *e,
	const struct page_value v[])
{
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
	s->cost += s->n_col;
	e->ended = 0;
	for (i = 0; i < s->n_col; i++) {
		e->ended |= (uint32_t)v[i].ended << i;
		page_pack_value(&e->rows, v[i].known, v[i].v,
		    &e->last[i]);
		e->mark[i] |= mark_bits(&v[i]);
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

/* ---- rows that become high -------------------------------------------- */

static bool is_high(const struct page_store *s, const struct page_value v[])
{
	size_t i;

	for (i = 0; i < s->n_col; i++) {
		if (s->col[i].ranks && v[i].known &&
		    (double)v[i].v > s->low[i])
			return true;
	}
	return false;
}

void page_store_rise(struct page_store *s, struct page_row *e,
	const struct page_value v[])
{
	size_t i;

	if (!e->folded || !is_high(s, v))
		return;
	e->folded = false;
	e->n_rows = e->last_step = 0;
	make_columns(s, e);
	s->bytes += fixed_bytes(s);
	for (i = 0; i < s->n_col; i++) {
		if (!s->col[i].text && !s->col[i].peaks)
			e->mark[i] = MARK_AT_LEAST;
	}
}

/* ---- rows that have ended ---------------------------------------------- */

bool page_store_is_full(const struct page_store *s)
{
	return s->max_values > 0 && s->cost > s->max_values;
}

void page_store_note(struct page_store *s, size_t col, struct page_value v)
{
	if (v.known)
		note_top(&s->ended[col], NULL, (double)v.v);
}

/* So many others have no less in this step, and so in the range. */
static bool is_low(const struct top *t, struct page_value v)
{
	return !v.known || v.v <= 0 || (t->n == PAGE_TOP &&
	    (double)v.v < t->value[PAGE_TOP - 1]);
}

bool page_store_may_choose(const struct page_store *s,
	const struct page_value v[])
{
	size_t i;

	for (i = 0; i < s->n_col; i++) {
		if (s->col[i].ranks && !is_low(&s->ended[i], v[i]))
			return true;
	}
	return false;
}

void page_store_drop(struct page_store *s, const struct page_value v[])
{
	add_rest(s, v);
	s->n_gone++;
}

/* ---- the choice -------------------------------------------------------- */

static void choose_top(struct page_store *s, size_t col)
{
	struct top top = { .n = 0 };
	struct page_row *e;
	size_t i;

	for (e = s->by_key; e; e = e->hh.next) {
		if (!e->folded)
			note_top(&top, e, e->total[s->nth_rank[col]]);
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

/* A value of a row's k-th step is in the sums of others. */
static bool is_summed(const struct page_store *s, const struct page_row *e, size_t k,
	size_t col)
{
	return s->col[col].adds && !s->col[col].text &&
	    !(k + 1 == e->n_rows && e->ended >> col & 1);
}

static void fold(struct page_store *s, struct page_row *e)
{
	struct page_unpack u = { e->rows.ptr, e->rows.len, 0 };
	int64_t last[PAGE_COLS_MAX] = { 0 };
	size_t k, i, step = 0;

	for (k = 0; k < e->n_rows; k++) {
		step += page_unpack_number(&u);
		for (i = 0; i < s->n_col; i++) {
			if (page_unpack_value(&u, &last[i]) &&
			    is_summed(s, e, k, i))
				add_sum(s, step, i, (double)last[i],
				    e->mark[i]);
		}
	}
	drop_rows(s, e);
	e->folded = true;
}

/* Worst first: a step's highest are better than what was never high. */
static int by_best(const void *a, const void *b)
{
	const struct page_row *x = *(struct page_row *const *)a;
	const struct page_row *y = *(struct page_row *const *)b;
	unsigned p = x->best ? x->best : PAGE_TOP + 1;
	unsigned q = y->best ? y->best : PAGE_TOP + 1;

	return p < q ? 1 : p > q ? -1
	    : x->last_step < y->last_step ? -1 : x->last_step > y->last_step;
}

/* What is folded and was not seen for two steps has ended. */
static void forget_gone(struct page_store *s)
{
	struct page_row *e, *next;

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
	struct page_row **all = gs_calloc(HASH_COUNT(s->by_key) + 1,
	    sizeof(struct page_row *));
	struct page_row *e;
	size_t n = 0, i;

	choose_tops(s);
	for (e = s->by_key; e; e = e->hh.next) {
		if (!e->chosen && !e->folded)
			all[n++] = e;
		e->chosen = false;
	}
	qsort(all, n, sizeof(struct page_row *), by_best);
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
		s->low[i] = s->top[i].n == PAGE_TOP
		    ? s->top[i].value[PAGE_TOP - 1] : 0;
		for (k = 0; k < s->top[i].n; k++) {
			struct page_row *e = s->top[i].of[k];

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
	struct page_row *e;

	for (e = s->by_key; e; e = e->hh.next)
		e->chosen = !e->folded;
	s->depth = s->limit;
}

/* Of a row: its values, and its texts, which are its own in long tables. */
static size_t cost_of(const struct page_store *s, const struct page_row *e)
{
	return e->n_rows * s->n_col + PAGE_ROW_COST;
}

/* The highest of each step, as many as there is room for. */
static void choose_steps(struct page_store *s)
{
	size_t cost[PAGE_TOP + 1] = { 0 }, used = 0;
	struct page_row *e;

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

void page_store_choose(struct page_store *s)
{
	struct page_row *e;

	if (page_store_is_full(s)) {
		choose_tops(s);
		choose_steps(s);
	} else {
		choose_all(s);
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
