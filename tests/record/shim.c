/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim.c - loaded into a recorder by LD_PRELOAD: makes its disk slow, full or
 * broken.  GS_SHIM names a file that is read before every operation on a
 * .gpsnap file; it holds one of
 *   ok
 *   stall        wait until it says something else
 *   errno N      fail with it
 *   short        write half
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t writev(int fd, const struct iovec *v, int n);
int fdatasync(int fd);
int ftruncate(int fd, off_t len);

static int is_recording(int fd)
{
	char link[64], path[4096];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 7)
		return 0;
	return memcmp(path + n - 7, ".gpsnap", 7) == 0;
}

static void read_order(char *to, size_t len)
{
	const char *file = getenv("GS_SHIM");
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd >= 0 ? read(fd, to, len - 1) : 0;

	to[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		(void)close(fd);
}

/* 0, an errno value, or -1 for a short write. */
static int order(int fd)
{
	char text[64];

	if (!is_recording(fd))
		return 0;
	for (;;) {
		read_order(text, sizeof(text));
		if (strncmp(text, "stall", 5) != 0)
			break;
		(void)usleep(5000);
	}
	if (strncmp(text, "errno ", 6) == 0)
		return atoi(text + 6);
	return strncmp(text, "short", 5) == 0 ? -1 : 0;
}

ssize_t writev(int fd, const struct iovec *v, int n)
{
	ssize_t (*real)(int, const struct iovec *, int) =
	    (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT,
		"writev");
	int e = order(fd);

	if (e > 0) {
		errno = e;
		return -1;
	}
	if (e < 0)
		return write(fd, v[0].iov_base, v[0].iov_len / 2);
	return real(fd, v, n);
}

int fdatasync(int fd)
{
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
	int e = order(fd);

	if (e > 0) {
		errno = e;
		return -1;
	}
	return real(fd);
}

int ftruncate(int fd, off_t len)
{
	int (*real)(int, off_t) =
	    (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate");
	int e = order(fd);

	/* A full disk can still be cut. */
	if (e > 0 && e != ENOSPC) {
		errno = e;
		return -1;
	}
	return real(fd, len);
}
