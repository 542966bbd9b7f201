/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach.h - stops a thread for as long as it takes to read some words of it.
 *
 * By PTRACE_SEIZE, which sends it no signal, and without PTRACE_O_EXITKILL: if
 * this program is killed, the kernel lets the thread go on.  A signal that comes
 * meanwhile is delivered when it is let go; a thread that a signal has stopped
 * stays stopped.
 */
#ifndef GS_HEAP_ATTACH_H
#define GS_HEAP_ATTACH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Threads that did not stop in time and are still attached. */
#define ATTACH_LATE_MAX 64u

struct attached {
	pid_t tid;
	int signal; /* to be delivered; 0: none */
};

struct attach_late {
	pid_t tid[ATTACH_LATE_MAX];
	size_t n;
};

/* Stops the thread; 0, -EPERM, -ESRCH if it is gone, or -EBUSY: then it stops
 * later, and is let go by attach_settle(). */
int attach_stop(struct attach_late *late, pid_t tid, struct attached *ret);

/* The thread pointer of a stopped thread; -ENOEXEC: it is of another
 * architecture. */
int attach_pointer(const struct attached *a, uint64_t *ret);

void attach_let_go(const struct attached *a);

/* Lets go those that have stopped since. */
void attach_settle(struct attach_late *late);

/* Reads a word of a process; 0 or -errno. */
int attach_word(pid_t pid, uint64_t at, uint64_t *ret);

#endif
