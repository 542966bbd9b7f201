/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockcode_pack.c - encodes struct tick as protobuf messages.
 *
 * Equal ticks give equal messages: columns in the order of the registry, rows
 * in the order in which the tick names them.
 */
#include "format/blockcode.h"

#include <string.h>

#include "metric/unit.h"

#define TAKE(a, n, type) ((type *)pbarena_must_alloc((a), (n) * sizeof(type)))

static int32_t *gaps_of(struct pbarena *a, const uint32_t *slot, size_t n,
	size_t stride)
{
	int32_t *gap = TAKE(a, n, int32_t);

	blockcode_gaps(slot, n, stride, gap);
	return gap;
}

_Static_assert(sizeof(struct slot_note) == 2 * sizeof(uint32_t), "stride");

/* No reasons if all are 0. */
static void pack_notes(struct pbarena *a, const struct slot_note *note,
	size_t n, int32_t **gap, size_t *n_gap, uint32_t **why, size_t *n_why)
{
	uint32_t any = 0;
	size_t i;

	*gap = gaps_of(a, (const uint32_t *)(const void *)note, n, 2);
	*n_gap = n;
	*why = TAKE(a, n, uint32_t);
	for (i = 0; i < n; i++) {
		(*why)[i] = note[i].why;
		any |= note[i].why;
	}
	*n_why = any ? n : 0;
}

/* The rows of the previous column. */
struct rows {
	const uint32_t *slot;
	size_t n;
};

static void pack_values(struct pbarena *a, Gpsnap__V1__Column *m,
	const struct metric *metric, const struct delta_col *c)
{
	size_t i;

	if (!metric_is_text(metric)) {
		/* int64_t and uint64_t may alias */
		m->diff = (int64_t *)(void *)c->diff;
		m->n_diff = c->n;
		return;
	}
	m->text = TAKE(a, c->n, uint32_t);
	m->n_text = c->n;
	for (i = 0; i < c->n; i++)
		m->text[i] = (uint32_t)c->diff[i];
}

static Gpsnap__V1__Column *pack_column(struct pbarena *a,
	const struct metric *metric, const struct delta_col *c,
	struct rows *before)
{
	Gpsnap__V1__Column *m = TAKE(a, 1, Gpsnap__V1__Column);

	gpsnap__v1__column__init(m);
	m->metric = metric->id;
	if (c->n > 0) {
		if (c->n != before->n ||
		    memcmp(c->slot, before->slot, c->n * sizeof(*c->slot))) {
			m->row_gap = gaps_of(a, c->slot, c->n, 1);
			m->n_row_gap = c->n;
			*before = (struct rows) { c->slot, c->n };
		}
		pack_values(a, m, metric, c);
	}
	if (c->n_gone > 0) {
		m->gone_gap = gaps_of(a, c->gone, c->n_gone, 1);
		m->n_gone_gap = c->n_gone;
	}
	return m;
}

/* Sums of the same kind and column, which are stored together. */
static size_t pack_sums(struct pbarena *a, const struct delta *d, size_t i,
	Gpsnap__V1__Column **ret)
{
	Gpsnap__V1__Column *m = TAKE(a, 1, Gpsnap__V1__Column);
	const struct tick_sum *s = &d->sum[i];
	size_t n = 1, k;
	uint32_t *slot;

	while (i + n < d->n_sum && s[n].of == s->of && s[n].col == s->col)
		n++;
	gpsnap__v1__column__init(m);
	m->metric = metric_get(d->entity, s->col)->id;
	m->sum = (Gpsnap__V1__Sum)s->of;
	slot = TAKE(a, n, uint32_t);
	m->diff = TAKE(a, n, int64_t);
	for (k = 0; k < n; k++) {
		slot[k] = s[k].slot;
		m->diff[k] = (int64_t)s[k].amount;
	}
	m->row_gap = gaps_of(a, slot, n, 1);
	m->n_row_gap = m->n_diff = n;
	*ret = m;
	return i + n;
}

static size_t count_sum_columns(const struct delta *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->n_sum; i++)
		n += i == 0 || d->sum[i].of != d->sum[i - 1].of ||
		    d->sum[i].col != d->sum[i - 1].col;
	return n;
}

static Gpsnap__V1__Waited *pack_waited(struct pbarena *a,
	const struct tick_waited *w)
{
	Gpsnap__V1__Waited *m = TAKE(a, 1, Gpsnap__V1__Waited);

	gpsnap__v1__waited__init(m);
	m->slot = w->slot;
	m->kind = w->kind;
	m->event = w->event;
	m->has_query_id = w->has_query_id;
	m->query_id = w->query_id;
	m->query = w->query;
	m->amount = TAKE(a, WAITED_AMOUNTS, int64_t);
	memcpy(m->amount, w->amount, sizeof(w->amount));
	m->n_amount = WAITED_AMOUNTS;
	while (m->n_amount > 0 && m->amount[m->n_amount - 1] == 0)
		m->n_amount--;
	return m;
}

static Gpsnap__V1__EntityDelta *pack_entity(struct pbarena *a,
	const struct delta *d, bool dense)
{
	uint64_t left[COL_WORDS_MAX];
	const struct entity *en = entity_get(d->entity);
	Gpsnap__V1__EntityDelta *m = TAKE(a, 1, Gpsnap__V1__EntityDelta);
	struct rows before = { NULL, 0 };
	size_t i, w;

	gpsnap__v1__entity_delta__init(m);
	m->entity = en->id;
	pack_notes(a, d->closed, d->n_closed, &m->closed_gap,
	    &m->n_closed_gap, &m->closed_why, &m->n_closed_why);
	pack_notes(a, d->opened, d->n_opened, &m->opened_gap,
	    &m->n_opened_gap, &m->opened_how, &m->n_opened_how);
	pack_notes(a, d->ended, d->n_ended, &m->ended_gap,
	    &m->n_ended_gap, &m->ended_why, &m->n_ended_why);
	m->column = TAKE(a, en->ncols + count_sum_columns(d),
	    Gpsnap__V1__Column *);
	memcpy(left, d->used, sizeof(left));
	if (dense)
		densecode_pack(a, d, left, m);
	for (w = 0; w < COL_WORDS_MAX; w++) {
		for (; left[w]; left[w] &= left[w] - 1) {
			unsigned col = (unsigned)(w * 64) + gs_ctz64(left[w]);

			m->column[m->n_column++] = pack_column(a,
			    &en->metrics[col], &d->col[col], &before);
		}
	}
	for (i = 0; i < d->n_sum;)
		i = pack_sums(a, d, i, &m->column[m->n_column++]);
	m->waited = TAKE(a, d->n_waited, Gpsnap__V1__Waited *);
	for (i = 0; i < d->n_waited; i++)
		m->waited[m->n_waited++] = pack_waited(a, &d->waited[i]);
	return m;
}

Gpsnap__V1__HostBlock *blockcode_pack_block(struct pbarena *a,
	const struct block *b, bool dense)
{
	Gpsnap__V1__HostBlock *m = TAKE(a, 1, Gpsnap__V1__HostBlock);
	int e;

	gpsnap__v1__host_block__init(m);
	m->host = b->host;
	m->connection = b->clock.connection;
	m->sequence = b->clock.sequence;
	m->wall_ns = b->clock.wall_ns;
	m->mono_ns = b->clock.mono_ns;
	m->boot_ns = b->clock.boot_ns;
	m->rtt_ns = b->clock.rtt_ns;
	m->offset_ns = b->clock.offset_ns;
	m->entity = TAKE(a, ENTITY_COUNT, Gpsnap__V1__EntityDelta *);
	for (e = 0; e < ENTITY_COUNT; e++) {
		if (!delta_is_empty(&b->ent[e]))
			m->entity[m->n_entity++] = pack_entity(a, &b->ent[e],
			    dense);
	}
	return m;
}

void blockcode_pack_texts(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Text ***ret, size_t *ret_n)
{
	Gpsnap__V1__Text *m = TAKE(a, t->n_text, Gpsnap__V1__Text);
	size_t i;

	*ret = TAKE(a, t->n_text, Gpsnap__V1__Text *);
	*ret_n = t->n_text;
	for (i = 0; i < t->n_text; i++) {
		gpsnap__v1__text__init(&m[i]);
		m[i].id = t->text[i].id;
		m[i].text.data = (uint8_t *)tick_text_at(t,
		    t->text[i].off);
		m[i].text.len = t->text[i].len;
		(*ret)[i] = &m[i];
	}
}

void blockcode_pack_events(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Event ***ret, size_t *ret_n)
{
	Gpsnap__V1__Event *m = TAKE(a, t->n_event, Gpsnap__V1__Event);
	size_t i;

	*ret = TAKE(a, t->n_event, Gpsnap__V1__Event *);
	*ret_n = t->n_event;
	for (i = 0; i < t->n_event; i++) {
		const struct event *ev = &t->event[i];

		gpsnap__v1__event__init(&m[i]);
		m[i].kind = (uint32_t)ev->kind;
		m[i].wall_ns = ev->wall_ns;
		m[i].value = ev->value;
		m[i].host = ev->host == EVENT_NO_HOST ? 0 : ev->host + 1;
		m[i].text.data = (uint8_t *)tick_text_at(t, ev->off);
		m[i].text.len = ev->len;
		(*ret)[i] = &m[i];
	}
}

void described_add(struct described *d, const struct block *b)
{
	int e;
	size_t w, i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < b->ent[e].n_sum; i++)
			d->col[e][b->ent[e].sum[i].col / 64] |= UINT64_C(1)
			    << (b->ent[e].sum[i].col % 64);
		for (w = 0; w < COL_WORDS_MAX; w++)
			d->col[e][w] |= b->ent[e].used[w];
	}
}

/* protobuf-c's strings are not const, but it does not write to them. */
static char *loose(const char *s)
{
	return (char *)(uintptr_t)s;
}

static Gpsnap__V1__Metric *pack_metric(struct pbarena *a,
	const struct metric *metric, const char *unit)
{
	Gpsnap__V1__Metric *m = TAKE(a, 1, Gpsnap__V1__Metric);

	gpsnap__v1__metric__init(m);
	m->id = metric->id;
	m->name = loose(metric->name);
	m->class_ = loose(metric_class_name((enum metric_class)metric->cls));
	m->unit = loose(unit);
	m->bits = metric->bits;
	m->agg = loose(metric_agg_name((enum metric_agg)metric->agg));
	m->flags = metric->flags;
	return m;
}

void blockcode_pack_entities(struct pbarena *a, const struct described *d,
	Gpsnap__V1__Entity ***ret, size_t *ret_n)
{
	Gpsnap__V1__Entity *m = TAKE(a, ENTITY_COUNT, Gpsnap__V1__Entity);
	int e;

	*ret = TAKE(a, ENTITY_COUNT, Gpsnap__V1__Entity *);
	*ret_n = 0;
	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);
		unsigned col;

		gpsnap__v1__entity__init(&m[e]);
		m[e].id = en->id;
		m[e].name = loose(en->name);
		m[e].metric = TAKE(a, en->ncols, Gpsnap__V1__Metric *);
		for (col = 0; col < en->ncols; col++) {
			const struct metric *metric = &en->metrics[col];

			if (d->col[e][col / 64] >> (col % 64) & 1)
				m[e].metric[m[e].n_metric++] = pack_metric(a,
				    metric, unit_name((enum unit_id)metric->unit));
		}
		if (m[e].n_metric > 0)
			(*ret)[(*ret_n)++] = &m[e];
	}
}
