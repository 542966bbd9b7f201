/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - the bytes of one recording, of a file or of a pipe.
 *
 * A window over the bytes moves forward; a file can also be read anywhere.
 */
#ifndef GS_FORMAT_SOURCE_H
#define GS_FORMAT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/err.h"

struct source {
	char *path;
	int fd;
	bool seekable;
	bool own_fd;
	char *buf;
	size_t cap, len;
	uint64_t base; /* offset of buf[0] */
	bool sparing; /* a file: no more is read than is asked for */
	struct gs_budget *budget; /* not owned; charged for buf */
};

/* "-" is standard input.  Directories and other non-files are refused. */
int source_open(struct source *s, const char *path, struct gs_err *err);
void source_close(struct source *s);

/* Frees the window's memory; not for a pipe, whose bytes would be lost. */
void source_rest(struct source *s);

/* The bytes from off on, at most want.  *ret is valid until the next call.
 * Returns how many, less than want only at the present end of the file;
 * negative gs_status on failure.  On a pipe off must not be before the last
 * off. */
int64_t source_get(struct source *s, uint64_t off, size_t want,
	const char **ret, struct gs_err *err);

/* Copies n bytes at off of a file, without reading those before; false: they
 * can't be read, or it is a pipe. */
bool source_peek(const struct source *s, uint64_t off, void *to, size_t n);

/* A number for all bytes of a file and their count: of other bytes it is
 * another, except by chance.  False: they can't be read, or it is a pipe. */
bool source_digest(const struct source *s, uint64_t *ret);

/* Present size of the file; of a pipe, -1. */
int64_t source_size(const struct source *s);

/* The same; of a pipe, the bytes read so far. */
uint64_t source_bytes(const struct source *s);

/* True if it is being written: the recorder's lock is held. */
bool source_is_written(const struct source *s);

#endif
