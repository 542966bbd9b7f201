/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/root.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

#define PROC_MAGIC 0x9fa0 /* PROC_SUPER_MAGIC of linux/magic.h */
#define FIRST_READ 16384u /* takes any single record but a huge title */
#define BEGIN_TRIES 20
#define BEGIN_PAUSE_NS 5000000

void root_init(struct root *r, const char *dir)
{
	*r = (struct root) { .proc_fd = -1, .sys_fd = -1 };
	r->dir = gs_strdup(dir);
	r->is_default = strcmp(dir, "/") == 0;
}

static void close_all(struct root *r)
{
	if (r->proc_fd >= 0)
		(void)close(r->proc_fd); /* was only read */
	if (r->sys_fd >= 0)
		(void)close(r->sys_fd);
	r->proc_fd = r->sys_fd = -1;
	r->opened = false;
}

void root_release(struct root *r)
{
	close_all(r);
	free(r->dir);
	buf_release(&r->buf);
	*r = (struct root) { .proc_fd = -1, .sys_fd = -1 };
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

static int open_all(struct root *r, struct gs_err *err)
{
	struct statfs fs;
	int dir = open(r->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return gs_fail_errno(err, errno, "%s", r->dir);
	r->proc_fd = openat(dir, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->proc_fd < 0) {
		int e = errno;

		(void)close(dir);
		return gs_fail_errno(err, e, "%s/proc",
		    r->is_default ? "" : r->dir);
	}
	r->sys_fd = openat(dir, "sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	(void)close(dir);
	r->procfs = fstatfs(r->proc_fd, &fs) == 0 && fs.f_type == PROC_MAGIC;
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

void root_note(struct root *r, uint32_t pid, const char *what, uint64_t value)
{
	char text[24];

	if (!r->dump)
		return;
	(void)snprintf(text, sizeof(text), "%" PRIu64 "\n", value);
	dump(r, "note", pid, what, span_str(text));
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
	int fd = openat(dir_fd, path,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int status;

	if (fd < 0)
		return -errno;
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
		*fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (*fd < 0)
			return -errno;
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

	if (!r->procfs || r->sys_fd < 0)
		return root_read_sys(r, path, ret);
	status = take_kept(r, r->sys_fd, path, fd, true, ret);
	if (status == 0 && r->dump)
		dump(r, "sys", 0, path, *ret);
	return status;
}

int root_open_pid(struct root *r, uint32_t pid)
{
	char path[16];
	int fd;

	(void)snprintf(path, sizeof(path), "%" PRIu32, pid);
	fd = openat(r->proc_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
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

int root_readlink(struct root *r, int dir_fd, const char *path,
	struct span *ret)
{
	char *to;
	ssize_t n;

	buf_reset(&r->buf);
	to = buf_reserve(&r->buf, FIRST_READ);
	n = readlinkat(dir_fd, path, to, FIRST_READ);
	if (n < 0)
		return -errno;
	r->buf.len = (size_t)n;
	*ret = span_of(to, r->buf.len);
	return 0;
}
