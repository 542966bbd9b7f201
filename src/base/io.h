/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.h - all of some bytes, whatever a single call takes.
 */
#ifndef GS_BASE_IO_H
#define GS_BASE_IO_H

#include <stddef.h>

/* Writes len bytes to a file that waits; 0, or errno. */
int io_write_all(int fd, const char *p, size_t len);

#endif
