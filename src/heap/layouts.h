/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layouts.h - the layout of each file that was looked at, which is done once.
 *
 * A file is known by its device, inode, time of change and size.
 */
#ifndef GS_HEAP_LAYOUTS_H
#define GS_HEAP_LAYOUTS_H

#include <stddef.h>
#include <sys/stat.h>

#include "heap/layout.h"

struct known_file;

struct layouts {
	struct known_file *file; /* owned */
	size_t n, cap, next; /* next: to be replaced, when it is full */
};

void layouts_release(struct layouts *ls);

/* The layout of an open file; path is its name within the process that has it
 * mapped.  Valid until the next call. */
const struct layout *layouts_get(struct layouts *ls, int fd, const char *path);

#endif
