/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_traits.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define CPU_MASK_BYTES 1024 /* 8,192 CPUs */

/* The first version of struct sched_attr; see sched_setattr(2). */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t rt_priority;
	uint64_t runtime, deadline, period;
};

_Static_assert(sizeof(struct attr) == 48, "the kernel takes no other size");

/* CPUCLOCK_SCHED of a whole process: see make_process_cpuclock() in the
 * kernel. */
static bool get_clock(uint32_t pid, struct timespec *ret)
{
	return clock_gettime((clockid_t)((~pid << 3) | 2), ret) == 0;
}

bool proc_has_clock(uint32_t pid)
{
	struct timespec t;

	return get_clock(pid, &t);
}

uint64_t proc_clock(uint32_t pid)
{
	struct timespec t;

	if (!get_clock(pid, &t))
		return 0;
	return (uint64_t)t.tv_sec * (uint64_t)GS_NSEC_PER_SEC +
	    (uint64_t)t.tv_nsec;
}

/* FNV-1a. */
uint64_t proc_affinity(uint32_t pid)
{
	unsigned char mask[CPU_MASK_BYTES];
	uint64_t h = UINT64_C(14695981039346656037);
	long i, n = syscall(SYS_sched_getaffinity, pid, sizeof(mask), mask);

	for (i = 0; i < n; i++)
		h = (h ^ mask[i]) * UINT64_C(1099511628211);
	return n > 0 ? h : 0;
}

static bool is(struct cells was, unsigned col, int64_t now)
{
	uint64_t v;

	return cells_get(was, col, &v) && (int64_t)v == now;
}

bool proc_traits_same(uint32_t pid, struct cells was)
{
	struct attr a = { 0 };
	int nice;

	if (syscall(SYS_sched_getattr, pid, &a, sizeof(a), 0) < 0 ||
	    !is(was, COL(PROCESS, POLICY), a.policy) ||
	    !is(was, COL(PROCESS, RT_PRIORITY), a.rt_priority) ||
	    !is(was, COL(PROCESS, PGRP), getpgid((pid_t)pid)))
		return false;
	/* with a real-time policy it is not among the attributes */
	errno = 0;
	nice = getpriority(PRIO_PROCESS, pid);
	return errno == 0 && is(was, COL(PROCESS, NICE), nice);
}
