/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landlock.c - rules by paths, as in Documentation/userspace-api/landlock.rst.
 *
 * Numbers are the kernel's and written down here: <linux/landlock.h> of a
 * build host may be missing or older than the kernel that it runs on.  System
 * calls from 424 on have the same number on all architectures.
 */
#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"

#define SYS_CREATE_RULESET 444
#define SYS_ADD_RULE 445
#define SYS_RESTRICT_SELF 446

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_REG (UINT64_C(1) << 8)
#define FS_TRUNCATE (UINT64_C(1) << 14)

#define FS_OF_VERSION_1 ((UINT64_C(1) << 13) - 1)
#define FS_REFER (UINT64_C(1) << 13) /* from 2 on */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* from 5 on */
#define NET_BIND_AND_CONNECT UINT64_C(3) /* from 4 on */
#define SCOPED_SOCKETS_AND_SIGNALS UINT64_C(3) /* from 6 on */

/* Rights on a file; the others are for directories. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | \
	FS_TRUNCATE | FS_IOCTL_DEV)

struct ruleset_attr {
	uint64_t handled_fs;
	uint64_t handled_net; /* from 4 on */
	uint64_t scoped; /* from 6 on */
};

struct path_beneath_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

int landlock_version(void)
{
	long r = syscall(SYS_CREATE_RULESET, NULL, (size_t)0,
	    CREATE_RULESET_VERSION);

	return r < 0 ? -errno : (int)r;
}

static struct ruleset_attr attr_of(int version, size_t *ret_size)
{
	struct ruleset_attr a = { .handled_fs = FS_OF_VERSION_1 };

	*ret_size = sizeof(a.handled_fs);
	if (version >= 2)
		a.handled_fs |= FS_REFER;
	if (version >= 3)
		a.handled_fs |= FS_TRUNCATE;
	if (version >= 5)
		a.handled_fs |= FS_IOCTL_DEV;
	if (version >= 4) {
		a.handled_net = NET_BIND_AND_CONNECT;
		*ret_size = offsetof(struct ruleset_attr, scoped);
	}
	if (version >= 6) {
		a.scoped = SCOPED_SOCKETS_AND_SIGNALS;
		*ret_size = sizeof(a);
	}
	return a;
}

static uint64_t rights_of(unsigned access)
{
	static const struct {
		unsigned access;
		uint64_t rights;
	} known[] = {
		{ SANDBOX_READ, FS_READ_FILE | FS_READ_DIR },
		{ SANDBOX_NEW, FS_WRITE_FILE | FS_MAKE_REG },
		{ SANDBOX_CHANGE, FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE |
		    FS_MAKE_REG | FS_REMOVE_FILE | FS_TRUNCATE },
	};
	uint64_t rights = 0;
	size_t i;

	for (i = 0; i < GS_LEN(known); i++) {
		if (access & known[i].access)
			rights |= known[i].rights;
	}
	return rights;
}

/* The owner of the directory could have replaced the file. */
static bool is_other(const struct sandbox_path *p, const struct stat *st)
{
	return p->was_seen && (st->st_dev != p->is.st_dev ||
	    st->st_ino != p->is.st_ino);
}

/* A path that does not exist needs no rule: it can't be opened.  Nor does a
 * pipe: Landlock does not check its file system. */
static void add_rule(int ruleset, uint64_t handled,
	const struct sandbox_path *p)
{
	struct path_beneath_attr a = { .fd = open(p->path,
	    O_PATH | O_CLOEXEC) };
	struct stat st;

	if (a.fd < 0)
		return;
	a.allowed = rights_of(p->access) & handled;
	if (fstat(a.fd, &st) < 0 || is_other(p, &st))
		a.allowed = 0;
	else if (!S_ISDIR(st.st_mode))
		a.allowed &= FS_OF_FILES;
	if (a.allowed) /* a failure refuses more, and shows later */
		(void)syscall(SYS_ADD_RULE, ruleset, RULE_PATH_BENEATH, &a, 0);
	(void)close(a.fd); /* nothing was written through it */
}

int landlock_restrict(int version, const struct sandbox_path *path, size_t n)
{
	size_t i, size;
	struct ruleset_attr attr = attr_of(version, &size);
	int r = 0, fd = (int)syscall(SYS_CREATE_RULESET, &attr, size, 0);

	if (fd < 0)
		return -errno;
	for (i = 0; i < n; i++)
		add_rule(fd, attr.handled_fs, &path[i]);
	if (syscall(SYS_RESTRICT_SELF, fd, 0) < 0)
		r = -errno;
	(void)close(fd); /* the rules hold without it */
	return r;
}
