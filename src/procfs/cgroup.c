/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "base/compiler.h"
#include "procfs/keys.h"
#include "procfs/sysfs.h"

/*
 * Files of control groups.  Version 2:
 *
 *   cpu.stat         usage_usec 8412, user_usec 1, system_usec 2,
 *                    nr_periods 0, nr_throttled 0, throttled_usec 0
 *   memory.max       max, or bytes
 *   memory.events    low 0, ..., oom_kill 0
 *
 * Version 1:
 *
 *   cpuacct.usage    8412345 (ns)
 *   cpuacct.stat     user 12, system 3 (clock ticks)
 *   cpu.stat         nr_periods 0, nr_throttled 0, throttled_time 0 (ns)
 *   memory.oom_control  oom_kill_disable 0, under_oom 0, oom_kill 0 (4.13)
 */
#define C(key, SYM) KEY_ROW(key, KEY_SET, COL(CGROUP, SYM))

static const struct key_row cpu_stat[] = {
	C("nr_periods", PERIODS),
	C("nr_throttled", THROTTLED),
	C("system_usec", CPU_SYSTEM),
	C("throttled_time", THROTTLED_TIME),
	C("throttled_usec", THROTTLED_TIME),
	C("usage_usec", CPU),
	C("user_usec", CPU_USER),
};

static const struct key_row cpuacct_stat[] = {
	C("system", CPU_SYSTEM),
	C("user", CPU_USER),
};

static const struct key_row events[] = {
	C("oom_kill", OOM_KILL),
};

/* Version 1 has no limit as a number of this size, a multiple of the page
 * size below 2^63. */
#define NO_LIMIT (UINT64_C(1) << 62)

static void scan_cpu_stat(struct span text, unsigned col, struct cells c)
{
	(void)col;
	keys_scan(text, ' ', cpu_stat, GS_LEN(cpu_stat), c, NULL);
}

static void scan_cpu_stat_v1(struct span text, unsigned col, struct cells c)
{
	uint64_t ns;

	scan_cpu_stat(text, col, c);
	if (cells_get(c, COL(CGROUP, THROTTLED_TIME), &ns))
		cells_set(c, COL(CGROUP, THROTTLED_TIME), ns / 1000);
}

static void ticks_to_usec(struct cells c, unsigned col)
{
	uint64_t v;
	long hz = sysconf(_SC_CLK_TCK);

	if (hz > 0 && cells_get(c, col, &v))
		cells_set(c, col, v * (1000000u / (uint64_t)hz));
}

static void scan_cpuacct_stat(struct span text, unsigned col, struct cells c)
{
	(void)col;
	keys_scan(text, ' ', cpuacct_stat, GS_LEN(cpuacct_stat), c, NULL);
	ticks_to_usec(c, COL(CGROUP, CPU_USER));
	ticks_to_usec(c, COL(CGROUP, CPU_SYSTEM));
}

static void scan_events(struct span text, unsigned col, struct cells c)
{
	(void)col;
	keys_scan(text, ' ', events, GS_LEN(events), c, NULL);
}

static void scan_number(struct span text, unsigned col, struct cells c)
{
	uint64_t v;

	if (scan_u64(&text, &v))
		cells_set(c, col, v);
}

static void scan_nsec(struct span text, unsigned col, struct cells c)
{
	uint64_t v;

	if (scan_u64(&text, &v))
		cells_set(c, col, v / 1000);
}

static void scan_bytes(struct span text, unsigned col, struct cells c)
{
	uint64_t v;

	if (scan_u64(&text, &v) && v < NO_LIMIT)
		cells_set(c, col, v / 1024);
}

const struct cgroup_file cgroup_v2_files[] = {
	{ "", "cpu.stat", scan_cpu_stat, 0 },
	{ "", "memory.current", scan_bytes, COL(CGROUP, MEMORY) },
	{ "", "memory.max", scan_bytes, COL(CGROUP, MEMORY_MAX) },
	{ "", "memory.swap.current", scan_bytes, COL(CGROUP, SWAP) },
	{ "", "memory.events", scan_events, 0 },
	{ "", "pids.current", scan_number, COL(CGROUP, PIDS) },
	{ NULL, NULL, NULL, 0 },
};

const struct cgroup_file cgroup_v1_files[] = {
	{ "cpuacct", "cpuacct.usage", scan_nsec, COL(CGROUP, CPU) },
	{ "cpuacct", "cpuacct.stat", scan_cpuacct_stat, 0 },
	{ "cpu", "cpu.stat", scan_cpu_stat_v1, 0 },
	{ "memory", "memory.usage_in_bytes", scan_bytes,
	    COL(CGROUP, MEMORY) },
	{ "memory", "memory.limit_in_bytes", scan_bytes,
	    COL(CGROUP, MEMORY_MAX) },
	{ "memory", "memory.oom_control", scan_events, 0 },
	{ "pids", "pids.current", scan_number, COL(CGROUP, PIDS) },
	{ NULL, NULL, NULL, 0 },
};
