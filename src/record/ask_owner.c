/* SPDX-License-Identifier: Apache-2.0 */
/*
 */
#include "record/ask.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scan.h"

static int by_inode(const void *a, const void *b)
{
	const struct ask_whom *x = a, *y = b;

	return x->inode < y->inode ? -1 : x->inode > y->inode;
}

static struct ask_whom *find(struct ask_whom *list, size_t n, uint64_t inode)
{
	struct ask_whom key = { .inode = inode };

	return bsearch(&key, list, n, sizeof(*list), by_inode);
}

/* The user of a process, if all its uids are equal: a setuid program does not
 * count.  The owner of its /proc directory is not used: it is root for a
 * process that may not be traced. */
static bool user_of(int proc, uid_t *ret)
{
	char text[4096], *at;
	unsigned long id[4];
	int fd = openat(proc, "status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		(void)close(fd); /* was only read */
	if (n <= 0)
		return false;
	text[n] = '\0';
	at = strstr(text, "\nUid:");
	if (!at || sscanf(at, "\nUid: %lu %lu %lu %lu", &id[0], &id[1],
	    &id[2], &id[3]) != 4)
		return false;
	*ret = (uid_t)id[0];
	return id[0] == id[1] && id[0] == id[2] && id[0] == id[3];
}

/* "socket:[12345]" */
static bool socket_of(int fds, const char *name, uint64_t *ret)
{
	char text[64];
	ssize_t n = readlinkat(fds, name, text, sizeof(text));
	struct span s = span_of(text, n > 0 ? (size_t)n : 0);

	if (!span_starts(s, "socket:["))
		return false;
	s.ptr += sizeof("socket:[") - 1;
	return scan_u64(&s, ret);
}

static void check_process(int proc, uid_t uid, struct ask_whom *list, size_t n)
{
	int fd = openat(proc, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct ask_whom *one;
	struct dirent *e;
	uint64_t inode;

	if (!d && fd >= 0)
		(void)close(fd); /* of no use */
	while (d && (e = readdir(d)) != NULL) {
		if (!socket_of(fd, e->d_name, &inode))
			continue;
		one = find(list, n, inode);
		if (one && one->uid == uid)
			one->owned = true;
	}
	if (d)
		(void)closedir(d); /* was only read */
}

void ask_find_owners(struct ask_whom *list, size_t n)
{
	DIR *d = n > 0 ? opendir("/proc") : NULL;
	struct dirent *e;
	uid_t uid;

	if (n > 0)
		qsort(list, n, sizeof(*list), by_inode);
	while (d && (e = readdir(d)) != NULL) {
		int proc;

		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		proc = openat(dirfd(d), e->d_name,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (proc < 0)
			continue;
		if (user_of(proc, &uid))
			check_process(proc, uid, list, n);
		(void)close(proc); /* was only read */
	}
	if (d)
		(void)closedir(d); /* was only read */
}
