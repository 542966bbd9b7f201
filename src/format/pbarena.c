#include "format/pbarena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#define CHUNK_MIN ((size_t)64 << 10)
#define ALIGN 16u

struct pbarena_chunk {
	struct pbarena_chunk *next;
	size_t cap, len;
	_Alignas(ALIGN) unsigned char mem[];
};

static void *alloc_cb(void *data, size_t len)
{
	return pbarena_alloc(data, len);
}

static void free_cb(void *data, void *p)
{
	(void)data; /* memory goes with the reset */
	(void)p;
}

void pbarena_init(struct pbarena *a)
{
	*a = (struct pbarena) { 0 };
	a->alloc = (ProtobufCAllocator) { alloc_cb, free_cb, a };
}

static void free_chunks(struct pbarena_chunk *c)
{
	while (c) {
		struct pbarena_chunk *next = c->next;

		free(c);
		c = next;
	}
}

void pbarena_release(struct pbarena *a)
{
	free_chunks(a->chunk);
	a->chunk = NULL;
	a->used = 0;
}

static struct pbarena_chunk *chunk_new(size_t cap)
{
	struct pbarena_chunk *c = gs_malloc(sizeof(*c) + cap);

	c->next = NULL;
	c->cap = cap;
	c->len = 0;
	return c;
}

/* Several chunks become one that holds as much, so that next time a single
 * one suffices. */
void pbarena_reset(struct pbarena *a)
{
	if (a->chunk && a->chunk->next) {
		size_t want = a->used + a->used / 4;

		free_chunks(a->chunk);
		a->chunk = chunk_new(want);
	}
	if (a->chunk)
		a->chunk->len = 0;
	a->used = 0;
}

void *pbarena_alloc(struct pbarena *a, size_t len)
{
	struct pbarena_chunk *c = a->chunk;
	void *p;

	if (len > PBARENA_MAX - ALIGN)
		return NULL;
	len = (len + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (a->used + len > PBARENA_MAX)
		return NULL;
	if (!c || c->cap - c->len < len) {
		size_t cap = c ? c->cap * 2 : CHUNK_MIN;

		cap = cap > PBARENA_MAX / 4 ? PBARENA_MAX / 4 : cap;
		c = chunk_new(cap < len ? len : cap);
		c->next = a->chunk;
		a->chunk = c;
	}
	p = c->mem + c->len;
	c->len += len;
	a->used += len;
	return p;
}

ProtobufCAllocator *pbarena_allocator(struct pbarena *a)
{
	return &a->alloc;
}
