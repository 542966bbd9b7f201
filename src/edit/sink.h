/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.h - the files that a command makes of recordings: whole and verified
 * under their names, or not there at all.
 *
 * What is written stands under OUT.part (OUT-2.gpsnap.part, ...) until it was
 * synced, read again and found to be what was given; then it gets its name.
 * A stream ("-") is written as it comes, and not verified.
 *
 * Use: sink_open(); sink_put() per tick, sink_rotate() where it says so;
 * sink_finish(); sink_free() in any case, which removes what has no name yet.
 */
#ifndef GS_EDIT_SINK_H
#define GS_EDIT_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/scan.h"
#include "format/io_ops.h"
#include "model/tick.h"

struct sink;

struct sink_options {
	const char *path; /* "-": standard output */
	bool force; /* replace what is there */
	int level; /* of zstd */
	bool groups; /* ticks in groups (format/packer.h) */
	/* A file is full when it holds so much decompressed; 0: as the format
	 * allows. */
	uint64_t full_bytes;
	/* Before it is finished and while it is read again; true ends that
	 * with GS_E_GONE.  NULL: nobody asks. */
	bool (*stopped)(void);
};

/* io must outlive the sink. */
int sink_open(const struct sink_options *o, const struct io_ops *io,
	struct sink **ret, struct gs_err *err);
void sink_free(struct sink *s);

int sink_put(struct sink *s, const struct tick *t, struct gs_err *err);

/* The same as its record stands in another file, also with what this version
 * does not know of it.  first: as in packer.h. */
int sink_put_record(struct sink *s, const struct tick *t, struct span record,
	bool first, struct gs_err *err);

/* The file is full: sink_rotate(), then a key that repeats the last tick. */
bool sink_is_full(const struct sink *s);
int sink_rotate(struct sink *s, struct gs_err *err);

/* Without a tick nothing is left behind. */
int sink_finish(struct sink *s, struct gs_err *err);

/* What was put so far: ticks without those repeated, bytes of all files. */
uint64_t sink_ticks(const struct sink *s);
uint64_t sink_bytes(const struct sink *s);

/* Files so far, and their names. */
size_t sink_files(const struct sink *s);
const char *sink_file(const struct sink *s, size_t i);

#endif
