/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive.h - many files as one recording: a cursor over their ticks.
 *
 * Files are sorted by recording and number, recordings by time.  Ticks that
 * are repeated by a rotation or by overlapping pieces come once; a missing
 * file, a missing tick and the time between two recordings are gaps.  Ticks
 * that are missing in one piece are read from another, from a key of that one
 * on.  Hosts are identified by name, so that two recordings of one host form
 * one time line; and a cluster by its hosts and the port of its server.
 *
 * Recordings that overlap in time are not merged: while the earlier one goes
 * on, the other is skipped, up to its first key after that; so no figure mixes
 * both.
 */
#ifndef GS_REPLAY_ARCHIVE_H
#define GS_REPLAY_ARCHIVE_H

#include "base/err.h"
#include "base/zone.h"
#include "format/pageframe.h"
#include "model/cursor.h"
#include "model/header.h"

struct archive;

/* Opens files, directories (their *.gpsnap files) and "-", which must be
 * alone.  A file that is not a recording is an error if it was named, and
 * skipped with a note if it was found in a directory. */
int archive_open(char *const *path, size_t n, struct archive **ret,
	struct gs_err *err);
void archive_free(struct archive *a);

/*
 * From now on the cursor waits at the end of a file that is being written,
 * and archive_refresh() looks for new files: all in directories among the
 * paths, and those that continue the recording of a file among the paths.  It gives
 * 1 if some came, else 0.
 * The paths are those of archive_open(), none of them "-".
 */
void archive_follow(struct archive *a, char *const *path, size_t n);
int archive_refresh(struct archive *a, struct gs_err *err);

/* The files are all files of a directory, even if each was named: ticks that
 * are missing before the first are a hole. */
void archive_set_all(struct archive *a);

/* Number of damaged frames, among those read so far, that cost no tick. */
uint64_t archive_harmless(const struct archive *a);

/* True if a recorder is running: it holds its lock of a directory or a file. */
bool archive_is_written(const struct archive *a);

/* The file that was started last: a running recorder writes to it. */
const char *archive_newest(const struct archive *a);

/* True if that file ends with its index: its recorder closed it. */
bool archive_is_closed(const struct archive *a);

struct cursor archive_cursor(struct archive *a);

/* Times of the first and last tick; false for a pipe. */
bool archive_range(struct archive *a, int64_t *ret_first_ns,
	int64_t *ret_last_ns);

/* The same; of a pipe both are the start of the recording. */
bool archive_bounds(struct archive *a, int64_t *ret_first_ns,
	int64_t *ret_last_ns);

/* The header of the newest key; never NULL after archive_open() succeeded. */
const struct header *archive_header(const struct archive *a);

/* Seconds east of UTC of the recorder's time zone. */
int32_t archive_utc_offset(const struct archive *a);

/* What the file, if it is the only one, has ready of a report of all of it (reader.h);
 * false: it has none. */
bool archive_page(struct archive *a, struct page_kept *ret);

size_t archive_files(const struct archive *a);
const char *archive_file(const struct archive *a, size_t i);

/* True if a file that was named, or a part of it that is within the range, is
 * not shown: it was skipped, or another recording of the time is. */
bool archive_is_part(const struct archive *a, int64_t from_ns, int64_t to_ns);

/* Calls fn with a note about each part that is not shown, times in zone, each
 * skipped file, and metrics that this version does not know. */
typedef void (*archive_note_fn)(void *ctx, const char *text);
void archive_notes(const struct archive *a, const struct zone *zone,
	archive_note_fn fn, void *ctx);

#endif
