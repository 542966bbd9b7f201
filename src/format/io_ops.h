/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io_ops.h - the file operations of the writer, as a table.
 *
 * All disk writes of a recording go through it, so that a test can stop,
 * shorten or fail any step.  Every function returns what the system call
 * returns, or -errno; interrupted calls are repeated.
 */
#ifndef GS_FORMAT_IO_OPS_H
#define GS_FORMAT_IO_OPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Free space of a file system, for an unprivileged user. */
struct io_room {
	uint64_t size_bytes;
	uint64_t free_bytes;
};

/* Facts of an open file, and of the path it was created with. */
struct io_stat {
	bool found; /* a file exists at the path */
	uint64_t dev, ino; /* of that file, if found */
	uint64_t links; /* hard links of the open file */
	uint64_t len_bytes; /* of the open file */
};

struct io_ops {
	void *ctx;
	/* Creates a file that must not exist, for writing. */
	int (*create)(void *ctx, const char *path);
	/* Takes the writer's lock; -EAGAIN if another process has it. */
	int (*lock)(void *ctx, int fd);
	ssize_t (*writev)(void *ctx, int fd, const struct iovec *v, int n);
	int (*truncate)(void *ctx, int fd, uint64_t len_bytes);
	int (*sync)(void *ctx, int fd); /* data, and size */
	int (*sync_dir)(void *ctx, const char *dir); /* directory entries */
	int (*close)(void *ctx, int fd);
	int (*unlink)(void *ctx, const char *path);
	int (*room)(void *ctx, const char *path, struct io_room *ret);
	int (*stat)(void *ctx, int fd, const char *path, struct io_stat *ret);
};

/* The real system calls.  Files are created with mode 0640. */
extern const struct io_ops io_posix;

#endif
