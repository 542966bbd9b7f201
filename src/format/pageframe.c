/* SPDX-License-Identifier: Apache-2.0 */
#include "format/pageframe.h"

#include <string.h>

#include "base/bytes.h"
#include "format/frame.h"

#define PAGE_MAGIC 0x184D2A5Au

static const char page_tag[4] = { 'G', 'P', 'S', 'P' };

void pageframe_put(struct tickcode *zstd, const struct page_kept *k,
	struct buf *to)
{
	struct buf comp = BUF_INIT;
	size_t start = to->len;

	tickcode_compress(zstd, k->raw.ptr, k->raw.len, &comp);
	buf_add_le32(to, PAGE_MAGIC);
	buf_add_le32(to, (uint32_t)comp.len + PAGEFRAME_HEAD - 8 +
	    PAGEFRAME_TAIL);
	buf_add(to, page_tag, sizeof(page_tag));
	buf_add_le32(to, (uint32_t)k->raw.len);
	buf_add_le32(to, k->layout);
	buf_add(to, comp.ptr, comp.len);
	buf_add_le32(to, frame_crc32c(to->ptr + start, to->len - start));
	buf_add_le32(to, (uint32_t)(to->len + 8 - start));
	buf_add(to, page_tag, sizeof(page_tag));
	buf_release(&comp);
}

size_t pageframe_len(const void *tail)
{
	const unsigned char *p = tail;
	uint32_t len = gs_get_le32(p + 4);

	if (memcmp(p + 8, page_tag, sizeof(page_tag)) != 0 ||
	    len < PAGEFRAME_HEAD + PAGEFRAME_TAIL || len > FRAME_RAW_MAX)
		return 0;
	return len;
}

static bool is_frame(const char *p, size_t len)
{
	return len >= PAGEFRAME_HEAD + PAGEFRAME_TAIL &&
	    gs_get_le32(p) == PAGE_MAGIC && gs_get_le32(p + 4) == len - 8 &&
	    memcmp(p + 8, page_tag, sizeof(page_tag)) == 0 &&
	    gs_get_le32(p + len - PAGEFRAME_TAIL) ==
	    frame_crc32c(p, len - PAGEFRAME_TAIL);
}

int pageframe_read(struct tickcode *zstd, const void *p, size_t len,
	struct page_kept *ret, struct gs_err *err)
{
	const char *at = p;
	size_t raw_len;

	if (!is_frame(at, len))
		return gs_fail(err, GS_E_FORMAT, "page: damaged");
	raw_len = gs_get_le32(at + 12);
	if (raw_len > PAGEFRAME_RAW_MAX)
		return gs_fail(err, GS_E_FORMAT, "page: %zu bytes", raw_len);
	ret->layout = gs_get_le32(at + 16);
	return tickcode_decompress(zstd, at + PAGEFRAME_HEAD,
	    len - PAGEFRAME_HEAD - PAGEFRAME_TAIL, raw_len, &ret->raw, err);
}
