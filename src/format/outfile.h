/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outfile.h - one output file of a recording: whole frames or nothing.
 *
 * Appends {index frame, zstd frame} pairs with one write each and keeps what
 * the index needs: offsets, distances to keys, the footer.  It never writes
 * after doubt: when a write fails or is short, the file is cut back to its
 * last whole frame; if that fails too, or the device failed, nothing more is
 * ever written to it (outfile_sound() is false) and the caller goes on in
 * another file.  A stream (a pipe) can't be cut: any failure is its end; it may
 * go on for ever, so it gets no footer.
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
#include "format/frame.h"
#include "format/io_ops.h"

/* What is to be appended: a tick, or a group, encoded. */
struct outframe {
	enum frame_kind kind; /* of a group: of its first tick */
	const struct group *group; /* NULL: a tick alone */
	uint64_t seq;
	int64_t wall_ns;
	uint32_t raw_len;
	const void *zframe; /* of a group with its list before, and its repair
	                     * frame after it */
	uint32_t zframe_len;
};

/* What became of a file that is open: by another program, or a person. */
enum outfile_fate {
	OUTFILE_HERE, /* nothing, as far as can be told */
	OUTFILE_MOVED, /* its path is no longer its; it has another name */
	OUTFILE_DELETED, /* it has no name */
	OUTFILE_CHANGED /* its length is not what was written */
};

struct outfile {
	const struct io_ops *io; /* not owned */
	char *path;
	bool known; /* which file the path was when it was made: */
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
	struct frame_footer footer;
};

#define OUTFILE_INIT { .fd = -1, .footer = FRAME_FOOTER_INIT }

/* Creates and locks path, which must not exist (GS_E_EXISTS). */
int outfile_create(struct outfile *f, const struct io_ops *io,
	const char *path, struct gs_err *err);

/* Writes to a descriptor that is open already and stays open. */
void outfile_stream(struct outfile *f, const struct io_ops *io, int fd,
	const char *name);

static inline bool outfile_is_open(const struct outfile *f)
{
	return f->fd >= 0;
}

/* False: nothing may be appended any more. */
static inline bool outfile_sound(const struct outfile *f)
{
	return f->fd >= 0 && !f->unsound;
}

/* Appends a frame: all of it, or (negative status) nothing that counts.
 * GS_E_NOSPACE with a sound file: try again when there is room. */
int outfile_append(struct outfile *f, const struct outframe *frame,
	struct gs_err *err);

/* Makes what was written durable.  Failure makes the file unsound: the
 * kernel may have dropped the pages. */
int outfile_sync(struct outfile *f, struct gs_err *err);

/* What became of it; why says so, unless it is here.  A file that was moved
 * may still be written to. */
enum outfile_fate outfile_look(const struct outfile *f, struct gs_err *why);

/* The name of a file that was moved, or NULL; fresh. */
char *outfile_moved_to(const struct outfile *f);

/* Removes it from the directory, if it is there under its own name. */
void outfile_unlink(const struct outfile *f);

/* Writes the footer if the file is sound, syncs, closes.  A file without a
 * single frame is removed.  Releases; len_bytes tells how long it became. */
int outfile_finish(struct outfile *f, struct gs_err *err);

/* Closes as it is. */
void outfile_release(struct outfile *f);

#endif
