/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h - several recordings on one time line, as one recording that is made
 * while it is read.
 *
 * Files of one recording are what they are: that recording.  Of different
 * ones a tick has what was sampled about then (aligned.h) by each.  A host that
 * is in several is taken from the first of them that has it at that time;
 * what the others say of it is passed over.  Where the first one changes a
 * key says everything anew, and rows go on by their identity.
 *
 * A host in two recordings of different recorders tells how far their clocks
 * are apart: the other one's times are set right by it.  Without one, clocks
 * are believed, and a note says so.
 *
 * Where a source is damaged or has a hole its hosts have no samples; where no
 * other source has ticks meanwhile, it is a hole of the whole.
 */
#ifndef GS_MERGE_MERGE_H
#define GS_MERGE_MERGE_H

#include "base/zone.h"
#include "model/cursor.h"
#include "model/header.h"
#include "replay/archive.h"

struct merge;

struct merge_options {
	const char *command; /* the line that asks for it; kept by caller */
	bool sessions; /* what shows sessions is wanted: recordings of two
	                * clusters are refused */
	/* A source has a hole that is none of the whole; NULL: nobody cares. */
	void (*gap)(void *ctx, const struct cursor_gap *gap);
	void *ctx;
};

/* Opens files and directories of them, "-" is refused. */
int merge_open(char *const *path, size_t n, const struct merge_options *o,
	struct merge **ret, struct gs_err *err);
void merge_free(struct merge *m);

/* All files are of one recording: it is read as it is. */
bool merge_is_plain(const struct merge *m);

struct cursor merge_cursor(struct merge *m);

/* The finest interval of all. */
int64_t merge_interval_ns(const struct merge *m);

void merge_range(const struct merge *m, int64_t *ret_first_ns,
	int64_t *ret_last_ns);
int32_t merge_utc_offset(const struct merge *m);

/* What it is made of: recordings that follow each other are one. */
size_t merge_archives(const struct merge *m);
const struct archive *merge_archive(const struct merge *m, size_t i);

/* Files of directories that were passed over, each with a note. */
size_t merge_refused(const struct merge *m);

/* What is to be known of how they were put together. */
size_t merge_notes(const struct merge *m);
const char *merge_note(const struct merge *m, size_t i);

#endif
