/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recfile.h - one file of a recording, and the order of files.
 *
 * Its first undamaged key names the recording and the number of the file;
 * files are sorted by that, not by their names.
 */
#ifndef GS_REPLAY_RECFILE_H
#define GS_REPLAY_RECFILE_H

#include "base/buf.h"
#include "base/err.h"
#include "format/reader.h"
#include "model/header.h"

struct recfile {
	char *path;
	struct reader *reader; /* at the beginning; NULL if it was refused */
	char *refused; /* why, with its name; NULL if it was not */
	struct header *header; /* of its first undamaged key */
	int64_t first_ns; /* of that key */
	int64_t begins_ns; /* first_ns of the first file of its recording that
	                    * exists; set by recfile_sort() */
	uint64_t first_seq;
	uint64_t left_out; /* of the recording's ticks, just before it */
	bool brief; /* of that key only the header was read */
	struct recfile_more { /* recfile_read_more() */
		uint64_t lost; /* ticks before it that the recorder says it lost */
		int32_t utc_offset_s; /* east of UTC, of the recorder's time zone */
	} more;
	/* Only of a pipe, which can't be read twice: the first tick, owned
	 * by the reader, and the gap before it. */
	struct tick *held;
	bool has_gap;
	struct cursor_gap gap;
};

/* Opens a file or "-" and reads its first undamaged key. */
int recfile_open(const char *path, struct recfile *ret, struct gs_err *err);

/* Reads that key of a file that is brief and at its beginning, for what few callers need
 * of few files; all 0 if it can't be read. */
void recfile_read_more(struct recfile *f);
void recfile_release(struct recfile *f);

/*
 * All *.gpsnap files of a directory in the order of recfile_sort(), including
 * those that are not recordings: these are last, by name, with the reason.
 * Those between two others of their recording may be brief: their frames are whole, and
 * what they contain is told when they are read.
 * Fails if there are no files, or if is_any is false and no file is a
 * recording.  The caller releases each and frees the array.
 */
int recfile_list(const char *dir, bool is_any, struct recfile **ret,
	size_t *ret_n, struct gs_err *err);

/* Calls fn with the files of each recording of recfile_list(), and with each
 * file that is not one. */
typedef void (*recfile_fn)(void *ctx, char *const *path, size_t n);
int recfile_each(const char *dir, recfile_fn fn, void *ctx,
	struct gs_err *err);

/* True if both are of one recording. */
bool recfile_same(const struct recfile *a, const struct recfile *b);

/* Time of its last tick, by its index. */
int64_t recfile_end(const struct recfile *f);

/* "file 2 of the recording is missing", or "ticks are missing" if there is no
 * file between those with these numbers. */
void recfile_describe_missing(uint32_t before, uint32_t after, char *to,
	size_t size);

/*
 * Number of ticks that are missing before the first existing file of a
 * recording: the recorder lost them, as that file says, or their files were
 * deleted or are elsewhere.  0: none, or retention may have deleted them, and
 * the recording begins here.  lost: as the first tick says; newest_ns: of the newest
 * tick of the recording; bytes: of all its existing files.
 */
uint64_t recfile_missing_first(const struct recfile *first, uint64_t lost,
	int64_t newest_ns, uint64_t bytes);

/* Sorts n elements of that size, each of which begins with a struct recfile:
 * recordings by their first existing tick, files of a recording by number and
 * time; refused files last. */
void recfile_sort(void *files, size_t n, size_t size);

/* For qsort(): the same order, of files that were sorted. */
int recfile_by_time(const void *x, const void *y);

/* True for names of recordings: *.gpsnap. */
bool recfile_is_name(const char *name);

/* Replaces ret by the path of a file of a directory. */
void recfile_path(const char *dir, const char *name, struct buf *ret);

bool path_is_directory(const char *path);

/* The standard input, or a pipe: /dev/fd/63 of a shell. */
bool path_is_read_once(const char *path);

#endif
