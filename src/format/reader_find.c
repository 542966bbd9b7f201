/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_find.c - finds the next frame of a file; skips other bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "format/footer.h"
#include "format/reader_int.h"
#include "format/repair.h"

void reader_note_gap(struct reader *r, uint64_t at, const char *why)
{
	if (!r->lost) {
		r->gap = (struct cursor_gap) { .offset = at,
			.file = r->src.path };
		(void)snprintf(r->gap.why, sizeof(r->gap.why), "%.190s", why);
	}
	r->lost = true;
	r->chained = false;
	r->part.holed = true;
}

void reader_note_damage(struct reader *r, uint64_t at, const char *why)
{
	bool first = !r->lost;

	reader_note_gap(r, at, why);
	r->gap.damage |= first;
}

void reader_note_passed(struct reader *r, uint64_t seq)
{
	if (!r->passed || seq < r->passed_first)
		r->passed_first = seq;
	if (!r->passed || seq > r->passed_last)
		r->passed_last = seq;
	r->passed = true;
}

/* Offset of the next zstd skippable magic at or after from, else of the end of
 * the bytes.  Some files have no end: /dev/zero. */
static int64_t find_magic(struct reader *r, uint64_t from, struct gs_err *err)
{
	unsigned char magic[4];
	const size_t step = (size_t)64 << 10;

	gs_put_le32(magic, FRAME_SKIP_MAGIC);
	for (;;) {
		const char *p = NULL;
		const char *hit;
		int64_t n;

		if (r->opening && from >> 20 >= READER_SEARCH_MIB)
			return gs_fail(err, GS_E_FORMAT,
			    "%s: not a gpsnap recording (no tick in its first "
			    "%d MiB)", r->src.path, READER_SEARCH_MIB);
		n = source_get(&r->src, from, step, &p, err);
		if (n < 0)
			return n;
		if (n < 4)
			return (int64_t)(from + (uint64_t)n);
		hit = memmem(p, (size_t)n, magic, 4);
		if (hit)
			return (int64_t)(from + (uint64_t)(hit - p));
		from += (uint64_t)n - 3;
	}
}

/* Length of the whole index (footer) at off, 0 if there is none. */
static int64_t footer_at(struct reader *r, uint64_t off,
	struct footer_claim *ret, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, off, 8, &p, err);
	uint64_t len;
	char tail[FOOTER_END_LEN];

	if (n < 8 || gs_get_le32(p) != FRAME_SKIP_MAGIC)
		return n < 0 ? n : 0;
	len = (uint64_t)gs_get_le32(p + 4) + 8;
	if (len < FOOTER_LEN_MIN || len > FOOTER_LEN_MAX ||
	    !reader_may_try(r, len))
		return 0;
	/* the end of a file is cheap to read; for a pipe it must arrive first */
	if (r->src.seekable ? !source_peek(&r->src, off + len - sizeof(tail),
	    tail, sizeof(tail)) || !footer_ends_so(tail, len)
	                    : len > FRAME_RAW_MAX)
		return 0;
	n = source_get(&r->src, off, (size_t)len, &p, err);
	if (n < 0)
		return n;
	if ((uint64_t)n == len && footer_is_whole(p, (size_t)len, ret))
		return (int64_t)len;
	r->vain += len;
	return 0;
}

/* A footer lists all frames written: those that are not in the file were
 * removed. */
static void check_footer(struct reader *r, const struct footer_claim *claim)
{
	const struct part *p = &r->part;
	char why[80];

	if (!p->known || p->holed || (claim->bytes == r->pos - p->start &&
	    claim->ticks == p->ticks && claim->digest == p->digest))
		return;
	if (claim->ticks == p->ticks)
		(void)snprintf(why, sizeof(why), "the index at the end names "
		    "other ticks than are here");
	else
		(void)snprintf(why, sizeof(why), "the index at the end names "
		    "%zu ticks, %zu are here", claim->ticks,
		    p->ticks); /* fits */
	reader_note_damage(r, r->pos, why);
	r->gap.ticks = tick_missing(r->last_seq, claim->last_seq + 1, 0);
}

/*
 * Moves past the current footer of len bytes: another file may begin after it.
 */
static void pass_footer(struct reader *r, uint64_t len,
	const struct footer_claim *claim)
{
	check_footer(r, claim);
	if (r->lost && claim->ticks > 0)
		reader_note_passed(r, claim->last_seq);
	r->pos += len;
	r->part = (struct part) { .known = true, .start = r->pos };
}

/* Whether the file or pipe has len bytes from off on. */
static int64_t has_bytes(struct reader *r, uint64_t off, uint64_t len,
	struct gs_err *err)
{
	const char *p = NULL;
	int64_t n;

	if (!r->src.seekable) {
		n = source_get(&r->src, off, (size_t)len, &p, err);
		return n < 0 ? n : (uint64_t)n == len;
	}
	if (off + len > r->size)
		r->size = source_bytes(&r->src);
	return off + len <= r->size;
}

/* Whether there is an index frame at off: 1 or 0; negative: can not be read,
 * or is of a newer layout. */
static int index_at(struct reader *r, uint64_t off, struct frame_index *ret,
	struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, off, FRAME_INDEX_LEN, &p, err);
	int s;

	if (n < 0)
		return (int)n;
	if (n < FRAME_INDEX_LEN)
		return 0;
	s = frame_index_get(p, ret);
	if (s == GS_E_VERSION)
		return gs_fail(err, GS_E_VERSION, "%s: offset %" PRIu64
		    ": frame of a newer layout: needs a newer gpsnap",
		    r->src.path, off);
	return s == GS_OK;
}

/* Offset of the next index frame at or after from; 0 if there is none,
 * negative on failure. */
static int64_t find_index(struct reader *r, uint64_t from, struct gs_err *err)
{
	for (;;) {
		struct frame_index ix;
		struct gs_err newer;
		int64_t at = find_magic(r, from, err);
		const char *p = NULL;

		if (at < 0)
			return at;
		if (source_get(&r->src, (uint64_t)at, 4, &p, NULL) < 4)
			return 0;
		if (index_at(r, (uint64_t)at, &ix, &newer) != 0)
			return at;
		from = (uint64_t)at + 1;
	}
}

/* True if the bytes from off to the end are a footer, judging by the length
 * and the tag there. */
static bool ends_as_footer(struct reader *r, uint64_t off)
{
	const char *p = NULL;
	uint64_t size = source_bytes(&r->src);

	return r->src.seekable && size - off >= FOOTER_LEN_MIN &&
	    source_get(&r->src, size - 12, 12, &p, NULL) == 12 &&
	    memcmp(p + 8, "GPSE", 4) == 0 && gs_get_le32(p) == size - off;
}

/* True if the bytes at off may begin a truncated or damaged footer: it extends
 * to the end of the file or beyond.  A frame begins with the same magic. */
static bool begins_as_footer(struct reader *r, uint64_t off)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, off, 12, &p, NULL);
	uint32_t len;

	if (n < 8 || gs_get_le32(p) != FRAME_SKIP_MAGIC ||
	    (n == 12 && memcmp(p + 8, "GPSN", 4) == 0))
		return false;
	len = gs_get_le32(p + 4);
	return len != FRAME_INDEX_LEN - 8 && len >= FOOTER_LEN_MIN - 8 &&
	    off + 8 + len >= source_bytes(&r->src);
}

/* True for a part of an index at the end, not of a frame: no tick is missing. */
static bool is_cut_footer(struct reader *r, uint64_t off)
{
	return begins_as_footer(r, off) || ends_as_footer(r, off);
}

/* There is no whole frame at r->pos: moves to the next candidate. */
static enum found pass_over(struct reader *r, bool index, struct gs_err *err)
{
	int64_t next;

	r->tail_is_footer = !index && is_cut_footer(r, r->pos);
	next = find_index(r, r->pos + (index ? FRAME_INDEX_LEN : 1), err);
	if (next < 0)
		return FOUND_ERROR;
	if (next == 0)
		return FOUND_TAIL;
	reader_note_damage(r, r->pos, index ? "bytes are missing" : "damaged bytes");
	r->headless |= r->pos == 0;
	r->gap.bytes += (uint64_t)next - r->pos;
	r->pos = (uint64_t)next;
	return FOUND_FRAME;
}

void reader_select_tick(struct reader *r, size_t number)
{
	const struct group_tick *t = &r->group.tick[number];

	r->number = number;
	r->frame.kind = t->kind;
	r->frame.seq = t->seq;
	r->frame.left_out = t->left_out;
	r->frame.wall_ns = t->wall_ns;
	if (number > 0)
		r->frame.back_prev_key = 1; /* it is not the first of the file */
	if (number >= r->group.first_key)
		r->frame.back_key = 0; /* its key is in the group */
}

int64_t reader_bytes(struct reader *r, size_t len, const char **ret,
	struct gs_err *err)
{
	if (r->mended_at != r->at)
		return source_get(&r->src, r->at + FRAME_INDEX_LEN, len, ret,
		    err);
	*ret = r->mended.ptr;
	return (int64_t)GS_MIN(len, r->mended.len);
}

/* Reads the list of the current group.  1, or 0 if it is damaged. */
static int open_group(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = reader_bytes(r, GROUP_LIST_HEAD, &p, err);
	size_t len;

	if (n < GROUP_LIST_HEAD)
		return n < 0 ? (int)n : 0;
	len = group_list_len(p);
	if (len == 0 || len > r->frame.comp_len)
		return 0;
	n = reader_bytes(r, len, &p, err);
	if (n < (int64_t)len)
		return n < 0 ? (int)n : 0;
	if (!group_get(&r->group, p, len, &r->frame))
		return 0;
	r->grouped = true;
	reader_select_tick(r, r->enter < r->group.n ? r->enter : 0);
	r->enter = 0;
	return 1;
}

static void note_mended(struct reader *r)
{
	if (r->n_mended == 0)
		r->first_mended = r->at;
	if (r->n_mended == 0 || r->at > r->last_mended) {
		r->n_mended++;
		r->last_mended = r->at;
	}
}

bool reader_mend(struct reader *r)
{
	size_t len = r->frame.comp_len;
	const char *p = NULL;

	if (!r->frame.repair || r->mended_at == r->at ||
	    !reader_may_try(r, len) || !budget_fits(r->src.budget, len) ||
	    source_get(&r->src, r->at + FRAME_INDEX_LEN, len, &p, NULL) !=
	    (int64_t)len)
		return false;
	r->mended_at = READER_NOTHING;
	buf_reset(&r->mended);
	buf_add(&r->mended, p, len);
	if (!repair_mend(r->mended.ptr, len, r->frame.crc)) {
		r->vain += len;
		return false;
	}
	r->mended_at = r->at;
	r->enter = r->grouped ? r->number : r->enter;
	if (open_group(r, NULL) <= 0)
		return false;
	note_mended(r);
	return true;
}

/* Whether the frame with its index at r->pos is complete: 1 or 0; negative: it
 * can't be read. */
static int frame_at(struct reader *r, struct gs_err *err)
{
	int64_t n = has_bytes(r, r->pos + FRAME_INDEX_LEN, r->frame.comp_len,
	    err);

	r->at = r->pos;
	r->grouped = r->more = false;
	if (n <= 0 || r->frame.kind != FRAME_GROUP)
		return (int)n;
	n = open_group(r, err);
	return n != 0 ? (int)n : reader_mend(r);
}

/* A key without a previous key begins a file, even if the file before it has
 * no footer. */
static void count_frame(struct reader *r)
{
	size_t i;

	if (r->frame.kind == FRAME_KEY && r->frame.back_prev_key == 0)
		r->part = (struct part) { .known = true, .start = r->at };
	r->part.ticks += r->grouped ? r->group.n : 1;
	if (!r->grouped)
		r->part.digest = footer_mix(r->part.digest, r->frame.seq,
		    r->frame.wall_ns, r->frame.kind);
	for (i = 0; r->grouped && i < r->group.n; i++) {
		const struct group_tick *t = &r->group.tick[i];

		r->part.digest = footer_mix(r->part.digest, t->seq, t->wall_ns,
		    t->kind);
	}
}

enum found reader_find_frame(struct reader *r, struct gs_err *err)
{
	if (r->opened) {
		r->opened = false;
		return FOUND_FRAME;
	}
	for (;;) {
		struct footer_claim claim = { 0 };
		const char *p = NULL;
		int is = index_at(r, r->pos, &r->frame, err);
		int64_t n;
		enum found f;

		if (is < 0)
			return FOUND_ERROR;
		if (is) {
			n = frame_at(r, err);
			if (n > 0)
				count_frame(r);
			if (n != 0)
				return n < 0 ? FOUND_ERROR : FOUND_FRAME;
		} else {
			n = source_get(&r->src, r->pos, 1, &p, err);
			if (n > 0)
				n = footer_at(r, r->pos, &claim, err);
			else if (n == 0)
				return FOUND_END;
			if (n < 0)
				return FOUND_ERROR;
			if (n > 0) {
				pass_footer(r, (uint64_t)n, &claim);
				continue;
			}
		}
		f = pass_over(r, is, err);
		if (f != FOUND_FRAME)
			return f;
	}
}

uint64_t reader_frame_end(const struct reader *r)
{
	return r->at + FRAME_INDEX_LEN + r->frame.comp_len;
}
