/* SPDX-License-Identifier: Apache-2.0 */
#include "format/planes.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "format/blockfields.h"
#include "format/fields.h"
#include "format/varint.h"

#define PLANES 10u /* bytes of the longest varint */

static bool goes_on(char c)
{
	return (unsigned char)c >= 0x80;
}

/* Where each plane begins, in bytes of one varint after the other or in planes of
 * them; false: they are no varints. */
static bool find_planes(const char *p, size_t len, bool split,
	size_t ret[PLANES + 1])
{
	size_t count[PLANES + 1] = { 0 }, at = 0, i, k = 0;

	for (i = 0; i < len; i++)
		count[0] += !goes_on(p[i]);
	for (i = 0; !split && i < len; i++) {
		count[k] += k > 0;
		k = goes_on(p[i]) ? k + 1 : 0;
		if (k == PLANES)
			return false;
	}
	for (k = 0; k < PLANES; k++) {
		ret[k] = at;
		if (count[k] > len - at)
			return false;
		for (i = 0; split && i < count[k]; i++)
			count[k + 1] += goes_on(p[at + i]);
		at += count[k];
	}
	ret[PLANES] = at;
	return at == len && (len == 0 || split || !goes_on(p[len - 1]));
}

/* Copies byte after byte of the varints, which are in planes in one of both. */
static void copy(char *to, const char *from, size_t len, bool split,
	size_t at[PLANES + 1])
{
	size_t i, k = 0;

	for (i = 0; i < len; i++) {
		size_t in = split ? at[k]++ : i, out = split ? i : at[k]++;

		to[out] = from[in];
		k = goes_on(from[in]) ? k + 1 : 0;
	}
}

static bool reorder(char *p, size_t len, bool split, struct buf *scratch)
{
	size_t at[PLANES + 1];

	if (!find_planes(p, len, split, at))
		return false;
	buf_reset(scratch);
	copy(buf_reserve(scratch, len), p, len, split, at);
	if (len > 0)
		memcpy(p, scratch->ptr, len);
	return true;
}

/* ---- groups ------------------------------------------------------------- */

struct group_bytes {
	char *begin;
	bool split; /* they are in planes */
	struct buf scratch;
};

static int reorder_diffs(void *ctx, const struct field *f)
{
	struct group_bytes *g = ctx;

	if (f->number != FIELD_STREAM_DIFF || f->wire != WIRE_BYTES)
		return GS_OK;
	return reorder(g->begin + (f->body.ptr - g->begin), span_len(f->body),
	    g->split, &g->scratch) ? GS_OK : GS_E_FORMAT;
}

static int reorder_stream(void *ctx, const struct field *f)
{
	if (f->number != FIELD_GROUP_STREAM || f->wire != WIRE_BYTES)
		return GS_OK;
	return each_field(f->body, reorder_diffs, ctx);
}

static bool reorder_group(char *group, size_t len, bool split)
{
	struct group_bytes g = { group, split, BUF_INIT };
	struct span record = span_of(group, len), one, streams;
	bool ok = message_next(&record, FIELD_RECORDING_RECORD, &one) &&
	    message_next(&one, FIELD_RECORD_GROUP, &streams) &&
	    each_field(streams, reorder_stream, &g) == GS_OK;

	buf_release(&g.scratch);
	return ok;
}

bool planes_split(char *group, size_t len)
{
	return reorder_group(group, len, false);
}

bool planes_join(char *group, size_t len)
{
	return reorder_group(group, len, true);
}
