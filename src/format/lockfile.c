#include "format/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scan.h"

bool lockfile_is_locked(int fd)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
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

static int take(int fd, const char *dir, struct gs_err *err)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char text[32];
	int len;

	if (fcntl(fd, F_OFD_SETLK, &l) < 0 &&
	    (errno == EAGAIN || errno == EACCES))
		return busy(fd, dir, err);
	len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	/* The pid only makes a message better: a full disk may keep it. */
	if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)len, 0) < 0)
		(void)ftruncate(fd, 0);
	return 0;
}

int lockfile_take(const char *dir, const char *name, int *ret_fd,
	struct gs_err *err)
{
	struct buf path = BUF_INIT;
	int fd, r;

	buf_printf(&path, "%s/.%s.lock", dir, name);
	fd = open(buf_str(&path),
	    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0640);
	if (fd < 0) {
		/* Without room there is no lock, but room may come. */
		r = errno == ENOSPC || errno == EDQUOT
		    ? 0
		    : gs_fail_errno(err, errno,
			  "%s: can't make files in this directory", dir);
	} else {
		r = take(fd, dir, err);
	}
	if (r < 0 && fd >= 0)
		(void)close(fd); /* not ours */
	else if (r == 0)
		*ret_fd = fd;
	buf_release(&path);
	return r;
}
