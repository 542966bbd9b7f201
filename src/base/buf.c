/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/decimal.h"
#include "base/mem.h"

void buf_release(struct buf *b)
{
	free(b->ptr);
	*b = (struct buf)BUF_INIT;
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->ptr)
		b->ptr[0] = '\0';
}

/* Enough for most of what is formatted, which then is formatted once. */
#define PRINTF_ROOM 64

char *buf_grow(struct buf *b, size_t extra)
{
	GS_GROW(b->ptr, &b->cap, b->len + extra + 1);
	b->ptr[b->len] = '\0';
	return b->ptr + b->len;
}

void buf_add(struct buf *b, const void *p, size_t len)
{
	if (len == 0)
		return;
	memcpy(buf_reserve(b, len), p, len);
	b->len += len;
	b->ptr[b->len] = '\0';
}

void buf_add_uint(struct buf *b, uint64_t v)
{
	char digits[GS_DECIMAL_MAX];

	buf_add(b, digits, gs_put_decimal(digits, v));
}

void buf_add_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_add_fill(struct buf *b, char c, size_t n)
{
	memset(buf_reserve(b, n), c, n);
	b->len += n;
	b->ptr[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	(void)buf_reserve(b, PRINTF_ROOM); /* cannot fail */
	va_start(ap, fmt);
	n = vsnprintf(b->ptr + b->len, b->cap - b->len, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n >= b->cap - b->len) {
		(void)buf_reserve(b, (size_t)n);
		va_start(ap, fmt);
		n = vsnprintf(b->ptr + b->len, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	b->len += n > 0 ? (size_t)n : 0;
	b->ptr[b->len] = '\0';
}

void buf_add_int(struct buf *b, int64_t v)
{
	char text[GS_DECIMAL_MAX];

	buf_add(b, text, gs_put_int(text, v));
}

const char *buf_str(const struct buf *b)
{
	return b->ptr ? b->ptr : "";
}

void buf_add_le32(struct buf *b, uint32_t v)
{
	gs_put_le32(buf_reserve(b, 4), v);
	b->len += 4;
	b->ptr[b->len] = '\0';
}
