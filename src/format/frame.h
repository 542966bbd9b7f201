/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h - the byte map of a .gpsnap file: index frames and the footer.
 *
 * A file is a sequence of pairs {index frame, zstd frame}, closed by a
 * footer; all three are zstd frames to zstd itself (the index frame and the
 * footer are skippable ones), so that `zstd -dc` gives the records alone.
 *
 *   index frame, FRAME_INDEX_LEN bytes, little-endian
 *    0  4  magic 0x184D2A5D (a zstd skippable frame)
 *    4  4  length of what follows: 56
 *    8  4  tag "GPSN"
 *   12  1  version of this layout: 1; 4 of a group, 5 of one in which ticks
 *          were left out; earlier versions wrote 2 and 3 in place of these
 *   13  1  kind: 1 key, 2 delta, 3 group (group.h)
 *   14  2  flags: 1: the group ends with a repair frame (repair.h);
 *          2: a summary frame is before it (summaryframe.h)
 *   16  8  sequence number of the tick
 *   24  8  time of the tick, wall ns, signed
 *          of a group both are those of its first tick
 *   32  4  length of the zstd frame that follows; of a group: of its list
 *          and its zstd frame
 *   36  4  length of what it decompresses to
 *   40  8  distance back from this frame's first byte to that of its key's
 *          index frame; 0 if it is a key itself, or a group that begins
 *          with one
 *   48  8  distance back to the previous key's index frame, or group's: of
 *          a key, the key before it; of a delta, the key before its own; 0:
 *          none in this file
 *   56  4  CRC32C of these bytes
 *   60  4  CRC32C of bytes 0..59 of this frame
 *
 *   footer
 *    0  4  magic 0x184D2A5D
 *    4  4  length of what follows: n + 20
 *    8  n  entries, one per index frame in file order: varints
 *            offset - end of the frame pair before (0 when they adjoin)
 *            length of the zstd frame
 *            length of what it decompresses to
 *            sequence - sequence before, zigzag
 *            (time - time before, ns) , zigzag
 *            kind; of a group also the number of its ticks, and what its
 *            list says of each
 *   n+8   4  number of entries
 *   n+12  4  CRC32C of the entries
 *   n+16  4  length of the whole footer: n + 28
 *   n+20  4  CRC32C of footer bytes 0 .. n+19
 *   n+24  4  tag "GPSE"
 */
#ifndef GS_FORMAT_FRAME_H
#define GS_FORMAT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define FRAME_SKIP_MAGIC 0x184D2A5Du
#define FRAME_INDEX_LEN 64u

/* A reader refuses a frame whose claimed size is larger, raw or compressed. */
#define FRAME_RAW_MAX (128u << 20)
#define FRAME_RAW_MAX_TEXT "128 MiB"

/* A writer starts a new file before this many decompressed bytes, so that
 * protoc (2 GiB) and its fivefold memory can read each. */
#define FRAME_FILE_RAW_MAX (512u << 20)

enum frame_kind {
	FRAME_KEY = 1,
	FRAME_DELTA = 2,
	FRAME_GROUP = 3 /* only of a whole frame: a tick is one of the others */
};

struct frame_index {
	enum frame_kind kind;
	bool sparse; /* a group in which ticks were left out */
	bool early; /* a group without planes, which earlier versions can read */
	bool repair; /* a group that ends with a repair frame */
	bool summary; /* with a summary frame before that */
	uint64_t seq;
	uint64_t left_out; /* of a group it is in the ticks, not in the frame */
	int64_t wall_ns;
	uint32_t comp_len;
	uint32_t raw_len;
	uint64_t back_key;
	uint64_t back_prev_key;
	uint32_t crc; /* of the zstd frame */
};

/* CRC32C (Castagnoli), initial value and final inversion as in RFC 3720. */
uint32_t frame_crc32c(const void *p, size_t len);

/* Writes FRAME_INDEX_LEN bytes. */
void frame_index_put(const struct frame_index *f, void *to);

/* 0 if p (FRAME_INDEX_LEN bytes) is an index frame, with valid CRC and sane
 * lengths; GS_E_FORMAT if not, GS_E_VERSION for a newer layout. */
int frame_index_get(const void *p, struct frame_index *ret);

/* A tick and its frame. */
struct frame_entry {
	uint64_t offset; /* of the index frame in the file */
	uint64_t seq;
	uint64_t left_out; /* as in struct tick */
	int64_t wall_ns;
	uint32_t comp_len; /* of the frame; the ticks of a group share one */
	uint32_t raw_len;
	enum frame_kind kind; /* key or delta */
	uint32_t number; /* of the tick within its group, from 0 */
};

#endif
