/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daily.h - joins the files of a directory into one file per day: the same
 * ticks, in groups, in about half the bytes.
 *
 * A file belongs to the day on which it begins, in the recorder's time zone;
 * a new recording on the same day gets another file.
 *
 * An archived file is joined like any other: if its day has got more files
 * since, the day is made again from all of them.  If a run is interrupted, the
 * next one finishes the work, and no tick is lost or duplicated.
 */
#ifndef GS_EDIT_DAILY_H
#define GS_EDIT_DAILY_H

#include "edit/sink.h"
#include "query/follower.h"
#include "query/stretch.h"
#include "replay/recfile.h"

/* A file to make, and its sources. */
struct day {
	char *out; /* its path */
	char *text; /* "2026-11-20" */
	int64_t start_ns, end_ns; /* of the day, wall; it ends after its last tick */
	struct recfile **file; /* sources, in order; not owned */
	size_t n_file;
	bool is_done; /* the file exists and is complete */
	const struct recfile *between; /* of another day, with ticks between those of
	                                * this one; NULL: none */
	bool is_growing; /* a recorder is writing another file of it */
};

struct days {
	struct day *day;
	size_t n;
};

/* Groups files, which recfile_by_time() has sorted (those of each of two directories
 * may do), in order of days; skips those that a recorder is writing and refused ones.
 * to: the output directory. */
void days_find(struct recfile *file, size_t n, const char *to,
	struct days *ret);
void days_release(struct days *d);

/* Calls fn for each file that is new to the day if ticks of its recording,
 * before it, are in none of the n files; ticks: how many.  Ticks before the
 * first file of a recording, and those that the recorder says it lost, do not
 * count. */
void day_find_missing(const struct day *d, struct recfile *file, size_t n,
	void (*fn)(void *ctx, const struct recfile *f, uint64_t ticks),
	void *ctx);

struct day_result {
	uint64_t ticks; /* written, without repeats */
	uint64_t bytes_before, bytes;
};

struct day_options {
	int level; /* of zstd */
	size_t threads; /* as in struct sink_options */
	struct stretch_also also; /* adds to summaries, and */
	struct follower follower; /* follows the engines of gists; self NULL: does
	                           * not */
	const char *command; /* for the header of a thinned day: the command
	                      * line */
	/* What a report of the day shows, for archives that are one file.  May be
	 * NULL. */
	int (*page)(void *ctx, const struct day *d, struct page_kept *ret,
		struct gs_err *err);
	/* Per tick, with its time; false stops with GS_E_GONE.  May be NULL. */
	bool (*step)(void *ctx, const struct day *d, int64_t wall_ns,
		const struct sink *s);
	void *ctx;
};

/*
 * day_check() makes nothing, and fails where day_make() would before it reads.
 * Makes the file of a day, reads it back, gives it its name, and then removes
 * its sources.  GS_E_FORMAT: a source is damaged, or two sources differ in the
 * same ticks; GS_E_BUSY: one is being written; GS_E_EXISTS: another file has
 * the name, or some of the sources were thinned and others not, or files of
 * other days lie between them.  All files stay
 * unchanged then.
 */
int day_check(const struct day *d, struct gs_err *err);
int day_make(const struct day *d, const struct day_options *o,
	const struct io_ops *io, struct day_result *ret, struct gs_err *err);

/* Removes the sources of a day that is done, the last first; stops at the first
 * that can't be removed. */
int day_remove(const struct day *d, const struct io_ops *io,
	struct gs_err *err);

#endif
