/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io_ops.h - the file operations of the writer, as a table.
 *
 * All that a recording does to the disk goes through it, so that a test can
 * stop, shorten or fail any step.  Every function returns what the system
 * call returns, or -errno; interrupted calls are repeated.
 */
#ifndef GS_FORMAT_IO_OPS_H
#define GS_FORMAT_IO_OPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Room of a file system, as an unprivileged user sees it. */
struct io_room {
	uint64_t size_bytes;
	uint64_t free_bytes;
};

/* What is known of an open file, and of the path that it was made under. */
struct io_look {
	bool found; /* the path is a file's */
	uint64_t dev, ino; /* that one's, if found */
	uint64_t links; /* names that the open file has */
	uint64_t len_bytes; /* of the open file */
};

struct io_ops {
	void *ctx;
	/* Creates a file that must not exist, for writing. */
	int (*create)(void *ctx, const char *path);
	/* Takes the lock that says "being written"; -EAGAIN if another
	 * process has it. */
	int (*lock)(void *ctx, int fd);
	ssize_t (*writev)(void *ctx, int fd, const struct iovec *v, int n);
	int (*truncate)(void *ctx, int fd, uint64_t len_bytes);
	int (*sync)(void *ctx, int fd); /* data, and size */
	int (*sync_dir)(void *ctx, const char *dir); /* names */
	int (*close)(void *ctx, int fd);
	int (*unlink)(void *ctx, const char *path);
	int (*room)(void *ctx, const char *path, struct io_room *ret);
	int (*look)(void *ctx, int fd, const char *path, struct io_look *ret);
};

/* The kernel's.  Files are made with mode 0640. */
extern const struct io_ops io_posix;

#endif
