/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memfile.h - the input of a fuzz target as a file that code opens by name.
 *
 * One descriptor serves all runs of a program: its contents are replaced.
 */
#ifndef TESTS_FUZZ_MEMFILE_H
#define TESTS_FUZZ_MEMFILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The path of a file that holds these bytes, valid until the next call. */
static inline const char *memfile(const void *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) < 0 ||
	    pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return path;
}

#endif
