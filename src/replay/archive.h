/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive.h - many files as one recording: a cursor over their ticks.
 *
 * Files are put in order by recording and number, recordings by time.  A tick
 * that a rotation repeats comes once, and so do those of pieces that overlap;
 * a missing file, a missing tick and the time between two recordings are gaps.
 * What is missing in one piece is taken from another, from a key of that one on.
 * Hosts are told apart by name, so that two recordings of one host are one
 * line of time.
 *
 * Recordings that overlap in time are not merged: while one that began before
 * goes on, the other is passed over, up to its first key after that; so no
 * figure is ever of both.
 */
#ifndef GS_REPLAY_ARCHIVE_H
#define GS_REPLAY_ARCHIVE_H

#include "base/err.h"
#include "model/cursor.h"
#include "model/header.h"

struct archive;

/* Part of a recording that is passed over because another is shown. */
struct archive_overlap {
	const char *hidden; /* its first file */
	size_t hidden_files;
	const char *shown; /* the file that reaches furthest */
	int64_t from_ns, to_ns;
};

/* Opens files, directories (their *.gpsnap files) and "-", which must be
 * alone.  Files that are no recordings are refused if they were named, and
 * passed over with a note if they were found in a directory. */
int archive_open(char *const *path, size_t n, struct archive **ret,
	struct gs_err *err);
void archive_free(struct archive *a);

/*
 * From now on the cursor waits at the end of a file that is being written,
 * and archive_refresh() looks for files that came since: in directories that
 * are among the paths, and for those in which the recording of a file that is
 * among them goes on.  The paths are those of archive_open(), none of them
 * "-".
 */
void archive_follow(struct archive *a, char *const *path, size_t n);
int archive_refresh(struct archive *a, struct gs_err *err);

/* The files are all those of a directory, also where they were named: what is
 * missing before the first is a hole. */
void archive_set_all(struct archive *a);

/* Places that are damaged without a tick being missing, among those that were
 * read so far. */
uint64_t archive_harmless(const struct archive *a);

/* A recorder is at work: it holds its lock of a directory or a file. */
bool archive_is_written(const struct archive *a);

/* The file that was begun last: where a recorder is at work. */
const char *archive_newest(const struct archive *a);

/* That file ends with its index: its recorder ended in good order. */
bool archive_is_closed(const struct archive *a);

struct cursor archive_cursor(struct archive *a);

/* First and last tick there is; false of a pipe. */
bool archive_range(struct archive *a, int64_t *ret_first_ns,
	int64_t *ret_last_ns);

/* What the newest key said; never NULL once archive_open() succeeded. */
const struct header *archive_header(const struct archive *a);

/* Seconds east of UTC where it was recorded. */
int32_t archive_utc_offset(const struct archive *a);

size_t archive_files(const struct archive *a);
const char *archive_file(const struct archive *a, size_t i);

/* Files of directories that were passed over, each with a note. */
size_t archive_refused(const struct archive *a);

const struct archive_overlap *archive_overlaps(const struct archive *a,
	size_t *ret_n);

/* Notes: files passed over, metrics that this version does not know. */
size_t archive_notes(const struct archive *a);
const char *archive_note(const struct archive *a, size_t i);

#endif
