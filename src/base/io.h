/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.h - writes all bytes, even if a single call takes fewer; checks that there
 * are file descriptors.
 */
#ifndef GS_BASE_IO_H
#define GS_BASE_IO_H

#include <stddef.h>

#include "base/err.h"

/* Writes len bytes to a blocking file; returns 0, or errno. */
int io_write_all(int fd, const char *p, size_t len);

/* Fails if n more file descriptors, or IO_DESCRIPTORS_MAX, can't be opened
 * now: callees may report that as something else. */
#define IO_DESCRIPTORS_MAX 32u
int io_check_descriptors(unsigned n, struct gs_err *err);

#endif
