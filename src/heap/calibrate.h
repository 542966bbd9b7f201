/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.h - finds the counters of a library without symbols by using it.
 *
 * mallctl("thread.allocatedp") gives the address of the counter of the thread
 * that calls it.  So a child that the dynamic linker loads the library into can
 * tell where it is.  That is done only with files that nobody but root can
 * change.
 */
#ifndef GS_HEAP_CALIBRATE_H
#define GS_HEAP_CALIBRATE_H

#include <sys/stat.h>

#include "heap/layout.h"

/* True if the file of st, named by path on this host, is root's, and so is each
 * directory above it, and nobody else may write to any. */
bool calibrate_trusts(const char *path, const struct stat *st);

/* Completes l, which is uncertain; false: that did not work. */
bool calibrate(const char *path, struct layout *l);

/* What the child does: gpsnap-heap --calibrate.  Its exit status. */
int calibrate_main(void);

#endif
