/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/tickhash.h"

#include <string.h>

#include "base/compiler.h"
#include "base/fnv.h"
#include "model/header.h"

static uint64_t hash(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t hash_bytes(uint64_t h, const char *p, size_t len)
{
	return hash(fnv_add(h, p, len), len);
}

static uint64_t hash_notes(uint64_t h, const struct slot_note *note, size_t n)
{
	size_t i;

	h = hash(h, n);
	for (i = 0; i < n; i++)
		h = hash(hash(h, note[i].slot), note[i].why);
	return h;
}

static uint64_t hash_column(uint64_t h, const struct delta_col *c)
{
	size_t i;

	h = hash(hash(h, c->n), c->n_gone);
	for (i = 0; i < c->n; i++)
		h = hash(hash(h, c->slot[i]), c->diff[i]);
	for (i = 0; i < c->n_gone; i++)
		h = hash(h, c->gone[i]);
	return h;
}

static uint64_t hash_sums(uint64_t h, const struct delta *d)
{
	size_t i;

	h = hash(h, d->n_sum);
	for (i = 0; i < d->n_sum; i++) {
		const struct tick_sum *s = &d->sum[i];

		h = hash(hash(hash(h, s->slot), s->col), s->of);
		h = hash(h, s->amount);
	}
	return h;
}

static uint64_t hash_waited(uint64_t h, const struct tick_waited *w)
{
	size_t i;

	h = hash(hash(hash(h, w->slot), w->kind), w->event);
	h = hash(hash(h, w->query), w->has_query_id);
	h = hash(h, (uint64_t)w->query_id);
	for (i = 0; i < WAITED_AMOUNTS; i++)
		h = hash(h, (uint64_t)w->amount[i]);
	return h;
}

static uint64_t hash_delta(uint64_t h, const struct delta *d)
{
	size_t w;

	if (delta_is_empty(d))
		return h;
	h = hash_notes(hash(h, d->entity), d->closed, d->n_closed);
	h = hash_notes(h, d->opened, d->n_opened);
	h = hash_sums(hash_notes(h, d->ended, d->n_ended), d);
	for (w = 0; w < d->n_waited; w++)
		h = hash_waited(h, &d->waited[w]);
	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = d->used[w];

		for (; bits; bits &= bits - 1) {
			size_t col = w * 64 + gs_ctz64(bits);

			h = hash_column(hash(h, col), &d->col[col]);
		}
	}
	return h;
}

static uint64_t hash_block(uint64_t h, const struct block *b)
{
	const struct sample_clock *c = &b->clock;
	int e;

	h = hash(hash(hash(h, b->host), c->connection), c->sequence);
	h = hash(hash(h, (uint64_t)c->wall_ns), (uint64_t)c->mono_ns);
	h = hash(hash(h, (uint64_t)c->boot_ns), (uint64_t)c->rtt_ns);
	h = hash(h, (uint64_t)c->offset_ns);
	for (e = 0; e < ENTITY_COUNT; e++)
		h = hash_delta(h, &b->ent[e]);
	return h;
}

static uint64_t hash_event(uint64_t h, const struct tick *t,
	const struct event *e)
{
	h = hash(hash(h, (uint64_t)e->kind), (uint64_t)e->wall_ns);
	h = hash(hash(h, (uint64_t)e->value), e->host);
	return hash_bytes(h, tick_text_at(t, e->off), e->len);
}

static uint64_t hash_header(uint64_t h, const struct header *hd)
{
	size_t i;

	if (!hd)
		return h;
	h = hash_bytes(h, (const char *)hd->recording_id, RECORDING_ID_LEN);
	h = hash(hash(h, hd->file_number), (uint64_t)hd->interval_ns);
	for (i = 0; i < hd->n_host; i++) {
		const char *name = hd->host[i].name;

		h = hash_bytes(hash(h, hd->host[i].index), name, strlen(name));
	}
	return h;
}

uint64_t tickhash_add(uint64_t h, const struct tick *t)
{
	size_t i;

	h = hash(hash(hash(h, t->seq), (uint64_t)t->wall_ns), t->key);
	h = hash_header(hash(hash(h, t->left_out), t->skipped), t->header);
	for (i = 0; i < t->n_text; i++)
		h = hash_bytes(hash(h, t->text[i].id), tick_text_at(t,
		    t->text[i].off), t->text[i].len);
	for (i = 0; i < t->n_block; i++)
		h = hash_block(h, t->block[i]);
	for (i = 0; i < t->n_event; i++)
		h = hash_event(h, t, &t->event[i]);
	return h;
}
