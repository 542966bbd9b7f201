/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - the ticks of one file, in order, past damage.
 *
 * It reads forward: reader_next() gives the next whole tick whose key and
 * predecessors are whole too, says where something is missing, and goes on
 * behind it.  A file can also be entered at any of its keys
 * (reader_keys(), reader_enter()).
 */
#ifndef GS_FORMAT_READER_H
#define GS_FORMAT_READER_H

#include "base/scan.h"
#include "format/frame.h"
#include "model/cursor.h"

struct reader;

/* Opens a file or "-".  Fails if it can not be read or is no recording at
 * all (nothing in it that is a tick). */
int reader_open(const char *path, struct reader **ret, struct gs_err *err);
void reader_free(struct reader *r);

/* Steps CURSOR_TICK, GAP, WAIT, END, ERROR.  A tick that was torn at the end
 * of a file that nobody writes is a GAP before END. */
enum cursor_step reader_next(struct reader *r, struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err);

/* The record of the tick that reader_next() gave, as it was encoded, and
 * where it stands; valid until the next step. */
struct span reader_record(struct reader *r, struct frame_entry *ret);

/* As reader_next(), without decompressing: *ret is what the index frame of
 * the tick says.  Checksums of frames are verified if check is true. */
enum cursor_step reader_next_index(struct reader *r, bool check,
	struct frame_entry *ret, struct cursor_gap *gap, struct gs_err *err);

/* Index of all ticks that index frames or the index at the end name; owned
 * by the reader.  Only of files; GS_E_USAGE on a pipe.  Called again, it
 * knows what was appended since. */
int reader_index(struct reader *r, const struct frame_entry **ret,
	size_t *ret_n, struct gs_err *err);

/* The next step reads this key of the index (NULL: the beginning). */
void reader_enter(struct reader *r, const struct frame_entry *key);

/* As reader_enter(r, NULL), with all memory given back that reading on will
 * take again, but for the index: for one of many files.  Not of a pipe. */
void reader_rest(struct reader *r);

const char *reader_path(const struct reader *r);
bool reader_is_file(const struct reader *r);

/* True if a recorder holds the lock of the file. */
bool reader_is_written(const struct reader *r);

/* True if the file ends with an index: it was closed in good order. */
bool reader_is_closed(const struct reader *r);

/* Once it was read to its end: bytes of an index at the end that is not whole,
 * 0 if there are none.  No tick is missing with it. */
uint64_t reader_bad_footer(const struct reader *r);

/* How many groups were damaged and could be restored so far, and where the
 * first is. */
uint64_t reader_mended(const struct reader *r, uint64_t *ret_first);

/* Bytes of the file now; of a pipe, those read so far. */
uint64_t reader_size(const struct reader *r);

#endif
