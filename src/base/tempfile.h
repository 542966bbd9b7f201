/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tempfile.h - a file without a name, for what does not fit into memory.
 */
#ifndef GS_BASE_TEMPFILE_H
#define GS_BASE_TEMPFILE_H

/* The directory where they are: TMPDIR, else /tmp. */
const char *tempfile_dir(void);

/* Returns a descriptor that is open for both directions, or -errno. */
int tempfile_open(void);

#endif
