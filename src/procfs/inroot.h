/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inroot.h - opens files below a directory, and never others.
 *
 * Links and ".." are followed as if the directory were "/": an absolute link
 * starts from there, and nothing leads out.  Whoever may write below the
 * directory, such as a container, thus can't name a file of the host.
 *
 * openat2() does this in one call; before Linux 5.6, or where a filter refuses
 * it, the path is walked part by part.  A link of the kernel that is no path
 * (/proc/PID/cwd) fails with ELOOP.
 */
#ifndef GS_PROCFS_INROOT_H
#define GS_PROCFS_INROOT_H

enum inroot_links {
	INROOT_LINKS, /* follows links, within the directory */
	INROOT_NO_LINKS /* a link fails with ELOOP */
};

/* Flags are those of open().  Descriptor, or -errno. */
int inroot_open(int dir_fd, const char *path, int flags,
	enum inroot_links links);

/* The same without openat2(); it takes the kernel's links as paths. */
int inroot_walk(int dir_fd, const char *path, int flags,
	enum inroot_links links);

#endif
