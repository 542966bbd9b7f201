/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_int.h - what the parts of the reader share.
 */
#ifndef GS_FORMAT_READER_INT_H
#define GS_FORMAT_READER_INT_H

#include "format/group.h"
#include "format/groupcode.h"
#include "format/reader.h"
#include "format/source.h"
#include "format/tickcode.h"

#define READER_NOTHING UINT64_MAX

/* What stands at the reader's position. */
enum found {
	FOUND_FRAME,
	FOUND_END, /* nothing more, or an index at the end */
	FOUND_TAIL, /* part of a frame, then the end of the file */
	FOUND_ERROR
};

/* The file at hand, of those that cat(1) may have put together. */
struct part {
	bool known; /* it was read from its first byte on */
	bool damaged; /* something of it was passed over */
	uint64_t start;
	size_t ticks; /* of frames that were found */
};

struct reader {
	struct source src;
	struct tickcode *code;
	struct tick tick;
	struct buf raw;
	uint64_t pos; /* where the next frame should stand */
	uint64_t key_at; /* offset of the key that deltas build on */
	uint32_t key_tag; /* of that key; 0: none, or it was not unpacked */
	bool chained; /* key_at and last_* are of the tick before */
	uint64_t last_seq;
	int64_t last_wall_ns;
	bool any; /* a tick was given out */
	bool passed; /* frames or an index named ticks that were passed over
	              * since: */
	uint64_t passed_first, passed_last; /* their numbers */
	bool sparse; /* ticks were left out: numbers do not count them */
	bool lost; /* a gap is to be reported before the next tick */
	bool tail_is_footer; /* what FOUND_TAIL found */
	struct part part;
	uint64_t bad_footer; /* bytes of one that is not whole, at the end */
	bool complete; /* nobody wrote it when it was looked last */
	bool opened; /* reader_open() has found a frame on a pipe, which can
	              * not be read again */
	bool held; /* frame and at are of a frame that was found already */
	struct frame_index frame; /* at hand: of a group, what says its tick */
	uint64_t at;
	bool grouped; /* at hand is tick group.tick[number] of a group */
	bool more; /* the group has a tick behind it, which comes next */
	struct group group;
	size_t number;
	size_t enter; /* number of the tick to begin with, of the group that
	               * stands at pos */
	struct ungrouper *open; /* the group at open_at */
	uint64_t open_at; /* READER_NOTHING: none */
	struct buf record; /* of reader_record() */
	struct buf mended; /* bytes of the frame at mended_at, restored */
	uint64_t mended_at; /* READER_NOTHING: none */
	uint64_t n_mended, first_mended, last_mended;
	struct cursor_gap gap;
	struct frame_entry *index;
	size_t n_index, index_cap;
	size_t index_charged; /* ticks that there is room for */
	size_t raw_charged; /* bytes of raw */
	uint64_t indexed; /* bytes that the index covers */
	uint64_t size; /* of a file, when last looked at */
	uint64_t vain; /* bytes whose checksum was wrong and which are looked
	                * through again */
};

/* What claims to be whole may overlap what else claims it: checksums are tried
 * as long as that is no more work than reading the file a few times. */
static inline bool reader_may_try(const struct reader *r, uint64_t len)
{
	return r->vain + len <= ((uint64_t)64 << 20) + 4 * r->pos;
}

/* The status of a failure that err may tell. */
static inline int reader_failure(const struct gs_err *err)
{
	return err ? (int)err->status : GS_E_IO;
}

/* Something is missing from that offset on, up to the next tick that is
 * given. */
void reader_note_damage(struct reader *r, uint64_t at, const char *why);

/* A tick is passed over; also one that only an index names. */
void reader_note_passed(struct reader *r, uint64_t seq);

/* Looks at r->pos: a frame (r->frame, r->at), the end, a torn tail.  Bytes
 * that are neither are passed over and noted as damage. */
enum found reader_find_frame(struct reader *r, struct gs_err *err);

/* Puts a tick of the group at hand in place of the one that was. */
void reader_take_turn(struct reader *r, size_t number);

/* Up to len bytes of the frame at hand, from its index frame's end + off on. */
int64_t reader_bytes(struct reader *r, uint64_t off, size_t len,
	const char **ret, struct gs_err *err);

/* The frame at hand is damaged: restores its bytes and reads its list again.
 * False: that can't be done. */
bool reader_mend(struct reader *r);

/* The tick at hand. */
struct frame_entry reader_entry(const struct reader *r);

/* Where the frame at hand ends. */
uint64_t reader_frame_end(const struct reader *r);

#endif
