/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

struct page_text {
	UT_hash_handle hh;
	size_t number;
	size_t used; /* its number in the page, from 1; 0: none */
	size_t len;
	char text[];
};

size_t page_text(struct page_texts *t, const char *p, size_t len)
{
	struct page_text *x;

	HASH_FIND(hh, t->by_text, p, len, x);
	if (x)
		return x->number;
	x = gs_calloc(1, sizeof(*x) + len + 1);
	if (len > 0)
		memcpy(x->text, p, len);
	x->len = len;
	x->number = t->n;
	GS_GROW(t->at, &t->cap, t->n + 1);
	t->at[t->n++] = x;
	HASH_ADD(hh, t->by_text, text[0], len, x);
	return x->number;
}

bool page_text_is(const struct page_texts *t, size_t number, const char *p,
	size_t len)
{
	const struct page_text *x = number < t->n ? t->at[number] : NULL;

	return x && x->len == len && memcmp(x->text, p, len) == 0;
}

void page_texts_release(struct page_texts *t)
{
	size_t i;

	HASH_CLEAR(hh, t->by_text);
	for (i = 0; i < t->n; i++)
		free(t->at[i]);
	free(t->at);
	free(t->order);
	*t = (struct page_texts) { 0 };
}

size_t page_text_use(struct page_texts *t, size_t number)
{
	struct page_text *x = t->at[number];

	if (x->used == 0) {
		GS_GROW(t->order, &t->order_cap, t->n_used + 1);
		t->order[t->n_used++] = number;
		x->used = t->n_used;
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
		jsonout_str(j, t->at[t->order[i]]->text);
	jsonout_close_list(j);
}
