/* SPDX-License-Identifier: Apache-2.0 */
#include "model/texts.h"

#include <stdlib.h>

#include "base/fnv.h"
#include "base/mem.h"

/* Open hashing over ids; chains run through slot.next. */
struct slot {
	char *ptr;
	uint32_t len;
	uint32_t refs;
	uint32_t hash;
	uint32_t next; /* in its chain, or in the list of free ids */
	uint32_t mark;
	uint32_t cap; /* bytes at ptr: kept when the id is free */
};

struct texts {
	struct slot *slot; /* by id; 0 is "" */
	size_t n, cap;
	uint32_t *bucket; /* first id of the chain, 0: none */
	size_t n_bucket; /* power of two */
	uint32_t free; /* first free id, 0: none */
	size_t live;
	size_t bytes; /* of all slots */
};

struct texts *texts_new(void)
{
	struct texts *t = gs_calloc(1, sizeof(*t));

	t->n_bucket = 64;
	t->bucket = gs_calloc(t->n_bucket, sizeof(*t->bucket));
	GS_GROW(t->slot, &t->cap, 1);
	t->slot[0] = (struct slot) { .refs = 1 };
	t->n = 1;
	return t;
}

void texts_free(struct texts *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->n; i++)
		free(t->slot[i].ptr);
	free(t->slot);
	free(t->bucket);
	free(t);
}

static void rehash(struct texts *t)
{
	size_t i;

	t->n_bucket *= 2;
	free(t->bucket);
	t->bucket = gs_calloc(t->n_bucket, sizeof(*t->bucket));
	for (i = 1; i < t->n; i++) {
		uint32_t *b;

		if (t->slot[i].refs == 0)
			continue;
		b = &t->bucket[t->slot[i].hash & (t->n_bucket - 1)];
		t->slot[i].next = *b;
		*b = (uint32_t)i;
	}
}

static uint32_t alloc_id(struct texts *t)
{
	uint32_t id = t->free;

	if (id) {
		t->free = t->slot[id].next;
		return id;
	}
	GS_GROW(t->slot, &t->cap, t->n + 1);
	t->slot[t->n] = (struct slot) { 0 };
	return (uint32_t)t->n++;
}

/* What an allocator gives for it anyway: a text may follow that is little longer. */
static uint32_t room_for(size_t len)
{
	return len <= 24 ? 24 : (uint32_t)(((len + 7) | 15) - 7);
}

uint32_t texts_intern(struct texts *t, const char *p, size_t len,
	bool *ret_new)
{
	uint32_t hash, id, *b;
	struct slot *s;

	if (ret_new)
		*ret_new = false;
	if (len == 0)
		return 0;
	hash = fnv_text(p, len);
	for (id = t->bucket[hash & (t->n_bucket - 1)]; id; id = s->next) {
		s = &t->slot[id];
		if (s->hash == hash && s->len == len &&
		    memcmp(s->ptr, p, len) == 0) {
			s->refs++;
			return id;
		}
	}
	if (t->live >= t->n_bucket)
		rehash(t);
	id = alloc_id(t);
	s = &t->slot[id];
	if (s->cap < len) {
		t->bytes -= s->cap;
		s->cap = room_for(len);
		t->bytes += s->cap;
		s->ptr = gs_realloc(s->ptr, s->cap);
	}
	memcpy(s->ptr, p, len);
	s->len = (uint32_t)len;
	s->hash = hash;
	s->refs = 1;
	s->mark = 0;
	b = &t->bucket[hash & (t->n_bucket - 1)];
	s->next = *b;
	*b = id;
	t->live++;
	if (ret_new)
		*ret_new = true;
	return id;
}

void texts_ref(struct texts *t, uint32_t id)
{
	if (id)
		t->slot[id].refs++;
}

/* The memory of a longer text is freed with its id. */
#define KEEP_BYTES 512

void texts_unref(struct texts *t, uint32_t id)
{
	struct slot *s = &t->slot[id];
	uint32_t *p;

	if (id == 0 || --s->refs > 0)
		return;
	p = &t->bucket[s->hash & (t->n_bucket - 1)];
	while (*p != id)
		p = &t->slot[*p].next;
	*p = s->next;
	s->next = t->free;
	t->free = id;
	t->live--;
	if (s->cap > KEEP_BYTES) {
		free(s->ptr);
		s->ptr = NULL;
		t->bytes -= s->cap;
		s->cap = 0;
	}
}

struct span texts_get(const struct texts *t, uint32_t id)
{
	if (id == 0)
		return span_of("", 0);
	return span_of(t->slot[id].ptr, t->slot[id].len);
}

size_t texts_bytes(const struct texts *t)
{
	return t->bytes + t->cap * (sizeof(*t->slot) + 16) +
	    t->n_bucket * sizeof(*t->bucket);
}

uint32_t *texts_mark(const struct texts *t, uint32_t id)
{
	return &t->slot[id].mark;
}
