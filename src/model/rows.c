/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void rows_init(struct rows *r, enum entity_id e, struct sent_texts *sent)
{
	*r = (struct rows) { .entity = e, .sent = sent };
	r->now = cells_new(e);
}

void rows_release(struct rows *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		cells_free(r->item[i].was);
	free(r->item);
	free(r->bucket);
	cells_free(r->now);
	slots_release(&r->slots);
	*r = (struct rows) { 0 };
}

void rows_begin_part(struct rows *r, struct delta *delta, uint32_t part)
{
	size_t i;

	r->delta = delta;
	r->next = 0;
	r->part = part;
	r->n_bucket = 0;
	slots_begin(&r->slots);
	for (i = 0; i < r->n; i++) {
		r->item[i].seen = r->item[i].part != part;
		r->item[i].again = 0;
	}
}

void rows_begin(struct rows *r, struct delta *delta)
{
	rows_begin_part(r, delta, 0);
}

struct cells rows_now(struct rows *r)
{
	cells_clear(r->entity, r->now);
	return r->now;
}

static size_t home_of(const struct rows *r, uint64_t key)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 20) & (r->n_bucket - 1);
}

static void enter(struct rows *r, size_t item)
{
	size_t k = home_of(r, r->item[item].key);

	while (r->bucket[k])
		k = (k + 1) & (r->n_bucket - 1);
	r->bucket[k] = item + 1;
}

/* Twice the size needed, so that it need not be filled again soon. */
static void fill(struct rows *r)
{
	size_t i;

	r->n_bucket = 64;
	while (r->n_bucket < r->n * 4)
		r->n_bucket *= 2;
	GS_GROW(r->bucket, &r->bucket_cap, r->n_bucket);
	memset(r->bucket, 0, r->n_bucket * sizeof(*r->bucket));
	for (i = 0; i < r->n; i++)
		enter(r, i);
}

/* The table is filled when a row is not at its expected position, which is
 * rare. */
static struct rows_item *find(struct rows *r, uint64_t key)
{
	size_t k;

	if (r->next < r->n && r->item[r->next].key == key)
		return &r->item[r->next++];
	if (r->n_bucket == 0)
		fill(r);
	for (k = home_of(r, key); r->bucket[k];
	    k = (k + 1) & (r->n_bucket - 1)) {
		if (r->item[r->bucket[k] - 1].key == key) {
			r->next = r->bucket[k];
			return &r->item[r->bucket[k] - 1];
		}
	}
	return NULL;
}

/* The same, without going on from there. */
static struct rows_item *peek(struct rows *r, uint64_t key)
{
	size_t next = r->next;
	struct rows_item *item = find(r, key);

	r->next = next;
	return item;
}

struct cells rows_was(struct rows *r, uint64_t key)
{
	const struct rows_item *item = peek(r, key);

	return item ? item->was : (struct cells) { NULL, NULL };
}

bool rows_seen(struct rows *r, uint64_t key)
{
	const struct rows_item *item = peek(r, key);

	return item && item->seen;
}

uint64_t rows_unused(struct rows *r, uint64_t key)
{
	struct rows_item *item = peek(r, key);
	uint64_t unused = key;

	if (!item || !item->seen)
		return key;
	do
		unused = key + ++item->again;
	while (rows_seen(r, unused));
	return unused;
}

static struct rows_item *open_row(struct rows *r, uint64_t key,
	enum row_open how)
{
	struct rows_item *item;

	GS_GROW(r->item, &r->cap, r->n + 1);
	item = &r->item[r->n++];
	*item = (struct rows_item) {
		.key = key,
		.part = r->part,
		.slot = slots_alloc(&r->slots),
		.was = cells_new(r->entity),
	};
	if (r->n * 2 > r->n_bucket)
		fill(r);
	else
		enter(r, r->n - 1);
	delta_open_slot(r->delta, item->slot, how);
	return item;
}

void rows_put_as(struct rows *r, uint64_t key, enum row_open how)
{
	struct rows_item *item = find(r, key);

	if (!item)
		item = open_row(r, key, how);
	item->seen = true;
	(void)delta_row(r->delta, item->slot, item->was, r->now);
	sent_replace(r->sent, r->entity, item->was, r->now);
	cells_copy(r->entity, item->was, r->now);
}

void rows_put(struct rows *r, uint64_t key)
{
	rows_put_as(r, key, OPEN_APPEARED);
}

bool rows_keep(struct rows *r, uint64_t key)
{
	struct rows_item *item = find(r, key);

	if (item)
		item->seen = true;
	return item != NULL;
}

void rows_leave(struct rows *r, uint64_t key, enum row_close why)
{
	struct rows_item *item = find(r, key);

	if (item)
		item->why = (uint8_t)why;
}

void rows_end_as(struct rows *r, enum row_close why)
{
	size_t i, kept = 0;

	for (i = 0; i < r->n; i++) {
		struct rows_item *item = &r->item[i];

		if (item->seen) {
			r->item[kept++] = *item;
			continue;
		}
		delta_close_slot(r->delta, item->slot,
		    item->why ? (enum row_close)item->why : why);
		slots_return(&r->slots, item->slot);
		sent_forget(r->sent, r->entity, item->was);
		cells_free(item->was);
	}
	r->n = kept;
}

void rows_close_all(struct rows *r, enum row_close why)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		r->item[i].seen = false;
	rows_end_as(r, why);
	r->n_bucket = 0;
}

void rows_end(struct rows *r)
{
	rows_end_as(r, CLOSE_EXITED);
}
