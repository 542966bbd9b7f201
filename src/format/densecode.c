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

#include "base/bytes.h"
#include "format/fields.h"
#include "format/varint.h"

#define TAKE(a, n, type) ((type *)pbarena_must_alloc((a), (n) * sizeof(type)))

/* A column has the rows of another one, with zeros where it did not change, if these
 * are at most so many times as many: zeros next to each other take less room than
 * a list of rows. */
#define PADDED_MAX 4

/* Columns of the same rows. */
struct set {
	uint64_t col[COL_WORDS_MAX]; /* a bit each */
	unsigned n; /* of them */
	unsigned first; /* column: its rows are those of the set */
	bool padded; /* others may have fewer rows */
	bool fixed; /* it may not be padded, nor pad another */
};

struct sets {
	const struct delta *d;
	struct set set[COLS_MAX];
	unsigned n;
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
	s->set[i].col[col / 64] |= UINT64_C(1) << (col % 64);
	s->set[i].n++;
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

static void move_columns(struct set *from, struct set *to)
{
	size_t w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		to->col[w] |= from->col[w];
	to->n += from->n;
	to->padded = true;
	from->n = 0;
	from->fixed = true;
}

static void join_sets(struct sets *s)
{
	unsigned i, to;

	for (i = 0; i < s->n; i++) {
		to = s->set[i].fixed ? s->n : find_larger(s, i);
		if (to < s->n)
			move_columns(&s->set[i], &s->set[to]);
	}
}

/* ---- a message Columns, as bytes ---------------------------------------- */

/* For each field's tag and length, and for the numbers after the lists. */
#define FIELD_ROOM 6
#define VARINT_MAX 10
#define MESSAGE_ROOM (VARINT_MAX + 3 * FIELD_ROOM + 4)

/* Columns of more values are measured before room is taken for them. */
#define VALUES_MANY ((size_t)1 << 16)

/* Packed values from at + FIELD_ROOM to end are a field there; returns its end. */
static unsigned char *close_field(unsigned char *at, unsigned number,
	const unsigned char *end)
{
	size_t len = (size_t)(end - at) - FIELD_ROOM;
	unsigned char *to;

	if (len == 0)
		return at;
	*at = (unsigned char)(number << 3 | WIRE_BYTES);
	to = at + 1;
	to += gs_put_varint(to, len);
	memmove(to, at + FIELD_ROOM, len);
	return to + len;
}

static inline unsigned char *put(unsigned char *to, int64_t v)
{
	return to + gs_put_varint(to, gs_zigzag(v));
}

static unsigned char *put_metrics(const struct sets *s, const struct set *is,
	unsigned char *at)
{
	unsigned char *to = at + FIELD_ROOM;
	uint32_t last = 0;
	size_t w;

	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = is->col[w];

		for (; bits; bits &= bits - 1) {
			unsigned col = (unsigned)(w * 64) + gs_ctz64(bits);
			uint32_t id = metric_get(s->d->entity, col)->id;

			to = put(to, (int32_t)(id - last));
			last = id;
		}
	}
	return close_field(at, 1, to);
}

static unsigned char *put_rows(const struct delta_col *r, unsigned char *at)
{
	unsigned char *to = at + FIELD_ROOM;
	uint32_t last = 0;
	size_t i;

	for (i = 0; i < r->n && (r->n > 1 || r->slot[0] != 0); i++) {
		to = put(to, (int32_t)(r->slot[i] - last));
		last = r->slot[i];
	}
	return close_field(at, 2, to);
}

/* The rows of r are those of c and more, unless they are the same. */
static unsigned char *put_column(const struct delta_col *c,
	const struct delta_col *r, bool running, unsigned char *to)
{
	uint64_t last = 0;
	size_t i, n = 0;

	for (i = 0; i < r->n; i++) {
		bool has = n < c->n && c->slot[n] == r->slot[i];
		uint64_t v = has ? c->diff[n++] : 0;

		to = put(to, (int64_t)(v - last));
		last = running ? v : 0;
	}
	return to;
}

/* Returns the bytes of all.  only_count: each is put in the place of the one before. */
static size_t put_columns(const struct sets *s, const struct set *is,
	const struct delta_col *rows, bool running, unsigned char *to,
	bool only_count)
{
	size_t w, n = 0;

	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = is->col[w];

		for (; bits; bits &= bits - 1) {
			unsigned char *at = only_count ? to : to + n;

			n += (size_t)(put_column(&s->d->col[w * 64 +
			    gs_ctz64(bits)], rows, running, at) - at);
		}
	}
	return n;
}

/* Bytes that the values may take: of many, as in keys of very many rows, those that
 * they do take, which is a fifth of it. */
static size_t values_room(struct pbarena *a, const struct sets *s,
	const struct set *is, const struct delta_col *rows, bool running)
{
	if (is->n * rows->n <= VALUES_MANY)
		return is->n * rows->n * VARINT_MAX;
	return put_columns(s, is, rows, running,
	    TAKE(a, rows->n * VARINT_MAX, unsigned char), true);
}

static unsigned char *put_flag(unsigned char *to, unsigned number, bool on)
{
	if (!on)
		return to;
	*to++ = (unsigned char)(number << 3 | WIRE_VARINT);
	*to++ = 1;
	return to;
}

static ProtobufCMessageUnknownField pack_set(struct pbarena *a,
	const struct sets *s, const struct set *is)
{
	const struct delta_col *rows = &s->d->col[is->first];
	bool running = has_totals(s->d, rows);
	unsigned char *room = TAKE(a, MESSAGE_ROOM + (is->n + rows->n) * 5 +
	    values_room(a, s, is, rows, running), unsigned char);
	unsigned char *body = room + VARINT_MAX, *to, *values;
	size_t len;

	to = put_metrics(s, is, body);
	to = put_rows(rows, to);
	values = to + FIELD_ROOM;
	to = close_field(to, 3, values +
	    put_columns(s, is, rows, running, values, false));
	to = put_flag(to, 4, running);
	to = put_flag(to, 5, is->padded);
	len = (size_t)(to - body);
	body -= varint_len(len);
	(void)gs_put_varint(body, len);
	return (ProtobufCMessageUnknownField) { .tag = FIELD_DELTA_COLUMNS,
		.wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
		.len = (size_t)(to - body), .data = body };
}

static bool is_dense(const struct delta *d, unsigned col)
{
	return d->col[col].n > 0 && d->col[col].n_gone == 0 &&
	    !metric_is_text(&entity_get(d->entity)->metrics[col]);
}

/* Takes out of left those that can be put together. */
static void find_sets(struct sets *s, const struct delta *d, uint64_t *left)
{
	size_t w;

	s->d = d;
	s->n = 0;
	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = left[w];

		for (; bits; bits &= bits - 1) {
			unsigned col = (unsigned)(w * 64) + gs_ctz64(bits);

			if (!is_dense(d, col))
				continue;
			left[w] &= ~(UINT64_C(1) << (col % 64));
			add_column(s, col);
		}
	}
	join_sets(s);
}

void densecode_pack(struct pbarena *a, const struct delta *d, uint64_t *left,
	Gpsnap__V1__EntityDelta *to)
{
	ProtobufCMessage *m = &to->base;
	struct sets s;
	unsigned i;

	find_sets(&s, d, left);
	m->unknown_fields = TAKE(a, s.n, ProtobufCMessageUnknownField);
	for (i = 0; i < s.n; i++) {
		if (s.set[i].n > 0)
			m->unknown_fields[m->n_unknown_fields++] = pack_set(a,
			    &s, &s.set[i]);
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
