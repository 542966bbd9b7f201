/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tempfile.h - an unnamed file for data that does not fit into memory.
 */
#ifndef GS_BASE_TEMPFILE_H
#define GS_BASE_TEMPFILE_H

/* The directory of temporary files: TMPDIR, else /tmp. */
const char *tempfile_dir(void);

/* Returns a descriptor open for reading and writing, or -errno. */
int tempfile_open(void);

#endif
