/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey_file.h - the ticks of one file in the order of its bytes: a cursor
 * over a reader.
 *
 * Concatenated files are told apart: a tick that a rotation repeats is a
 * CURSOR_REPEAT; ticks of the same recording that were given before are
 * skipped, up to a key that was not; ticks that are missing between two pieces
 * of it are a gap, and so is the time between two recordings.
 */
#ifndef GS_REPLAY_SURVEY_FILE_H
#define GS_REPLAY_SURVEY_FILE_H

#include "format/reader.h"
#include "model/header.h"

/* Offset of a gap that is between files. */
#define SURVEY_NOWHERE UINT64_MAX

struct survey_file {
	struct reader *reader; /* the caller's */
	/* the rest is its own; zeroed */
	struct header *header; /* of the newest key */
	struct tick *held; /* the key after a gap */
	bool any;
	bool gap_returned; /* a gap was, since the last tick */
	bool over; /* ticks were given before: up to a key that was not */
	uint64_t seq;
	int64_t last_ns;
};

/* Forward only; a gap between two pieces has the offset SURVEY_NOWHERE. */
struct cursor survey_file_cursor(struct survey_file *f);

/* Frees it; the reader stays. */
void survey_file_release(struct survey_file *f);

/* What is missing between two ticks of a recording, of which the headers are of
 * the newest key and of the later tick.  lost: ticks that the recorder reports
 * as lost just before it: ticks that it wrote and are missing are damage,
 * unless pieces were cut out. */
void survey_describe_missing(const struct header *before,
	const struct header *after, uint64_t lost, struct cursor_gap *gap);

#endif
