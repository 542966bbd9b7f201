/*
 * lockfile.h - one recorder per directory and NAME.
 *
 * DIR/.NAME.lock is held under a lock while a recorder runs, and says its
 * pid.  The kernel drops the lock when the process ends, however it ends; the
 * file stays.
 */
#ifndef GS_FORMAT_LOCKFILE_H
#define GS_FORMAT_LOCKFILE_H

#include <stdbool.h>

#include "base/err.h"

/* Takes the lock: *ret_fd holds it until it is closed, and is -1 where the
 * file system has no locks.  GS_E_BUSY, naming the pid, if it is taken. */
int lockfile_take(const char *dir, const char *name, int *ret_fd,
	struct gs_err *err);

/* True if another descriptor holds the lock that says "being written". */
bool lockfile_is_locked(int fd);

#endif
