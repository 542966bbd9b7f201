/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gistwaits.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/besideframe.h"
#include "format/varint.h"

/* As it is read. */
struct named {
	uint32_t kind;
	struct span name;
};

/* Bytes that a wait has at least. */
#define EACH 9u

#define ROW_FIELDS 4

size_t gistwaits_memory(size_t len)
{
	return GS_MIN(len / EACH, GISTWAITS_MAX) * (sizeof(struct tick_wait) +
	    sizeof(struct named) + ROW_FIELDS * sizeof(uint64_t));
}

void gistwaits_reset(struct gistwaits *g)
{
	while (g->n_event > 0)
		free(g->event[--g->n_event].name);
	g->any = false;
	g->from = 0;
	g->n = 0;
	g->relations = 0;
}

void gistwaits_release(struct gistwaits *g)
{
	gistwaits_reset(g);
	free(g->event);
	free(g->wait);
	*g = (struct gistwaits) { .any = false };
}

/* ---- writing ------------------------------------------------------------ */

/* The number of its event. */
static size_t number_of(const struct gistwaits *g, const struct tick_wait *w)
{
	size_t i = 0;

	while (i < g->n_event && (g->event[i].kind != w->kind ||
	    !span_eq(w->event, g->event[i].name)))
		i++;
	return i;
}

void gistwaits_add(struct gistwaits *g, const struct tick_wait *w)
{
	size_t at = number_of(g, w);

	if (at == g->n_event) {
		GS_GROW(g->event, &g->event_cap, at + 1);
		g->event[g->n_event++] = (struct gistwaits_event) { w->kind,
			gs_strndup(w->event.ptr, span_len(w->event)) };
	}
	GS_GROW(g->wait, &g->cap, g->n + 1);
	g->wait[g->n] = *w;
	g->wait[g->n++].event = span_str(g->event[at].name);
}

static void put_events(const struct gistwaits *g, struct buf *to)
{
	size_t i;

	for (i = 0; i < g->n_event; i++) {
		buf_add_varint(to, g->event[i].kind);
		buf_add_varint(to, strlen(g->event[i].name));
		buf_add_str(to, g->event[i].name);
	}
}

/* ---- rows --------------------------------------------------------------- */

static const struct tick_wait none;

static bool same_row(const struct tick_wait *a, const struct tick_wait *b)
{
	return a->tick == b->tick && a->host == b->host && a->slot == b->slot;
}

/* The fields of the row of waits from i on, as they are stored; returns the number of
 * these. */
static size_t row_fields(const struct gistwaits *g, size_t i,
	uint64_t ret[ROW_FIELDS])
{
	const struct tick_wait *w = &g->wait[i];
	const struct tick_wait *before = i > 0 ? w - 1 : &none;
	size_t n = 1;

	while (i + n < g->n && same_row(w, w + n))
		n++;
	ret[0] = w->tick - before->tick;
	ret[1] = w->host;
	ret[2] = gs_zigzag((int64_t)w->slot - (int64_t)before->slot);
	ret[3] = n;
	return n;
}

static size_t count_rows(const struct gistwaits *g)
{
	uint64_t field[ROW_FIELDS];
	size_t i, n = 0;

	for (i = 0; i < g->n; i += row_fields(g, i, field))
		n++;
	return n;
}

static void put_rows(const struct gistwaits *g, struct buf *to)
{
	uint64_t field[ROW_FIELDS];
	size_t i, k, n;

	for (k = 0; k < ROW_FIELDS; k++) {
		for (i = 0; i < g->n; i += n) {
			n = row_fields(g, i, field);
			buf_add_varint(to, field[k]);
		}
	}
}

void gistwaits_put(const struct gistwaits *g, struct buf *to,
	struct breaks *breaks)
{
	size_t i;

	breaks_add(breaks, to->len);
	beside_add_le64(to, g->relations);
	buf_add_varint(to, g->from);
	buf_add_varint(to, g->n);
	buf_add_varint(to, g->n_event);
	buf_add_varint(to, count_rows(g));
	put_events(g, to);
	put_rows(g, to);
	for (i = 0; i < g->n; i++)
		buf_add_varint(to, number_of(g, &g->wait[i]));
	for (i = 0; i < g->n; i++)
		beside_add_le64(to, (uint64_t)g->wait[i].time_ns);
	breaks_add(breaks, to->len);
}

/* ---- reading ------------------------------------------------------------ */

static bool read_event(struct span *s, struct named *ret)
{
	uint64_t kind, len;

	if (!varint_read(s, &kind) || kind > UINT8_MAX ||
	    !varint_read(s, &len) || len > span_len(*s))
		return false;
	*ret = (struct named) { (uint32_t)kind, span_of(s->ptr, (size_t)len) };
	s->ptr += len;
	return true;
}

/* The caller frees them.  NULL: there are not so many. */
static struct named *read_events(struct span *s, size_t n)
{
	struct named *e = gs_calloc(n + 1, sizeof(*e));
	size_t i;

	for (i = 0; i < n; i++) {
		if (!read_event(s, &e[i])) {
			free(e);
			return NULL;
		}
	}
	return e;
}

/* The row after those with the first *n waits, from fields at distances of n_row. */
static bool take_row(struct gistwaits *g, const uint64_t *field, size_t n_row,
	size_t ticks, size_t *n)
{
	const struct tick_wait *before = *n > 0 ? &g->wait[*n - 1] : &none;
	uint64_t count = field[3 * n_row];
	struct tick_wait w = { .tick = before->tick + (uint32_t)field[0],
		.host = (uint32_t)field[n_row], .slot = before->slot +
		(uint32_t)gs_unzigzag(field[2 * n_row]) };

	if (field[0] >= ticks - before->tick || w.tick < g->from ||
	    field[n_row] >= TICK_HOSTS_MAX || w.slot >= TICK_SLOTS_MAX ||
	    count == 0 || count > g->n - *n)
		return false;
	while (count-- > 0)
		g->wait[(*n)++] = w;
	return true;
}

static bool read_rows(struct gistwaits *g, struct span *s, size_t n_row,
	size_t ticks)
{
	uint64_t *field = gs_calloc(n_row * ROW_FIELDS + 1, sizeof(*field));
	size_t i, n = 0;
	bool ok = true;

	for (i = 0; ok && i < n_row * ROW_FIELDS; i++)
		ok = varint_read(s, &field[i]);
	for (i = 0; ok && i < n_row; i++)
		ok = take_row(g, &field[i], n_row, ticks, &n);
	free(field);
	return ok && n == g->n;
}

static bool read_events_of(struct gistwaits *g, struct span *s,
	const struct named *event, size_t n_event)
{
	uint64_t v;
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (!varint_read(s, &v) || v >= n_event)
			return false;
		g->wait[i].kind = event[v].kind;
		g->wait[i].event = event[v].name;
	}
	return true;
}

static bool read_times(struct gistwaits *g, struct span *s)
{
	size_t i;

	if (g->n > span_len(*s) / sizeof(uint64_t))
		return false;
	for (i = 0; i < g->n; i++) {
		g->wait[i].time_ns = (int64_t)gs_get_le64(s->ptr);
		s->ptr += sizeof(uint64_t);
		if (g->wait[i].time_ns < 0)
			return false;
	}
	return true;
}

/* How many there are of each; false: more than the bytes can have. */
static bool read_counts(struct gistwaits *g, struct span *s, size_t ticks,
	uint64_t *ret_events, uint64_t *ret_rows)
{
	uint64_t from, n;

	if (span_len(*s) < sizeof(uint64_t))
		return false;
	g->relations = gs_get_le64(s->ptr);
	s->ptr += sizeof(uint64_t);
	if (!varint_read(s, &from) || from == 0 || from > ticks ||
	    !varint_read(s, &n) || !varint_read(s, ret_events) ||
	    !varint_read(s, ret_rows) || n > span_len(*s) / EACH ||
	    n > GISTWAITS_MAX || *ret_events > n || *ret_rows > n ||
	    *ret_events > GISTWAITS_EVENTS_MAX)
		return false;
	g->from = (uint32_t)from;
	g->n = (size_t)n;
	GS_GROW(g->wait, &g->cap, g->n + 1);
	return true;
}

bool gistwaits_open(struct gistwaits *g, struct span *s, size_t ticks)
{
	struct named *event = NULL;
	uint64_t n_event, n_row;

	gistwaits_reset(g);
	if (read_counts(g, s, ticks, &n_event, &n_row))
		event = read_events(s, (size_t)n_event);
	g->any = event && read_rows(g, s, (size_t)n_row, ticks) &&
	    read_events_of(g, s, event, (size_t)n_event) && read_times(g, s);
	free(event);
	return g->any;
}

/* The first wait of that tick or of a later one. */
static size_t first_at(const struct gistwaits *g, size_t tick)
{
	size_t low = 0, high = g->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->wait[mid].tick < tick)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void gistwaits_give(const struct gistwaits *g, size_t i, struct tick *t)
{
	size_t first = g->any ? first_at(g, i) : 0;

	t->unsampled = g->any && i >= g->from;
	t->n_wait = g->any ? first_at(g, i + 1) - first : 0;
	t->wait = t->n_wait > 0 ? &g->wait[first] : NULL;
}
