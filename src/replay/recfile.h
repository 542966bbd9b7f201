/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recfile.h - one file of a recording, and which others belong to it.
 *
 * Its first whole key says which recording it is of and which file of that;
 * by this files are put in order, whatever their names are.
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
	struct header *header; /* of its first whole key */
	int64_t first_ns; /* of that key */
	int64_t begins_ns; /* the first of those of its recording that are
	                    * there; of recfile_sort() */
	uint64_t first_seq;
	uint64_t left_out; /* of the recording's ticks, just before it */
	uint64_t lost; /* ticks before it that the recorder lost, it says */
	int32_t utc_offset_s; /* east of UTC where it was recorded */
	/* Of a pipe only, which can not be read again: the first tick, owned
	 * by the reader, and what was missing before it. */
	struct tick *held;
	bool has_gap;
	struct cursor_gap gap;
};

/* Opens a file or "-" and reads its first whole key. */
int recfile_open(const char *path, struct recfile *ret, struct gs_err *err);
void recfile_release(struct recfile *f);

/*
 * All *.gpsnap files of a directory in the order of recfile_sort(), also
 * those that are no recordings: these are last, by name, with the reason.
 * Fails if there is none that is a recording and is_any is false, or none at
 * all.  The caller releases each and frees the array.
 */
int recfile_list(const char *dir, bool is_any, struct recfile **ret,
	size_t *ret_n, struct gs_err *err);

/* True if both are of one recording. */
bool recfile_same(const struct recfile *a, const struct recfile *b);

/* Time of its last tick, as its index tells. */
int64_t recfile_end(const struct recfile *f);

/* "file 2 of the recording is missing", or "ticks are missing" where no file
 * is between those with these numbers. */
void recfile_say_missing(uint32_t before, uint32_t after, char *to,
	size_t size);

/*
 * Ticks before the first file of a recording that is here, which are missing:
 * the recorder lost them, as it says there; or the files that held them were
 * deleted or are elsewhere.  0: none, or they may be what retention deleted,
 * and the recording begins here.  newest_ns: of the newest tick of the
 * recording, bytes: of all its files that are here.
 */
uint64_t recfile_missing_first(const struct recfile *first,
	int64_t newest_ns, uint64_t bytes);

/* Puts n elements of that size, each of which begins with a struct recfile,
 * in order: recordings by the first tick that is there of them, files of a
 * recording by number and time; last those that were refused. */
void recfile_sort(void *files, size_t n, size_t size);

/* For qsort(): the same order, of files that were sorted. */
int recfile_by_time(const void *x, const void *y);

/* True of the names of recordings: *.gpsnap. */
bool recfile_is_name(const char *name);

/* Replaces ret by the path of a file of a directory. */
void recfile_path(const char *dir, const char *name, struct buf *ret);

bool path_is_directory(const char *path);

/* A regular file without a byte. */
bool path_is_empty(const char *path);

/* The directory that a file is in; the caller frees it. */
char *path_directory(const char *path);

#endif
