/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcode_zstd.c - the zstd frame around a tick or a group: compressed whole or in
 * parts, and decompressed.
 */
#include "format/tickcode_int.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/headcode.h"

/* For groups of some MiB: zstd's tables for this level are for much longer inputs, and
 * too large for the caches of a CPU; these find as much in less time.  Matches of three
 * bytes, which it has at higher levels only, are up to 2 % of the bytes. */
static const struct {
	ZSTD_cParameter is;
	int value;
} kept_parameters[] = {
	{ ZSTD_c_hashLog, 18 }, { ZSTD_c_chainLog, 19 },
	{ ZSTD_c_searchLog, 4 }, { ZSTD_c_minMatch, 3 },
	{ ZSTD_c_targetLength, 48 },
};

/* Valid parameters can not be refused; the library clamps a level that is out of
 * range. */
static void set_level(struct tickcode *c, int level)
{
	size_t i;

	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_compressionLevel, level);
	for (i = 0; level == TICKCODE_KEPT_LEVEL && i < GS_LEN(kept_parameters); i++)
		(void)ZSTD_CCtx_setParameter(c->cctx, kept_parameters[i].is,
		    kept_parameters[i].value);
}

void tickcode_open_zstd(struct tickcode *c)
{
	c->cctx = ZSTD_createCCtx();
	c->dctx = ZSTD_createDCtx();
	if (!c->cctx || !c->dctx)
		gs_out_of_memory();
	set_level(c, c->level);
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_checksumFlag, 1);
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_contentSizeFlag, 1);
}

void tickcode_close_zstd(struct tickcode *c)
{
	(void)ZSTD_freeCCtx(c->cctx); /* cannot fail on a live context */
	(void)ZSTD_freeDCtx(c->dctx);
}

/* ---- compress ----------------------------------------------------------- */

void tickcode_compress(struct tickcode *c, const void *p, size_t len,
	struct buf *out)
{
	size_t bound = ZSTD_compressBound(len);
	size_t n;

	buf_reset(out);
	(void)ZSTD_CCtx_refPrefix(c->cctx, NULL, 0);
	n = ZSTD_compress2(c->cctx, buf_reserve(out, bound), bound, p, len);
	if (ZSTD_isError(n)) /* the buffer is large enough, parameters are valid */
		gs_out_of_memory();
	out->len = n;
	out->ptr[n] = '\0';
}

/* ---- a frame in parts --------------------------------------------------- */

/* No input is refused: the buffer grows, and the length is the one that was given. */
static void push(struct tickstream *s, ZSTD_inBuffer *in,
	ZSTD_EndDirective how)
{
	size_t left;

	do {
		size_t room = ZSTD_CStreamOutSize();
		ZSTD_outBuffer to = { buf_reserve(s->out, room), room, 0 };

		left = ZSTD_compressStream2(s->cctx, &to, in, how);
		if (ZSTD_isError(left))
			gs_out_of_memory();
		s->out->len += to.pos;
	} while (in->pos < in->size || (how != ZSTD_e_continue && left > 0));
	s->out->ptr[s->out->len] = '\0';
}

static void begin_after(struct tickstream *s, struct tickcode *c,
	struct span before, size_t len, struct buf *out)
{
	*s = (struct tickstream) { c->cctx, out };
	buf_reset(out);
	(void)ZSTD_CCtx_refPrefix(s->cctx, before.ptr, span_len(before));
	(void)ZSTD_CCtx_setPledgedSrcSize(s->cctx, len); /* at a beginning */
}

void tickstream_begin(struct tickstream *s, struct tickcode *c, size_t len,
	struct buf *out)
{
	begin_after(s, c, span_str(""), len, out);
}

void tickstream_add(struct tickstream *s, const char *p, size_t len)
{
	ZSTD_inBuffer in = { p, len, 0 };

	push(s, &in, ZSTD_e_continue);
}

void tickstream_end(struct tickstream *s)
{
	ZSTD_inBuffer in = { NULL, 0, 0 };

	push(s, &in, ZSTD_e_end);
}

/* At these n breaks a block ends, too. */
static void compress_parts(struct tickcode *c, struct span before, const void *p,
	size_t len, const size_t *at, size_t n, struct buf *out)
{
	ZSTD_inBuffer in = { p, 0, 0 };
	struct tickstream s;
	size_t i;

	begin_after(&s, c, before, len, out);
	for (i = 0; i < n; i++) {
		in.size = at[i];
		push(&s, &in, ZSTD_e_flush);
	}
	in.size = len;
	push(&s, &in, ZSTD_e_end);
}

void tickcode_compress_tick(struct tickcode *c, const void *p, size_t len,
	struct buf *out)
{
	struct span header;
	size_t end;

	if (!headcode_find(span_of(p, len), &header)) {
		tickcode_compress(c, p, len, out);
		return;
	}
	end = (size_t)(header.end - (const char *)p);
	compress_parts(c, span_str(""), p, len, &end, 1, out);
}

void tickcode_compress_key(struct tickcode *c, const void *p, size_t len,
	struct buf *out)
{
	bool more = c->level >= TICKCODE_LEVEL &&
	    c->level < TICKCODE_KEY_LEVEL && len <= TICKCODE_KEY_BYTES;

	if (more)
		set_level(c, TICKCODE_KEY_LEVEL);
	tickcode_compress_tick(c, p, len, out);
	if (more)
		set_level(c, c->level);
}

/* Shorter ones are many by chance where there are bytes before: they say less than
 * the bytes themselves. */
#define MATCH_AFTER 6

void tickcode_compress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, const struct breaks *at, struct buf *out)
{
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_minMatch, MATCH_AFTER);
	compress_parts(c, before, p, len, at->at, at->n, out);
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_minMatch, 0); /* default */
	set_level(c, c->level);
}

/* ---- decompress --------------------------------------------------------- */

/* A buffer that is freed after the next frame gets no room to grow. */
static char *room_for(struct buf *b, size_t len)
{
	if (len > TICKCODE_KEEP_MAX && len >= b->cap) {
		buf_release(b);
		b->cap = len + 1;
		b->ptr = gs_malloc(b->cap);
		b->ptr[0] = '\0';
	}
	return buf_reserve(b, len);
}

int tickcode_decompress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, size_t raw_len, struct buf *out,
	struct gs_err *err)
{
	unsigned long long claims = ZSTD_getFrameContentSize(p, len);
	size_t n;

	if (raw_len > FRAME_RAW_MAX || claims != raw_len)
		return gs_fail(err, GS_E_FORMAT,
		    "frame holds %llu bytes, its index says %zu", claims,
		    raw_len);
	buf_reset(out);
	(void)ZSTD_DCtx_refPrefix(c->dctx, before.ptr, span_len(before));
	n = ZSTD_decompressDCtx(c->dctx, room_for(out, raw_len), raw_len, p,
	    len);
	if (ZSTD_isError(n))
		return gs_fail(err, GS_E_FORMAT, "decompress: %s",
		    ZSTD_getErrorName(n));
	if (n != raw_len)
		return gs_fail(err, GS_E_FORMAT,
		    "frame gave %zu bytes, its index says %zu", n, raw_len);
	out->len = n;
	out->ptr[n] = '\0';
	return GS_OK;
}

int tickcode_decompress(struct tickcode *c, const void *p, size_t len,
	size_t raw_len, struct buf *out, struct gs_err *err)
{
	return tickcode_decompress_after(c, span_str(""), p, len, raw_len, out,
	    err);
}
