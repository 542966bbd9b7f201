/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockfile.h - one recorder per directory and NAME.
 *
 * DIR/.NAME.lock is locked while a recorder runs, and contains its pid.  The
 * kernel drops the lock when the process ends, however it ends; the file
 * stays.  Only its owner can open it, since anyone who can read a file can
 * take a shared lock on it.
 */
#ifndef GS_FORMAT_LOCKFILE_H
#define GS_FORMAT_LOCKFILE_H

#include <stdbool.h>

#include "base/err.h"

/* Takes the lock: *ret_fd holds it until it is closed, and is -1 where the
 * file system has no locks.  GS_E_BUSY, with the pid in the message, if it is
 * taken; GS_E_USAGE if the file does not belong to the caller. */
int lockfile_acquire(const char *dir, const char *name, int *ret_fd,
	struct gs_err *err);

/* True if the file that fd has open is still the directory's lock. */
bool lockfile_is_there(const char *dir, const char *name, int fd);

/* True if another descriptor holds a writer's lock.  A shared lock, which any
 * reader can take, does not count. */
bool lockfile_is_locked(int fd);

/* The same for the file at path; false if it can't be read. */
bool path_is_locked(const char *path);

#endif
