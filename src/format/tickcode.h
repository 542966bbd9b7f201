/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcode.h - encodes and decodes one tick as bytes of a Recording, and the
 * zstd frame around them.
 *
 * A coder keeps its scratch memory between calls.  It also keeps the tag of
 * the key that it encoded last, for the deltas after it: so ticks are encoded
 * in the order in which they build on each other.  Equal ticks give equal
 * bytes.
 */
#ifndef GS_FORMAT_TICKCODE_H
#define GS_FORMAT_TICKCODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"
#include "format/breaks.h"
#include "model/tick.h"

#define TICKCODE_LEVEL 3 /* zstd level unless asked otherwise */
#define TICKCODE_KEPT_LEVEL 17 /* of files that are kept, unless asked otherwise */
/* Of keys up to this size, if not less than the above was asked for: 15 % fewer
 * bytes for some 60 us per KiB, once in so many ticks. */
#define TICKCODE_KEY_LEVEL 14
#define TICKCODE_KEY_BYTES (256u << 10)

struct tickcode;

struct tickcode *tickcode_new(int level);
void tickcode_free(struct tickcode *c);

/* From now on columns of the same rows are encoded together: a quarter fewer
 * bytes of ticks that stand alone.  In a group they have streams instead. */
void tickcode_be_dense(struct tickcode *c);

/* From now on ticks are encoded without number, time and texts, and their blocks
 * without clocks: a gist has these beside the ticks. */
void tickcode_be_bare(struct tickcode *c);

/* Replaces out by the tick as a field `record` of Recording. */
void tickcode_encode(struct tickcode *c, const struct tick *t,
	struct buf *out);

/* The same of a key that was read, and whose header was changed: the deltas that
 * follow it are still its own. */
void tickcode_encode_again(struct tickcode *c, const struct tick *t,
	struct buf *out);

/* As tickcode_encode() in parts, for a tick whose blocks do not exist all at the same
 * time: begin, each block in order, end with the tick (whose own blocks are
 * ignored). */
void tickcode_begin(struct tickcode *c);
void tickcode_add_block(struct tickcode *c, const struct block *b);
void tickcode_end(struct tickcode *c, const struct tick *t, struct buf *out);

/* The key that was just begun is written once: it takes less memory, however many
 * hosts it has. */
void tickcode_save_memory(struct tickcode *c);

/* It has so many blocks by now that it must be ended by tickcode_end_large(). */
bool tickcode_is_large(const struct tickcode *c);

/* As tickcode_end(), then tickcode_compress(): replaces out by the frame.  Returns the
 * bytes in it; if these are more than FRAME_RAW_MAX, out is empty. */
size_t tickcode_end_large(struct tickcode *c, const struct tick *t,
	struct buf *out);

/* Reads the bytes of one frame: exactly one record with one tick.  Fills ret
 * (reset first).  Checks every count and slot against the limits of tick.h,
 * so that applying it can fail only on slots that are not open. */
int tickcode_decode(struct tickcode *c, const void *p, size_t len,
	struct tick *ret, struct gs_err *err);

/* The header of the first tick in a zstd frame, without the rest: as few of its bytes
 * are decompressed as there are up to its end, and no others are checked.  NULL: it is
 * not found so, and reading the tick tells why.  The caller frees it. */
struct header *tickcode_read_header(struct tickcode *c, struct span frame);

/* From now on ticks are read without texts, and without the rows of all entities but
 * these, a bit each: what is skipped is not checked either.  At first, and UINT64_MAX:
 * all. */
void tickcode_only(struct tickcode *c, uint64_t entities);

/* As tickcode_decode(), of tick i of a group. */
struct ungrouper;
int tickcode_read(struct tickcode *c, struct ungrouper *group, size_t i,
	struct tick *ret, struct gs_err *err);

/* Replaces out by one zstd frame of p, with content size and checksum. */
void tickcode_compress(struct tickcode *c, const void *p, size_t len,
	struct buf *out);

/* The same of a tick that stands alone: the header of a key is in blocks of its own, for
 * tickcode_read_header(). */
void tickcode_compress_tick(struct tickcode *c, const void *p, size_t len,
	struct buf *out);

/* The same of a key that is written once and kept. */
void tickcode_compress_key(struct tickcode *c, const void *p, size_t len,
	struct buf *out);

/* Replaces out by the content of a zstd frame of len bytes; raw_len is its
 * claimed size, at most FRAME_RAW_MAX. */
int tickcode_decompress(struct tickcode *c, const void *p, size_t len,
	size_t raw_len, struct buf *out, struct gs_err *err);

/* The same where the reader has the bytes before, too: what is repeated of them is
 * short.  At these breaks a block of the frame ends, too. */
void tickcode_compress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, const struct breaks *at, struct buf *out);
int tickcode_decompress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, size_t raw_len, struct buf *out,
	struct gs_err *err);

#endif
