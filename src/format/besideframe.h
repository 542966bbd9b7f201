/* SPDX-License-Identifier: Apache-2.0 */
/*
 * besideframe.h - what summaries, gists and a page have in common: a skippable zstd
 * frame after the zstd frame of a group, which is found from its end.
 *
 *      0  4  magic 0x184D2A5A
 *      4  4  length of what follows: n - 8
 *      8  4  tag: which of them it is
 *     12     ...
 *   n-12  4  CRC32C of the bytes before
 *    n-8  4  length of the whole frame: n
 *    n-4  4  tag
 */
#ifndef GS_FORMAT_BESIDEFRAME_H
#define GS_FORMAT_BESIDEFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define BESIDE_TAG 4u
#define BESIDE_TAIL 12u

/* A number of 8 bytes, the lowest first. */
static inline void beside_add_le64(struct buf *to, uint64_t v)
{
	buf_add_le32(to, (uint32_t)v);
	buf_add_le32(to, (uint32_t)(v >> 32));
}

/* Appends the first 12 bytes; returns where they begin, for besideframe_end(), which
 * appends the last ones. */
size_t besideframe_begin(const char tag[BESIDE_TAG], struct buf *to);
void besideframe_end(const char tag[BESIDE_TAG], size_t start, struct buf *to);

/* Length of the frame that ends with these BESIDE_TAIL bytes; 0: none of the tag does.
 * least: of a frame of this kind. */
size_t besideframe_len(const char tag[BESIDE_TAG], const void *tail, size_t least);

/* The len bytes at p, at least 12 of them, begin as such a frame. */
bool besideframe_begins(const char tag[BESIDE_TAG], const void *p, size_t len);

/* They are one, with the right checksum. */
bool besideframe_is_whole(const char tag[BESIDE_TAG], const void *p, size_t len,
	size_t least);

#endif
