/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.h - writes all bytes, even if a single call takes fewer.
 */
#ifndef GS_BASE_IO_H
#define GS_BASE_IO_H

#include <stddef.h>

/* Writes len bytes to a blocking file; returns 0, or errno. */
int io_write_all(int fd, const char *p, size_t len);

#endif
