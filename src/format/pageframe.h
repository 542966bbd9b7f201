/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pageframe.h - what a report of a whole file shows, made ready when the file was
 * archived: a skippable zstd frame right after the zstd frame of the last
 * group, before its gists and summaries.
 *
 *      0  4  magic 0x184D2A5A
 *      4  4  length of what follows: n + 24
 *      8  4  tag "GPSP"
 *     12  4  length of what the zstd frame decompresses to
 *     16  4  layout of that, of which this folder knows nothing (report/page_kept.h)
 *     20  n  a zstd frame
 *   n+20  4  CRC32C of these bytes
 *   n+24  4  length of the whole frame: n + 32
 *   n+28  4  tag "GPSP"
 */
#ifndef GS_FORMAT_PAGEFRAME_H
#define GS_FORMAT_PAGEFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "format/besideframe.h"
#include "format/tickcode.h"

#define PAGEFRAME_HEAD 20u
#define PAGEFRAME_TAIL BESIDE_TAIL
#define PAGEFRAME_RAW_MAX ((size_t)32 << 20)

/* A report's data, and how it is to be read. */
struct page_kept {
	uint32_t layout;
	struct buf raw; /* at most PAGEFRAME_RAW_MAX */
};

/* Appends the frame. */
void pageframe_put(struct tickcode *zstd, const struct page_kept *k,
	struct buf *to);

/* Length of the frame that ends with these PAGEFRAME_TAIL bytes, 0: none
 * does. */
size_t pageframe_len(const void *tail);

/* Replaces *ret by the contents of the frame of len bytes at p. */
int pageframe_read(struct tickcode *zstd, const void *p, size_t len,
	struct page_kept *ret, struct gs_err *err);

#endif
