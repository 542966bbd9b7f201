/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_traits.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define CPU_MASK_BYTES 1024 /* 8,192 CPUs */

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
