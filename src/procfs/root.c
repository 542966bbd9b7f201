/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/root.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "procfs/inroot.h"

#define PROC_MAGIC 0x9fa0 /* PROC_SUPER_MAGIC of linux/magic.h */
#define SYSFS_FS_MAGIC 0x62656572 /* SYSFS_MAGIC */
#define FIRST_READ 16384u /* takes any single record but a huge title */
#define BEGIN_TRIES 20
#define BEGIN_PAUSE_NS 5000000

void root_init(struct root *r, const char *dir)
{
	*r = (struct root) { .dir_fd = -1, .proc_fd = -1, .sys_fd = -1 };
	r->dir = gs_strdup(dir);
	r->is_default = strcmp(dir, "/") == 0;
}

static void close_all(struct root *r)
{
	if (r->proc_fd >= 0)
		(void)close(r->proc_fd); /* was only read */
	if (r->sys_fd >= 0)
		(void)close(r->sys_fd);
	if (r->dir_fd >= 0)
		(void)close(r->dir_fd);
	r->dir_fd = r->proc_fd = r->sys_fd = -1;
	r->opened = false;
}

void root_release(struct root *r)
{
	close_all(r);
	free(r->dir);
	buf_release(&r->buf);
	*r = (struct root) { .dir_fd = -1, .proc_fd = -1, .sys_fd = -1 };
}

/* ---- opening -------------------------------------------------------------- */

static bool is_fs(int fd, long magic)
{
	struct statfs fs;

	return fd >= 0 && fstatfs(fd, &fs) == 0 && (long)fs.f_type == magic;
}

/* The part after "PID/cwd", "." if there is none; NULL for another path. */
static const char *below_cwd(const char *path)
{
	static const char cwd[] = "/cwd";
	size_t n = strspn(path, "0123456789");

	if (n == 0 || strncmp(path + n, cwd, sizeof(cwd) - 1) != 0)
		return NULL;
	path += n + sizeof(cwd) - 1;
	if (*path == '\0')
		return ".";
	return *path == '/' ? path + 1 : NULL;
}

/* The working directory of a process is a place of that process, wherever it
 * is mounted; only the kernel can say where.  No links below it. */
static int open_cwd(const struct root *r, const char *path, const char *rest,
	int flags)
{
	char cwd[32];
	int pid_fd, fd, status;

	(void)snprintf(cwd, sizeof(cwd), "proc/%.*s",
	    (int)strspn(path, "0123456789"), path);
	pid_fd = inroot_open(r->dir_fd, cwd, O_PATH | O_DIRECTORY | O_CLOEXEC,
	    INROOT_NO_LINKS);
	if (pid_fd < 0)
		return pid_fd;
	/* in a captured tree, or on a mount, it is not the kernel's link */
	fd = is_fs(pid_fd, PROC_MAGIC)
		? openat(pid_fd, "cwd", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	status = fd < 0 ? -ELOOP : inroot_open(fd, rest, flags,
	    INROOT_NO_LINKS);
	if (fd >= 0)
		(void)close(fd); /* was only a path */
	(void)close(pid_fd);
	return status;
}

static int open_inside(const struct root *r, int at_fd, const char *path,
	int flags)
{
	const char *rest = r->procfs && at_fd == r->proc_fd
		? below_cwd(path) : NULL;
	char full[PATH_MAX];

	if (at_fd != r->proc_fd && at_fd != r->sys_fd)
		return inroot_open(at_fd, path, flags, INROOT_NO_LINKS);
	/* the link itself is a name as any other */
	if (rest && !(flags & O_NOFOLLOW && strcmp(rest, ".") == 0))
		return open_cwd(r, path, rest, flags);
	if (*path == '/')
		return inroot_open(r->dir_fd, path, flags, INROOT_LINKS);
	if (snprintf(full, sizeof(full), "%s/%s",
		at_fd == r->proc_fd ? "proc" : "sys", path) >=
	    (int)sizeof(full))
		return -ENAMETOOLONG;
	return inroot_open(r->dir_fd, full, flags, INROOT_LINKS);
}

int root_open(const struct root *r, int at_fd, const char *path, int flags)
{
	int fd;

	if (!r->is_default)
		return open_inside(r, at_fd, path, flags);
	fd = openat(at_fd, path, flags);
	return fd < 0 ? -errno : fd;
}

int root_stat(const struct root *r, int at_fd, const char *path,
	struct stat *ret)
{
	int fd, status;

	if (r->is_default)
		return fstatat(at_fd, path, ret, 0) < 0 ? -errno : 0;
	fd = root_open(r, at_fd, path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return fd;
	status = fstatat(fd, "", ret, AT_EMPTY_PATH) < 0 ? -errno : 0;
	(void)close(fd); /* was only a path */
	return status;
}

bool root_exists(const struct root *r, int at_fd, const char *path)
{
	int fd;

	if (r->is_default)
		return faccessat(at_fd, path, F_OK, 0) == 0;
	fd = root_open(r, at_fd, path, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		(void)close(fd); /* was only a path */
	return fd >= 0;
}

/* Opens a file for reading, without waiting for the other end of a FIFO.  In
 * the root of others a name may be a device, too. */
static int open_file(const struct root *r, int at_fd, const char *path)
{
	struct stat st;
	int fd = root_open(r, at_fd, path,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 || r->is_default ||
	    (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	(void)close(fd); /* was not read */
	return -EINVAL;
}

static bool self_is_us(const struct root *r)
{
	char text[32], pid[32];
	ssize_t n = readlinkat(r->proc_fd, "self", text, sizeof(text) - 1);

	if (n < 0)
		return false;
	text[n] = '\0';
	(void)snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	return strcmp(text, pid) == 0;
}

static int open_top(const struct root *r, const char *name, int access)
{
	int flags = access | O_DIRECTORY | O_CLOEXEC;
	int fd;

	if (!r->is_default)
		return inroot_open(r->dir_fd, name, flags, INROOT_LINKS);
	fd = openat(r->dir_fd, name, flags);
	return fd < 0 ? -errno : fd;
}

static int open_all(struct root *r, struct gs_err *err)
{
	int fd = open(r->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", r->dir);
	r->dir_fd = fd;
	fd = open_top(r, "proc", O_RDONLY);
	if (fd < 0) {
		close_all(r);
		return gs_fail_errno(err, -fd, "%s/proc",
		    r->is_default ? "" : r->dir);
	}
	r->proc_fd = fd;
	fd = open_top(r, "sys", O_PATH);
	r->sys_fd = fd < 0 ? -1 : fd;
	r->procfs = is_fs(r->proc_fd, PROC_MAGIC);
	r->sysfs = is_fs(r->sys_fd, SYSFS_FS_MAGIC);
	r->own_pids = r->procfs && self_is_us(r);
	r->opened = true;
	return 0;
}

int root_begin(struct root *r, struct gs_err *err)
{
	const struct timespec pause = { 0, BEGIN_PAUSE_NS };
	int status = 0, i;

	r->tick++;
	for (i = 0; !r->opened && i < BEGIN_TRIES; i++) {
		if (i > 0)
			(void)nanosleep(&pause, NULL); /* may be shorter */
		status = open_all(r, err);
	}
	return r->opened ? 0 : status;
}

void root_end(struct root *r)
{
	if (!r->procfs)
		close_all(r);
}

static void dump(struct root *r, const char *dir, uint32_t pid,
	const char *path, struct span text)
{
	if (pid)
		(void)fprintf(r->dump, "tick %" PRIu64 " %s/%" PRIu32
		    "/%s %zu\n", r->tick, dir, pid, path, span_len(text));
	else
		(void)fprintf(r->dump, "tick %" PRIu64 " %s/%s %zu\n",
		    r->tick, dir, path, span_len(text));
	/* an incomplete dump is detected by its lengths */
	(void)fwrite(text.ptr, 1, span_len(text), r->dump);
}

void root_note_words(struct root *r, uint32_t pid, const char *what,
	const uint64_t *word, size_t n)
{
	struct buf text = { 0 };
	size_t i;

	if (!r->dump)
		return;
	for (i = 0; i < n; i++)
		buf_printf(&text, "%s%" PRIu64, i > 0 ? " " : "", word[i]);
	buf_printf(&text, "\n");
	dump(r, "note", pid, what, span_of(buf_str(&text), text.len));
	buf_release(&text);
}

void root_note(struct root *r, uint32_t pid, const char *what, uint64_t value)
{
	root_note_words(r, pid, what, &value, 1);
}

/* Reads fd from offset 0 into the buffer.  one: a single read returns all,
 * unless it fills the buffer. */
static int take(struct root *r, int fd, bool one, size_t max_bytes,
	struct span *ret)
{
	buf_reset(&r->buf);
	while (r->buf.len < max_bytes) {
		size_t room = r->buf.len < FIRST_READ
			? FIRST_READ - r->buf.len : r->buf.len;
		char *to;
		ssize_t n;

		room = room > max_bytes - r->buf.len
			? max_bytes - r->buf.len : room;
		to = buf_reserve(&r->buf, room);
		n = pread(fd, to, room, (off_t)r->buf.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		r->buf.len += (size_t)n;
		if (n == 0 || (one && (size_t)n < room))
			break;
	}
	*ret = span_of(buf_str(&r->buf), r->buf.len);
	return 0;
}

static int read_at(struct root *r, int dir_fd, const char *path, bool one,
	size_t max_bytes, struct span *ret)
{
	int fd = open_file(r, dir_fd, path);
	int status;

	if (fd < 0)
		return fd;
	status = take(r, fd, one, max_bytes, ret);
	(void)close(fd); /* was only read */
	return status;
}

int root_read_proc(struct root *r, const char *path, struct span *ret)
{
	int status = read_at(r, r->proc_fd, path, false, ROOT_FILE_MAX, ret);

	if (status == 0 && r->dump)
		dump(r, "proc", 0, path, *ret);
	return status;
}

int root_read_sys(struct root *r, const char *path, struct span *ret)
{
	int status;

	if (r->sys_fd < 0)
		return -ENOENT;
	status = read_at(r, r->sys_fd, path, false, ROOT_FILE_MAX, ret);
	if (status == 0 && r->dump)
		dump(r, "sys", 0, path, *ret);
	return status;
}

/* Reads from a kept descriptor, opening it if needed; closes it on failure. */
static int take_kept(struct root *r, int dir_fd, const char *path, int *fd,
	bool one, struct span *ret)
{
	int status;

	if (*fd < 0) {
		status = open_file(r, dir_fd, path);
		if (status < 0)
			return status;
		*fd = status;
	}
	status = take(r, *fd, one, ROOT_FILE_MAX, ret);
	if (status < 0) {
		(void)close(*fd);
		*fd = -1;
	}
	return status;
}

int root_read_kept(struct root *r, const char *path, int *fd, bool one,
	struct span *ret)
{
	int status;

	if (!r->procfs)
		return root_read_proc(r, path, ret);
	status = take_kept(r, r->proc_fd, path, fd, one, ret);
	if (status == 0 && r->dump)
		dump(r, "proc", 0, path, *ret);
	return status;
}

int root_read_sys_kept(struct root *r, const char *path, int *fd,
	struct span *ret)
{
	int status;

	if (!r->procfs || !r->sysfs)
		return root_read_sys(r, path, ret);
	status = take_kept(r, r->sys_fd, path, fd, true, ret);
	if (status == 0 && r->dump)
		dump(r, "sys", 0, path, *ret);
	return status;
}

int root_open_pid(struct root *r, uint32_t pid)
{
	char path[16];

	(void)snprintf(path, sizeof(path), "%" PRIu32, pid);
	return root_open(r, r->proc_fd, path,
	    O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int root_read_pid(struct root *r, int dir_fd, uint32_t pid, const char *file,
	size_t max_bytes, struct span *ret)
{
	bool one = strcmp(file, "smaps") != 0;
	int status = read_at(r, dir_fd, file, one, max_bytes, ret);

	if (status == 0 && r->dump)
		dump(r, "proc", pid, file, *ret);
	return status;
}

int root_read_pid_kept(struct root *r, int dir_fd, uint32_t pid,
	const char *file, int *fd, struct span *ret)
{
	int status = take_kept(r, dir_fd, file, fd, true, ret);

	if (status == 0 && r->dump)
		dump(r, "proc", pid, file, *ret);
	return status;
}

int root_read_file(struct root *r, const char *path, size_t max_bytes,
	struct span *ret)
{
	return read_at(r, r->proc_fd, path, true, max_bytes, ret);
}

static ssize_t read_link(const struct root *r, int at_fd, const char *path,
	char *to, size_t room)
{
	ssize_t n;
	int fd;

	if (r->is_default) {
		n = readlinkat(at_fd, path, to, room);
		return n < 0 ? -errno : n;
	}
	fd = root_open(r, at_fd, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", to, room);
	n = n < 0 ? -errno : n;
	(void)close(fd); /* was only a path */
	return n;
}

int root_readlink(struct root *r, int dir_fd, const char *path,
	struct span *ret)
{
	char *to;
	ssize_t n;

	buf_reset(&r->buf);
	to = buf_reserve(&r->buf, FIRST_READ);
	n = read_link(r, dir_fd, path, to, FIRST_READ);
	if (n < 0)
		return (int)n;
	r->buf.len = (size_t)n;
	*ret = span_of(to, r->buf.len);
	return 0;
}
