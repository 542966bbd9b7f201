/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_page.c - any bytes as the frame of a kept page, also behind a checksum that
 * holds; and as what is in one.
 */
#include "format/pageframe.h"
#include "fuzz.h"
#include "repair.h"
#include "report/page_kept.h"

static void take(struct span kept)
{
	static const struct page_source src = { .zone = ZONE_UTC };
	struct page_data d;

	if (page_take(&src, kept, &d))
		page_data_release(&d);
}

static void read_frame(const void *p, size_t len)
{
	static struct tickcode *zstd;
	struct page_kept k = { .raw = BUF_INIT };

	if (!zstd)
		zstd = tickcode_new(1);
	if (len >= PAGEFRAME_TAIL)
		(void)pageframe_len((const char *)p + len -
		    PAGEFRAME_TAIL); /* any answer will do */
	if (pageframe_read(zstd, p, len, &k, NULL) == GS_OK)
		take(span_of(buf_str(&k.raw), k.raw.len));
	buf_release(&k.raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = BUF_INIT;

	take(span_of((const char *)data, size));
	read_frame(data, size);
	if (size >= PAGEFRAME_HEAD + PAGEFRAME_TAIL) {
		buf_add(&b, data, size);
		repair_beside(b.ptr, b.len);
		read_frame(b.ptr, b.len);
		buf_release(&b);
	}
	return 0;
}
