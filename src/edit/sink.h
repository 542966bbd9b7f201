/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.h - the output files of a command: complete and verified under their
 * names, or absent.
 *
 * Data is written to OUT.part (OUT-2.gpsnap.part, ...), synced, read back and
 * compared with the input; then the file gets its name.
 * A stream ("-") is written directly, and not verified.
 *
 * Use: sink_open(); sink_put() per tick, sink_rotate() if sink_is_full();
 * sink_finish(); sink_free() in any case, which removes unfinished files.
 */
#ifndef GS_EDIT_SINK_H
#define GS_EDIT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/scan.h"
#include "edit/beside.h"
#include "format/io_ops.h"
#include "model/summary.h"
#include "model/tick.h"

struct sink;

struct sink_options {
	const char *path; /* "-": standard output */
	bool force; /* replace an existing file */
	int level; /* of zstd */
	bool groups; /* ticks in groups (format/packer.h) */
	/* Adds summaries and gists; without groups, ticks beside which they are become
	 * groups of one.  Not owned.  NULL: there are none. */
	struct beside *beside;
	size_t threads; /* which compress groups; the bytes are the same */
	/* A file is full at this decompressed size; 0: the limit of the
	 * format. */
	uint64_t full_bytes;
	/* The existing file at path, as it was when its ticks were read: the new one
	 * replaces it if nobody has changed it since, with its mode, group and
	 * times.  May be NULL. */
	const struct stat *replaces;
	/* Files that root makes get the group and mode of the file of that name; the
	 * sandbox gives no file another owner.  May be NULL. */
	const char *like;
	/* Whether an existing file of that name, of which the sink makes a new one, may
	 * be replaced; with force only.  NULL: any. */
	bool (*may_replace)(void *ctx, const char *path);
	void *ctx;
	/* Called before a file is finished and while it is read back; true
	 * stops with GS_E_GONE.  May be NULL. */
	bool (*stopped)(void);
};

/* io must outlive the sink. */
int sink_open(const struct sink_options *o, const struct io_ops *io,
	struct sink **ret, struct gs_err *err);
void sink_free(struct sink *s);

/* Where something is made beside it, the tick loses rows, here and below. */
int sink_put(struct sink *s, struct tick *t, struct gs_err *err);

/* The same with the record copied from another file, including fields that this
 * version does not know.  first: as in packer.h. */
int sink_put_record(struct sink *s, struct tick *t, struct span record,
	bool first, struct gs_err *err);

/* The same with the tick's frame, which is copied: the ticks of the file stand alone,
 * but those with a summary or gist. */
int sink_put_frame(struct sink *s, struct tick *t, struct span record,
	struct span zframe, struct gs_err *err);

/* For tests, which write wrong ones: adds the summary of a stretch that the last tick
 * ended, and the frame of a gist (gistframe.h).  Only a file of groups or of copied
 * frames keeps them. */
void sink_put_summary(struct sink *s, const struct summary *sum);
void sink_put_gist(struct sink *s, const struct buf *frame);

/* No tick follows.  Whether there is anything beside those that were put; with `beside`
 * only. */
bool sink_has_beside(struct sink *s);

/* The frame of the page (pageframe.h) of all ticks of the only file, after the
 * last of them. */
void sink_set_page(struct sink *s, const struct buf *frame);

/* The file is full: call sink_rotate(), then put the last tick again, as a
 * key. */
bool sink_is_full(const struct sink *s);
int sink_rotate(struct sink *s, struct gs_err *err);

/* Without a tick there is no output file. */
int sink_finish(struct sink *s, struct gs_err *err);

/* Totals so far: ticks without repeats, bytes of all files. */
uint64_t sink_ticks(const struct sink *s);
uint64_t sink_bytes(const struct sink *s);

/* Files so far, and their names. */
size_t sink_files(const struct sink *s);
const char *sink_file(const struct sink *s, size_t i);

#endif
