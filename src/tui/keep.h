/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keep.h - the columns of each view, kept in a file from one run to the next:
 *
 *   VIEW<tab>COLUMN,COLUMN,...
 *
 * Whatever is wrong with the file, the terminal works without it.
 */
#ifndef GS_TUI_KEEP_H
#define GS_TUI_KEEP_H

#include "base/buf.h"
#include "base/err.h"

#define KEEP_BYTES_MAX 65536

typedef void (*keep_fn)(void *ctx, const char *view, const char *columns);

/* Calls fn with each line, unless one is wrong: then with none.  A file that
 * does not exist has none. */
int keep_read(const char *path, keep_fn fn, void *ctx, struct gs_err *err);

/* Appends a line. */
void keep_add(struct buf *to, const char *view, const char *columns);

/* Replaces the file by one with these lines, or leaves it as it is. */
int keep_write(const char *path, const struct buf *lines, struct gs_err *err);

#endif
