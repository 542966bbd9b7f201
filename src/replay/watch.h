/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - finds new recordings in a directory, and whether a recorder writes
 * to it.
 *
 * Files are known by their names.  A directory that did not change is not
 * read again, unless the resolution of its mtime may hide a change.
 */
#ifndef GS_REPLAY_WATCH_H
#define GS_REPLAY_WATCH_H

#include <stdbool.h>

#include "base/err.h"

struct watch;

/* Nothing in it is known yet. */
struct watch *watch_new(const char *dir);
void watch_free(struct watch *w);

/* The file of that path is known: watch_poll() skips it. */
void watch_know(struct watch *w, const char *path);

/* True: the file is known from now on; false: call again the next time. */
typedef bool (*watch_fn)(void *ctx, const char *path);

/* Calls fn for each *.gpsnap that is not known. */
int watch_poll(struct watch *w, watch_fn fn, void *ctx, struct gs_err *err);

/* True while a recorder of any name holds its lock of the directory. */
bool watch_is_locked(const struct watch *w);

/* True while a recorder writes to a file or directory, even if it is still
 * empty. */
bool path_is_recorded(const char *path);

#endif
