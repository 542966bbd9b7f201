/* SPDX-License-Identifier: Apache-2.0 */
/*
 * backlog.h - frames in memory that are not written yet: those of the last so
 * many seconds.
 *
 * It always begins with a key: what is too old, or too much, is dropped up to
 * the next key.
 */
#ifndef GS_RECORD_BACKLOG_H
#define GS_RECORD_BACKLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "format/frame.h"

struct backlog_frame {
	enum frame_kind kind;
	uint64_t seq;
	int64_t wall_ns;
	uint32_t raw_len;
	uint32_t file_number; /* that a key says */
	uint64_t hole; /* lost ticks that it reports */
	struct buf zframe;
	struct backlog_frame *next;
};

struct backlog {
	int64_t keep_ns;
	size_t max_bytes;
	struct backlog_frame *first, *last;
	size_t n, bytes;
	uint64_t dropped; /* ticks, for lack of memory */
	uint64_t hole; /* reported by frames that were dropped */
	bool cut; /* all up to the next key is dropped */
};

/* Appends a copy. */
void backlog_add(struct backlog *b, const struct backlog_frame *f);

/* Drops what is older than needed for the last keep_ns. */
void backlog_trim(struct backlog *b);

/* Takes the oldest one out, or NULL; the caller frees it. */
struct backlog_frame *backlog_pop(struct backlog *b);
void backlog_frame_free(struct backlog_frame *f);

void backlog_release(struct backlog *b);

#endif
