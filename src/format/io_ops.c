/* SPDX-License-Identifier: Apache-2.0 */
#include "format/io_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int posix_create(void *ctx, const char *path)
{
	int fd;

	(void)ctx;
	do {
		fd = open(path,
		    O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC |
			O_NOCTTY, 0640);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

static int posix_lock(void *ctx, int fd)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)ctx;
	if (fcntl(fd, F_OFD_SETLK, &l) == 0)
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}

static ssize_t posix_writev(void *ctx, int fd, const struct iovec *v, int n)
{
	ssize_t r;

	(void)ctx;
	do {
		r = writev(fd, v, n);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : r;
}

static int posix_truncate(void *ctx, int fd, uint64_t len_bytes)
{
	int r;

	(void)ctx;
	do {
		r = ftruncate(fd, (off_t)len_bytes);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : 0;
}

static int posix_sync(void *ctx, int fd)
{
	int r;

	(void)ctx;
	do {
		r = fdatasync(fd);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : 0;
}

static int posix_sync_dir(void *ctx, const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r;

	(void)ctx;
	if (fd < 0)
		return -errno;
	r = fsync(fd) < 0 ? -errno : 0;
	(void)close(fd); /* nothing was written through it */
	return r;
}

static int posix_close(void *ctx, int fd)
{
	(void)ctx;
	/* After EINTR Linux has closed the descriptor. */
	return close(fd) < 0 && errno != EINTR ? -errno : 0;
}

static int posix_unlink(void *ctx, const char *path)
{
	(void)ctx;
	return unlink(path) < 0 ? -errno : 0;
}

static int posix_room(void *ctx, const char *path, struct io_room *ret)
{
	struct statvfs s;

	(void)ctx;
	if (statvfs(path, &s) < 0)
		return -errno;
	/* Blocks kept for root are neither free nor part of the size. */
	*ret = (struct io_room) {
		.size_bytes = (uint64_t)s.f_frsize *
		    (s.f_blocks - (s.f_bfree - s.f_bavail)),
		.free_bytes = (uint64_t)s.f_frsize * s.f_bavail };
	return 0;
}

/* Other errors do not tell whether the file exists. */
static bool is_missing(int errnum)
{
	return errnum == ENOENT || errnum == ENOTDIR || errnum == ELOOP ||
	    errnum == ESTALE;
}

static int posix_stat(void *ctx, int fd, const char *path,
	struct io_stat *ret)
{
	struct stat open, named = { 0 };

	(void)ctx;
	if (fstat(fd, &open) < 0)
		return -errno;
	*ret = (struct io_stat) { .links = (uint64_t)open.st_nlink,
		.len_bytes = (uint64_t)open.st_size };
	ret->found = stat(path, &named) == 0;
	if (!ret->found && !is_missing(errno))
		return -errno;
	ret->dev = (uint64_t)named.st_dev;
	ret->ino = (uint64_t)named.st_ino;
	return 0;
}

const struct io_ops io_posix = {
	.create = posix_create,
	.lock = posix_lock,
	.writev = posix_writev,
	.truncate = posix_truncate,
	.sync = posix_sync,
	.sync_dir = posix_sync_dir,
	.close = posix_close,
	.unlink = posix_unlink,
	.room = posix_room,
	.stat = posix_stat,
};
