/* SPDX-License-Identifier: Apache-2.0 */
/*
 * root.h - the directory below which everything is read.
 *
 * DIR/proc and DIR/sys are read in place of the kernel's /proc and /sys.  If
 * DIR/proc is a procfs, its descriptors are kept.  Else it is a captured tree,
 * which is opened again at every tick, so that DIR may be a symbolic link that
 * is moved to the next tree.  Reads share one buffer: a span is valid until
 * the next read.
 *
 * A DIR other than "/" may belong to others, such as a container: no link, FIFO
 * or device in it leads to what is not below DIR (see inroot.h).  Only the
 * working directory of a process of a procfs is where the kernel says.
 *
 * Use: root_init(), then root_begin() .. reads .. root_end() per tick.
 */
#ifndef GS_PROCFS_ROOT_H
#define GS_PROCFS_ROOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"

/* Files are read up to this size. */
#define ROOT_FILE_MAX (16u << 20)

struct root {
	char *dir; /* owned */
	bool is_default; /* "/": the kernel's own */
	bool opened;
	bool procfs; /* else a captured tree */
	bool own_pids; /* DIR/proc/self is this process */
	bool sysfs; /* DIR/sys is the kernel's */
	int dir_fd; /* DIR, a path only; -1 while closed */
	int proc_fd; /* directory; -1 while closed */
	int sys_fd; /* -1: does not exist */
	struct buf buf;
	FILE *dump; /* not owned; NULL: no dump of what is read */
	uint64_t tick; /* counts root_begin() */
};

void root_init(struct root *r, const char *dir);
void root_release(struct root *r);

/* Opens what is not open; if DIR is missing, retries for a tenth of a second,
 * since the link may be about to be replaced. */
int root_begin(struct root *r, struct gs_err *err);

/* Closes a captured tree. */
void root_end(struct root *r);

/* Opens, examines and looks for a path below proc_fd, sys_fd, or a directory
 * below them.  One from proc_fd may be absolute: it is below DIR, too.
 * Descriptor or 0, or -errno. */
int root_open(const struct root *r, int at_fd, const char *path, int flags);
int root_stat(const struct root *r, int at_fd, const char *path,
	struct stat *ret);
bool root_exists(const struct root *r, int at_fd, const char *path);

/* Files below DIR/proc and DIR/sys.  0, or -errno. */
int root_read_proc(struct root *r, const char *path, struct span *ret);
int root_read_sys(struct root *r, const char *path, struct span *ret);

/* A file that is read at every tick: its descriptor is kept in *fd (-1 at
 * first) if possible.  one: the kernel makes it as one record, which a single
 * read returns if it fits; those of /sys are. */
int root_read_kept(struct root *r, const char *path, int *fd, bool one,
	struct span *ret);
int root_read_sys_kept(struct root *r, const char *path, int *fd,
	struct span *ret);

/* The directory of a process, as a path only: never readable by itself.
 * Descriptor, or -errno. */
int root_open_pid(struct root *r, uint32_t pid);

/* A file below the directory of a process.  All but smaps are one record,
 * which a single read returns; it is cut at max_bytes.  A kept descriptor is
 * read from its beginning.  0, or -errno: ESRCH if the process is gone. */
int root_read_pid(struct root *r, int dir_fd, uint32_t pid, const char *file,
	size_t max_bytes, struct span *ret);
int root_read_pid_kept(struct root *r, int dir_fd, uint32_t pid,
	const char *file, int *fd, struct span *ret);

/* A file of a server's data directory: path is absolute (below DIR),
 * or starts from DIR/proc.  Opening never blocks, even on a FIFO.  0, or -errno. */
int root_read_file(struct root *r, const char *path, size_t max_bytes,
	struct span *ret);

/* A link below the directory of a process, or below DIR/sys if dir_fd is
 * sys_fd. */
int root_readlink(struct root *r, int dir_fd, const char *path,
	struct span *ret);

/* Adds text to the dump: a fact that was not read from a file. */
void root_note(struct root *r, uint32_t pid, const char *what,
	uint64_t value);
void root_note_words(struct root *r, uint32_t pid, const char *what,
	const uint64_t *word, size_t n);

#endif
