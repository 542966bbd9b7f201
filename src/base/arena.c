/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - a list of blocks of at least 16 KiB; a larger piece has a block of
 * its own.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_BYTES ((size_t)16 << 10)

struct block {
	struct block *next;
	size_t cap;
	alignas(max_align_t) char data[];
};

struct arena {
	struct block *block; /* the newest first */
	size_t used; /* in the newest */
};

struct arena *arena_new(void)
{
	return gs_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	struct block *next;

	while (a && a->block) {
		next = a->block->next;
		free(a->block);
		a->block = next;
	}
	free(a);
}

void *arena_zalloc(struct arena *a, size_t len_bytes)
{
	const size_t unit = alignof(max_align_t);
	size_t need = (len_bytes + unit - 1) / unit * unit;
	struct block *b = a->block;
	char *p;

	if (!b || need > b->cap - a->used) {
		size_t cap = need > BLOCK_BYTES ? need : BLOCK_BYTES;

		b = gs_malloc(sizeof(*b) + cap);
		b->cap = cap;
		b->next = a->block;
		a->block = b;
		a->used = 0;
	}
	p = b->data + a->used;
	a->used += need;
	memset(p, 0, need);
	return p;
}

char *arena_dup(struct arena *a, const char *p, size_t len_bytes)
{
	char *copy = arena_zalloc(a, len_bytes + 1);

	if (len_bytes > 0)
		memcpy(copy, p, len_bytes);
	return copy;
}
