#include "model/rows.h"

#include "base/mem.h"

void rows_init(struct rows *r, enum entity_id e, struct told *told)
{
	*r = (struct rows) { .entity = e, .told = told };
	r->now = cells_new(e);
}

void rows_release(struct rows *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		cells_free(r->item[i].was);
	free(r->item);
	cells_free(r->now);
	slots_release(&r->slots);
	*r = (struct rows) { 0 };
}

void rows_begin(struct rows *r, struct delta *delta)
{
	size_t i;

	r->delta = delta;
	r->next = 0;
	slots_begin(&r->slots);
	for (i = 0; i < r->n; i++)
		r->item[i].seen = false;
}

struct cells rows_now(struct rows *r)
{
	cells_clear(r->entity, r->now);
	return r->now;
}

static struct rows_item *find(struct rows *r, uint64_t key)
{
	size_t i;

	if (r->next < r->n && r->item[r->next].key == key)
		return &r->item[r->next++];
	for (i = 0; i < r->n; i++) {
		if (r->item[i].key == key) {
			r->next = i + 1;
			return &r->item[i];
		}
	}
	return NULL;
}

struct cells rows_was(struct rows *r, uint64_t key)
{
	size_t next = r->next;
	const struct rows_item *item = find(r, key);

	r->next = next;
	return item ? item->was : (struct cells) { NULL, NULL };
}

static struct rows_item *open_row(struct rows *r, uint64_t key)
{
	struct rows_item *item;

	GS_GROW(r->item, &r->cap, r->n + 1);
	item = &r->item[r->n++];
	*item = (struct rows_item) {
		.key = key,
		.slot = slots_take(&r->slots),
		.was = cells_new(r->entity),
	};
	delta_open_slot(r->delta, item->slot, OPEN_APPEARED);
	return item;
}

void rows_put(struct rows *r, uint64_t key)
{
	struct rows_item *item = find(r, key);

	if (!item)
		item = open_row(r, key);
	item->seen = true;
	(void)delta_row(r->delta, item->slot, item->was, r->now);
	told_settle(r->told, r->entity, item->was, r->now);
	cells_copy(r->entity, item->was, r->now);
}

void rows_end(struct rows *r)
{
	size_t i, kept = 0;

	for (i = 0; i < r->n; i++) {
		struct rows_item *item = &r->item[i];

		if (item->seen) {
			r->item[kept++] = *item;
			continue;
		}
		delta_close_slot(r->delta, item->slot, CLOSE_EXITED);
		slots_give(&r->slots, item->slot);
		told_forget(r->told, r->entity, item->was);
		cells_free(item->was);
	}
	r->n = kept;
}
