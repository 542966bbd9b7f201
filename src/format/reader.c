/*
 * reader.c - forward over index frames, decoding on demand.
 *
 * A frame counts if its index frame's checksum holds, its own bytes are all
 * there and match their checksum, and the key and every delta that it builds
 * on did so too.  Whatever else stands in the file is searched for the next
 * index frame and reported as one gap.
 */
#include "format/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/footer.h"
#include "format/source.h"
#include "format/tickcode.h"

/* Something foreign is given up on after this much without an index frame. */
#define SEARCH_MAX ((uint64_t)256 << 20)

/* What stands at the reader's position. */
enum found {
	FOUND_FRAME,
	FOUND_END, /* nothing more, or an index at the end */
	FOUND_TAIL, /* part of a frame, then the end of the file */
	FOUND_ERROR
};

struct reader {
	struct source src;
	struct tickcode *code;
	struct tick tick;
	struct buf raw;
	uint64_t pos; /* where the next frame should stand */
	uint64_t key_at; /* offset of the key that deltas build on */
	bool chained; /* key_at and last_* are of the tick before */
	uint64_t last_seq;
	int64_t last_wall_ns;
	bool any; /* a tick was given out */
	bool lost; /* a gap is to be reported before the next tick */
	bool tail_is_footer; /* what FOUND_TAIL found */
	bool complete; /* nobody wrote it when it was looked last */
	bool opened; /* reader_open() has found a frame on a pipe, which can
	              * not be read again */
	bool held; /* frame and at are of a frame that was found already */
	struct frame_index frame;
	uint64_t at;
	struct cursor_gap gap;
	struct frame_entry *index;
	size_t n_index, index_cap;
	uint64_t indexed; /* bytes that the index covers */
	uint64_t size; /* of a file, when last looked at */
};

/* The status of a failure that err may tell. */
static int failure(const struct gs_err *err)
{
	return err ? (int)err->status : GS_E_IO;
}

/* ---- finding frames -------------------------------------------------- */

static void note_damage(struct reader *r, uint64_t at, const char *why)
{
	if (!r->lost) {
		r->gap = (struct cursor_gap) { .offset = at,
			.damage = true, .file = r->src.path };
		(void)snprintf(r->gap.why, sizeof(r->gap.why), "%.190s", why);
	}
	r->lost = true;
	r->chained = false;
}

/* Offset of the next zstd skippable magic at or behind from; the end of the
 * bytes if there is none. */
static int64_t find_magic(struct reader *r, uint64_t from, struct gs_err *err)
{
	unsigned char magic[4];
	const size_t step = (size_t)64 << 10;

	gs_put_le32(magic, FRAME_SKIP_MAGIC);
	for (;;) {
		const char *p = NULL;
		int64_t n = source_get(&r->src, from, step, &p, err);
		const char *hit;

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

/* Length of a whole index at the end (footer) that stands at off, 0 if none
 * stands there. */
static int64_t footer_at(struct reader *r, uint64_t off, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, off, 8, &p, err);
	uint64_t len;

	if (n < 8 || gs_get_le32(p) != FRAME_SKIP_MAGIC)
		return n < 0 ? n : 0;
	len = (uint64_t)gs_get_le32(p + 4) + 8;
	if (len < FRAME_FOOTER_MIN || len > FOOTER_LEN_MAX)
		return 0;
	n = source_get(&r->src, off, (size_t)len, &p, err);
	if (n < 0)
		return n;
	if ((uint64_t)n < len || !footer_is_whole(p, (size_t)len))
		return 0;
	return (int64_t)len;
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
		r->size = reader_size(r);
	return off + len <= r->size;
}

/* Whether an index frame stands at off: 1 or 0; negative: can not be read, or
 * is of a newer layout. */
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

/* Offset of the next index frame at or behind from; 0 if there is none,
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

/* Part of an index at the end, not of a frame: no tick is missing. */
static bool is_cut_footer(struct reader *r, uint64_t off)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, off, 12, &p, NULL);

	return n >= 8 && gs_get_le32(p) == FRAME_SKIP_MAGIC &&
	    gs_get_le32(p + 4) != FRAME_INDEX_LEN - 8 &&
	    (n < 12 || memcmp(p + 8, "GPSN", 4) != 0);
}

/* What stands at r->pos is no whole frame: on to the next that may be one. */
static enum found pass_over(struct reader *r, bool index, struct gs_err *err)
{
	int64_t next;

	r->tail_is_footer = !index && is_cut_footer(r, r->pos);
	next = find_index(r, r->pos + (index ? FRAME_INDEX_LEN : 1), err);
	if (next < 0)
		return FOUND_ERROR;
	if (next == 0)
		return FOUND_TAIL;
	note_damage(r, r->pos, index ? "bytes are missing" : "damaged bytes");
	r->gap.bytes += (uint64_t)next - r->pos;
	r->pos = (uint64_t)next;
	return FOUND_FRAME;
}

/* Looks at r->pos: a frame (r->frame, r->at), the end, a torn tail.  Bytes
 * that are neither are passed over and noted as damage. */
static enum found find_frame(struct reader *r, struct gs_err *err)
{
	if (r->opened) {
		r->opened = false;
		return FOUND_FRAME;
	}
	for (;;) {
		const char *p = NULL;
		int is = index_at(r, r->pos, &r->frame, err);
		int64_t n;
		enum found f;

		if (is < 0)
			return FOUND_ERROR;
		if (is) {
			r->at = r->pos;
			n = has_bytes(r, r->pos + FRAME_INDEX_LEN,
			    r->frame.comp_len, err);
			if (n != 0)
				return n < 0 ? FOUND_ERROR : FOUND_FRAME;
		} else {
			n = source_get(&r->src, r->pos, 1, &p, err);
			if (n > 0)
				n = footer_at(r, r->pos, err);
			else if (n == 0)
				return FOUND_END;
			if (n < 0)
				return FOUND_ERROR;
			if (n > 0) {
				r->pos += (uint64_t)n;
				continue;
			}
		}
		f = pass_over(r, is, err);
		if (f != FOUND_FRAME)
			return f;
	}
}

/* ---- chains ---------------------------------------------------------- */

/* Whether the frame continues what was read before. */
static bool follows(const struct reader *r)
{
	return r->chained && r->at - r->frame.back_key == r->key_at &&
	    r->frame.seq == r->last_seq + 1;
}

static bool checksum_holds(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    r->frame.comp_len, &p, err);

	return n == (int64_t)r->frame.comp_len &&
	    frame_crc32c(p, (size_t)n) == r->frame.crc;
}

static uint64_t frame_end(const struct reader *r)
{
	return r->at + FRAME_INDEX_LEN + r->frame.comp_len;
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

	r->pos = fits ? frame_end(r) : r->at + FRAME_INDEX_LEN;
	r->gap.bytes += r->pos - r->at;
}

/* Finds the next frame that counts; passes over and notes the others. */
static enum found find_good(struct reader *r, bool check, struct gs_err *err)
{
	for (;;) {
		enum found f = find_frame(r, err);

		if (f != FOUND_FRAME)
			return f;
		if (check && !checksum_holds(r, err)) {
			note_damage(r, r->at, "wrong checksum");
			pass_damaged(r);
			continue;
		}
		if (r->frame.kind == FRAME_KEY || follows(r)) {
			return FOUND_FRAME;
		} else if (!r->lost) {
			note_damage(r, r->at, r->any
			    ? "ticks are missing"
			    : "starts in the middle: no key before");
		}
		r->pos = frame_end(r);
	}
}

/* A key whose number jumps stands after ticks that were never written.  A
 * key that is the first of its file may be of another recording. */
static void note_jump(struct reader *r)
{
	if (r->lost || !r->chained || r->frame.back_prev_key == 0 ||
	    r->frame.seq <= r->last_seq + 1)
		return;
	note_damage(r, r->at, "not written to this file");
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
	r->pos = frame_end(r);
}

/* The gap that was noted, with the edges that are known now. */
static enum cursor_step give_gap(struct reader *r, bool at_end,
	struct cursor_gap *gap)
{
	r->lost = false;
	*gap = r->gap;
	gap->from_ns = r->any ? r->last_wall_ns : INT64_MIN;
	gap->to_ns = at_end ? INT64_MAX : r->frame.wall_ns;
	if (!at_end && r->any && r->frame.seq > r->last_seq)
		gap->ticks = r->frame.seq - r->last_seq - 1;
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

		note_damage(r, r->pos, reader_is_closed(r)
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

/* Unpacks the tick at hand.  GS_E_VERSION is final, others are damage. */
static int unpack(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    r->frame.comp_len, &p, err);
	int s;

	if (n < 0)
		return (int)n;
	if (!r->code)
		r->code = tickcode_new(TICKCODE_LEVEL);
	s = tickcode_decompress(r->code, p, (size_t)n, r->frame.raw_len,
	    &r->raw, err);
	if (s == GS_OK)
		s = tickcode_decode(r->code, r->raw.ptr, r->raw.len,
		    &r->tick, err);
	if (s == GS_OK && (r->tick.seq != r->frame.seq ||
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
		note_damage(r, r->at, err ? err->msg : "damaged");
		r->gap.bytes += FRAME_INDEX_LEN + r->frame.comp_len;
		r->pos = frame_end(r);
	}
}

static struct frame_entry entry_of(const struct reader *r)
{
	return (struct frame_entry) {
		.offset = r->at,
		.seq = r->frame.seq,
		.wall_ns = r->frame.wall_ns,
		.comp_len = r->frame.comp_len,
		.raw_len = r->frame.raw_len,
		.kind = r->frame.kind,
	};
}

enum cursor_step reader_next_index(struct reader *r, bool check,
	struct frame_entry *ret, struct cursor_gap *gap, struct gs_err *err)
{
	enum cursor_step s = step(r, check, gap, err);

	if (s == CURSOR_TICK) {
		*ret = entry_of(r);
		accept(r);
	}
	return s;
}

/* ---- index ----------------------------------------------------------- */

static void index_add(struct reader *r, const struct frame_entry *e)
{
	GS_GROW(r->index, &r->index_cap, r->n_index + 1);
	r->index[r->n_index++] = *e;
}

/* Walks index frames from r->indexed to the end, with a state of its own. */
static int index_scan(struct reader *r, struct gs_err *err)
{
	struct reader keep = *r;
	enum found f;
	uint64_t end;

	r->pos = r->indexed;
	r->lost = false;
	while ((f = find_frame(r, err)) == FOUND_FRAME) {
		struct frame_entry e = entry_of(r);

		index_add(r, &e);
		r->pos = frame_end(r);
	}
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
	return f == FOUND_ERROR ? failure(err) : GS_OK;
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

void reader_enter(struct reader *r, uint64_t offset)
{
	r->pos = offset;
	r->chained = false;
	r->any = false;
	r->lost = false;
	r->held = false;
}

void reader_rest(struct reader *r)
{
	reader_enter(r, 0);
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
	f = find_frame(r, err);
	if (f == FOUND_ERROR)
		return failure(err);
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

	if (s == GS_OK)
		s = check_is_recording(r, err);
	if (s < 0) {
		reader_free(r);
		return s;
	}
	if (r->src.seekable)
		reader_enter(r, 0);
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
