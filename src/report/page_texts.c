/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_texts.c - a day has hundreds of thousands of texts, most of them once: one
 * costs a slot of a hash table (open addressing), and little more than its bytes.
 */
#include "report/page_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fnv.h"
#include "base/mem.h"

struct page_text {
	const char *text; /* ends with NUL */
	uint32_t len;
	uint32_t used; /* its number in the page, from 1; 0: none */
};

struct page_text_slot {
	uint32_t hash;
	uint32_t number; /* from 1; 0: free */
};

/* That of the text, or the free one for it. */
static struct page_text_slot *find(const struct page_texts *t, uint32_t hash,
	const char *p, size_t len)
{
	size_t mask = t->n_slot - 1, i = hash & mask;

	while (t->slot[i].number && (t->slot[i].hash != hash ||
	    !page_text_is(t, t->slot[i].number - 1, p, len)))
		i = (i + 1) & mask;
	return &t->slot[i];
}

/* Half of the slots are free. */
static void make_room(struct page_texts *t)
{
	struct page_text_slot *was = t->slot;
	size_t n = t->n_slot, i, to;

	if (t->n < n / 2)
		return;
	t->n_slot = n ? 2 * n : 1024;
	t->slot = gs_calloc(t->n_slot, sizeof(*t->slot));
	for (i = 0; i < n; i++) {
		to = was[i].hash & (t->n_slot - 1);
		while (t->slot[to].number)
			to = (to + 1) & (t->n_slot - 1);
		t->slot[to] = was[i];
	}
	free(was);
}

size_t page_text(struct page_texts *t, const char *p, size_t len)
{
	uint32_t hash = fnv_text(p, len);
	struct page_text_slot *s;

	make_room(t);
	s = find(t, hash, p, len);
	if (s->number)
		return s->number - 1;
	if (!t->bytes)
		t->bytes = arena_new();
	GS_GROW(t->at, &t->cap, t->n + 1);
	t->at[t->n++] = (struct page_text) { arena_dup(t->bytes, p, len),
		(uint32_t)len, 0 };
	*s = (struct page_text_slot) { hash, (uint32_t)t->n };
	return t->n - 1;
}

bool page_text_is(const struct page_texts *t, size_t number, const char *p,
	size_t len)
{
	const struct page_text *x = number < t->n ? &t->at[number] : NULL;

	return x && x->len == len && memcmp(x->text, p, len) == 0;
}

void page_text_fetch_place(const struct page_texts *t, size_t number)
{
	if (number < t->n)
		gs_fetch(&t->at[number], sizeof(*t->at));
}

void page_text_fetch(const struct page_texts *t, size_t number)
{
	if (number < t->n)
		gs_fetch(t->at[number].text, GS_LINE);
}

void page_texts_release(struct page_texts *t)
{
	arena_free(t->bytes);
	free(t->slot);
	free(t->at);
	free(t->order);
	*t = (struct page_texts) { 0 };
}

size_t page_text_use(struct page_texts *t, size_t number)
{
	struct page_text *x = &t->at[number];

	if (x->used == 0) {
		GS_GROW(t->order, &t->order_cap, t->n_used + 1);
		t->order[t->n_used++] = (uint32_t)number;
		x->used = (uint32_t)t->n_used;
	}
	return x->used - 1;
}

size_t page_texts_used(const struct page_texts *t)
{
	return t->n_used;
}

void page_texts_put(const struct page_texts *t, size_t from, size_t to,
	struct jsonout *j)
{
	size_t i;

	jsonout_open_list(j);
	for (i = from; i < to; i++)
		jsonout_str(j, t->at[t->order[i]].text);
	jsonout_close_list(j);
}
