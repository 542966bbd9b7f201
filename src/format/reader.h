/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - reads the ticks of one file, in order; skips damage.
 *
 * reader_next() returns the next whole tick whose key and predecessors are
 * whole too.  It reports a gap where something is missing, and continues after
 * it.  Reading can also start at any key of a file (reader_index(),
 * reader_enter()).
 */
#ifndef GS_FORMAT_READER_H
#define GS_FORMAT_READER_H

#include "base/scan.h"
#include "format/frame.h"
#include "format/pageframe.h"
#include "model/cursor.h"
#include "model/summary.h"

struct reader;

/* Opens a file or "-".  Fails if it can not be read or is not a recording (it
 * has no tick). */
int reader_open(const char *path, struct reader **ret, struct gs_err *err);
void reader_free(struct reader *r);

/* Steps CURSOR_TICK, GAP, WAIT, END, ERROR.  A torn tick at the end of a file
 * that is not being written is a GAP before END. */
enum cursor_step reader_next(struct reader *r, struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err);

/* Of a file at its beginning, its first key: the header, and its place.  Nothing else of
 * it is decompressed or checked but the checksum of the frame.  NULL: it is not the
 * first that is there, it is damaged, or so is what was looked at: reader_next() tells.
 * In both cases reader_rest() is to follow.  The caller frees it. */
struct header *reader_header(struct reader *r, struct frame_entry *ret);

/* From now on ticks have no texts, and no rows but of these entities, a bit each; those
 * of groups may have more.  For who needs little of them: what is left out is not
 * checked.  At first, and UINT64_MAX: all. */
void reader_only(struct reader *r, uint64_t entities);

/* From now on no more bytes are read at once than are asked for: for who needs
 * little of a file.  reader_rest() ends that. */
void reader_spare(struct reader *r);

/* A number for all bytes of a file; false: they can't be read. */
bool reader_digest(const struct reader *r, uint64_t *ret);

/* The encoded record of the tick that reader_next() returned, and its
 * position; valid until the next step. */
struct span reader_record(struct reader *r, struct frame_entry *ret);

/* The frame of that tick as it stands in the file; empty: it is in a group.  Valid
 * until the next step. */
struct span reader_frame(struct reader *r);

/* As reader_next(), without decompressing: *ret is from the index frame of the
 * tick. */
enum cursor_step reader_next_index(struct reader *r,
	struct frame_entry *ret, struct cursor_gap *gap, struct gs_err *err);

/* Index of all ticks that index frames or the index at the end name; owned by
 * the reader.  Only of files; GS_E_USAGE on a pipe.  A later call includes
 * ticks that were appended since. */
int reader_index(struct reader *r, const struct frame_entry **ret,
	size_t *ret_n, struct gs_err *err);

/* The next step reads this key of the index (NULL: the beginning). */
void reader_enter(struct reader *r, const struct frame_entry *key);

/* As reader_enter(r, NULL), and frees all memory but the index; it is
 * allocated again when reading continues.  For one of many open files.  Not
 * for a pipe. */
void reader_rest(struct reader *r);

/*
 * The summary of the stretch after the key with that number and time, of a
 * file; valid until the next call.  NULL: there is none, it is damaged, or so
 * are ticks of the stretch, which have to be read then.
 */
const struct summary *reader_summary(struct reader *r, uint64_t from_seq,
	int64_t from_ns);

/* The summaries that end in the group of a tick of the index; none if they can't
 * be read.  Valid until the next call of these functions. */
const struct summary *reader_summaries(struct reader *r,
	const struct frame_entry *e, size_t *ret_n);

/* Whether a stretch with a gist (model/cursor.h) begins with the key of that
 * number and time, of a file; *ret_to_ns is its last tick.  One that ends after until_ns
 * need not be found. */
bool reader_gist(struct reader *r, uint64_t from_seq, int64_t from_ns,
	int64_t until_ns, int64_t *ret_to_ns);

/* Opens the gist that reader_gist() has found; false: its bytes, or a tick of its
 * stretch, are damaged. */
bool reader_take_gist(struct reader *r, struct gist_about *ret);

/* It is of no use after all. */
void reader_pass_gist(struct reader *r);

/* Its next tick, valid until the next call; the first is a key; *ret_last: there
 * is no other.  reader_next() goes on where it was.  It may fail in the middle, if who
 * wrote the gist did not write ticks. */
int reader_next_gist(struct reader *r, struct tick **ret, bool *ret_last,
	struct gs_err *err);

/* Number of stretches of a file: keys that have a later one after them. */
size_t reader_count_stretches(struct reader *r);

/* Number of gists of a file, each of one stretch or of many, and bytes of all. */
size_t reader_count_gists(struct reader *r, uint64_t *ret_bytes);

/* Length of the frame of the file's page (pageframe.h), 0: it has none; and what
 * is in it, false: it has none, or one that is damaged. */
size_t reader_page_bytes(struct reader *r);
bool reader_page(struct reader *r, struct page_kept *ret);

/* Number of stretches of a file that have a summary, and bytes of all of
 * them. */
size_t reader_count_summaries(struct reader *r, uint64_t *ret_bytes);

const char *reader_path(const struct reader *r);
bool reader_is_file(const struct reader *r);

/* True if a recorder holds the lock of the file. */
bool reader_is_written(const struct reader *r);

/* True if the file ends with an index: it was closed cleanly. */
bool reader_is_closed(const struct reader *r);

/* After the end was read: bytes of an incomplete index at the end, or 0.  No
 * tick is lost by that. */
uint64_t reader_bad_footer(const struct reader *r);

/* Number of damaged groups that were restored so far, and the offset of the
 * first. */
uint64_t reader_mended(const struct reader *r, uint64_t *ret_first);

/* Where the next frame begins. */
uint64_t reader_offset(const struct reader *r);

/* Bytes of the file now; of a pipe, those read so far. */
uint64_t reader_size(const struct reader *r);

#endif
