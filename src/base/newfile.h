/* SPDX-License-Identifier: Apache-2.0 */
/*
 * newfile.h - a file that gets its name when it is complete.
 *
 * Until then it is FILE.PID-0.part, or with another number, which is removed if the
 * work ends early; one of a command that was killed stays.  No file of others is
 * touched.
 */
#ifndef GS_BASE_NEWFILE_H
#define GS_BASE_NEWFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct newfile;

/* force: an existing file may be replaced.  GS_E_EXISTS: it exists; GS_E_USAGE:
 * what exists is no file; GS_E_IO.  *ret is to be freed in any case. */
int newfile_begin(const char *path, bool force, mode_t mode,
	struct newfile **ret, struct gs_err *err);

/* Whether newfile_begin() would refuse the name now, or could make no file there: before
 * long work.  Status as there. */
int newfile_check(const char *path, bool force, struct gs_err *err);

int newfile_fd(const struct newfile *f);

int newfile_add(struct newfile *f, const void *bytes, size_t len,
	struct gs_err *err);

/* Gives it its name.  Nothing was lost if this succeeds: the file is synced. */
int newfile_finish(struct newfile *f, struct gs_err *err);

/* Removes it if it was not finished.  NULL: nothing. */
void newfile_free(struct newfile *f);

#endif
