/* SPDX-License-Identifier: Apache-2.0 */
#include "format/besideframe.h"

#include <string.h>

#include "base/bytes.h"
#include "format/frame.h"

#define BESIDE_MAGIC 0x184D2A5Au

size_t besideframe_begin(const char tag[BESIDE_TAG], struct buf *to)
{
	size_t start = to->len;

	buf_add_le32(to, BESIDE_MAGIC);
	buf_add_le32(to, 0); /* besideframe_end() knows it */
	buf_add(to, tag, BESIDE_TAG);
	return start;
}

void besideframe_end(const char tag[BESIDE_TAG], size_t start, struct buf *to)
{
	size_t len = to->len - start + BESIDE_TAIL;

	gs_put_le32(to->ptr + start + 4, (uint32_t)len - 8);
	buf_add_le32(to, frame_crc32c(to->ptr + start, to->len - start));
	buf_add_le32(to, (uint32_t)len);
	buf_add(to, tag, BESIDE_TAG);
}

size_t besideframe_len(const char tag[BESIDE_TAG], const void *tail, size_t least)
{
	const unsigned char *p = tail;
	uint32_t len = gs_get_le32(p + 4);

	return memcmp(p + 8, tag, BESIDE_TAG) == 0 && len >= least &&
	    len <= FRAME_RAW_MAX ? len : 0;
}

bool besideframe_begins(const char tag[BESIDE_TAG], const void *p, size_t len)
{
	const unsigned char *at = p;

	return gs_get_le32(at) == BESIDE_MAGIC &&
	    gs_get_le32(at + 4) == len - 8 &&
	    memcmp(at + 8, tag, BESIDE_TAG) == 0;
}

bool besideframe_is_whole(const char tag[BESIDE_TAG], const void *p, size_t len,
	size_t least)
{
	const unsigned char *tail;

	if (len < least || !besideframe_begins(tag, p, len))
		return false;
	tail = (const unsigned char *)p + len - BESIDE_TAIL;
	return besideframe_len(tag, tail, least) == len &&
	    gs_get_le32(tail) == frame_crc32c(p, len - BESIDE_TAIL);
}
