/* SPDX-License-Identifier: Apache-2.0 */
/*
 * varint.h - protobuf's varints, for messages that are written or parsed by
 * hand.  Private to src/format.
 */
#ifndef GS_FORMAT_VARINT_H
#define GS_FORMAT_VARINT_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/scan.h"

/* Field numbers of proto/gpsnap.proto. */
enum {
	FIELD_RECORDING_RECORD = 1,
	FIELD_RECORD_TICK = 1,
	FIELD_RECORD_GROUP = 2,
	FIELD_TICK_HEADER = 4,
	FIELD_TICK_TEXT = 5,
	FIELD_TICK_HOST = 6,
	FIELD_ANSWER_BLOCK = 2,
	FIELD_BLOCK_ENTITY = 9,
	FIELD_DELTA_ENTITY = 1,
	FIELD_DELTA_COLUMN = 6,
	FIELD_DELTA_COLUMNS = 9,
	FIELD_DELTA_WAITED = 10,
	FIELD_COLUMN_VALUES = 2, /* row_gap, diff, text, gone_gap */
	FIELD_COLUMN_COUNTS = 6, /* rows, diffs, texts, gones */
	FIELD_TICK_KEY = 3,
	FIELD_GROUP_TICK = 1,
	FIELD_GROUP_STREAM = 2,
	FIELD_STREAM_ENTITY = 1,
	FIELD_STREAM_METRIC = 2,
	FIELD_STREAM_KEY = 3,
	FIELD_STREAM_VALUES = 4, /* as those of a column */
	FIELD_STREAM_DIFF = 5,
	FIELD_STREAM_PLANES = 8
};

/* Parses a varint from the beginning of s; false: there is no whole one. */
static inline bool varint_read(struct span *s, uint64_t *ret)
{
	size_t n = gs_get_varint(s->ptr, span_len(*s), ret);

	if (n == 0 || n == (size_t)-1)
		return false;
	s->ptr += n;
	return true;
}
static inline size_t varint_len(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

/* Begins a field: its number and its length in bytes. */
static inline void varint_add_field(struct buf *to, unsigned number,
	size_t len)
{
	buf_add_varint(to, number << 3 | 2);
	buf_add_varint(to, len);
}

/* Replaces to by the beginning of a Recording: its record begins with a field
 * of len bytes. */
static inline void varint_begin_record(struct buf *to, unsigned number,
	size_t len)
{
	buf_reset(to);
	varint_add_field(to, FIELD_RECORDING_RECORD, 1 + varint_len(len) + len);
	varint_add_field(to, number, len);
}

#endif
