/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.h - parts of a path; directories.
 */
#ifndef GS_BASE_PATH_H
#define GS_BASE_PATH_H

#include <stdbool.h>

#include "base/err.h"

/* The directory of a file, "." without a slash; the caller frees it. */
char *path_directory(const char *path);

/* Both are names of one file or directory, links followed. */
bool path_is_same(const char *a, const char *b);

/* Fails with GS_E_USAGE if it is something else. */
int path_check_directory(const char *path, struct gs_err *err);

/* Makes it if it does not exist. */
int path_make_directory(const char *path, struct gs_err *err);

#endif
