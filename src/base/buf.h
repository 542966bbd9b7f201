/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buf.h - growable bytes.
 *
 * Invariants: ptr[0..len) are valid, len < cap or ptr is NULL; the byte after
 * the last is always NUL, so that a buf of text is a C string at the edge.
 * A zeroed struct (BUF_INIT) is an empty buf.
 */
#ifndef GS_BASE_BUF_H
#define GS_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/compiler.h"

struct buf {
	char *ptr;
	size_t len;
	size_t cap;
};

#define BUF_INIT { 0 }

void buf_release(struct buf *b);

/* Empties it and keeps the memory. */
void buf_reset(struct buf *b);

/* Makes room for extra more bytes after len; returns where they start. */
char *buf_grow(struct buf *b, size_t extra);
static inline char *buf_reserve(struct buf *b, size_t extra)
{
	return b->len + extra < b->cap ? b->ptr + b->len : buf_grow(b, extra);
}

void buf_add(struct buf *b, const void *p, size_t len);
void buf_add_str(struct buf *b, const char *s);
static inline void buf_add_char(struct buf *b, char c)
{
	*buf_reserve(b, 1) = c;
	b->ptr[++b->len] = '\0';
}

void buf_add_fill(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) GS_PRINTF(2, 3);

/* In decimal. */
void buf_add_uint(struct buf *b, uint64_t v);
void buf_add_int(struct buf *b, int64_t v);

/* The text; "" for an empty buf.  Valid until the next change. */
const char *buf_str(const struct buf *b);

/* Little-endian numbers and LEB128 varints. */
void buf_add_le32(struct buf *b, uint32_t v);
static inline void buf_add_varint(struct buf *b, uint64_t v)
{
	char *p = buf_reserve(b, 10);

	b->len += gs_put_varint(p, v);
	b->ptr[b->len] = '\0';
}

#endif
