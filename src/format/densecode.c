/* SPDX-License-Identifier: Apache-2.0 */
/*
 * densecode.c - columns of the same rows, put together and taken apart.
 *
 * Most columns of a tick have few values: of the only row of a host, or of the
 * processes that ran.  So a message and a list of rows for each of them takes more
 * bytes than the values.  Texts, sums, and columns that lose a cell stay alone.
 */
#include "format/blockcode.h"

#include <string.h>

#define TAKE(a, n, type) ((type *)pbarena_must_alloc((a), (n) * sizeof(type)))

/* A column has the rows of another one, with zeros where it did not change, if these
 * are at most so many times as many: zeros next to each other take less room than
 * a list of rows. */
#define PADDED_MAX 4

/* Columns of the same rows. */
struct set {
	unsigned first; /* column: its rows are those of the set */
	bool padded; /* others may have fewer rows */
	bool fixed; /* it may not be padded, nor pad another */
};

struct sets {
	const struct delta *d;
	struct set set[COLS_MAX];
	unsigned n;
	unsigned set_of[COLS_MAX]; /* of a column; COLS_MAX: none */
};

static const struct delta_col *rows_of(const struct sets *s, unsigned set)
{
	return &s->d->col[s->set[set].first];
}

/* Rows that just opened have totals, which are like those of the row before; what
 * a row grew by is not. */
static bool has_totals(const struct delta *d, const struct delta_col *c)
{
	return c->n > 1 && c->n <= d->n_opened;
}

/* A 0 of its own makes an absent cell 0. */
static bool is_fixed(const struct delta *d, const struct delta_col *c)
{
	size_t i;

	if (has_totals(d, c))
		return true;
	for (i = 0; i < c->n; i++) {
		if (c->diff[i] == 0)
			return true;
	}
	return false;
}

static void add_column(struct sets *s, unsigned col)
{
	const struct delta_col *c = &s->d->col[col];
	bool fixed = is_fixed(s->d, c);
	unsigned i;

	for (i = 0; i < s->n; i++) {
		const struct delta_col *r = rows_of(s, i);

		if (s->set[i].fixed == fixed && r->n == c->n &&
		    memcmp(r->slot, c->slot, c->n * sizeof(*c->slot)) == 0)
			break;
	}
	if (i == s->n)
		s->set[s->n++] = (struct set) { .first = col, .fixed = fixed };
	s->set_of[col] = i;
}

/* Both lists are in the order in which the rows were visited. */
static bool contains(const struct delta_col *all, const struct delta_col *some)
{
	size_t i, n = 0;

	for (i = 0; n < some->n && all->n - i >= some->n - n; i++)
		n += all->slot[i] == some->slot[n];
	return n == some->n;
}

/* The smallest set that has all rows of this one, and more; s->n: none. */
static unsigned find_larger(const struct sets *s, unsigned set)
{
	const struct delta_col *c = rows_of(s, set);
	unsigned best = s->n, i;

	for (i = 0; i < s->n; i++) {
		const struct delta_col *r = rows_of(s, i);

		if (!s->set[i].fixed && r->n > c->n &&
		    r->n / PADDED_MAX <= c->n &&
		    (best == s->n || r->n < rows_of(s, best)->n) &&
		    contains(r, c))
			best = i;
	}
	return best;
}

static void join_sets(struct sets *s)
{
	unsigned i, col, to;

	for (i = 0; i < s->n; i++) {
		to = s->set[i].fixed ? s->n : find_larger(s, i);
		if (to == s->n)
			continue;
		s->set[i].fixed = true; /* it is empty */
		s->set[to].padded = true;
		for (col = 0; col < COLS_MAX; col++) {
			if (s->set_of[col] == i)
				s->set_of[col] = to;
		}
	}
}

/* The rows of r are those of c and more, unless they are the same. */
static void put_values(const struct delta_col *c, const struct delta_col *r,
	bool running, int64_t *to)
{
	uint64_t last = 0;
	size_t i, n = 0;

	for (i = 0; i < r->n; i++) {
		bool has = n < c->n && c->slot[n] == r->slot[i];
		uint64_t v = has ? c->diff[n++] : 0;

		to[i] = (int64_t)(v - last);
		last = running ? v : 0;
	}
}

static void put_column(const struct sets *s, unsigned col,
	const struct delta_col *rows, uint32_t *last, Gpsnap__V1__Columns *m)
{
	uint32_t id = metric_get(s->d->entity, col)->id;

	put_values(&s->d->col[col], rows, m->running, &m->diff[m->n_diff]);
	m->n_diff += rows->n;
	m->metric_gap[m->n_metric_gap++] = (int32_t)(id - *last);
	*last = id;
}

static Gpsnap__V1__Columns *pack_set(struct pbarena *a, const struct sets *s,
	unsigned set)
{
	Gpsnap__V1__Columns *m = TAKE(a, 1, Gpsnap__V1__Columns);
	const struct delta_col *rows = rows_of(s, set);
	unsigned col, n = 0;
	uint32_t last = 0;

	gpsnap__v1__columns__init(m);
	if (rows->n > 1 || rows->slot[0] != 0) {
		m->row_gap = TAKE(a, rows->n, int32_t);
		m->n_row_gap = rows->n;
		blockcode_gaps(rows->slot, rows->n, 1, m->row_gap);
	}
	m->running = has_totals(s->d, rows);
	m->padded = s->set[set].padded;
	for (col = 0; col < COLS_MAX; col++)
		n += s->set_of[col] == set;
	m->metric_gap = TAKE(a, n, int32_t);
	m->diff = TAKE(a, n * rows->n, int64_t);
	for (col = 0; n > 0 && col < COLS_MAX; col++) {
		if (s->set_of[col] == set)
			put_column(s, col, rows, &last, m);
	}
	return m;
}

static bool is_dense(const struct delta *d, unsigned col)
{
	return d->col[col].n > 0 && d->col[col].n_gone == 0 &&
	    !metric_is_text(&entity_get(d->entity)->metrics[col]);
}

void densecode_pack(struct pbarena *a, const struct delta *d, uint64_t *left,
	Gpsnap__V1__EntityDelta *to)
{
	struct sets s = { .d = d };
	unsigned i;

	for (i = 0; i < COLS_MAX; i++) {
		s.set_of[i] = COLS_MAX;
		if (left[i / 64] >> (i % 64) & 1 && is_dense(d, i)) {
			left[i / 64] &= ~(UINT64_C(1) << (i % 64));
			add_column(&s, i);
		}
	}
	join_sets(&s);
	to->columns = TAKE(a, s.n, Gpsnap__V1__Columns *);
	for (i = 0; i < s.n; i++) {
		Gpsnap__V1__Columns *m = pack_set(a, &s, i);

		if (m->n_metric_gap > 0)
			to->columns[to->n_columns++] = m;
	}
}

/* ---- taken apart ------------------------------------------------------- */

bool densecode_rows(size_t n_metric, size_t n_row, size_t n_diff,
	size_t *ret_n)
{
	size_t n = n_row > 0 ? n_row : 1;

	*ret_n = n;
	return n_metric > 0 && n_diff % n == 0 && n_diff / n == n_metric;
}

size_t densecode_column(const uint64_t *diff, bool running, bool padded,
	const uint32_t *slot, size_t n, uint32_t *to_slot, uint64_t *to_diff)
{
	uint64_t value = 0;
	size_t k, ret = 0;

	for (k = 0; k < n; k++) {
		value = diff[k] + (running ? value : 0);
		if (padded && value == 0)
			continue;
		to_slot[ret] = slot[k];
		to_diff[ret++] = value;
	}
	return ret;
}

/* The columns of an entity that are taken apart. */
struct apart {
	struct pbarena *a;
	Gpsnap__V1__Column **to;
	const uint32_t *before; /* rows of the last one */
	size_t n_before;
};

/* No row_gap: those of the column before. */
static bool name_rows(struct apart *p, const uint32_t *rows, size_t n,
	Gpsnap__V1__Column *c)
{
	if (n == p->n_before &&
	    memcmp(rows, p->before, n * sizeof(*rows)) == 0)
		return true;
	c->row_gap = pbarena_alloc(p->a, n * sizeof(*c->row_gap));
	if (!c->row_gap)
		return false;
	blockcode_gaps(rows, n, 1, c->row_gap);
	c->n_row_gap = n;
	p->before = rows;
	p->n_before = n;
	return true;
}

static bool take_apart(struct apart *p, const Gpsnap__V1__Columns *m, size_t i,
	uint32_t id, const uint32_t *slot, size_t n)
{
	Gpsnap__V1__Column *c = pbarena_alloc(p->a, sizeof(*c));
	uint32_t *rows = pbarena_alloc(p->a, n * sizeof(*rows));
	uint64_t *diff = pbarena_alloc(p->a, n * sizeof(*diff));

	if (!c || !rows || !diff)
		return false;
	gpsnap__v1__column__init(c);
	c->metric = id;
	/* they may alias */
	c->n_diff = densecode_column((const uint64_t *)(const void *)
	    &m->diff[i * n], m->running, m->padded, slot, n, rows, diff);
	c->diff = (int64_t *)(void *)diff;
	*p->to++ = c;
	return c->n_diff == 0 || name_rows(p, rows, c->n_diff, c);
}

/* False: no memory, or the values do not fit. */
static bool spread(struct apart *p, const Gpsnap__V1__Columns *m)
{
	uint32_t *slot, id = 0;
	size_t n, i;

	if (!densecode_rows(m->n_metric_gap, m->n_row_gap, m->n_diff, &n))
		return false;
	slot = pbarena_alloc(p->a, n * sizeof(*slot));
	if (!slot)
		return false;
	slot[0] = 0;
	for (i = 0; i < m->n_row_gap; i++)
		slot[i] = (i > 0 ? slot[i - 1] : 0) + (uint32_t)m->row_gap[i];
	for (i = 0; i < m->n_metric_gap; i++) {
		id += (uint32_t)m->metric_gap[i];
		if (!take_apart(p, m, i, id, slot, n))
			return false;
	}
	return true;
}

static bool spread_entity(struct pbarena *a, Gpsnap__V1__EntityDelta *d)
{
	struct apart p = { .a = a };
	size_t n = d->n_column, i;
	Gpsnap__V1__Column **all;

	for (i = 0; i < d->n_columns; i++)
		n += d->columns[i]->n_metric_gap;
	p.to = all = pbarena_alloc(a, n * sizeof(*all));
	if (!all)
		return false;
	for (i = 0; i < d->n_columns; i++) {
		if (!spread(&p, d->columns[i]))
			return false;
	}
	for (i = 0; i < d->n_column; i++)
		*p.to++ = d->column[i];
	d->column = all;
	d->n_column = n;
	d->n_columns = 0;
	return true;
}

int densecode_spread(struct pbarena *a, Gpsnap__V1__Tick *t,
	struct gs_err *err)
{
	size_t h, e;

	for (h = 0; h < t->n_host; h++) {
		for (e = 0; e < t->host[h]->n_entity; e++) {
			Gpsnap__V1__EntityDelta *d = t->host[h]->entity[e];

			if (d->n_columns > 0 && !spread_entity(a, d))
				return pbarena_fail(a, d->n_columns,
				    "columns of the same rows", err);
		}
	}
	if (t->header)
		t->header->incompatible &= ~FEATURE_DENSE;
	return GS_OK;
}
