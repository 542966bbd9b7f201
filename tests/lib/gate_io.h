/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_io.h - a disk that hangs: writes wait until the gate is opened.
 */
#ifndef TESTS_LIB_GATE_IO_H
#define TESTS_LIB_GATE_IO_H

#include <stdatomic.h>
#include <unistd.h>

#include "fault_io.h"

struct gate {
	struct fault_io io; /* first: the ops' context */
	atomic_bool open;
};

static inline ssize_t gated_writev(void *ctx, int fd, const struct iovec *v, int n)
{
	struct gate *g = ctx;

	while (!g->open)
		(void)usleep(100);
	return io_posix.writev(NULL, fd, v, n);
}

#endif
