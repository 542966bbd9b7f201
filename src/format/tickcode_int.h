/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcode_int.h - shared by tickcode.c (ticks as bytes) and tickcode_zstd.c (the zstd
 * frame around them).
 */
#ifndef GS_FORMAT_TICKCODE_INT_H
#define GS_FORMAT_TICKCODE_INT_H

#include <zstd.h>

#include "format/blockcode.h"
#include "format/stash.h"
#include "format/tickcode.h"

/* Scratch memory that is kept from tick to tick, of each kind. */
#define TICKCODE_KEEP_MAX ((size_t)4 << 20)

struct tickcode {
	struct pbarena arena;
	struct described described;
	struct described used; /* columns of the blocks since tickcode_begin() */
	struct buf hosts; /* these blocks, as fields `host` of Tick */
	struct stash stash; /* those before them, of a large key */
	struct buf head, tail; /* the fields before and after them */
	struct buf begin; /* of the record */
	uint32_t key_tag; /* of the last encoded key */
	uint64_t wanted; /* entities to decode, a bit each */
	bool dense, bare;
	bool saves; /* memory, in the tick that was begun */
	int level;
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
};

/* Its contexts of zstd. */
void tickcode_open_zstd(struct tickcode *c);
void tickcode_close_zstd(struct tickcode *c);

/* A zstd frame that is made of bytes as they come. */
struct tickstream {
	ZSTD_CCtx *cctx;
	struct buf *out;
};

/* Replaces out by a frame of len bytes in all. */
void tickstream_begin(struct tickstream *s, struct tickcode *c, size_t len,
	struct buf *out);
void tickstream_add(struct tickstream *s, const char *p, size_t len);
void tickstream_end(struct tickstream *s);

#endif
