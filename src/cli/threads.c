/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/threads.h"

#include <sched.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "cli/memory.h"

/* CPUs of this process that the last minute left idle. */
static int64_t idle_cpus(void)
{
	cpu_set_t set;
	double load = 0;
	int64_t n = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = CPU_COUNT(&set);
	if (getloadavg(&load, 1) == 1)
		n -= (int64_t)GS_MIN(load + 0.5, (double)n);
	return GS_MAX(n, 1);
}

size_t threads_begin(int64_t asked, size_t most, size_t each_bytes)
{
	int64_t n = asked > 0 ? asked : idle_cpus();
	size_t threads = GS_MIN((size_t)n, most);

	memory_add((threads - 1) * each_bytes);
	return threads;
}
