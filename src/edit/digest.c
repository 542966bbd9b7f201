/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/digest.h"

#include <string.h>

#include "base/compiler.h"
#include "model/header.h"

static uint64_t add(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t add_bytes(uint64_t h, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return add(h, len);
}

static uint64_t add_notes(uint64_t h, const struct slot_note *note, size_t n)
{
	size_t i;

	h = add(h, n);
	for (i = 0; i < n; i++)
		h = add(add(h, note[i].slot), note[i].why);
	return h;
}

static uint64_t add_column(uint64_t h, const struct delta_col *c)
{
	size_t i;

	h = add(add(h, c->n), c->n_gone);
	for (i = 0; i < c->n; i++)
		h = add(add(h, c->slot[i]), c->diff[i]);
	for (i = 0; i < c->n_gone; i++)
		h = add(h, c->gone[i]);
	return h;
}

static uint64_t add_sums(uint64_t h, const struct delta *d)
{
	size_t i;

	h = add(h, d->n_sum);
	for (i = 0; i < d->n_sum; i++) {
		const struct tick_sum *s = &d->sum[i];

		h = add(add(add(h, s->slot), s->col), s->of);
		h = add(h, s->amount);
	}
	return h;
}

static uint64_t add_delta(uint64_t h, const struct delta *d)
{
	size_t w;

	if (delta_is_empty(d))
		return h;
	h = add_notes(add(h, d->entity), d->closed, d->n_closed);
	h = add_notes(h, d->opened, d->n_opened);
	h = add_sums(add_notes(h, d->ended, d->n_ended), d);
	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = d->used[w];

		for (; bits; bits &= bits - 1) {
			size_t col = w * 64 + gs_ctz64(bits);

			h = add_column(add(h, col), &d->col[col]);
		}
	}
	return h;
}

static uint64_t add_block(uint64_t h, const struct block *b)
{
	const struct sample_clock *c = &b->clock;
	int e;

	h = add(add(add(h, b->host), c->connection), c->sequence);
	h = add(add(h, (uint64_t)c->wall_ns), (uint64_t)c->mono_ns);
	h = add(add(h, (uint64_t)c->boot_ns), (uint64_t)c->rtt_ns);
	h = add(h, (uint64_t)c->offset_ns);
	for (e = 0; e < ENTITY_COUNT; e++)
		h = add_delta(h, &b->ent[e]);
	return h;
}

static uint64_t add_event(uint64_t h, const struct tick *t,
	const struct event *e)
{
	h = add(add(h, (uint64_t)e->kind), (uint64_t)e->wall_ns);
	h = add(add(h, (uint64_t)e->value), e->host);
	return add_bytes(h, tick_text_at(t, e->off), e->len);
}

static uint64_t add_header(uint64_t h, const struct header *hd)
{
	size_t i;

	if (!hd)
		return h;
	h = add_bytes(h, (const char *)hd->recording_id, RECORDING_ID_LEN);
	h = add(add(h, hd->file_number), (uint64_t)hd->interval_ns);
	for (i = 0; i < hd->n_host; i++) {
		const char *name = hd->host[i].name;

		h = add_bytes(add(h, hd->host[i].index), name, strlen(name));
	}
	return h;
}

uint64_t digest_tick(uint64_t h, const struct tick *t)
{
	size_t i;

	h = add(add(add(h, t->seq), (uint64_t)t->wall_ns), t->key);
	h = add_header(add(h, t->left_out), t->header);
	for (i = 0; i < t->n_text; i++)
		h = add_bytes(add(h, t->text[i].id), tick_text_at(t,
		    t->text[i].off), t->text[i].len);
	for (i = 0; i < t->n_block; i++)
		h = add_block(h, t->block[i]);
	for (i = 0; i < t->n_event; i++)
		h = add_event(h, t, &t->event[i]);
	return h;
}
