/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_unpack.c - the tick of a frame that was found.
 */
#include "format/reader_int.h"

#include <inttypes.h>

#include "format/planes.h"

/* A larger buffer is not kept for the next frame, which is usually smaller. */
#define RAW_KEEP ((size_t)4 << 20)

static void raw_release(struct reader *r)
{
	buf_release(&r->raw);
	budget_give(r->src.budget, r->raw_charged);
	r->raw_charged = 0;
}

/* Room for the bytes of a frame. */
static bool raw_room(struct reader *r, size_t len)
{
	if (r->raw.cap > RAW_KEEP)
		raw_release(r);
	len += len > RAW_KEEP ? 1 : len / 2 + 64; /* as buf grows */
	if (len <= r->raw_charged)
		return true;
	if (!budget_take(r->src.budget, len - r->raw_charged))
		return false;
	r->raw_charged = len;
	return true;
}

/* The zstd frame of the current frame, which begins with the list of a group. */
static int get_zstd(struct reader *r, struct span *ret, struct gs_err *err)
{
	size_t skip = r->grouped ? r->group.list_len : 0;
	const char *p = NULL;
	int64_t n = reader_bytes(r, r->frame.comp_len, &p, err);

	if (n < 0)
		return (int)n;
	if ((size_t)n < skip)
		return gs_fail(err, GS_E_FORMAT, "a group without ticks");
	*ret = span_of(p + skip, (size_t)n - skip);
	if (!r->code)
		r->code = tickcode_new(TICKCODE_LEVEL);
	return GS_OK;
}

static int decompress(struct reader *r, struct gs_err *err)
{
	struct span frame;
	int s = get_zstd(r, &frame, err);

	if (s < 0)
		return s;
	if (!raw_room(r, r->frame.raw_len))
		return budget_fail(r->src.budget, err, "decompressed bytes");
	return tickcode_decompress(r->code, frame.ptr, span_len(frame),
	    r->frame.raw_len, &r->raw, err);
}

static void drop_group(struct reader *r)
{
	r->open_at = READER_NOTHING;
	buf_release(&r->open_raw);
	budget_give(r->src.budget, r->open_charged);
	r->open_charged = 0;
}

/* The bytes that were decompressed are those of the open group. */
static void keep_group(struct reader *r)
{
	r->open_raw = r->raw;
	r->open_charged = r->raw_charged;
	r->raw = (struct buf)BUF_INIT;
	r->raw_charged = 0;
}

/* Columns that are in planes take their bytes once more while they are joined. */
static int join_planes(struct reader *r, struct gs_err *err)
{
	size_t len = r->open_raw.len;
	bool joined;

	if (!budget_take(r->src.budget, len))
		return budget_fail(r->src.budget, err, "columns of a group");
	joined = planes_join_some(r->open_raw.ptr, len, PLANES_OF_GROUP,
	    ~r->skipped);
	budget_give(r->src.budget, len);
	return joined ? GS_OK : gs_fail(err, GS_E_FORMAT,
	    "%zu bytes: not the columns of a group", len);
}

/* A group is opened once for all of its ticks, and entities that are decoded. */
static int open_group(struct reader *r, struct gs_err *err)
{
	int s;

	if (r->open_at == r->at && (r->open_skipped & ~r->skipped) == 0)
		return GS_OK;
	drop_group(r);
	s = decompress(r, err);
	if (s < 0 && reader_mend(r)) /* again, since an index was read in
				      * between */
		s = decompress(r, err);
	if (!r->open)
		r->open = ungrouper_new();
	if (s < 0)
		return s;
	keep_group(r);
	s = join_planes(r, err);
	if (s < 0)
		return s;
	s = ungrouper_open(r->open, r->open_raw.ptr, r->open_raw.len,
	    r->group.n, err);
	if (s < 0)
		return s;
	ungrouper_only(r->open, ~r->skipped);
	r->open_at = r->at;
	r->open_skipped = r->skipped;
	return GS_OK;
}

static int unpack_grouped(struct reader *r, struct gs_err *err)
{
	int s = open_group(r, err);

	if (s < 0)
		return s;
	tickcode_only(r->code, ~r->skipped);
	return tickcode_read(r->code, r->open, r->number, &r->tick, err);
}

static int unpack_alone(struct reader *r, struct gs_err *err)
{
	int s = decompress(r, err);

	if (r->code)
		tickcode_only(r->code, ~r->skipped);
	return s < 0 ? s : tickcode_decode(r->code, r->raw.ptr, r->raw.len,
	    &r->tick, err);
}

int reader_unpack(struct reader *r, struct gs_err *err)
{
	int s;

	budget_place(r->src.budget, r->src.path, r->at, r->frame.seq);
	s = r->grouped ? unpack_grouped(r, err) : unpack_alone(r, err);
	if (s == GS_OK && r->tick.wall_ns != r->frame.wall_ns)
		return gs_fail(err, GS_E_FORMAT, "tick %" PRIu64
		    ": its time is not that of its index", r->tick.seq);
	if (s == GS_OK && (r->tick.seq != r->frame.seq ||
	    r->tick.left_out != r->frame.left_out ||
	    r->tick.key != (r->frame.kind == FRAME_KEY)))
		s = gs_fail(err, GS_E_FORMAT, "tick %" PRIu64
		    " instead of %" PRIu64, r->tick.seq,
		    r->frame.seq);
	return s;
}

struct header *reader_unpack_header(struct reader *r)
{
	struct span frame;

	return get_zstd(r, &frame, NULL) < 0 ? NULL
	    : tickcode_read_header(r->code, frame);
}

void reader_drop_raw(struct reader *r)
{
	raw_release(r);
	drop_group(r);
}
