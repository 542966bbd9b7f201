/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - which recordings come to a directory, and whether anybody records
 * into it.
 *
 * Files are known by their names.  A directory that did not change is not
 * read again, unless it may have changed since within the grain of its time.
 */
#ifndef GS_REPLAY_WATCH_H
#define GS_REPLAY_WATCH_H

#include <stdbool.h>

#include "base/err.h"

struct watch;

/* Nothing in it is known yet. */
struct watch *watch_new(const char *dir);
void watch_free(struct watch *w);

/* The file of that path is known: watch_look() passes it over. */
void watch_know(struct watch *w, const char *path);

/* True: the file is known from now on; false: ask again the next time. */
typedef bool (*watch_fn)(void *ctx, const char *path);

/* Calls fn for each *.gpsnap that is not known. */
int watch_look(struct watch *w, watch_fn fn, void *ctx, struct gs_err *err);

/* True while a recorder of any name holds its lock of the directory. */
bool watch_is_locked(const struct watch *w);

/* True while somebody holds a recorder's lock of that file. */
bool path_is_locked(const char *path);

/* True while somebody records into a file or directory, also if nothing is
 * in it yet. */
bool path_is_recorded(const char *path);

#endif
