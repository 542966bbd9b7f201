/* SPDX-License-Identifier: Apache-2.0 */
#include "format/pageframe.h"

#include <string.h>

#include "base/bytes.h"

#define LEAST (PAGEFRAME_HEAD + PAGEFRAME_TAIL)

static const char page_tag[BESIDE_TAG] = { 'G', 'P', 'S', 'P' };

void pageframe_put(struct tickcode *zstd, const struct page_kept *k,
	struct buf *to)
{
	struct buf comp = BUF_INIT;
	size_t start = besideframe_begin(page_tag, to);

	tickcode_compress(zstd, k->raw.ptr, k->raw.len, &comp);
	buf_add_le32(to, (uint32_t)k->raw.len);
	buf_add_le32(to, k->layout);
	buf_add(to, comp.ptr, comp.len);
	besideframe_end(page_tag, start, to);
	buf_release(&comp);
}

size_t pageframe_len(const void *tail)
{
	return besideframe_len(page_tag, tail, LEAST);
}

int pageframe_read(struct tickcode *zstd, const void *p, size_t len,
	struct page_kept *ret, struct gs_err *err)
{
	const char *at = p;
	size_t raw_len;

	if (!besideframe_is_whole(page_tag, p, len, LEAST))
		return gs_fail(err, GS_E_FORMAT, "page: damaged");
	raw_len = gs_get_le32(at + 12);
	if (raw_len > PAGEFRAME_RAW_MAX)
		return gs_fail(err, GS_E_FORMAT, "page: %zu bytes", raw_len);
	ret->layout = gs_get_le32(at + 16);
	return tickcode_decompress(zstd, at + PAGEFRAME_HEAD,
	    len - PAGEFRAME_HEAD - PAGEFRAME_TAIL, raw_len, &ret->raw, err);
}
