/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "procfs/pid.h"

int procfile_read(int dir_fd, const char *file, size_t max, struct buf *ret)
{
	int fd = openat(dir_fd, file, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	buf_reset(ret);
	if (fd < 0)
		return -errno;
	while (n > 0 && ret->len < max) {
		size_t room = GS_MIN(max - ret->len, 65536u);

		n = read(fd, buf_reserve(ret, room), room);
		if (n > 0)
			ret->len += (size_t)n;
	}
	if (n < 0)
		n = -errno;
	(void)close(fd); /* was only read */
	return n < 0 ? (int)n : 0;
}

bool procfile_stat(struct span text, struct task_state *ret)
{
	struct pid_brief b;

	if (!pid_stat_brief(text, &b))
		return false;
	*ret = (struct task_state) { b.state, b.start };
	return true;
}

bool procfile_is_traced(struct span status)
{
	struct span line;
	uint64_t pid;

	while (scan_line(&status, &line)) {
		if (!span_starts(line, "TracerPid:"))
			continue;
		line.ptr += strlen("TracerPid:");
		return scan_u64(&line, &pid) && pid != 0;
	}
	return false;
}

static bool is_server(struct span name)
{
	return span_eq(name, "postgres") || span_eq(name, "postmaster") ||
	    span_eq(name, "postgres (deleted)") ||
	    span_eq(name, "postmaster (deleted)");
}

static bool has_server_program(int dir_fd)
{
	char path[PATH_MAX];
	ssize_t n = readlinkat(dir_fd, "exe", path, sizeof(path));
	const char *slash;

	if (n <= 0)
		return false;
	slash = memrchr(path, '/', (size_t)n);
	return slash && is_server(span_of(slash + 1,
	    (size_t)(path + n - slash - 1)));
}

bool procfile_is_database(int dir_fd, struct buf *scratch)
{
	struct span text, name;

	if (has_server_program(dir_fd))
		return true;
	if (procfile_read(dir_fd, "comm", 64, scratch) == 0) {
		text = span_of(scratch->ptr, scratch->len);
		if (scan_line(&text, &name) && is_server(name))
			return true;
	}
	return procfile_read(dir_fd, "cmdline", 64, scratch) == 0 &&
	    span_starts(span_of(scratch->ptr, scratch->len), "postgres:");
}
