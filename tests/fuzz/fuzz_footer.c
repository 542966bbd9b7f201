/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_footer.c - any bytes as the entries of a file's footer, whose lengths
 * and checksums are right: the first two bytes are the number of entries.
 * What is taken stays within the file, in order.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "format/footer.h"
#include "fuzz.h"
#include "memfile.h"

static void check(const struct frame_entry *e, size_t n, uint64_t start)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (e[i].offset + FRAME_INDEX_LEN + e[i].comp_len > start)
			abort();
		if (i > 0 && e[i].offset < e[i - 1].offset)
			abort();
	}
}

static void make_footer(const uint8_t *data, size_t size, uint32_t n,
	struct buf *to)
{
	size_t start = to->len;

	buf_add_le32(to, FRAME_SKIP_MAGIC);
	buf_add_le32(to, (uint32_t)size + FOOTER_LEN_MIN - 8);
	buf_add(to, data, size);
	buf_add_le32(to, n);
	buf_add_le32(to, frame_crc32c(data, size));
	buf_add_le32(to, (uint32_t)size + FOOTER_LEN_MIN);
	buf_add_le32(to, frame_crc32c(to->ptr + start, to->len - start));
	buf_add_str(to, "GPSE");
}

/* As the end of a file of that many bytes before it. */
static void use_file(const struct buf *footer)
{
	struct frame_entry *e = NULL;
	struct source s;
	size_t n = 0;

	if (source_open(&s, memfile(footer->ptr, footer->len), NULL) < 0)
		abort();
	(void)footer_ends(&s); /* must not crash */
	if (footer_load(&s, &e, &n) == GS_OK) {
		check(e, n, footer->len);
		free(e);
	}
	source_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct frame_entry *e = NULL;
	struct buf footer = BUF_INIT;
	struct gs_err err;
	size_t n = 0;

	if (size < 2)
		return 0;
	buf_add_fill(&footer, '\0', (size_t)256 * (data[0] % 4));
	make_footer(data + 2, size - 2, data[0] + 256U * data[1], &footer);
	if (footer_get(footer.ptr + footer.len - size - 26, size + 26,
		UINT64_MAX / 4, &e, &n, &err) == GS_OK) {
		check(e, n, UINT64_MAX / 4);
		free(e);
	}
	use_file(&footer);
	buf_release(&footer);
	return 0;
}
