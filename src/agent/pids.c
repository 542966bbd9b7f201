/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/pids.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

#define BUF_BYTES 32768u
/* For a few: the kernel looks up all that it returns. */
#define FEW_BYTES 1024u

/* An entry of getdents64; see getdents(2). */
struct entry {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

void pids_release(struct pids *p)
{
	free(p->pid);
	free(p->fresh);
	free(p->buf);
	*p = (struct pids) { 0 };
}

/* The number in name; 0 if it is not a number. */
static uint32_t pid_of(const char *name)
{
	uint32_t v = 0;

	if (*name == '0')
		return 0;
	for (; *name; name++) {
		if (*name < '0' || *name > '9' || v > INT32_MAX / 10 - 1)
			return 0;
		v = v * 10 + (uint32_t)(*name - '0');
	}
	return v;
}

static void sift(uint32_t *a, size_t i, size_t n)
{
	for (;;) {
		size_t child = 2 * i + 1;
		uint32_t t;

		if (child >= n)
			return;
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[i] >= a[child])
			return;
		t = a[i];
		a[i] = a[child];
		a[child] = t;
		i = child;
	}
}

/* In place, since qsort() may allocate; procfs is in order anyway. */
static void sort(uint32_t *a, size_t n)
{
	size_t i;

	for (i = 1; i < n && a[i - 1] <= a[i]; i++)
		;
	if (i >= n)
		return;
	for (i = n / 2; i-- > 0;)
		sift(a, i, n);
	for (i = n; i-- > 1;) {
		uint32_t t = a[0];

		a[0] = a[i];
		a[i] = t;
		sift(a, 0, i);
	}
}

/* The next number that the kernel wrote; 0: no more.  The position in an entry
 * is that of the one that follows it, which tells where a number is. */
static uint32_t next_pid(struct pids *p, const char **at, const char *end)
{
	while (*at < end) {
		struct entry e;
		uint32_t pid;

		memcpy(&e, *at, sizeof(e));
		pid = pid_of(*at + offsetof(struct entry, name));
		*at += e.reclen;
		if (pid != 0 && p->follows != 0) {
			int64_t shift = p->follows - (int64_t)pid;

			p->ordered &= p->pairs == 0 || shift == p->shift;
			p->shift = shift;
			p->pairs++;
		}
		p->follows = pid != 0 ? e.off : 0;
		if (pid != 0)
			return pid;
	}
	return 0;
}

static int begin(struct pids *p, int dir_fd, int64_t position,
	struct gs_err *err)
{
	if (!p->buf)
		p->buf = gs_malloc(BUF_BYTES);
	p->follows = 0;
	if (lseek(dir_fd, position, SEEK_SET) < 0)
		return gs_fail_errno(err, errno, "list of processes");
	return 0;
}

static int fill(struct pids *p, int dir_fd, size_t bytes, long *ret,
	struct gs_err *err)
{
	*ret = syscall(SYS_getdents64, dir_fd, p->buf, bytes);
	return *ret < 0 ? gs_fail_errno(err, errno, "list of processes") : 0;
}

int pids_read(struct pids *p, int dir_fd, struct gs_err *err)
{
	int status = begin(p, dir_fd, 0, err);
	uint32_t pid;
	long n = 1;

	p->n = 0;
	p->pairs = 0;
	p->ordered = true;
	while (status == 0 && n > 0) {
		const char *at = p->buf;

		status = fill(p, dir_fd, BUF_BYTES, &n, err);
		while (status == 0 && (pid = next_pid(p, &at, p->buf + n))) {
			GS_GROW(p->pid, &p->cap, p->n + 1);
			p->pid[p->n++] = pid;
		}
	}
	sort(p->pid, p->n);
	return status;
}

bool pids_can_seek(const struct pids *p)
{
	return p->ordered && p->pairs > 0;
}

/* The first of the list that is above pid. */
static size_t above(const struct pids *p, uint32_t pid)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->pid[mid] <= pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has(const struct pids *p, uint32_t pid)
{
	size_t i = above(p, pid);

	return i > 0 && p->pid[i - 1] == pid;
}

/* Replaces the numbers above after, and below stop, by the new ones. */
static void splice(struct pids *p, uint32_t after, uint32_t stop)
{
	size_t from = above(p, after), to = above(p, stop - 1);
	size_t n = from + p->n_fresh + (p->n - to);

	GS_GROW(p->pid, &p->cap, n);
	if (n == 0)
		return;
	memmove(p->pid + from + p->n_fresh, p->pid + to,
	    (p->n - to) * sizeof(*p->pid));
	if (p->n_fresh > 0)
		memcpy(p->pid + from, p->fresh,
		    p->n_fresh * sizeof(*p->fresh));
	p->n = n;
	sort(p->pid, p->n);
}

int pids_read_after(struct pids *p, int dir_fd, uint32_t after, uint32_t last,
	struct gs_err *err)
{
	int status = begin(p, dir_fd, after + p->shift + 1, err);
	uint32_t pid, stop = UINT32_MAX;
	long n = 1;

	p->n_fresh = 0;
	while (status == 0 && n > 0 && stop == UINT32_MAX) {
		const char *at = p->buf;

		status = fill(p, dir_fd, FEW_BYTES, &n, err);
		while (status == 0 && (pid = next_pid(p, &at, p->buf + n))) {
			if (pid <= after)
				continue;
			if (pid > last && has(p, pid)) {
				stop = pid;
				break;
			}
			GS_GROW(p->fresh, &p->fresh_cap, p->n_fresh + 1);
			p->fresh[p->n_fresh++] = pid;
		}
	}
	if (status == 0)
		splice(p, after, stop);
	return status;
}
