/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_page.c - finds the page of a file (pageframe.h): in its last group,
 * after the ticks.
 */
#include "format/reader_int.h"

#include "format/pageframe.h"

static size_t beside_len(const char *tail)
{
	size_t gist = gistframe_len(tail);

	return gist > 0 ? gist : summaryframe_len(tail);
}

/* The length of the frame of the page, and where it ends; 0: the file has none. */
static size_t find_page(struct reader *r, uint64_t *ret_end)
{
	const struct frame_entry *e;
	struct reader_beside b;
	size_t n, len = 0;
	bool more;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0 || n == 0)
		return 0;
	more = reader_beside(r, &e[n - 1], &b);
	while (more && (len = pageframe_len(b.tail)) == 0)
		more = reader_beside_pass(r, &b, beside_len(b.tail));
	if (!more || len > b.end - b.begin)
		return 0;
	*ret_end = b.end;
	return len;
}

size_t reader_page_bytes(struct reader *r)
{
	uint64_t end;

	return find_page(r, &end);
}

bool reader_page(struct reader *r, struct page_kept *ret)
{
	struct tickcode *zstd;
	const char *p = NULL;
	uint64_t end;
	size_t len = find_page(r, &end);
	bool ok;

	if (len == 0 || source_get(&r->src, end - len, len, &p, NULL) !=
	    (int64_t)len)
		return false;
	zstd = tickcode_new(TICKCODE_LEVEL);
	ok = pageframe_read(zstd, p, len, ret, NULL) == GS_OK;
	tickcode_free(zstd);
	return ok;
}
