/* SPDX-License-Identifier: Apache-2.0 */
#include "format/pbarena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/varint.h"

#define CHUNK_MIN ((size_t)64 << 10)
#define ALIGN 16u

/* Larger messages are rare: a key of very many rows, or an attack. */
#define KEEP_MAX ((size_t)16 << 20)

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
	(void)data; /* freed by the reset */
	(void)p;
}

void pbarena_init(struct pbarena *a)
{
	*a = (struct pbarena) { .budget = budget_own() };
	a->alloc = (ProtobufCAllocator) { alloc_cb, free_cb, a };
}

static void free_chunks(struct pbarena *a)
{
	struct pbarena_chunk *c = a->chunk;

	a->chunk = NULL;
	while (c) {
		struct pbarena_chunk *next = c->next;

		budget_give(a->budget, sizeof(*c) + c->cap);
		free(c);
		c = next;
	}
}

void pbarena_release(struct pbarena *a)
{
	free_chunks(a);
	a->used = 0;
}

/* Adds a chunk of cap bytes or, if that does not fit, of least. */
static bool add_chunk(struct pbarena *a, size_t cap, size_t least)
{
	struct pbarena_chunk *c;

	if (!budget_take(a->budget, sizeof(*c) + cap)) {
		cap = least;
		if (!budget_take(a->budget, sizeof(*c) + cap))
			return false;
	}
	c = gs_malloc(sizeof(*c) + cap);
	c->next = a->chunk;
	c->cap = cap;
	c->len = 0;
	a->chunk = c;
	return true;
}

/* Replaces several chunks by one of the same size, so that next time a single
 * one is enough. */
void pbarena_reset(struct pbarena *a)
{
	if (a->chunk && (a->chunk->next || a->chunk->cap > KEEP_MAX)) {
		size_t want = a->used + a->used / 4;

		free_chunks(a);
		if (want <= KEEP_MAX)
			(void)add_chunk(a, want, want); /* if it fails: later */
	}
	if (a->chunk)
		a->chunk->len = 0;
	a->used = 0;
	a->refused = false;
}

void *pbarena_alloc(struct pbarena *a, size_t len)
{
	struct pbarena_chunk *c = a->chunk;
	void *p;

	if (len > PBARENA_MAX - ALIGN) {
		a->refused = true;
		return NULL;
	}
	len = (len + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (a->used + len > PBARENA_MAX) {
		a->refused = true;
		return NULL;
	}
	if (!c || c->cap - c->len < len) {
		size_t cap = c ? c->cap * 2 : CHUNK_MIN;

		cap = cap > PBARENA_MAX / 4 ? PBARENA_MAX / 4 : cap;
		if (!add_chunk(a, cap < len ? len : cap, len)) {
			a->refused = true;
			return NULL;
		}
		c = a->chunk;
	}
	p = c->mem + c->len;
	c->len += len;
	a->used += len;
	return p;
}

int pbarena_fail(const struct pbarena *a, size_t len_bytes, const char *what,
	struct gs_err *err)
{
	if (a->refused)
		return budget_fail(a->budget, err, what);
	return gs_fail(err, GS_E_FORMAT, "%zu bytes: not a valid %s",
	    len_bytes, what);
}

void *pbarena_must_alloc(struct pbarena *a, size_t len_bytes)
{
	void *p = pbarena_alloc(a, len_bytes);

	if (!p)
		gs_out_of_memory();
	return p;
}

static void pack(const ProtobufCMessage *m, size_t len, struct buf *to)
{
	(void)protobuf_c_message_pack(m, (uint8_t *)buf_reserve(to, len));
	to->len += len;
	to->ptr[to->len] = '\0';
}

void pb_add(const ProtobufCMessage *m, struct buf *to)
{
	pack(m, protobuf_c_message_get_packed_size(m), to);
}

void pb_add_field(const ProtobufCMessage *m, unsigned number, struct buf *to)
{
	size_t len = protobuf_c_message_get_packed_size(m);

	varint_add_field(to, number, len);
	pack(m, len, to);
}
