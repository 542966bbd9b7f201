/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/inroot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers older than Linux 5.6 have none of these. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define NO_MAGIC_LINKS 0x02 /* RESOLVE_NO_MAGICLINKS of linux/openat2.h */
#define NO_LINKS 0x04 /* RESOLVE_NO_SYMLINKS */
#define IN_ROOT 0x10 /* RESOLVE_IN_ROOT */

#define TRIES 4 /* a rename elsewhere can disturb a path with ".." */
#define DEPTH_MAX 64u
#define LINKS_MAX 40u /* as the kernel */
#define PATH_LEN_MAX 4096u

struct how { /* struct open_how */
	uint64_t flags, mode, resolve;
};

/* ---- without openat2() -------------------------------------------------- */

struct walk {
	int fd[DEPTH_MAX]; /* directories from the root on; all but the first
			    * are owned */
	unsigned n;
	unsigned n_links;
	int flags;
	enum inroot_links links;
	char rest[PATH_LEN_MAX]; /* not walked yet */
};

static int here(const struct walk *w)
{
	return w->fd[w->n - 1];
}

static void leave(struct walk *w)
{
	if (w->n > 1)
		(void)close(w->fd[--w->n]); /* was only a path */
}

static int enter(struct walk *w, const char *name)
{
	int fd;

	if (w->n == DEPTH_MAX)
		return -ENAMETOOLONG;
	fd = openat(here(w), name,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	w->fd[w->n++] = fd;
	return 0;
}

/* Puts the n bytes that a link points to before the rest. */
static int follow(struct walk *w, const char *to, size_t n)
{
	size_t len = strlen(w->rest);

	if (w->links == INROOT_NO_LINKS || ++w->n_links > LINKS_MAX)
		return -ELOOP;
	if (n + 1 + len >= sizeof(w->rest))
		return -ENAMETOOLONG;
	memmove(w->rest + n + (len > 0), w->rest, len + 1);
	memcpy(w->rest, to, n);
	if (len > 0)
		w->rest[n] = '/';
	while (*to == '/' && w->n > 1)
		leave(w);
	return 0;
}

/* Takes the first part off the rest, and the slash after it: true if it is the
 * last. */
static bool next_part(struct walk *w, char *name)
{
	size_t skip = strspn(w->rest, "/");
	size_t n = strcspn(w->rest + skip, "/");
	bool last = w->rest[skip + n] == '\0';

	memcpy(name, w->rest + skip, n);
	name[n] = '\0';
	skip += n + !last;
	memmove(w->rest, w->rest + skip, strlen(w->rest + skip) + 1);
	return last;
}

/* Walks one part.  A descriptor at the end; -EAGAIN: there is more. */
static int step(struct walk *w)
{
	char name[PATH_LEN_MAX], to[PATH_LEN_MAX];
	bool last = next_part(w, name);
	bool up = strcmp(name, "..") == 0;
	int status = 0, fd;
	ssize_t n;

	if (up)
		leave(w);
	if (up || *name == '\0' || strcmp(name, ".") == 0) {
		if (!last)
			return -EAGAIN;
		fd = openat(here(w), ".", w->flags);
		return fd < 0 ? -errno : fd;
	}
	n = last && w->flags & O_NOFOLLOW ? -1
	    : readlinkat(here(w), name, to, sizeof(to));
	if (n >= 0)
		status = follow(w, to, (size_t)n);
	else if (!last)
		status = enter(w, name);
	if (n >= 0 || !last)
		return status < 0 ? status : -EAGAIN;
	fd = openat(here(w), name, w->flags | O_NOFOLLOW);
	return fd < 0 ? -errno : fd;
}

int inroot_walk(int dir_fd, const char *path, int flags,
	enum inroot_links links)
{
	struct walk w = { .fd = { dir_fd }, .n = 1, .flags = flags,
		.links = links };
	int status;

	if (*path == '\0')
		return -ENOENT;
	if (strlen(path) >= sizeof(w.rest))
		return -ENAMETOOLONG;
	memcpy(w.rest, path, strlen(path) + 1);
	do
		status = step(&w);
	while (status == -EAGAIN);
	while (w.n > 1)
		leave(&w);
	return status;
}

/* ---- with openat2() ------------------------------------------------------ */

int inroot_open(int dir_fd, const char *path, int flags,
	enum inroot_links links)
{
	const struct how how = { .flags = (uint32_t)flags,
		.resolve = IN_ROOT | NO_MAGIC_LINKS |
		    (links == INROOT_NO_LINKS ? NO_LINKS : 0) };
	int i;

	for (i = 0; i < TRIES; i++) {
		long fd = syscall(SYS_openat2, dir_fd, path, &how,
		    sizeof(how));

		if (fd >= 0)
			return (int)fd;
		if (errno == ENOSYS || errno == EPERM)
			break; /* a filter's EPERM, or the file's own */
		if (errno != EAGAIN)
			return -errno;
	}
	return inroot_walk(dir_fd, path, flags, links);
}
