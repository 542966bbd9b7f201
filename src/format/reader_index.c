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

static void index_add(struct reader *r, const struct frame_entry *e)
{
	GS_GROW(r->index, &r->index_cap, r->n_index + 1);
	r->index[r->n_index++] = *e;
}

/* Adds the frame at hand, of a group all its ticks. */
static void index_add_frame(struct reader *r)
{
	size_t i, n = r->grouped ? r->group.n : 1;

	for (i = 0; i < n; i++) {
		struct frame_entry e;

		if (r->grouped)
			reader_take_turn(r, i);
		e = reader_entry(r);
		index_add(r, &e);
	}
}

/* Walks index frames from r->indexed to the end, with a state of its own. */
static int index_scan(struct reader *r, struct gs_err *err)
{
	struct reader keep = *r;
	enum found f;
	uint64_t end;

	r->group = (struct group) { 0 };
	r->enter = 0;
	r->pos = r->indexed;
	r->lost = false;
	while ((f = reader_find_frame(r, err)) == FOUND_FRAME) {
		index_add_frame(r);
		r->pos = reader_frame_end(r);
	}
	group_release(&r->group);
	end = f == FOUND_TAIL ? r->indexed : r->pos;
	if (f != FOUND_END && r->n_index > 0)
		end = r->index[r->n_index - 1].offset + FRAME_INDEX_LEN +
		    r->index[r->n_index - 1].comp_len;
	keep.src = r->src;
	keep.index = r->index;
	keep.n_index = r->n_index;
	keep.index_cap = r->index_cap;
	keep.indexed = end;
	*r = keep;
	return f == FOUND_ERROR ? reader_failure(err) : GS_OK;
}

int reader_index(struct reader *r, const struct frame_entry **ret,
	size_t *ret_n, struct gs_err *err)
{
	int s = GS_OK;

	if (!r->src.seekable)
		return gs_fail(err, GS_E_USAGE,
		    "%s: a pipe can not be searched", r->src.path);
	if (r->indexed == 0) {
		struct frame_entry *e = NULL;
		size_t n = 0;

		if (footer_load(&r->src, &e, &n) == GS_OK) {
			free(r->index);
			r->index = e;
			r->n_index = r->index_cap = n;
			r->indexed = (uint64_t)source_size(&r->src);
		}
	}
	if ((uint64_t)source_size(&r->src) > r->indexed)
		s = index_scan(r, err);
	*ret = r->index;
	*ret_n = r->n_index;
	return s;
}
