/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daily.h - the files of a directory, day by day, and all those of a day as
 * one: the same ticks, in groups, in about half the bytes.
 *
 * A file is of the day in which it begins, in the zone where it was recorded;
 * a recording that began anew that day gets another file.
 *
 * What was archived once counts as a file like any other: a day that got more
 * files since is made anew of both.  So whatever stops the work, the next run
 * finishes it, and no tick is lost or there twice.
 */
#ifndef GS_EDIT_DAILY_H
#define GS_EDIT_DAILY_H

#include "edit/sink.h"
#include "replay/recfile.h"

/* One file that is to be made, and of what. */
struct day {
	char *out; /* its path */
	char *text; /* "2026-11-20" */
	int64_t start_ns, end_ns; /* of the day, wall */
	struct recfile **file; /* in order; not owned */
	size_t n_file;
	bool is_done; /* they are what was made of them before */
	bool is_growing; /* a recorder is writing another file of it */
};

struct days {
	struct day *day;
	size_t n;
};

/* Groups files, which recfile_by_time() has ordered; those that a recorder is
 * writing and those that were refused are passed over.  to: the directory for
 * what is made. */
void days_find(struct recfile *file, size_t n, const char *to,
	struct days *ret);
void days_release(struct days *d);

/* Calls fn with each file that is new to the day and before which ticks of its
 * recording are in none of the n files, and with how many.  What was before the
 * first file of a recording, and what the recorder says it lost, is not
 * missing. */
void day_find_missing(const struct day *d, struct recfile *file, size_t n,
	void (*fn)(void *ctx, const struct recfile *f, uint64_t ticks),
	void *ctx);

struct day_result {
	uint64_t ticks; /* written, without those repeated */
	uint64_t bytes_before, bytes;
};

struct day_options {
	int level; /* of zstd */
	const char *command; /* of a day that is thinned: the line that asks
	                      * for it, for the header */
	/* Per tick; false stops with GS_E_GONE.  NULL: nobody looks. */
	bool (*step)(void *ctx, const struct day *d, const struct sink *s);
	void *ctx;
};

/*
 * Makes the file of a day, reads it again, gives it its name, and then removes
 * those that it was made of.  GS_E_FORMAT: one of them is damaged, or says
 * something else of the same ticks; GS_E_BUSY: one is being written;
 * GS_E_EXISTS: the name is another file's, or some of them were thinned and
 * others not: all stay as they are.
 */
int day_make(const struct day *d, const struct day_options *o,
	const struct io_ops *io, struct day_result *ret, struct gs_err *err);

/* Removes the files of a day that is done, the last first; what it can't
 * remove stays with those before it. */
int day_remove(const struct day *d, const struct io_ops *io,
	struct gs_err *err);

#endif
