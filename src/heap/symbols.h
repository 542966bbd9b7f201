/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols.h - finds the counters in a file, by its symbols and its description
 * for debuggers.
 */
#ifndef GS_HEAP_SYMBOLS_H
#define GS_HEAP_SYMBOLS_H

#include "heap/layout.h"

/* fd: the file, which is read only.  path is its name, by which a separate file
 * with the description is looked for; it is not opened itself.  The file may be
 * anybody's: it is read by a child that has no rights. */
void symbols_find(int fd, const char *path, struct layout *ret);

#endif
