/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h - merges several recordings into one time line, while they are read.
 *
 * Files of one recording are read as that recording.  Ticks of different
 * recordings that are near each other are joined (align.h).  A host that
 * is in several comes from the first of them that has it at that time;
 * its samples in the others are skipped.  When the owner of a host changes,
 * a key is written, and rows are continued by their identity.
 *
 * A host in two recordings of different recorders shows the difference between
 * their clocks: the times of the second are corrected by it.  Without such a
 * host, the clocks count as equal, and a note says so.
 *
 * While a source is damaged or has a hole, its hosts have no samples; if no
 * other source has ticks in that time, the merged recording has a hole.
 */
#ifndef GS_MERGE_MERGE_H
#define GS_MERGE_MERGE_H

#include "base/zone.h"
#include "model/cursor.h"
#include "model/header.h"
#include "replay/archive.h"

struct merge;

struct merge_options {
	const char *command; /* command line; not owned */
	bool sessions; /* sessions are shown: recordings of two clusters are
	                * refused */
	/* A source has a hole that the merged recording has not; may be
	 * NULL. */
	void (*gap)(void *ctx, const struct cursor_gap *gap);
	void *ctx;
};

/* Opens files and directories of files; "-" is refused. */
int merge_open(char *const *path, size_t n, const struct merge_options *o,
	struct merge **ret, struct gs_err *err);
void merge_free(struct merge *m);

/* All files are of one recording: it is read as it is. */
bool merge_is_plain(const struct merge *m);

struct cursor merge_cursor(struct merge *m);

/* The shortest interval of all. */
int64_t merge_interval_ns(const struct merge *m);

void merge_range(const struct merge *m, int64_t *ret_first_ns,
	int64_t *ret_last_ns);
int32_t merge_utc_offset(const struct merge *m);

/* Its sources: successive recordings of one recorder are one. */
size_t merge_archives(const struct merge *m);
const struct archive *merge_archive(const struct merge *m, size_t i);

/* Number of files in directories that were skipped, each with a note. */
size_t merge_refused(const struct merge *m);

/* Notes about how the recordings were merged. */
size_t merge_notes(const struct merge *m);
const char *merge_note(const struct merge *m, size_t i);

#endif
