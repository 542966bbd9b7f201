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

int pids_read(struct pids *p, int dir_fd, struct gs_err *err)
{
	long n, at;

	if (!p->buf)
		p->buf = gs_malloc(BUF_BYTES);
	p->n = 0;
	if (lseek(dir_fd, 0, SEEK_SET) < 0)
		return gs_fail_errno(err, errno, "list of processes");
	while ((n = syscall(SYS_getdents64, dir_fd, p->buf, BUF_BYTES)) > 0) {
		for (at = 0; at < n;) {
			struct entry e;
			uint32_t pid;

			memcpy(&e, p->buf + at, sizeof(e));
			pid = pid_of(p->buf + at +
			    offsetof(struct entry, name));
			at += e.reclen;
			if (pid == 0)
				continue;
			GS_GROW(p->pid, &p->cap, p->n + 1);
			p->pid[p->n++] = pid;
		}
	}
	if (n < 0)
		return gs_fail_errno(err, errno, "list of processes");
	sort(p->pid, p->n);
	return 0;
}
