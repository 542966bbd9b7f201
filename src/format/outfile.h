/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outfile.h - one output file of a recording: only whole frames are written.
 *
 * Appends {index frame, zstd frame} pairs with one write each and collects the
 * data of the index: offsets, distances to keys, the footer.  When a write
 * fails or is short, the file is truncated to its last whole frame.  If that
 * fails too, or the device failed, nothing more is written to the file
 * (outfile_sound() is false) and the caller continues in another file.  A
 * stream (a pipe) can't be truncated: any failure is its end.  It may never
 * end, so it gets no footer.
 *
 * Use: outfile_create() or outfile_stream(); outfile_append() any number of
 * times; outfile_finish(), which closes, or outfile_release().
 */
#ifndef GS_FORMAT_OUTFILE_H
#define GS_FORMAT_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "format/footer.h"
#include "format/io_ops.h"

/* An encoded tick or group to append. */
struct outframe {
	enum frame_kind kind; /* of a group: the kind of its first tick */
	const struct group *group; /* NULL: a single tick */
	bool summary; /* with a summary frame (summaryframe.h) */
	bool early; /* of a group: as in struct frame_index */
	uint64_t seq;
	int64_t wall_ns;
	uint32_t raw_len;
	const void *zframe; /* of a group: between its list and its repair frame */
	uint32_t zframe_len;
};

/* What others (a program, a person) did to the open file. */
enum outfile_fate {
	OUTFILE_HERE, /* nothing, as far as can be seen */
	OUTFILE_MOVED, /* its path is not its own any more; it has another name */
	OUTFILE_DELETED, /* it has no name */
	OUTFILE_CHANGED /* its length differs from what was written */
};

struct outfile {
	const struct io_ops *io; /* not owned */
	char *path;
	bool known; /* the file at the path when it was created: */
	uint64_t dev, ino;
	int fd;
	bool stream;
	bool unsound;
	bool dirty; /* written to since the last outfile_sync() */
	uint64_t len_bytes; /* of whole frames */
	uint64_t raw_bytes;
	uint64_t frames;
	uint64_t key; /* offset of the newest key, if frames > 0 */
	uint64_t prev_key; /* offset of the key before it, if has_prev_key */
	bool has_prev_key;
	struct footer footer;
};

#define OUTFILE_INIT { .fd = -1, .footer = FOOTER_INIT }

/* Creates and locks path, which must not exist (GS_E_EXISTS). */
int outfile_create(struct outfile *f, const struct io_ops *io,
	const char *path, struct gs_err *err);

/* Writes to an open descriptor, which stays open. */
void outfile_stream(struct outfile *f, const struct io_ops *io, int fd,
	const char *name);

static inline bool outfile_is_open(const struct outfile *f)
{
	return f->fd >= 0;
}

/* False: nothing can be appended any more. */
static inline bool outfile_sound(const struct outfile *f)
{
	return f->fd >= 0 && !f->unsound;
}

/* Appends a frame, completely or (negative status) not at all.  GS_E_NOSPACE
 * with a sound file: try again when there is space. */
int outfile_append(struct outfile *f, const struct outframe *frame,
	struct gs_err *err);

/* Makes what was written durable.  Failure makes the file unsound: the
 * kernel may have dropped the pages. */
int outfile_sync(struct outfile *f, struct gs_err *err);

/* What others did to the file; why describes it, unless it is OUTFILE_HERE.  A
 * file that was moved may still be written to. */
enum outfile_fate outfile_check(const struct outfile *f, struct gs_err *why);

/* The new name of a file that was moved, or NULL; to be freed. */
char *outfile_moved_to(const struct outfile *f);

/* Removes it from the directory, if it is there under its own name. */
void outfile_unlink(const struct outfile *f);

/* Writes the footer if the file is sound, syncs and closes it.  A file without
 * frames is removed.  Releases f; len_bytes is the final length. */
int outfile_finish(struct outfile *f, struct gs_err *err);

/* Closes the file as it is. */
void outfile_release(struct outfile *f);

#endif
