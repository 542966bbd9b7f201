/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_index.c - all ticks of a file, from its index at the end or from its
 * index frames.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "format/footer.h"
#include "format/reader_int.h"

struct frame_entry reader_entry(const struct reader *r)
{
	return (struct frame_entry) {
		.offset = r->at,
		.seq = r->frame.seq,
		.left_out = r->frame.left_out,
		.wall_ns = r->frame.wall_ns,
		.comp_len = r->frame.comp_len,
		.raw_len = r->frame.raw_len,
		.kind = r->frame.kind,
		.number = r->grouped ? (uint32_t)r->number : 0,
	};
}

/* Charges the budget for an index of n ticks. */
static bool index_charge(struct reader *r, size_t n)
{
	if (n <= r->index.charged)
		return true;
	n += n / 2 + 8;
	if (!budget_take(r->src.budget,
	    (n - r->index.charged) * sizeof(*r->index.item)))
		return false;
	r->index.charged = n;
	return true;
}

static int no_room(struct reader *r, struct gs_err *err)
{
	budget_place(r->src.budget, r->src.path, r->pos, 0);
	return budget_fail(r->src.budget, err, "index of ticks");
}

static bool index_add(struct reader *r, const struct frame_entry *e)
{
	if (!index_charge(r, r->index.n + 1))
		return false;
	GS_GROW(r->index.item, &r->index.cap, r->index.n + 1);
	r->index.item[r->index.n++] = *e;
	return true;
}

/* Adds the current frame; of a group all its ticks. */
static bool index_add_frame(struct reader *r)
{
	bool ok = true;
	size_t i, n = r->grouped ? r->group.n : 1;

	for (i = 0; ok && i < n; i++) {
		struct frame_entry e;

		if (r->grouped)
			reader_select_tick(r, i);
		e = reader_entry(r);
		ok = index_add(r, &e);
	}
	return ok;
}

/* Reads index frames from r->index.bytes to the end, with a state of its own. */
static int index_scan(struct reader *r, struct gs_err *err)
{
	struct reader keep = *r;
	enum found f;
	uint64_t end;
	int s = GS_OK;

	r->group = (struct group) { 0 };
	r->part = (struct part) { .known = false };
	r->enter = 0;
	r->pos = r->index.bytes;
	r->lost = false;
	while ((f = reader_find_frame(r, err)) == FOUND_FRAME) {
		if (!index_add_frame(r)) {
			s = no_room(r, err);
			break;
		}
		r->pos = reader_frame_end(r);
	}
	group_release(&r->group);
	end = f == FOUND_TAIL ? r->index.bytes : r->pos;
	if (f != FOUND_END && r->index.n > 0)
		end = r->index.item[r->index.n - 1].offset + FRAME_INDEX_LEN +
		    r->index.item[r->index.n - 1].comp_len;
	keep.src = r->src;
	keep.mended = r->mended;
	keep.mended_at = r->mended_at;
	keep.index = r->index;
	keep.index.bytes = end;
	*r = keep;
	return f == FOUND_ERROR ? reader_failure(err) : s;
}

int reader_index(struct reader *r, const struct frame_entry **ret,
	size_t *ret_n, struct gs_err *err)
{
	int s = GS_OK;

	if (!r->src.seekable)
		return gs_fail(err, GS_E_USAGE,
		    "%s: a pipe can not be searched", r->src.path);
	if (r->index.bytes == 0) {
		struct frame_entry *e = NULL;
		size_t n = 0;

		s = footer_load(&r->src, &e, &n);
		if (s == GS_OK && !index_charge(r, n)) {
			free(e);
			s = GS_E_MEMORY;
		}
		if (s == GS_E_MEMORY)
			return no_room(r, err);
		if (s == GS_OK) {
			free(r->index.item);
			r->index.item = e;
			r->index.n = r->index.cap = n;
			r->index.bytes = (uint64_t)source_size(&r->src);
		}
		s = GS_OK; /* without footers, use index frames */
	}
	if ((uint64_t)source_size(&r->src) > r->index.bytes)
		s = index_scan(r, err);
	*ret = r->index.item;
	*ret_n = r->index.n;
	return s;
}
