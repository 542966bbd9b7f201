/* SPDX-License-Identifier: Apache-2.0 */
#include "format/frame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l/crc.h>

#include "base/budget.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/scan.h"
#include "format/group.h"
#include "format/varint.h"
#include "model/tick.h"

#define LAYOUT 1
#define LAYOUT_GROUP 2
#define LAYOUT_SPARSE 3 /* also of a group */
#define FLAG_REPAIR 1u
#define FOOTER_TAIL 20u /* bytes after the entries */

static const char index_tag[4] = { 'G', 'P', 'S', 'N' };
static const char footer_tag[4] = { 'G', 'P', 'S', 'E' };

uint32_t frame_crc32c(const void *p, size_t len)
{
	unsigned char *q = (unsigned char *)(uintptr_t)p; /* only read */
	uint32_t crc = ~UINT32_C(0);

	while (len > 0) {
		int n = len > (1 << 30) ? 1 << 30 : (int)len;

		crc = crc32_iscsi(q, n, crc);
		q += n;
		len -= (size_t)n;
	}
	return ~crc;
}

void frame_index_put(const struct frame_index *f, void *to)
{
	unsigned char *p = to;

	memset(p, 0, FRAME_INDEX_LEN);
	gs_put_le32(p, FRAME_SKIP_MAGIC);
	gs_put_le32(p + 4, FRAME_INDEX_LEN - 8);
	memcpy(p + 8, index_tag, 4);
	p[12] = f->kind != FRAME_GROUP ? LAYOUT
	    : f->sparse ? LAYOUT_SPARSE : LAYOUT_GROUP;
	p[13] = (unsigned char)f->kind;
	p[14] = f->repair ? FLAG_REPAIR : 0;
	gs_put_le64(p + 16, f->seq);
	gs_put_le64(p + 24, (uint64_t)f->wall_ns);
	gs_put_le32(p + 32, f->comp_len);
	gs_put_le32(p + 36, f->raw_len);
	gs_put_le64(p + 40, f->back_key);
	gs_put_le64(p + 48, f->back_prev_key);
	gs_put_le32(p + 56, f->crc);
	gs_put_le32(p + 60, frame_crc32c(p, 60));
}

static bool kind_fits_layout(enum frame_kind kind, unsigned char layout)
{
	if (layout == LAYOUT_GROUP || layout == LAYOUT_SPARSE)
		return kind == FRAME_GROUP;
	return kind == FRAME_KEY || kind == FRAME_DELTA;
}

int frame_index_get(const void *from, struct frame_index *ret)
{
	const unsigned char *p = from;

	if (gs_get_le32(p) != FRAME_SKIP_MAGIC ||
	    gs_get_le32(p + 4) != FRAME_INDEX_LEN - 8 ||
	    memcmp(p + 8, index_tag, 4) != 0)
		return GS_E_FORMAT;
	if (gs_get_le32(p + 60) != frame_crc32c(p, 60))
		return GS_E_FORMAT;
	if (p[12] > LAYOUT_SPARSE)
		return GS_E_VERSION;
	*ret = (struct frame_index) {
		.kind = (enum frame_kind)p[13],
		.sparse = p[12] == LAYOUT_SPARSE,
		.repair = p[13] == FRAME_GROUP && (p[14] & FLAG_REPAIR),
		.seq = gs_get_le64(p + 16),
		.wall_ns = (int64_t)gs_get_le64(p + 24),
		.comp_len = gs_get_le32(p + 32),
		.raw_len = gs_get_le32(p + 36),
		.back_key = gs_get_le64(p + 40),
		.back_prev_key = gs_get_le64(p + 48),
		.crc = gs_get_le32(p + 56),
	};
	if (!kind_fits_layout(ret->kind, p[12]) ||
	    ret->raw_len > FRAME_RAW_MAX || ret->comp_len > FRAME_RAW_MAX ||
	    !tick_time_ok(ret->wall_ns))
		return GS_E_FORMAT;
	return GS_OK;
}

void frame_footer_release(struct frame_footer *f)
{
	buf_release(&f->entries);
	*f = (struct frame_footer)FRAME_FOOTER_INIT;
}

void frame_footer_reset(struct frame_footer *f)
{
	struct buf keep = f->entries;

	buf_reset(&keep);
	*f = (struct frame_footer)FRAME_FOOTER_INIT;
	f->entries = keep;
}

static void add_frame(struct frame_footer *f, const struct frame_entry *e,
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

void frame_footer_add(struct frame_footer *f, const struct frame_entry *e)
{
	add_frame(f, e, e->kind);
}

void frame_footer_add_group(struct frame_footer *f,
	const struct frame_entry *e, const struct group *g)
{
	const struct group_tick *last = &g->tick[g->n - 1];

	add_frame(f, e, FRAME_GROUP);
	buf_add_varint(&f->entries, g->n);
	group_put_ticks(g, &f->entries);
	f->seq = last->seq;
	f->wall_ns = last->wall_ns;
}

void frame_footer_put(const struct frame_footer *f, struct buf *out)
{
	size_t start = out->len;
	size_t n = f->entries.len;

	buf_add_le32(out, FRAME_SKIP_MAGIC);
	buf_add_le32(out, (uint32_t)(n + FOOTER_TAIL));
	buf_add(out, f->entries.ptr, n);
	buf_add_le32(out, f->n);
	buf_add_le32(out, frame_crc32c(f->entries.ptr, n));
	buf_add_le32(out, (uint32_t)(n + FRAME_FOOTER_MIN));
	buf_add_le32(out, frame_crc32c(out->ptr + start, out->len - start));
	buf_add(out, footer_tag, 4);
}

static int damaged(struct gs_err *err, const char *what)
{
	return gs_fail(err, GS_E_FORMAT, "index at the end: %s", what);
}

/* Takes one entry; *e is the previous one (all 0 for the first) and *end the
 * end of its frames. */
static bool take_entry(struct span *s, struct frame_entry *e, uint64_t *end)
{
	uint64_t gap, comp, raw, seq, wall, kind;

	if (!varint_take(s, &gap) || !varint_take(s, &comp) ||
	    !varint_take(s, &raw) || !varint_take(s, &seq) ||
	    !varint_take(s, &wall) || !varint_take(s, &kind))
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

	if (len < FRAME_FOOTER_MIN || memcmp(p + len - 4, footer_tag, 4) != 0)
		return damaged(err, "no tag");
	n = len - FRAME_FOOTER_MIN;
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

/* Takes the ticks of the group with entry *e; *e becomes the entry of its last
 * tick. */
static bool take_group(struct span *s, struct frame_entry *e,
	struct group *scratch, struct entries *to)
{
	uint64_t n;
	size_t i;

	if (!varint_take(s, &n) || n > GROUP_TICKS_MAX ||
	    !group_take_ticks(scratch, s, (size_t)n, e->seq, e->wall_ns))
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

static bool take_entries(struct span *s, uint32_t n, uint64_t start,
	struct entries *to)
{
	struct frame_entry e = { 0 };
	struct group scratch = { 0 };
	uint64_t end = 0;
	bool ok = true;

	for (; ok && n > 0 && !to->full; n--) {
		ok = take_entry(s, &e, &end) && end <= start;
		if (ok && e.kind == FRAME_GROUP)
			ok = take_group(s, &e, &scratch, to);
		else if (ok)
			add_entry(to, &e);
	}
	group_release(&scratch);
	return ok;
}

int frame_footer_get(const void *from, size_t len, uint64_t start,
	struct frame_entry **ret, size_t *ret_n, struct gs_err *err)
{
	struct entries all = { 0 };
	struct span s;
	uint32_t n = 0;
	int r = check_footer(from, len, &s, &n, err);

	if (r < 0)
		return r;
	if (!take_entries(&s, n, start, &all)) {
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
