/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_io.h - the file operations of the recorder, failing at step N.
 *
 * Steps are calls that change something: create, writev, truncate, sync,
 * close.  From step fail_at on, fail_for calls fail (-1: all).  A failing
 * writev first writes half of what it was given, as a full disk does.
 */
#ifndef TESTS_LIB_FAULT_IO_H
#define TESTS_LIB_FAULT_IO_H

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "format/io_ops.h"

enum fault {
	FAULT_ERRNO, /* the call fails with errnum */
	FAULT_SHORT /* a writev is short; other calls work */
};

struct fault_io {
	struct io_ops ops;
	enum fault fault;
	int errnum;
	int fail_at; /* from 1; 0: never */
	int fail_for;
	int step;
	bool failed; /* it did at least once */
	double free_share; /* what room() says */
};

static inline bool fault_now(struct fault_io *f)
{
	int n = ++f->step;

	if (f->fail_at == 0 || n < f->fail_at ||
	    (f->fail_for >= 0 && n >= f->fail_at + f->fail_for))
		return false;
	f->failed = true;
	return true;
}

static inline int fault_create(void *ctx, const char *path)
{
	struct fault_io *f = ctx;

	if (fault_now(f) && f->fault == FAULT_ERRNO)
		return -f->errnum;
	return io_posix.create(NULL, path);
}

static inline int fault_lock(void *ctx, int fd)
{
	(void)ctx;
	return io_posix.lock(NULL, fd);
}

static inline ssize_t fault_writev(void *ctx, int fd, const struct iovec *v,
	int n)
{
	struct fault_io *f = ctx;
	ssize_t half;

	if (!fault_now(f))
		return io_posix.writev(NULL, fd, v, n);
	half = write(fd, v[0].iov_base, v[0].iov_len / 2);
	return f->fault == FAULT_SHORT ? half : -f->errnum;
}

static inline int fault_truncate(void *ctx, int fd, uint64_t len)
{
	struct fault_io *f = ctx;

	if (fault_now(f) && f->fault == FAULT_ERRNO)
		return -f->errnum;
	return io_posix.truncate(NULL, fd, len);
}

static inline int fault_sync(void *ctx, int fd)
{
	struct fault_io *f = ctx;

	(void)fd; /* nobody pulls the plug: success takes no time */
	return fault_now(f) && f->fault == FAULT_ERRNO ? -f->errnum : 0;
}

static inline int fault_sync_dir(void *ctx, const char *dir)
{
	(void)ctx;
	(void)dir;
	return 0;
}

static inline int fault_close(void *ctx, int fd)
{
	struct fault_io *f = ctx;
	int r = io_posix.close(NULL, fd);

	return fault_now(f) && f->fault == FAULT_ERRNO ? -f->errnum : r;
}

static inline int fault_unlink(void *ctx, const char *path)
{
	(void)ctx;
	return io_posix.unlink(NULL, path);
}

static inline int fault_room(void *ctx, const char *path,
	struct io_room *ret)
{
	struct fault_io *f = ctx;

	(void)path;
	*ret = (struct io_room) { .size_bytes = 1000000,
		.free_bytes = (uint64_t)(f->free_share * 1000000) };
	return 0;
}

static inline int fault_stat(void *ctx, int fd, const char *path,
	struct io_stat *ret)
{
	(void)ctx;
	return io_posix.stat(NULL, fd, path, ret);
}

static inline void fault_init(struct fault_io *f)
{
	*f = (struct fault_io) { .free_share = 1 };
	f->ops = (struct io_ops) { .ctx = f, .create = fault_create,
		.lock = fault_lock, .writev = fault_writev,
		.truncate = fault_truncate, .sync = fault_sync,
		.sync_dir = fault_sync_dir, .close = fault_close,
		.unlink = fault_unlink, .room = fault_room,
		.stat = fault_stat };
}

#endif
