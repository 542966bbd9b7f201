/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_page.c - finds the page of a file (pageframe.h): in its last group,
 * behind whose ticks it stands.
 */
#include "format/reader_int.h"

#include "format/pageframe.h"
#include "format/repair.h"

static size_t beside_len(const char *tail)
{
	size_t gist = gistframe_len(tail);

	return gist > 0 ? gist : summaryframe_len(tail);
}

/* Where the frame of the page ends in that group, if it has one. */
static size_t find_page(struct reader *r, const struct frame_entry *e,
	uint64_t *ret_end)
{
	uint64_t begin = e->offset + FRAME_INDEX_LEN, end;
	char tail[PAGEFRAME_TAIL];
	struct frame_index f;
	size_t len;

	if (!reader_index_of(r, e, &f) || !f.summary)
		return 0;
	end = begin + repair_covers(f.comp_len);
	while (end >= begin + sizeof(tail) && source_peek(&r->src,
	    end - sizeof(tail), tail, sizeof(tail))) {
		*ret_end = end;
		len = pageframe_len(tail);
		if (len > 0)
			return len <= end - begin ? len : 0;
		len = beside_len(tail);
		if (len == 0 || len > end - begin)
			return 0;
		end -= len;
	}
	return 0;
}

size_t reader_page_bytes(struct reader *r)
{
	const struct frame_entry *e;
	uint64_t end;
	size_t n;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0 || n == 0)
		return 0;
	return find_page(r, &e[n - 1], &end);
}

bool reader_page(struct reader *r, struct page_kept *ret)
{
	const struct frame_entry *e;
	struct tickcode *zstd;
	const char *p = NULL;
	uint64_t end;
	size_t n, len;
	bool ok;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0 || n == 0)
		return false;
	len = find_page(r, &e[n - 1], &end);
	if (len == 0 || source_get(&r->src, end - len, len, &p, NULL) !=
	    (int64_t)len)
		return false;
	zstd = tickcode_new(TICKCODE_LEVEL);
	ok = pageframe_read(zstd, p, len, ret, NULL) == GS_OK;
	tickcode_free(zstd);
	return ok;
}
