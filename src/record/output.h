/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - the output of a recording: the sequence of its files.
 *
 * A target is a stream, one file (that may have to go on in others), or a
 * directory of rotated files with retention.  This module names, opens and
 * closes the files one after the other and keeps the directory within its
 * limits; framer.h decides when a new file begins.
 *
 * Used by one thread at a time.
 */
#ifndef GS_RECORD_OUTPUT_H
#define GS_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "format/io_ops.h"
#include "format/outfile.h"
#include "record/retention.h"

enum output_kind {
	OUTPUT_STREAM, /* descriptor 1 */
	OUTPUT_FILE,
	OUTPUT_DIR
};

struct output_options {
	enum output_kind kind;
	const char *path; /* of the file or directory */
	const char *host; /* becomes NAME in rotated files */
	uint64_t keep_bytes; /* as in struct retention; 0: no limit */
	int64_t keep_ns;
	double min_free;
};

struct output {
	const struct io_ops *io; /* not owned */
	enum output_kind kind;
	char *path;
	char *name; /* NAME */
	struct outfile file;
	struct retention keep;
	unsigned nth; /* OUTPUT_FILE: files begun */
	int lock_fd;
};

#define OUTPUT_INIT { .file = OUTFILE_INIT, .lock_fd = -1 }

/* The kind of -o ARG: "-" is a stream; an existing directory, or a path that
 * ends with '/', is a directory; else a file. */
enum output_kind output_kind_of(const char *arg);

/* Makes missing directories (0750), takes the lock of a directory, opens the
 * first file. */
int output_open(struct output *o, const struct output_options *opt,
	const struct io_ops *io, int64_t wall_ns, struct gs_err *err);

/* Finishes the file, if one is open, and begins the next, named for wall_ns.
 * Failure leaves no file open; ret_finish (may be NULL) gets the error of
 * closing the old file. */
int output_next(struct output *o, int64_t wall_ns, struct gs_err *ret_finish,
	struct gs_err *err);

/* Gives up the open file without writing to it. */
void output_abandon(struct output *o);

/* Applies retention, if it is a directory.  ret is zeroed otherwise. */
int output_tidy(struct output *o, int64_t wall_ns,
	struct retention_result *ret, struct gs_err *err);

/* False if the file system has less free space than min_free, even after our
 * own oldest files are deleted. */
bool output_has_room(struct output *o, int64_t wall_ns);

/* Finishes the file and releases everything. */
int output_close(struct output *o, struct gs_err *err);

#endif
