/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retention.h - deletes the oldest of our own files.
 *
 * Only files of this NAME's pattern (naming.h) in this one directory that
 * are regular, begin with the magic of an index frame (or are empty), and
 * are locked by nobody are ever touched; the live file never is.  An unfinished one,
 * FILE.part, goes when nobody has changed it for an hour.
 */
#ifndef GS_RECORD_RETENTION_H
#define GS_RECORD_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "format/io_ops.h"

/* Files changed more recently are not deleted to free space. */
#define RETENTION_FLOOR_NS (INT64_C(3600) * 1000 * 1000 * 1000)

struct retention {
	const char *dir;
	const char *name; /* NAME of naming.h */
	uint64_t keep_bytes; /* 0: no limit; includes the live file */
	int64_t keep_ns; /* 0: no limit */
	double min_free; /* share of the file system, 0..1; 0: no limit */
};

struct retention_result {
	unsigned deleted;
	uint64_t deleted_bytes;
	bool low; /* still less than min_free */
};

/* Deletes files older than keep_ns before now_ns (by the time of their last
 * change), then the oldest while all together have more than keep_bytes, then
 * the oldest that are older than an hour until, by their sizes, the file
 * system has min_free.  Only deleted files are counted.  live is the name
 * of the file being written (without directory; NULL: none).  Fails if the
 * directory can't be read or a file can't be deleted; ret is valid also
 * then. */
int retention_apply(const struct retention *r, const struct io_ops *io,
	const char *live, int64_t now_ns, struct retention_result *ret,
	struct gs_err *err);

/* Share of the file system that is free, 0..1; 1 if not known. */
double retention_free_share(const struct io_ops *io, const char *dir);

#endif
