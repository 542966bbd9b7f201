/* SPDX-License-Identifier: Apache-2.0 */
#include "format/footer.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"

/* The end of the frame of the last entry. */
static uint64_t end_of(const struct frame_entry *e, size_t n)
{
	return n == 0 ? 0
	    : e[n - 1].offset + FRAME_INDEX_LEN + e[n - 1].comp_len;
}

bool footer_ends_so(const char *end, uint64_t len)
{
	return gs_get_le32(end) == len && memcmp(end + 8, "GPSE", 4) == 0;
}

bool footer_is_whole(const void *p, size_t len, struct footer_claim *ret)
{
	struct frame_entry *e = NULL;
	size_t n;

	if (frame_footer_get(p, len, UINT64_MAX / 2, &e, &n, NULL) < 0)
		return false;
	*ret = (struct footer_claim) { .bytes = end_of(e, n), .ticks = n,
		.last_seq = n ? e[n - 1].seq : 0 };
	free(e);
	return true;
}

/* Length of the footer that ends at end, from its tail; 0: none. */
static size_t length_before(const struct source *s, uint64_t end)
{
	unsigned char tail[12];
	uint32_t len;

	if (end < FRAME_FOOTER_MIN ||
	    !source_peek(s, end - sizeof(tail), tail, sizeof(tail)) ||
	    memcmp(tail + 8, "GPSE", 4) != 0)
		return 0;
	len = gs_get_le32(tail);
	return len >= FRAME_FOOTER_MIN && len <= end && len <= FOOTER_LEN_MAX
	    ? len : 0;
}

/* Loads the footer that ends at end.  *ret_start is the start of its part of
 * the file. */
static int load_part(const struct source *s, uint64_t end,
	struct frame_entry **ret, size_t *ret_n, uint64_t *ret_start)
{
	size_t len = length_before(s, end);
	uint64_t at = end - len;
	uint64_t covered;
	char *p;
	int r;

	if (len == 0)
		return GS_E_FORMAT;
	if (!budget_take(s->budget, len))
		return GS_E_MEMORY;
	p = gs_malloc(len);
	r = source_peek(s, at, p, len)
	    ? frame_footer_get(p, len, at, ret, ret_n, NULL) : GS_E_IO;
	free(p);
	budget_give(s->budget, len);
	if (r < 0)
		return r;
	covered = end_of(*ret, *ret_n);
	*ret_start = at - covered;
	return GS_OK;
}

bool footer_ends(const struct source *s)
{
	struct frame_entry *e = NULL;
	uint64_t start;
	size_t n;
	int64_t size = source_size(s);

	if (size < 0 || load_part(s, (uint64_t)size, &e, &n, &start) < 0)
		return false;
	free(e);
	return true;
}

static void reverse(struct frame_entry *e, size_t n)
{
	size_t i;

	for (i = 0; i < n / 2; i++) {
		struct frame_entry t = e[i];

		e[i] = e[n - 1 - i];
		e[n - 1 - i] = t;
	}
}

/* The newest first: a file may have very many footers. */
struct backwards {
	struct frame_entry *item;
	size_t n, cap;
};

static int add_part(const struct source *s, struct backwards *all,
	const struct frame_entry *e, size_t n, uint64_t start)
{
	size_t i, want = all->n + n;

	if (want > all->cap && !budget_fits(s->budget,
	    (want + want / 2) * sizeof(*e)))
		return GS_E_MEMORY;
	GS_GROW(all->item, &all->cap, want);
	for (i = n; i-- > 0; all->n++) {
		all->item[all->n] = e[i];
		all->item[all->n].offset += start;
	}
	return GS_OK;
}

int footer_load(const struct source *s, struct frame_entry **ret,
	size_t *ret_n)
{
	int64_t size = source_size(s);
	uint64_t end = size < 0 ? 0 : (uint64_t)size;
	struct backwards all = { 0 };
	int r = end == 0 ? GS_E_FORMAT : GS_OK;

	while (r == GS_OK && end > 0) {
		struct frame_entry *e = NULL;
		size_t n = 0;
		uint64_t start = 0;

		r = load_part(s, end, &e, &n, &start);
		if (r == GS_OK)
			r = add_part(s, &all, e, n, start);
		free(e);
		end = start;
	}
	if (r < 0) {
		free(all.item);
		return r == GS_E_MEMORY ? r : GS_E_FORMAT;
	}
	reverse(all.item, all.n);
	*ret = all.item;
	*ret_n = all.n;
	return GS_OK;
}
