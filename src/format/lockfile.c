/* SPDX-License-Identifier: Apache-2.0 */
#include "format/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scan.h"

#define LOCK_MODE 0600

bool lockfile_is_locked(int fd)
{
	/* Any reader of the file can take a shared lock, which proves nothing:
	 * only a writer's lock conflicts with a read lock. */
	struct flock l = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

bool path_is_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	bool locked;

	if (fd < 0)
		return false;
	locked = lockfile_is_locked(fd);
	(void)close(fd); /* only looked at */
	return locked;
}

static int busy(int fd, const char *dir, struct gs_err *err)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	struct span s = span_of(text, n > 0 ? (size_t)n : 0);
	uint64_t pid;

	if (scan_u64(&s, &pid))
		return gs_fail(err, GS_E_BUSY,
		    "%s: locked by pid %llu, which is recording there", dir,
		    (unsigned long long)pid);
	return gs_fail(err, GS_E_BUSY, "%s: locked by another recorder", dir);
}

static int acquire(int fd, const char *dir, struct gs_err *err)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char text[32];
	int len;

	if (fcntl(fd, F_OFD_SETLK, &l) < 0 &&
	    (errno == EAGAIN || errno == EACCES))
		return busy(fd, dir, err);
	len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	/* The pid is only for messages: if the disk is full, it may be
	 * missing. */
	if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)len, 0) < 0)
		(void)ftruncate(fd, 0);
	return 0;
}

/* Root may record into a user's directory, which may have that user's lock
 * file. */
static bool is_owner(uid_t uid, const char *dir)
{
	struct stat st;

	return uid == geteuid() || (geteuid() == 0 && stat(dir, &st) == 0 &&
	    uid == st.st_uid);
}

/* The file will be written to: it must not be a file of another user. */
static int check_file(int fd, const char *dir, const char *path,
	struct gs_err *err)
{
	const char *what = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		what = "is not a regular file";
	else if (st.st_nlink > 1)
		what = "is a link to another file";
	else if (!is_owner(st.st_uid, dir))
		what = "belongs to another user";
	if (what)
		return gs_fail(err, GS_E_USAGE, "%s: %s: remove it, or "
		    "record into another directory", path, what);
	/* Anyone who can read it can take a lock that blocks recorders. */
	if ((st.st_mode & 077) != 0)
		(void)fchmod(fd, LOCK_MODE); /* an earlier version used another
					      * mode */
	return 0;
}

bool lockfile_is_there(const char *dir, const char *name, int fd)
{
	struct buf path = BUF_INIT;
	struct stat open, named;
	bool is;

	buf_printf(&path, "%s/.%s.lock", dir, name);
	is = fd >= 0 && fstat(fd, &open) == 0 &&
	    stat(buf_str(&path), &named) == 0 &&
	    open.st_dev == named.st_dev && open.st_ino == named.st_ino;
	buf_release(&path);
	return is;
}

/* Without disk space there is no lock, but space may become free. */
static int not_opened(int errnum, const char *dir, const char *path,
	struct gs_err *err)
{
	struct stat st;

	if (errnum == ENOSPC || errnum == EDQUOT)
		return 0;
	if (lstat(path, &st) == 0)
		return gs_fail_errno(err, errnum, "%s: can't lock", path);
	return gs_fail_errno(err, errnum,
	    "%s: can't create files in this directory", dir);
}

int lockfile_acquire(const char *dir, const char *name, int *ret_fd,
	struct gs_err *err)
{
	struct buf path = BUF_INIT;
	int fd, r;

	buf_printf(&path, "%s/.%s.lock", dir, name);
	fd = open(buf_str(&path), O_RDWR | O_CREAT | O_CLOEXEC |
	    O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, LOCK_MODE);
	if (fd < 0) {
		r = not_opened(errno, dir, buf_str(&path), err);
	} else {
		r = check_file(fd, dir, buf_str(&path), err);
		if (r == 0)
			r = acquire(fd, dir, err);
	}
	if (r < 0 && fd >= 0)
		(void)close(fd); /* not ours */
	else if (r == 0)
		*ret_fd = fd;
	buf_release(&path);
	return r;
}
