/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_summary.c - any bytes as the summary frame of a group, and as the message
 * in it behind its checksums.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "format/frame.h"
#include "format/summaryframe.h"
#include "format/tickcode.h"
#include "fuzz.h"

static void check(const struct summaries *all)
{
	size_t i, k;

	for (i = 0; i < all->n; i++) {
		const struct summary *s = &all->item[i];

		if (s->to_seq <= s->from_seq || !summary_fits(s, s))
			abort();
		for (k = 0; k < s->n_row; k++) {
			if (s->row[k].peak + s->row[k].n_peak > s->n_peak)
				abort();
		}
	}
}

static void read_frame(const void *p, size_t len)
{
	static struct summarycode *c;
	struct summaries all = { 0 };
	struct buf again = BUF_INIT;
	struct gs_err err;
	size_t i;

	if (!c)
		c = summarycode_new(1);
	if (len >= SUMMARYFRAME_TAIL)
		(void)summaryframe_len((const char *)p + len -
		    SUMMARYFRAME_TAIL); /* any answer will do */
	if (summarycode_read(c, p, len, &all, &err) == GS_OK)
		check(&all);
	for (i = 0; i < all.n; i++)
		summarycode_add(c, &all.item[i]);
	(void)summarycode_put(c, &again); /* nothing may have been read */
	buf_release(&again);
	summaries_release(&all);
}

/* The frame that has these bytes as its message. */
static void read_message(const void *p, size_t len)
{
	static struct tickcode *zstd;
	struct buf b = BUF_INIT, comp = BUF_INIT;

	if (!zstd)
		zstd = tickcode_new(1);
	tickcode_compress(zstd, p, len, &comp);
	buf_add_le32(&b, 0x184D2A5Au);
	buf_add_le32(&b, (uint32_t)comp.len + 20);
	buf_add(&b, "GPSS", 4);
	buf_add_le32(&b, (uint32_t)len);
	buf_add(&b, comp.ptr, comp.len);
	buf_add_le32(&b, frame_crc32c(b.ptr, b.len));
	buf_add_le32(&b, (uint32_t)b.len + 8);
	buf_add(&b, "GPSS", 4);
	read_frame(b.ptr, b.len);
	buf_release(&b);
	buf_release(&comp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_frame(data, size);
	read_message(data, size);
	return 0;
}
