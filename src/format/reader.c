/*
 * reader.c - forward over index frames, decoding on demand.
 *
 * A frame counts if its index frame's checksum holds, its own bytes are all
 * there and match their checksum, and the key and every delta that it builds
 * on did so too.  Whatever else stands in the file is searched for the next
 * index frame and reported as one gap.
 *
 * A group is one frame that gives several ticks: it is found and checked once,
 * then each tick of it takes a turn as the frame at hand.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/footer.h"
#include "format/reader_int.h"

/* Something foreign is given up on after this much without an index frame. */
#define SEARCH_MAX ((uint64_t)256 << 20)

/* ---- chains ---------------------------------------------------------- */

/* Whether the frame continues what was read before. */
static bool follows(const struct reader *r)
{
	return r->chained && r->at - r->frame.back_key == r->key_at &&
	    r->frame.seq > r->last_seq &&
	    r->frame.seq - r->last_seq - 1 == r->frame.left_out;
}

static uint64_t missing_before(const struct reader *r)
{
	return tick_missing(r->last_seq, r->frame.seq, r->frame.left_out);
}

static bool checksum_holds(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    r->frame.comp_len, &p, err);

	return n == (int64_t)r->frame.comp_len &&
	    frame_crc32c(p, (size_t)n) == r->frame.crc;
}

/* Where bytes are missing within a frame, its length leads into the next
 * one: then the search goes on behind the index frame. */
static void pass_damaged(struct reader *r)
{
	const char *p = NULL;
	uint64_t len = r->frame.comp_len;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    (size_t)len + 4, &p, NULL);
	bool fits = n == (int64_t)len || (n == (int64_t)len + 4 &&
	    gs_get_le32(p + len) == FRAME_SKIP_MAGIC);

	r->pos = fits ? reader_frame_end(r) : r->at + FRAME_INDEX_LEN;
	r->gap.bytes += r->pos - r->at;
}

/* On behind the tick at hand: to the next of its group, or the next frame. */
static void pass_tick(struct reader *r)
{
	r->more = r->grouped && r->number + 1 < r->group.n;
	if (!r->more)
		r->pos = reader_frame_end(r);
}

/* Finds the next frame that counts; passes over and notes the others. */
static enum found find_good(struct reader *r, bool check, struct gs_err *err)
{
	for (;;) {
		bool turn = r->more;
		enum found f = FOUND_FRAME;

		r->more = false;
		if (turn)
			reader_take_turn(r, r->number + 1);
		else
			f = reader_find_frame(r, err);
		if (f != FOUND_FRAME)
			return f;
		if (check && !turn && !checksum_holds(r, err)) {
			reader_note_damage(r, r->at, "wrong checksum");
			pass_damaged(r);
			continue;
		}
		if (r->frame.kind == FRAME_KEY || follows(r)) {
			return FOUND_FRAME;
		} else if (!r->lost) {
			reader_note_damage(r, r->at, r->any
			    ? "ticks are missing"
			    : "starts in the middle: no key before");
		}
		pass_tick(r);
	}
}

/* A key whose number jumps stands after ticks that were never written.  A
 * key that is the first of its file may be of another recording. */
static void note_jump(struct reader *r)
{
	if (r->lost || !r->chained || r->frame.back_prev_key == 0 ||
	    missing_before(r) == 0)
		return;
	reader_note_damage(r, r->at, "not written to this file");
	r->gap.damage = false;
}

static void accept(struct reader *r)
{
	if (r->frame.kind == FRAME_KEY)
		r->key_at = r->at;
	r->chained = true;
	r->any = true;
	r->last_seq = r->frame.seq;
	r->last_wall_ns = r->frame.wall_ns;
	pass_tick(r);
}

/* The gap that was noted, with the edges that are known now. */
static enum cursor_step give_gap(struct reader *r, bool at_end,
	struct cursor_gap *gap)
{
	r->lost = false;
	*gap = r->gap;
	gap->from_ns = r->any ? r->last_wall_ns : INT64_MIN;
	gap->to_ns = at_end ? INT64_MAX : r->frame.wall_ns;
	if (!at_end && r->any)
		gap->ticks = missing_before(r);
	return CURSOR_GAP;
}

/* Nobody writes it any more: there are no more bytes than now. */
static enum cursor_step at_end(struct reader *r, enum found f,
	struct cursor_gap *gap)
{
	/* a whole index at the end means that this is no cut one */
	if (f == FOUND_TAIL && !r->lost &&
	    (!r->tail_is_footer || reader_is_closed(r))) {
		uint64_t size = reader_size(r);

		reader_note_damage(r, r->pos, reader_is_closed(r)
		    ? "damaged bytes"
		    : "cut off: the last tick is not whole");
		r->gap.bytes = size - r->pos;
	}
	if (f == FOUND_TAIL)
		r->pos = reader_size(r);
	if (r->lost)
		return give_gap(r, true, gap);
	return CURSOR_END;
}

/* Finds the next tick; CURSOR_TICK means r->frame and r->at are it. */
static enum cursor_step step(struct reader *r, bool check,
	struct cursor_gap *gap, struct gs_err *err)
{
	enum found f = r->held ? FOUND_FRAME : find_good(r, check, err);

	if (f != FOUND_FRAME && f != FOUND_ERROR && r->src.seekable &&
	    !r->complete) {
		if (source_is_written(&r->src))
			return CURSOR_WAIT;
		/* what was written last may have come since it was looked */
		r->complete = true;
		f = find_good(r, check, err);
	}
	if (f == FOUND_ERROR)
		return CURSOR_ERROR;
	if (f != FOUND_FRAME)
		return at_end(r, f, gap);
	if (!r->held)
		note_jump(r);
	r->held = r->lost;
	if (r->lost)
		return give_gap(r, false, gap);
	return CURSOR_TICK;
}

/* Decompresses the frame at hand, without its list. */
static int decompress(struct reader *r, struct gs_err *err)
{
	size_t skip = r->grouped ? r->group.list_len : 0;
	const char *p = NULL;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    r->frame.comp_len, &p, err);

	if (n < 0)
		return (int)n;
	if ((size_t)n < skip)
		return gs_fail(err, GS_E_FORMAT, "a group without ticks");
	if (!r->code)
		r->code = tickcode_new(TICKCODE_LEVEL);
	return tickcode_decompress(r->code, p + skip, (size_t)n - skip,
	    r->frame.raw_len, &r->raw, err);
}

/* A group is opened once for all of its ticks. */
static int open_group(struct reader *r, struct gs_err *err)
{
	int s;

	if (r->open_at == r->at)
		return GS_OK;
	r->open_at = READER_NOTHING;
	s = decompress(r, err);
	if (!r->open)
		r->open = ungrouper_new();
	if (s == GS_OK)
		s = ungrouper_open(r->open, r->raw.ptr, r->raw.len,
		    r->group.n, err);
	if (s == GS_OK)
		r->open_at = r->at;
	buf_release(&r->raw);
	return s;
}

static int unpack_grouped(struct reader *r, struct gs_err *err)
{
	int s = open_group(r, err);

	return s < 0 ? s : tickcode_read(r->code,
	    ungrouper_tick(r->open, r->number), &r->tick, err);
}

static int unpack_alone(struct reader *r, struct gs_err *err)
{
	int s = decompress(r, err);

	return s < 0 ? s : tickcode_decode(r->code, r->raw.ptr, r->raw.len,
	    &r->tick, err);
}

/* Unpacks the tick at hand.  GS_E_VERSION is final, others are damage. */
static int unpack(struct reader *r, struct gs_err *err)
{
	int s = r->grouped ? unpack_grouped(r, err) : unpack_alone(r, err);

	if (s == GS_OK && (r->tick.seq != r->frame.seq ||
	    r->tick.left_out != r->frame.left_out ||
	    r->tick.key != (r->frame.kind == FRAME_KEY)))
		s = gs_fail(err, GS_E_FORMAT, "tick %" PRIu64
		    " stands where %" PRIu64 " should", r->tick.seq,
		    r->frame.seq);
	return s;
}

enum cursor_step reader_next(struct reader *r, struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	for (;;) {
		enum cursor_step s = step(r, true, gap, err);
		int u;

		if (s != CURSOR_TICK)
			return s;
		u = unpack(r, err);
		if (u == GS_E_VERSION || u == GS_E_IO) {
			gs_err_prefix(err, "%s", r->src.path);
			return CURSOR_ERROR;
		}
		if (u == GS_OK) {
			accept(r);
			*ret = &r->tick;
			return CURSOR_TICK;
		}
		reader_note_damage(r, r->at, err ? err->msg : "damaged");
		r->gap.bytes += FRAME_INDEX_LEN + r->frame.comp_len;
		r->pos = reader_frame_end(r);
	}
}

struct span reader_record(struct reader *r, struct frame_entry *ret)
{
	*ret = reader_entry(r);
	if (!r->grouped)
		return span_of(r->raw.ptr, r->raw.len);
	ungrouper_record(r->open, r->number, &r->record);
	return span_of(r->record.ptr, r->record.len);
}

enum cursor_step reader_next_index(struct reader *r, bool check,
	struct frame_entry *ret, struct cursor_gap *gap, struct gs_err *err)
{
	enum cursor_step s = step(r, check, gap, err);

	if (s == CURSOR_TICK) {
		*ret = reader_entry(r);
		accept(r);
	}
	return s;
}

void reader_enter(struct reader *r, const struct frame_entry *key)
{
	r->pos = key ? key->offset : 0;
	r->enter = key ? key->number : 0;
	r->more = false;
	r->chained = false;
	r->any = false;
	r->lost = false;
	r->held = false;
}

void reader_rest(struct reader *r)
{
	reader_enter(r, NULL);
	r->open_at = READER_NOTHING;
	ungrouper_free(r->open);
	r->open = NULL;
	buf_release(&r->record);
	group_release(&r->group);
	tickcode_free(r->code);
	r->code = NULL;
	tick_release(&r->tick);
	buf_release(&r->raw);
	source_rest(&r->src);
}

/* ---- open ------------------------------------------------------------ */

/* Something that is a tick must stand near the beginning. */
static int check_is_recording(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, 0, 1, &p, err);
	enum found f;

	if (n < 0)
		return (int)n;
	if (n == 0)
		return gs_fail(err, GS_E_FORMAT, source_is_written(&r->src)
		    ? "%s: nothing recorded yet" : "%s: empty, no recording",
		    r->src.path);
	f = reader_find_frame(r, err);
	if (f == FOUND_ERROR)
		return reader_failure(err);
	if (f != FOUND_FRAME || r->at > SEARCH_MAX)
		return gs_fail(err, GS_E_FORMAT,
		    "%s: no gpsnap recording (no tick in it is whole)",
		    r->src.path);
	return GS_OK;
}

int reader_open(const char *path, struct reader **ret, struct gs_err *err)
{
	struct reader *r = gs_calloc(1, sizeof(*r));
	int s = source_open(&r->src, path, err);

	r->open_at = READER_NOTHING;
	if (s == GS_OK)
		s = check_is_recording(r, err);
	if (s < 0) {
		reader_free(r);
		return s;
	}
	if (r->src.seekable)
		reader_enter(r, NULL);
	else
		r->opened = true;
	*ret = r;
	return GS_OK;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	source_close(&r->src);
	tickcode_free(r->code);
	tick_release(&r->tick);
	buf_release(&r->raw);
	buf_release(&r->record);
	ungrouper_free(r->open);
	group_release(&r->group);
	free(r->index);
	free(r);
}

const char *reader_path(const struct reader *r)
{
	return r->src.path;
}

bool reader_is_file(const struct reader *r)
{
	return r->src.seekable;
}

bool reader_is_written(const struct reader *r)
{
	return source_is_written(&r->src);
}

bool reader_is_closed(const struct reader *r)
{
	return footer_ends(&r->src);
}

uint64_t reader_size(const struct reader *r)
{
	int64_t size = source_size(&r->src);

	return size >= 0 ? (uint64_t)size : r->src.base + r->src.len;
}
