/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groupcode.c - see groupcode.h.
 *
 * A group has its ticks without the values of their columns, and a stream of
 * values for each column.  Keys and deltas have separate streams, since those
 * are totals and these are differences.  A column of a tick has only the
 * number of its values: they are the next ones of its stream.  So who reads a
 * tick has passed over the values of all ticks before it.
 */
#include "format/groupcode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/blockcode.h"
#include "format/groupcode_int.h"
#include "format/varint.h"

int by_stream_name(const void *x, const void *y)
{
	const struct stream_name *a = x, *b = y;

	if (a->entity != b->entity)
		return a->entity < b->entity ? -1 : 1;
	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	return (int)a->key - (int)b->key;
}

size_t find_stream_name(const void *list, size_t n, size_t size,
	const struct stream_name *name, bool *ret_found)
{
	size_t low = 0, high = n;

	*ret_found = false;
	while (low < high && !*ret_found) {
		size_t mid = (low + high) / 2;
		const void *at = (const char *)list + mid * size;
		int c = by_stream_name(at, name);

		*ret_found = c == 0;
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return high;
}

/* Calls fn for each column of a tick, in order. */
typedef int (*packed_column_fn)(void *ctx, const struct stream_name *name,
	Gpsnap__V1__Column *c, struct gs_err *err);

static int each_column(const Gpsnap__V1__Tick *t, packed_column_fn fn, void *ctx,
	struct gs_err *err)
{
	size_t h, e, c;
	int r = GS_OK;

	for (h = 0; h < t->n_host; h++) {
		const Gpsnap__V1__HostBlock *b = t->host[h];

		for (e = 0; e < b->n_entity; e++) {
			const Gpsnap__V1__EntityDelta *d = b->entity[e];

			for (c = 0; r == GS_OK && c < d->n_column; c++) {
				struct stream_name name = { d->entity,
					d->column[c]->metric, t->key };

				r = fn(ctx, &name, d->column[c], err);
			}
		}
	}
	return r;
}

/* A growing array of the numbers of one stream. */
struct numbers {
	void *item;
	size_t n, cap; /* in bytes */
};

struct stream {
	struct stream_name name; /* first: find_stream_name() */
	struct numbers row_gap, diff, text, gone_gap;
};

struct grouper {
	struct pbarena arena;
	struct stream *stream; /* by name */
	size_t n, cap;
	struct buf ticks; /* fields `tick` of Group */
	struct buf packed;
};

struct grouper *grouper_new(void)
{
	struct grouper *g = gs_calloc(1, sizeof(*g));

	pbarena_init(&g->arena);
	return g;
}

void grouper_free(struct grouper *g)
{
	size_t i;

	if (!g)
		return;
	for (i = 0; i < g->n; i++) {
		free(g->stream[i].row_gap.item);
		free(g->stream[i].diff.item);
		free(g->stream[i].text.item);
		free(g->stream[i].gone_gap.item);
	}
	free(g->stream);
	pbarena_release(&g->arena);
	buf_release(&g->ticks);
	buf_release(&g->packed);
	free(g);
}

static struct stream *find_stream(struct grouper *g, const struct stream_name *name)
{
	bool found;
	size_t at = find_stream_name(g->stream, g->n, sizeof(*g->stream), name,
	    &found);

	if (found)
		return &g->stream[at];
	GS_GROW(g->stream, &g->cap, g->n + 1);
	if (at < g->n)
		memmove(&g->stream[at + 1], &g->stream[at],
		    (g->n - at) * sizeof(*g->stream));
	g->n++;
	g->stream[at] = (struct stream) { .name = *name };
	return &g->stream[at];
}

/* Appends n items of len bytes each. */
static void append(struct numbers *to, const void *item, size_t n,
	size_t len)
{
	char *at;

	if (n == 0)
		return;
	at = gs_grow(to->item, &to->cap, to->n + n * len, 1);
	to->item = at;
	memcpy(at + to->n, item, n * len);
	to->n += n * len;
}

/* Moves the values of a column to its stream. */
static int move_out(void *ctx, const struct stream_name *name,
	Gpsnap__V1__Column *c, struct gs_err *err)
{
	struct stream *s = find_stream(ctx, name);

	(void)err;
	append(&s->row_gap, c->row_gap, c->n_row_gap, sizeof(*c->row_gap));
	append(&s->diff, c->diff, c->n_diff, sizeof(*c->diff));
	append(&s->text, c->text, c->n_text, sizeof(*c->text));
	append(&s->gone_gap, c->gone_gap, c->n_gone_gap,
	    sizeof(*c->gone_gap));
	c->rows = (uint32_t)c->n_row_gap;
	c->diffs = (uint32_t)c->n_diff;
	c->texts = (uint32_t)c->n_text;
	c->gones = (uint32_t)c->n_gone_gap;
	c->n_row_gap = c->n_diff = c->n_text = c->n_gone_gap = 0;
	return GS_OK;
}

int grouper_add(struct grouper *g, const void *record, size_t len,
	struct gs_err *err)
{
	const Gpsnap__V1__Recording *m;
	Gpsnap__V1__Tick *t;
	int r;

	pbarena_reset(&g->arena);
	m = gpsnap__v1__recording__unpack(&g->arena.alloc, len,
	    record);
	if (!m || m->n_record != 1 || !m->record[0]->tick)
		return pbarena_fail(&g->arena, len, "record", err);
	t = m->record[0]->tick;
	r = densecode_spread(&g->arena, t, err);
	if (r < 0)
		return r;
	(void)each_column(t, move_out, g, NULL); /* can't fail */
	pb_add_field(&t->base, FIELD_GROUP_TICK, &g->ticks);
	return GS_OK;
}

static void pack_stream(struct stream *s, struct buf *to)
{
	Gpsnap__V1__Stream m = GPSNAP__V1__STREAM__INIT;

	m.entity = s->name.entity;
	m.metric = s->name.metric;
	m.key = s->name.key;
	m.row_gap = s->row_gap.item;
	m.n_row_gap = s->row_gap.n / sizeof(*m.row_gap);
	m.diff = s->diff.item;
	m.n_diff = s->diff.n / sizeof(*m.diff);
	m.text = s->text.item;
	m.n_text = s->text.n / sizeof(*m.text);
	m.gone_gap = s->gone_gap.item;
	m.n_gone_gap = s->gone_gap.n / sizeof(*m.gone_gap);
	pb_add_field(&m.base, FIELD_GROUP_STREAM, to);
	s->row_gap.n = s->diff.n = s->text.n = s->gone_gap.n = 0;
}

void grouper_end(struct grouper *g, struct buf *out)
{
	size_t i, len;

	buf_reset(&g->packed);
	for (i = 0; i < g->n; i++)
		pack_stream(&g->stream[i], &g->packed);
	len = g->ticks.len + g->packed.len;
	varint_begin_record(out, FIELD_RECORD_GROUP, len);
	buf_add(out, g->ticks.ptr, g->ticks.len);
	buf_add(out, g->packed.ptr, g->packed.len);
	buf_reset(&g->ticks);
}
