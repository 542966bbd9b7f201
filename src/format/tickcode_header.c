/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcode_header.c - the header of a tick, of which only the first bytes are
 * decompressed: whoever opens a week needs no more of most of its files.
 */
#include "base/arith.h"
#include "format/headcode.h"
#include "format/tickcode_int.h"

/* A block of zstd has at most 128 KiB: a header that is longer is read with its tick. */
#define HEADER_MOST ((size_t)256 << 10)
/* Each is searched from the beginning. */
#define BLOCKS_MOST 16

/* Decompresses another block; how many bytes zstd wants for it is *hint, 0 after the last
 * one.  False: it can't. */
static bool add_block(struct tickcode *c, ZSTD_inBuffer *in, size_t len, size_t *hint,
	struct buf *to)
{
	size_t room = ZSTD_DStreamOutSize();
	ZSTD_outBuffer out = { buf_reserve(to, room), room, 0 };

	in->size = in->pos + GS_MIN(*hint, len - in->pos);
	*hint = ZSTD_decompressStream(c->dctx, &out, in);
	to->len += out.pos;
	return !ZSTD_isError(*hint);
}

static struct header *unpack(struct tickcode *c, struct span from)
{
	struct header *ret = NULL;
	const Gpsnap__V1__Header *m;

	pbarena_reset(&c->arena);
	m = gpsnap__v1__header__unpack(&c->arena.alloc, span_len(from),
	    (const uint8_t *)from.ptr);
	return m && headcode_read(m, &ret, NULL) == GS_OK ? ret : NULL;
}

struct header *tickcode_read_header(struct tickcode *c, struct span frame)
{
	ZSTD_inBuffer in = { frame.ptr, 0, 0 };
	struct buf *to = &c->head;
	size_t hint = ZSTD_initDStream(c->dctx);
	struct span found;
	unsigned i;

	buf_reset(to);
	for (i = 0; hint > 0 && i < BLOCKS_MOST && to->len < HEADER_MOST &&
	    add_block(c, &in, span_len(frame), &hint, to); i++) {
		if (headcode_find(span_of(to->ptr, to->len), &found))
			return unpack(c, found);
	}
	return NULL;
}
