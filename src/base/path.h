/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.h - parts of a path.
 */
#ifndef GS_BASE_PATH_H
#define GS_BASE_PATH_H

/* The directory of a file, "." without a slash; the caller frees it. */
char *path_directory(const char *path);

#endif
