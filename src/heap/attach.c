/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/attach.h"

#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"

/* A thread stops within microseconds, unless the CPUs are busy, or the kernel
 * works for it and can't be interrupted. */
#define STOP_NS (100 * GS_NSEC_PER_MSEC)
#define SPIN_NS (50 * GS_NSEC_PER_USEC)
#define PAUSE_NS 50000

/* How a thread that waitpid() tells of is to be let go; false: it ended. */
static bool take(int status, struct attached *a)
{
	if (!WIFSTOPPED(status))
		return false;
	/* A stop of another kind than ours is that before a signal. */
	a->signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
	return true;
}

static void pause_a_little(int64_t since)
{
	const struct timespec t = { 0, PAUSE_NS };

	if (gs_clock_mono_ns() - since < SPIN_NS)
		(void)sched_yield(); /* always succeeds */
	else
		(void)nanosleep(&t, NULL); /* sooner is fine */
}

static int await(struct attached *a)
{
	int64_t since = gs_clock_mono_ns();

	do {
		int status;
		pid_t r = waitpid(a->tid, &status, WNOHANG | __WALL);

		if (r == a->tid)
			return take(status, a) ? 0 : -ESRCH;
		if (r < 0 && errno != EINTR)
			return -ESRCH;
		pause_a_little(since);
	} while (gs_clock_mono_ns() - since < STOP_NS);
	return -EBUSY;
}

int attach_stop(struct attach_late *late, pid_t tid, struct attached *ret)
{
	struct attached a = { .tid = tid };
	int status;

	if (late->n == ATTACH_LATE_MAX)
		return -EBUSY;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0)
		return -errno;
	/* fails only if it is gone: then there is nothing to wait for */
	(void)ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	status = await(&a);
	if (status == -EBUSY)
		late->tid[late->n++] = tid;
	if (status == 0)
		*ret = a;
	return status;
}

#if defined(__x86_64__)
int attach_pointer(const struct attached *a, uint64_t *ret)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, a->tid, (void *)NT_PRSTATUS, &iov) < 0)
		return -errno;
	/* that of a process of 32 bits is smaller */
	if (iov.iov_len != sizeof(regs))
		return -ENOEXEC;
	*ret = regs.fs_base;
	return 0;
}
#elif defined(__aarch64__)
int attach_pointer(const struct attached *a, uint64_t *ret)
{
	uint64_t regs[2] = { 0, 0 }; /* the second one since 6.0 */
	struct iovec iov = { regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, a->tid, (void *)NT_ARM_TLS, &iov) < 0)
		return -errno;
	if (iov.iov_len < sizeof(regs[0]))
		return -ENOEXEC;
	*ret = regs[0];
	return 0;
}
#else
#error "where the thread pointer is, is not known for this architecture"
#endif

void attach_let_go(const struct attached *a)
{
	/* fails only if it was killed */
	(void)ptrace(PTRACE_DETACH, a->tid, NULL, (void *)(intptr_t)a->signal);
}

void attach_settle(struct attach_late *late)
{
	size_t i, kept = 0;

	for (i = 0; i < late->n; i++) {
		struct attached a = { .tid = late->tid[i] };
		int status;
		pid_t r = waitpid(a.tid, &status, WNOHANG | __WALL);

		if (r == a.tid && take(status, &a))
			attach_let_go(&a);
		else if (r == 0 || (r < 0 && errno == EINTR))
			late->tid[kept++] = a.tid;
	}
	late->n = kept;
}

int attach_word(pid_t pid, uint64_t at, uint64_t *ret)
{
	uint64_t v;
	struct iovec to = { &v, sizeof(v) };
	struct iovec from = { (void *)(uintptr_t)at, sizeof(v) };
	ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);

	if (n < 0)
		return -errno;
	if (n != (ssize_t)sizeof(v))
		return -EFAULT;
	*ret = v;
	return 0;
}
