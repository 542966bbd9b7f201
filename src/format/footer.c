/* SPDX-License-Identifier: Apache-2.0 */
#include "format/footer.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/scan.h"
#include "format/group.h"
#include "format/varint.h"
#include "model/tick.h"

#define FOOTER_TAIL 20u /* bytes after the entries */

static const char footer_tag[4] = { 'G', 'P', 'S', 'E' };

/* ---- writing ----------------------------------------------------------- */

void footer_release(struct footer *f)
{
	buf_release(&f->entries);
	*f = (struct footer)FOOTER_INIT;
}

static void add_frame(struct footer *f, const struct frame_entry *e,
	enum frame_kind kind)
{
	buf_add_varint(&f->entries, e->offset - f->end);
	buf_add_varint(&f->entries, e->comp_len);
	buf_add_varint(&f->entries, e->raw_len);
	buf_add_varint(&f->entries, gs_zigzag((int64_t)(e->seq - f->seq)));
	buf_add_varint(&f->entries, gs_zigzag((int64_t)
	    ((uint64_t)e->wall_ns - (uint64_t)f->wall_ns)));
	buf_add_varint(&f->entries, (uint64_t)kind);
	f->end = e->offset + FRAME_INDEX_LEN + e->comp_len;
	f->seq = e->seq;
	f->wall_ns = e->wall_ns;
	f->n++;
}

void footer_add(struct footer *f, const struct frame_entry *e)
{
	add_frame(f, e, e->kind);
}

void footer_add_group(struct footer *f,
	const struct frame_entry *e, const struct group *g)
{
	const struct group_tick *last = &g->tick[g->n - 1];

	add_frame(f, e, FRAME_GROUP);
	buf_add_varint(&f->entries, g->n);
	group_put_ticks(g, &f->entries);
	f->seq = last->seq;
	f->wall_ns = last->wall_ns;
}

void footer_put(const struct footer *f, struct buf *out)
{
	size_t start = out->len;
	size_t n = f->entries.len;

	buf_add_le32(out, FRAME_SKIP_MAGIC);
	buf_add_le32(out, (uint32_t)(n + FOOTER_TAIL));
	buf_add(out, f->entries.ptr, n);
	buf_add_le32(out, f->n);
	buf_add_le32(out, frame_crc32c(f->entries.ptr, n));
	buf_add_le32(out, (uint32_t)(n + FOOTER_LEN_MIN));
	buf_add_le32(out, frame_crc32c(out->ptr + start, out->len - start));
	buf_add(out, footer_tag, 4);
}

/* ---- its bytes ---------------------------------------------------------- */

static int damaged(struct gs_err *err, const char *what)
{
	return gs_fail(err, GS_E_FORMAT, "index at the end: %s", what);
}

/* Parses one entry; *e is the previous one (all 0 for the first) and *end the
 * end of its frames. */
static bool parse_entry(struct span *s, struct frame_entry *e, uint64_t *end)
{
	uint64_t gap, comp, raw, seq, wall, kind;

	if (!varint_read(s, &gap) || !varint_read(s, &comp) ||
	    !varint_read(s, &raw) || !varint_read(s, &seq) ||
	    !varint_read(s, &wall) || !varint_read(s, &kind))
		return false;
	if (gap > INT64_MAX / 2 || *end > INT64_MAX / 2 ||
	    comp > FRAME_RAW_MAX || raw > FRAME_RAW_MAX ||
	    (kind != FRAME_KEY && kind != FRAME_DELTA &&
	    kind != FRAME_GROUP))
		return false;
	e->offset = *end + gap;
	e->comp_len = (uint32_t)comp;
	e->raw_len = (uint32_t)raw;
	e->seq += (uint64_t)gs_unzigzag(seq);
	e->wall_ns = (int64_t)((uint64_t)e->wall_ns +
	    (uint64_t)gs_unzigzag(wall));
	if (!tick_time_ok(e->wall_ns))
		return false;
	e->kind = (enum frame_kind)kind;
	*end = e->offset + FRAME_INDEX_LEN + comp;
	return true;
}

/* Checks lengths, tag and both checksums; *ret is the span of entries. */
static int check_footer(const unsigned char *p, size_t len, struct span *ret,
	uint32_t *ret_n, struct gs_err *err)
{
	size_t n;

	if (len < FOOTER_LEN_MIN || memcmp(p + len - 4, footer_tag, 4) != 0)
		return damaged(err, "no tag");
	n = len - FOOTER_LEN_MIN;
	if (gs_get_le32(p) != FRAME_SKIP_MAGIC ||
	    gs_get_le32(p + 4) != n + FOOTER_TAIL ||
	    gs_get_le32(p + n + 16) != len)
		return damaged(err, "wrong length");
	if (gs_get_le32(p + n + 20) != frame_crc32c(p, n + 20) ||
	    gs_get_le32(p + n + 12) != frame_crc32c(p + 8, n))
		return damaged(err, "wrong checksum");
	*ret = span_of((const char *)p + 8, n);
	*ret_n = gs_get_le32(p + n + 8);
	if (*ret_n > n / 6)
		return damaged(err, "more entries than bytes");
	return GS_OK;
}

struct entries {
	struct frame_entry *item;
	size_t n, cap;
	bool full; /* there is no memory for more */
};

static void add_entry(struct entries *to, const struct frame_entry *e)
{
	to->full = to->full || (to->n == to->cap && !budget_fits(budget_own(),
	    (to->cap + to->cap / 2 + 8) * sizeof(*e)));
	if (to->full)
		return;
	GS_GROW(to->item, &to->cap, to->n + 1);
	to->item[to->n++] = *e;
}

/* Parses the ticks of the group with entry *e; *e becomes the entry of its last
 * tick. */
static bool parse_group(struct span *s, struct frame_entry *e,
	struct group *scratch, struct entries *to)
{
	uint64_t n;
	size_t i;

	if (!varint_read(s, &n) || n > GROUP_TICKS_MAX ||
	    !group_parse_ticks(scratch, s, (size_t)n, e->seq, e->wall_ns))
		return false;
	for (i = 0; i < n; i++) {
		const struct group_tick *t = &scratch->tick[i];

		e->seq = t->seq;
		e->left_out = t->left_out;
		e->wall_ns = t->wall_ns;
		e->kind = t->kind;
		e->number = (uint32_t)i;
		add_entry(to, e);
	}
	e->number = 0;
	e->left_out = 0;
	return true;
}

static bool parse_entries(struct span *s, uint32_t n, uint64_t start,
	struct entries *to)
{
	struct frame_entry e = { 0 };
	struct group scratch = { 0 };
	uint64_t end = 0;
	bool ok = true;

	for (; ok && n > 0 && !to->full; n--) {
		ok = parse_entry(s, &e, &end) && end <= start;
		if (ok && e.kind == FRAME_GROUP)
			ok = parse_group(s, &e, &scratch, to);
		else if (ok)
			add_entry(to, &e);
	}
	group_release(&scratch);
	return ok;
}

int footer_get(const void *from, size_t len, uint64_t start,
	struct frame_entry **ret, size_t *ret_n, struct gs_err *err)
{
	struct entries all = { 0 };
	struct span s;
	uint32_t n = 0;
	int r = check_footer(from, len, &s, &n, err);

	if (r < 0)
		return r;
	if (!parse_entries(&s, n, start, &all)) {
		free(all.item);
		return damaged(err, "entry out of bounds");
	}
	if (all.full) {
		free(all.item);
		return budget_fail(budget_own(), err, "index at the end");
	}
	*ret = all.item;
	*ret_n = all.n;
	return GS_OK;
}

/* ---- in a file --------------------------------------------------------- */

/* The end of the frame of the last entry. */
static uint64_t end_of(const struct frame_entry *e, size_t n)
{
	return n == 0 ? 0
	    : e[n - 1].offset + FRAME_INDEX_LEN + e[n - 1].comp_len;
}

bool footer_ends_so(const char *end, uint64_t len)
{
	return gs_get_le32(end) == len && memcmp(end + 8, footer_tag, 4) == 0;
}

bool footer_is_whole(const void *p, size_t len, struct footer_claim *ret)
{
	struct frame_entry *e = NULL;
	size_t n, i;

	if (footer_get(p, len, UINT64_MAX / 2, &e, &n, NULL) < 0)
		return false;
	*ret = (struct footer_claim) { .bytes = end_of(e, n), .ticks = n,
		.last_seq = n ? e[n - 1].seq : 0 };
	for (i = 0; i < n; i++)
		ret->digest = footer_mix(ret->digest, e[i].seq, e[i].wall_ns,
		    e[i].kind);
	free(e);
	return true;
}

/* Length of the footer that ends at end, from its tail; 0: none. */
static size_t length_before(const struct source *s, uint64_t end)
{
	char tail[FOOTER_END_LEN];
	uint32_t len;

	if (end < FOOTER_LEN_MIN ||
	    !source_peek(s, end - sizeof(tail), tail, sizeof(tail)))
		return 0;
	len = gs_get_le32(tail);
	return footer_ends_so(tail, len) && len >= FOOTER_LEN_MIN &&
	    len <= end && len <= FOOTER_LEN_MAX ? len : 0;
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
	    ? footer_get(p, len, at, ret, ret_n, NULL) : GS_E_IO;
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
