/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.h - a thread that writes frames, so that a slow disk delays no tick.
 *
 * The caller fills frames and pushes them; the thread writes them to an
 * output, syncs it, applies retention.  The queue is bounded: a frame that does
 * not fit is lost and counted; the caller never waits.
 *
 * After a loss the next frame must be a key, and perhaps the first of a new
 * file.  writer_begin() says so in the frame it returns, together with the
 * number of lost ticks, which the frame must record as a hole.  After a write
 * error the frames that are still queued are lost, too: the frame before them
 * is missing.
 *
 * Others may delete, move or change the file that is being written.  That is
 * checked once a second, at each sync and at the end; a new file begins
 * then.  The contents of a deleted or changed file are lost, and recorded as a
 * hole.
 *
 * All functions must be called by the same thread; none waits for the disk
 * except writer_finish().
 */
#ifndef GS_RECORD_WRITER_H
#define GS_RECORD_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/output.h"

#define WRITER_QUEUE_MAX 64u /* frames */
#define WRITER_QUEUE_BYTES_MAX (64u << 20)
#define WRITER_WHY_MAX 256u

struct writer;

/* A frame to fill.  The upper part is for the caller to read. */
struct writer_frame {
	bool must_key; /* it follows a loss */
	uint32_t file_number; /* of its file, from 1 */
	uint64_t hole; /* ticks lost before it */
	char why[WRITER_WHY_MAX]; /* why, if hole > 0 */
	char moved[WRITER_WHY_MAX]; /* how the previous file was moved; or "" */

	bool new_file; /* this frame begins a new file */

	/* For the caller to fill. */
	enum frame_kind kind;
	uint64_t seq;
	int64_t wall_ns;
	uint32_t raw_len;
	struct buf zframe;

	/* The writer's own. */
	uint32_t ticks;
	uint64_t generation;
	struct writer_frame *next;
};

struct writer_stats {
	uint64_t ticks; /* written, and not lost later with their file */
	uint64_t lost; /* ticks, ever */
	uint64_t losing; /* of them, since the last one that was queued */
	uint64_t bytes; /* written, all files, without those that are gone */
	uint64_t file_bytes; /* written and queued, newest file */
	uint64_t file_raw_bytes; /* the same, decompressed */
	uint32_t files; /* that hold a frame, without those that are gone */
	uint32_t disturbed; /* files that others removed, moved or changed */
	uint32_t queued; /* frames, the one being written included */
	bool failed; /* for good: a stream ended */
};

/* After a disk was full, frames are refused for so long. */
#define WRITER_RETRY_NS (INT64_C(2) * 1000 * 1000 * 1000)

struct writer_options {
	int64_t sync_ns; /* fdatasync this often; 0: after every frame */
	int64_t retry_ns; /* WRITER_RETRY_NS, or less in a test */
};

/* Takes ownership of the open output. */
struct writer *writer_new(struct output *o, const struct writer_options *opt);

/* A frame to fill, for ticks (1, or 0 for the repetition of a tick that was
 * pushed before) new ticks.  NULL: they are lost, because the queue is full, the
 * writer has failed, or frames are refused for retry_ns after the disk was
 * full. */
struct writer_frame *writer_begin(struct writer *w, uint32_t ticks);

/* Takes what the next frame would have to report, if it is not refused: returns the
 * number of lost ticks, with why; moved is changed if the previous file was moved.
 * The next frame must be a key as before. */
uint64_t writer_take_hole(struct writer *w, char why[WRITER_WHY_MAX],
	char moved[WRITER_WHY_MAX]);

/* Makes the frame, which must be a key, the first of a new file. */
void writer_start_file(struct writer_frame *f);

/* Queues a frame.  False if it was lost. */
bool writer_push(struct writer *w, struct writer_frame *f);

/* Gives a frame up: its ticks are lost. */
void writer_lose(struct writer *w, struct writer_frame *f, const char *why);

void writer_get_stats(struct writer *w, struct writer_stats *ret);

/* Why it failed for good, or GS_OK. */
int writer_get_failure(struct writer *w, struct gs_err *err);

/* Replaces out by the path of the newest file; at the end, of the newest one
 * that exists ("" if none does). */
void writer_get_path(struct writer *w, struct buf *out);

/* After writer_finish(): the paths of all files that were written, a line
 * each, without those that are gone. */
void writer_get_files(struct writer *w, struct buf *out);

/* Takes the paths of files that were completed since, because another was begun, each
 * with its '\0'; false if there are none. */
bool writer_fetch_completed(struct writer *w, struct buf *out);

/* Takes the notices for the user, a line each; false if there are none. */
bool writer_fetch_notices(struct writer *w, struct buf *out);

/* Writes what is queued, closes the output, ends the thread.  May be called
 * once; notices and stats can still be asked for. */
int writer_finish(struct writer *w, struct gs_err *err);

void writer_free(struct writer *w);

#endif
