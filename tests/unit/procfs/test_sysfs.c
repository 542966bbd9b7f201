/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/sysfs.h"

#include "scancase.h"

/* Finds a file of a version by its name and scans with it. */
static void with(const struct cgroup_file *files, const char *name,
	struct span t, struct cells c)
{
	for (; files->name; files++) {
		if (strcmp(files->name, name) == 0) {
			files->scan(t, files->col, c);
			return;
		}
	}
	fail_msg("no file %s", name);
}

#define FILE_OF(fn, version, name)                                      \
	static void fn(struct span t, struct cells c)                   \
	{                                                               \
		with(cgroup_##version##_files, name, t, c);             \
	}

FILE_OF(v2_cpu, v2, "cpu.stat")
FILE_OF(v2_memory, v2, "memory.current")
FILE_OF(v2_max, v2, "memory.max")
FILE_OF(v2_swap, v2, "memory.swap.current")
FILE_OF(v2_events, v2, "memory.events")
FILE_OF(v2_pids, v2, "pids.current")
FILE_OF(v1_usage, v1, "cpuacct.usage")
FILE_OF(v1_stat, v1, "cpuacct.stat")
FILE_OF(v1_cpu, v1, "cpu.stat")
FILE_OF(v1_memory, v1, "memory.usage_in_bytes")
FILE_OF(v1_max, v1, "memory.limit_in_bytes")
FILE_OF(v1_oom, v1, "memory.oom_control")

static const struct scancase cases[] = {
	{ "v2 cpu.stat", v2_cpu,
	    "usage_usec 8412\nuser_usec 1\nsystem_usec 2\n"
	    "core_sched.force_idle_usec 0\nnr_periods 3\nnr_throttled 4\n"
	    "throttled_usec 5\nnr_bursts 0\nburst_usec 0\n",
	    "cpu=8412 cpu_user=1 cpu_system=2 periods=3 throttled=4 "
	    "throttled_time=5" },
	{ "v2 cpu.stat, no cpu controller", v2_cpu,
	    "usage_usec 8412\nuser_usec 1\nsystem_usec 2\n",
	    "cpu=8412 cpu_user=1 cpu_system=2" },
	{ "v2 memory", v2_memory, "1048576\n", "memory=1024" },
	{ "v2 no limit", v2_max, "max\n", "" },
	{ "v2 limit", v2_max, "2097152\n", "memory_max=2048" },
	{ "v2 swap", v2_swap, "4096\n", "swap=4" },
	{ "v2 events", v2_events,
	    "low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 5\n",
	    "oom_kill=1" },
	{ "v2 pids", v2_pids, "17\n", "pids=17" },
	{ "v1 usage", v1_usage, "8412345\n", "cpu=8412" },
	{ "v1 ticks", v1_stat, "user 12\nsystem 3\n",
	    "cpu_user=120000 cpu_system=30000" },
	{ "v1 cpu.stat", v1_cpu,
	    "nr_periods 1\nnr_throttled 2\nthrottled_time 3000\n",
	    "periods=1 throttled=2 throttled_time=3" },
	{ "v1 memory", v1_memory, "5000\n", "memory=4" },
	{ "v1 no limit", v1_max, "9223372036854771712\n", "" },
	{ "v1 limit", v1_max, "1073741824\n", "memory_max=1048576" },
	{ "v1 oom", v1_oom, "oom_kill_disable 0\nunder_oom 0\noom_kill 6\n",
	    "oom_kill=6" },
	{ "v1 oom before 4.13", v1_oom, "oom_kill_disable 0\nunder_oom 0\n",
	    "" },
	{ "empty", v2_memory, "", "" },
};

static void one(void **state)
{
	scancase_run(*state, ENTITY_CGROUP);
}

static void mounts(void **state)
{
	struct span t = span_str(
	    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
	    "garbage\n36 35 98 / /x rw - ext3 /dev/x rw\n"
	    "36 35 98:1 /m /mnt/a\\040b rw master:1 shared:2 - ext4 "
	    "/dev/mapper/vg-lv rw\n37 35 8:1 / /cut rw -");
	struct buf path = BUF_INIT;
	struct mount m;

	(void)state;
	assert_true(mountinfo_next(&t, &m));
	assert_true(span_eq(m.point, "/proc"));
	assert_true(span_eq(m.type, "proc"));
	assert_true(mountinfo_next(&t, &m));
	assert_int_equal(m.major, 98);
	assert_int_equal(m.minor, 1);
	assert_true(span_eq(m.source, "/dev/mapper/vg-lv"));
	assert_true(span_eq(m.type, "ext4"));
	mountinfo_unescape(m.point, &path);
	assert_string_equal(path.ptr, "/mnt/a b");
	assert_false(mountinfo_next(&t, &m));
	buf_reset(&path);
	mountinfo_unescape(span_str("\\134\\08\\12"), &path);
	assert_string_equal(path.ptr, "\\\\08\\12");
	buf_release(&path);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, one, cases);
	cases_add(&c, "mountinfo", mounts, NULL);
	return cases_run(&c, "procfs sysfs");
}
