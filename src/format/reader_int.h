/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_int.h - shared by the files of the reader.
 */
#ifndef GS_FORMAT_READER_INT_H
#define GS_FORMAT_READER_INT_H

#include "format/gistframe.h"
#include "format/group.h"
#include "format/groupcode.h"
#include "format/reader.h"
#include "format/source.h"
#include "format/summaryframe.h"
#include "format/tickcode.h"

#define READER_NOTHING UINT64_MAX

/* A file without a frame in its first so many MiB is not a recording. */
#define READER_SEARCH_MIB 256

/* What is at the reader's position. */
enum found {
	FOUND_FRAME,
	FOUND_END, /* end of file, or an index at the end */
	FOUND_TAIL, /* part of a frame, then the end of the file */
	FOUND_ERROR
};

/* The current file, of those that cat(1) may have joined. */
struct part {
	bool known; /* it was read from its first byte */
	bool holed; /* something in it was skipped or is missing */
	uint64_t start;
	size_t ticks; /* in the frames found so far */
	uint64_t digest; /* of these, as in struct footer_claim */
};

struct reader {
	struct source src;
	struct tickcode *code;
	uint64_t skipped; /* entities that are not decoded, a bit each */
	struct tick tick;
	struct buf raw;
	uint64_t pos; /* expected offset of the next frame */
	uint64_t key_at; /* offset of the key that deltas build on */
	uint32_t key_tag; /* of that key; 0: no tag, or not unpacked */
	bool chained; /* key_at and last_* are those of the previous tick */
	uint64_t last_seq;
	int64_t last_wall_ns;
	bool any; /* a tick was returned */
	bool passed; /* ticks known from frames or an index were skipped since: */
	uint64_t passed_first, passed_last; /* their sequence numbers */
	bool headless; /* and before them the first bytes of the file, which are no frame */
	bool sparse; /* ticks were left out: sequence numbers have jumps */
	bool lost; /* a gap is to be reported before the next tick */
	bool tail_is_footer; /* what FOUND_TAIL found */
	struct part part;
	uint64_t bad_footer; /* bytes of an incomplete one at the end */
	bool complete; /* it was not being written at the last check */
	bool opening; /* reader_open() looks for the first frame */
	bool opened; /* reader_open() has found a frame on a pipe, which can't
		      * be read twice */
	bool held; /* frame and at are of a frame that was found before */
	struct frame_index frame; /* current one; of a group, that of its tick */
	uint64_t at;
	bool grouped; /* current is tick group.tick[number] of a group */
	bool more; /* the group has another tick, which comes next */
	struct group group;
	size_t number;
	size_t enter; /* number of the tick to begin with, in the group at pos */
	struct ungrouper *open; /* the group at open_at */
	uint64_t open_at; /* READER_NOTHING: none */
	uint64_t open_skipped; /* entities whose columns it lacks, a bit each */
	struct buf open_raw; /* its bytes */
	size_t open_charged; /* for them */
	struct buf record; /* of reader_record() */
	struct buf mended; /* restored bytes of the frame at mended_at */
	uint64_t mended_at; /* READER_NOTHING: none */
	uint64_t n_mended, first_mended, last_mended;
	struct cursor_gap gap;
	struct reader_ticks {
		struct frame_entry *item;
		size_t n, cap;
		size_t charged; /* number of ticks charged */
		uint64_t bytes; /* of the file that it covers */
	} index;
	size_t raw_charged; /* bytes of raw */
	struct reader_sums { /* reader_summary.c */
		struct summarycode *code;
		struct summaries list; /* of the group at list_at */
		uint64_t list_at; /* READER_NOTHING: of none */
		uint64_t list_bytes;
		size_t near; /* in the index: the key asked for last */
		size_t *key; /* keys of an index of n_of ticks, by number and time;
		              * NULL: not made yet */
		size_t n_key, n_of;
		struct stretch_place {
			size_t n, from, to; /* of an index of n ticks: a key, and
					     * the key after it; n: none is */
			bool looked, whole; /* if looked: its frames are whole */
		} place; /* of the stretch asked for last */
		uint64_t good_from, good_to; /* the frames there are whole */
	} sums;
	struct reader_gists { /* reader_gist.c */
		bool listed;
		struct {
			size_t from, to;
		} bare; /* ticks of the index whose frames have nothing beside
		         * them */
		struct gist_place {
			struct gist_head is;
			uint64_t offset;
			size_t len;
		} *place;
		size_t n_place, place_cap;
		size_t found; /* by reader_gist() */
		struct tickcode *code;
		struct ungrouper *open;
		struct gist_base base; /* of those that are read */
		uint64_t base_bytes; /* of all times that one was read */
		uint64_t used_bytes; /* of gists that were read, and of use */
		unsigned vain; /* gists that were read and of no use */
		unsigned passed; /* by reader_pass_gist() */
		size_t base_charged;
		struct gist now; /* that is read */
		size_t next; /* tick of it */
		size_t remark; /* of that tick, the first */
		struct tick tick;
		size_t charged;
	} gists;
	uint64_t size; /* of a file, when last looked at */
	uint64_t vain; /* bytes whose checksum was wrong and that are scanned
		        * again */
};

/* Candidate frames may overlap: their checksums are tried as long as that is
 * no more work than reading the file a few times. */
static inline bool reader_may_try(const struct reader *r, uint64_t len)
{
	return r->vain + len <= ((uint64_t)64 << 20) + 4 * r->pos;
}

/* The status in err, or a default. */
static inline int reader_failure(const struct gs_err *err)
{
	return err ? (int)err->status : GS_E_IO;
}

/* Ticks are missing from that offset up to the next tick returned; damage: bytes
 * of the file are bad or gone. */
void reader_note_gap(struct reader *r, uint64_t at, const char *why);
void reader_note_damage(struct reader *r, uint64_t at, const char *why);

/* A tick is skipped; it may be known only from an index. */
void reader_note_passed(struct reader *r, uint64_t seq);

/* Looks at r->pos: a frame (r->frame, r->at), the end, a torn tail.  Other
 * bytes are skipped and noted as damage. */
enum found reader_find_frame(struct reader *r, struct gs_err *err);

/* Makes a tick of the current group the current tick. */
void reader_select_tick(struct reader *r, size_t number);

/* Up to len bytes of the current frame, from the end of its index frame on. */
int64_t reader_bytes(struct reader *r, size_t len, const char **ret,
	struct gs_err *err);

/* Restores the bytes of the current frame, which is damaged, and reads its
 * list again.  False if that is impossible. */
bool reader_mend(struct reader *r);

/* Decodes the current tick.  GS_E_VERSION is final, other errors are damage. */
int reader_unpack(struct reader *r, struct gs_err *err);

/* The header of the first tick of the current frame; NULL: it is not found so. */
struct header *reader_unpack_header(struct reader *r);

/* The bytes that were decompressed. */
void reader_drop_raw(struct reader *r);
void reader_drop_summaries(struct reader *r);
void reader_drop_gists(struct reader *r);

/* The index frame of an entry; false: something else is there. */
bool reader_index_of(struct reader *r, const struct frame_entry *e,
	struct frame_index *ret);

/* The frames beside the ticks of a group (besideframe.h), from the last to the
 * first: the next one ends at `end`, with these bytes. */
struct reader_beside {
	uint64_t begin, end;
	char tail[BESIDE_TAIL];
};

/* False: the group has none. */
bool reader_beside(struct reader *r, const struct frame_entry *e,
	struct reader_beside *ret);

/* Passes over the next one, of len bytes; false: so many there are not, or no further
 * one. */
bool reader_beside_pass(struct reader *r, struct reader_beside *b, size_t len);

/* Number of the key in the index; n: it is not there. */
size_t reader_find_key(struct reader *r, const struct frame_entry *e, size_t n,
	uint64_t seq, int64_t wall_ns);

/* The entries from `from` to `to` follow each other, their frames adjoin, and none
 * is damaged. */
bool reader_are_whole(struct reader *r, const struct frame_entry *e,
	size_t from, size_t to);

struct frame_entry reader_entry(const struct reader *r);
uint64_t reader_frame_end(const struct reader *r);

#endif
