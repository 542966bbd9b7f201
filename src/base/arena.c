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

struct arena_block {
	struct arena_block *next;
	size_t cap;
	alignas(max_align_t) char data[];
};

struct arena {
	struct arena_block *block; /* the newest first */
	size_t used; /* in the newest */
	struct arena_block *spare; /* of BLOCK_BYTES, by arena_rewind(); or NULL */
};

struct arena *arena_new(void)
{
	return gs_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	struct arena_block *next;

	while (a && a->block) {
		next = a->block->next;
		free(a->block);
		a->block = next;
	}
	if (a)
		free(a->spare);
	free(a);
}

static struct arena_block *block_new(struct arena *a, size_t need)
{
	struct arena_block *b = a->spare;
	size_t cap = need > BLOCK_BYTES ? need : BLOCK_BYTES;

	if (b && cap == BLOCK_BYTES) {
		a->spare = NULL;
		return b;
	}
	b = gs_malloc(sizeof(*b) + cap);
	b->cap = cap;
	return b;
}

void *arena_zalloc(struct arena *a, size_t len_bytes)
{
	const size_t unit = alignof(max_align_t);
	size_t need = (len_bytes + unit - 1) / unit * unit;
	struct arena_block *b = a->block;
	char *p;

	if (!b || need > b->cap - a->used) {
		b = block_new(a, need);
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

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark) { a->block, a->used };
}

/* Rows of a table may come and go at the end of a block. */
void arena_rewind(struct arena *a, struct arena_mark to)
{
	while (a->block != to.block) {
		struct arena_block *b = a->block;

		a->block = b->next;
		if (a->spare || b->cap != BLOCK_BYTES) {
			free(b);
			continue;
		}
		a->spare = b;
	}
	a->used = to.used;
}
