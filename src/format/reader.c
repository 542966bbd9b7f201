/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.c - reads forward over index frames, decodes on demand.
 *
 * A frame is good if its index frame's checksum is right, its own bytes are
 * complete and match their checksum, and the key and all deltas that it builds
 * on are good too.  Other bytes in the file are searched for the next index
 * frame and reported as one gap.
 *
 * A group is one frame with several ticks: it is found and checked once, then
 * each of its ticks in turn is the current one.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/footer.h"
#include "format/reader_int.h"
#include "model/walk.h"

/* Frames of up to this size are always tried. */
#define TRIED_MAX 4096u

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

/* Whether the current frame ends where another one begins, or at the end of
 * the file. */
static bool ends_well(struct reader *r, const char **ret, struct gs_err *err)
{
	uint64_t len = r->frame.comp_len;
	int64_t n = source_get(&r->src, r->at + FRAME_INDEX_LEN,
	    (size_t)len + 4, ret, err);

	return n == (int64_t)len || (n == (int64_t)len + 4 &&
	    gs_get_le32(*ret + len) == FRAME_SKIP_MAGIC);
}

static bool checksum_holds(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	size_t len = r->frame.comp_len;
	bool well = r->frame.comp_len > TRIED_MAX && ends_well(r, &p, err);
	int64_t n;

	if (len > TRIED_MAX && !well && !reader_may_try(r, len))
		return false;
	n = reader_bytes(r, len, &p, err);
	if (n == (int64_t)len && frame_crc32c(p, len) == r->frame.crc)
		return true;
	r->vain += well ? 0 : len;
	return false;
}

/* Notes the current frame as skipped; of a group, all ticks from the current
 * one on. */
static void note_frame_passed(struct reader *r)
{
	size_t i;

	reader_note_passed(r, r->frame.seq);
	r->sparse |= r->frame.left_out > 0;
	for (i = r->number + 1; r->grouped && i < r->group.n; i++) {
		reader_note_passed(r, r->group.tick[i].seq);
		r->sparse |= r->group.tick[i].left_out > 0;
	}
}

/* If bytes are missing within a frame, its length leads into the next one:
 * then the search continues after the index frame. */
static void pass_damaged(struct reader *r)
{
	const char *p = NULL;

	note_frame_passed(r);
	r->pos = ends_well(r, &p, NULL) ? reader_frame_end(r)
	                                : r->at + FRAME_INDEX_LEN;
	r->gap.bytes += r->pos - r->at;
}

/* Moves past the current tick: to the next one of its group, or to the next
 * frame. */
static void pass_tick(struct reader *r)
{
	r->more = r->grouped && r->number + 1 < r->group.n;
	if (!r->more)
		r->pos = reader_frame_end(r);
}

/* A key has the offset of the previous key: if there is no key, bytes between
 * were removed.  After damage this is unknown. */
static bool is_linked(const struct reader *r)
{
	uint64_t back = r->frame.back_prev_key;

	if (back == 0 || r->lost || (r->grouped && r->number > 0))
		return true;
	return back <= r->at && (!r->chained || r->at - back == r->key_at);
}

/* Finds the next good frame; skips and notes the others. */
static enum found find_good(struct reader *r, struct gs_err *err)
{
	for (;;) {
		bool turn = r->more;
		enum found f = FOUND_FRAME;

		r->more = false;
		if (turn)
			reader_select_tick(r, r->number + 1);
		else
			f = reader_find_frame(r, err);
		if (f != FOUND_FRAME)
			return f;
		if (!turn && !checksum_holds(r, err) && !reader_mend(r)) {
			reader_note_damage(r, r->at, "wrong checksum");
			pass_damaged(r);
			continue;
		}
		if (r->frame.kind == FRAME_KEY) {
			if (!is_linked(r))
				reader_note_damage(r, r->at, r->any ?
				    "ticks are missing" :
				    "starts in the middle");
			return FOUND_FRAME;
		} else if (follows(r)) {
			return FOUND_FRAME;
		} else if (!r->lost) {
			reader_note_damage(r, r->at, r->any
			    ? "ticks are missing"
			    : "starts in the middle: no key before");
		}
		reader_note_passed(r, r->frame.seq);
		r->sparse |= r->frame.left_out > 0;
		pass_tick(r);
	}
}

/* If the sequence number of a key jumps, the ticks before it were never
 * written.  A key that is the first of its file may be of another recording. */
static void note_jump(struct reader *r)
{
	if (r->lost || !r->chained || r->frame.back_prev_key == 0 ||
	    missing_before(r) == 0)
		return;
	reader_note_gap(r, r->at, "not written to this file");
}

static void accept(struct reader *r)
{
	if (r->frame.kind == FRAME_KEY)
		r->key_at = r->at;
	r->chained = true;
	r->any = true;
	r->passed = false;
	r->sparse |= r->frame.left_out > 0;
	r->last_seq = r->frame.seq;
	r->last_wall_ns = r->frame.wall_ns;
	pass_tick(r);
}

/* The file's first bytes are no frame: which tick they were, an index at its end knows. */
static bool first_seq(struct reader *r, uint64_t *ret)
{
	const struct frame_entry *e;
	size_t n;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0 || n == 0 ||
	    e[0].offset != 0)
		return false;
	*ret = e[0].seq;
	return true;
}

/* Number of ticks missing in a gap with an open edge: those known from frames
 * or an index; 0: unknown. */
static uint64_t missing_at_edge(struct reader *r, bool at_end)
{
	uint64_t before, last, first = r->passed_first;

	if (!r->passed || r->sparse || r->frame.left_out > 0)
		return r->gap.ticks;
	if (!r->any && r->headless && (!first_seq(r, &first) || first == 0))
		return 0;
	before = r->any ? r->last_seq : first - 1;
	last = at_end ? r->passed_last : r->frame.seq - 1;
	return last > before ? last - before : 0;
}

/* Returns the noted gap, with the edges known now. */
static enum cursor_step close_gap(struct reader *r, bool at_end,
	struct cursor_gap *gap)
{
	r->lost = false;
	*gap = r->gap;
	gap->from_ns = r->any ? r->last_wall_ns : INT64_MIN;
	gap->to_ns = at_end ? INT64_MAX : r->frame.wall_ns;
	/* another recording may follow, which counts from 1 */
	gap->ticks = !at_end && r->any && r->frame.seq > r->last_seq
	    ? missing_before(r)
	    : missing_at_edge(r, at_end || r->any);
	return CURSOR_GAP;
}

/* Bytes up to the end without a whole frame; they may follow damaged ones. */
static void pass_tail(struct reader *r)
{
	uint64_t size = reader_size(r), bytes = size - r->pos;
	bool closed = reader_is_closed(r);

	/* after a whole index at the end this is not a truncated one */
	if (!r->lost && (!r->tail_is_footer || closed)) {
		reader_note_damage(r, r->pos, closed ? "damaged bytes"
		    : "cut off: the last tick is not whole");
		r->gap.bytes = bytes;
	} else if (!r->tail_is_footer) {
		r->gap.bytes += bytes;
	}
	if (r->tail_is_footer)
		r->bad_footer = bytes;
	r->pos = size;
}

/* The file is not being written any more: it does not grow. */
static enum cursor_step at_end(struct reader *r, enum found f,
	struct cursor_gap *gap)
{
	if (f == FOUND_TAIL)
		pass_tail(r);
	if (!r->lost)
		return CURSOR_END;
	(void)close_gap(r, true, gap);
	/* how many ticks these bytes were is not known */
	if (f == FOUND_TAIL && !r->tail_is_footer)
		gap->ticks = 0;
	return CURSOR_GAP;
}

/* Finds the next tick; CURSOR_TICK means r->frame and r->at are it. */
static enum cursor_step step(struct reader *r, struct cursor_gap *gap,
	struct gs_err *err)
{
	enum found f = r->held ? FOUND_FRAME : find_good(r, err);

	if (f != FOUND_FRAME && f != FOUND_ERROR && r->src.seekable &&
	    !r->complete) {
		if (source_is_written(&r->src))
			return CURSOR_WAIT;
		/* bytes may have been written since the last check */
		r->complete = true;
		f = find_good(r, err);
	}
	if (f == FOUND_ERROR)
		return CURSOR_ERROR;
	if (f != FOUND_FRAME)
		return at_end(r, f, gap);
	if (!r->held)
		note_jump(r);
	r->held = r->lost;
	if (r->lost)
		return close_gap(r, false, gap);
	return CURSOR_TICK;
}

void reader_only(struct reader *r, uint64_t entities)
{
	r->skipped = ~entities;
}

void reader_spare(struct reader *r)
{
	r->src.sparing = true;
}

bool reader_digest(const struct reader *r, uint64_t *ret)
{
	return source_digest(&r->src, ret);
}

/* Skips the current tick, which is invalid or of another recording.  Others of
 * its group may be good. */
static void pass_wrong(struct reader *r)
{
	if (r->grouped && r->open_at == r->at) {
		pass_tick(r);
		return;
	}
	r->gap.bytes += FRAME_INDEX_LEN + r->frame.comp_len;
	r->pos = reader_frame_end(r);
}

/* Checks that the tick builds on the key that was read: numbers and distances
 * can match those of another recording by chance. */
static int check_tag(struct reader *r, struct gs_err *err)
{
	if (r->tick.key)
		r->key_tag = r->tick.key_tag;
	else if (r->tick.key_tag != r->key_tag)
		return gs_fail(err, GS_E_FORMAT, "tick %" PRIu64
		    " belongs to another key", r->tick.seq);
	return GS_OK;
}

/* The tick after a gap that is no damage may say why; it is read again by the next
 * step. */
static void describe_loss(struct reader *r, struct cursor_gap *gap)
{
	struct gs_err err;

	if (!gap->damage && gap->ticks > 0 && r->held &&
	    reader_unpack(r, &err) == GS_OK)
		walk_describe_loss(&r->tick, gap);
}

enum cursor_step reader_next(struct reader *r, struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	for (;;) {
		enum cursor_step s = step(r, gap, err);
		int u;

		if (s == CURSOR_GAP)
			describe_loss(r, gap);
		if (s != CURSOR_TICK)
			return s;
		u = reader_unpack(r, err);
		if (u == GS_E_MEMORY)
			return CURSOR_ERROR;
		if (u == GS_E_VERSION || u == GS_E_IO) {
			gs_err_prefix(err, "%s", r->src.path);
			return CURSOR_ERROR;
		}
		if (u == GS_OK)
			u = check_tag(r, err);
		if (u == GS_OK) {
			accept(r);
			*ret = &r->tick;
			return CURSOR_TICK;
		}
		reader_note_damage(r, r->at, err ? err->msg : "damaged");
		note_frame_passed(r);
		pass_wrong(r);
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

struct span reader_frame(struct reader *r)
{
	const char *p = NULL;
	size_t len = r->frame.comp_len;

	if (r->grouped || reader_bytes(r, len, &p, NULL) != (int64_t)len)
		return span_str("");
	return span_of(p, len);
}

enum cursor_step reader_next_index(struct reader *r,
	struct frame_entry *ret, struct cursor_gap *gap, struct gs_err *err)
{
	enum cursor_step s = step(r, gap, err);

	if (s == CURSOR_TICK) {
		*ret = reader_entry(r);
		accept(r);
	}
	return s;
}

struct header *reader_header(struct reader *r, struct frame_entry *ret)
{
	struct cursor_gap gap;

	if (reader_next_index(r, ret, &gap, NULL) != CURSOR_TICK ||
	    ret->kind != FRAME_KEY)
		return NULL;
	return reader_unpack_header(r);
}

void reader_enter(struct reader *r, const struct frame_entry *key)
{
	r->part = (struct part) { .known = !key };
	r->bad_footer = 0;
	r->pos = key ? key->offset : 0;
	r->enter = key ? key->number : 0;
	r->more = false;
	r->chained = false;
	r->any = r->passed = r->headless = false;
	r->lost = false;
	r->held = false;
}

void reader_rest(struct reader *r)
{
	reader_enter(r, NULL);
	ungrouper_free(r->open);
	r->open = NULL;
	buf_release(&r->record);
	buf_release(&r->mended);
	r->mended_at = READER_NOTHING;
	group_release(&r->group);
	reader_drop_summaries(r);
	reader_drop_gists(r);
	tickcode_free(r->code);
	r->code = NULL;
	tick_release(&r->tick);
	reader_drop_raw(r);
	source_rest(&r->src);
	r->src.sparing = false;
}

/* ---- open ------------------------------------------------------------ */

static bool begins_as_recording(struct reader *r)
{
	const char *p = NULL;

	return source_get(&r->src, 0, 12, &p, NULL) == 12 &&
	    gs_get_le32(p) == FRAME_SKIP_MAGIC && memcmp(p + 8, "GPSN", 4) == 0;
}

/* There must be a tick near the beginning. */
static int check_is_recording(struct reader *r, struct gs_err *err)
{
	const char *p = NULL;
	int64_t n = source_get(&r->src, 0, 1, &p, err);
	enum found f;

	if (n < 0)
		return (int)n;
	if (n == 0)
		return gs_fail(err, GS_E_FORMAT, source_is_written(&r->src)
		    ? "%s: nothing recorded yet" : "%s: empty, not a recording",
		    r->src.path);
	r->opening = true;
	f = reader_find_frame(r, err);
	r->opening = false;
	if (f == FOUND_ERROR)
		return reader_failure(err);
	if (f != FOUND_FRAME)
		return gs_fail(err, GS_E_FORMAT, begins_as_recording(r)
		    ? "%s: no tick in it is whole: its first one is cut off, or "
		    "damaged"
		    : "%s: not a gpsnap recording (it has no whole tick)",
		    r->src.path);
	return GS_OK;
}

int reader_open(const char *path, struct reader **ret, struct gs_err *err)
{
	struct reader *r = gs_calloc(1, sizeof(*r));
	int s = source_open(&r->src, path, err);

	r->part.known = true;
	r->open_at = r->mended_at = r->sums.list_at = READER_NOTHING;
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
	budget_give(r->src.budget, r->index.charged * sizeof(*r->index.item));
	reader_drop_raw(r);
	reader_drop_summaries(r);
	reader_drop_gists(r);
	source_close(&r->src);
	tickcode_free(r->code);
	tick_release(&r->tick);
	buf_release(&r->record);
	buf_release(&r->mended);
	ungrouper_free(r->open);
	group_release(&r->group);
	free(r->index.item);
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

uint64_t reader_bad_footer(const struct reader *r)
{
	return r->bad_footer;
}

uint64_t reader_mended(const struct reader *r, uint64_t *ret_first)
{
	*ret_first = r->first_mended;
	return r->n_mended;
}

uint64_t reader_offset(const struct reader *r)
{
	return r->pos;
}

uint64_t reader_size(const struct reader *r)
{
	return source_bytes(&r->src);
}
