/* SPDX-License-Identifier: Apache-2.0 */
#include "format/stash.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/mem.h"

#define STASH_LEVEL 1

void stash_add(struct stash *s, const char *p, size_t len)
{
	size_t bound = ZSTD_compressBound(len);
	char *bytes = gs_malloc(bound);
	size_t n = ZSTD_compress(bytes, bound, p, len, STASH_LEVEL);

	if (ZSTD_isError(n)) /* there is room: no memory for its tables */
		gs_out_of_memory();
	GS_GROW(s->part, &s->cap, s->n + 1);
	s->part[s->n++] = (struct stash_part) { gs_realloc(bytes, n), n, len };
	s->raw_len += len;
}

static void free_part(struct stash_part *p)
{
	free(p->bytes);
	*p = (struct stash_part) { 0 };
}

void stash_take(struct stash *s, stash_fn *fn, void *arg)
{
	struct buf raw = BUF_INIT;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct stash_part *p = &s->part[i];
		size_t n;

		buf_reset(&raw);
		n = ZSTD_decompress(buf_reserve(&raw, p->raw_len), p->raw_len,
		    p->bytes, p->len);
		if (n != p->raw_len) /* our own bytes are whole */
			gs_out_of_memory();
		free_part(p);
		fn(arg, raw.ptr, n);
	}
	buf_release(&raw);
	stash_drop(s);
}

void stash_drop(struct stash *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free_part(&s->part[i]);
	free(s->part);
	*s = (struct stash) { 0 };
}
