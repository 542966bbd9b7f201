/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/sysfs.h"

#include "scancase.h"

/* Finds a file of a hierarchy by its name and scans with it. */
static void with(unsigned hierarchy, const char *name, struct span t,
	struct cells c)
{
	size_t i;

	for (i = 0; i < CGROUP_FILES; i++) {
		const struct cgroup_file *f = &cgroup_files[i];

		if (f->hierarchy == hierarchy && strcmp(f->name, name) == 0) {
			f->scan(f, t, c);
			return;
		}
	}
	fail_msg("no file %s", name);
}

#define FILE_OF(fn, HIERARCHY, name)                                    \
	static void fn(struct span t, struct cells c)                   \
	{                                                               \
		with(CG_##HIERARCHY, name, t, c);                       \
	}

FILE_OF(v2_cpu, UNIFIED, "cpu.stat")
FILE_OF(v2_cpu_max, UNIFIED, "cpu.max")
FILE_OF(v2_nice, UNIFIED, "cpu.weight.nice")
FILE_OF(v2_memory, UNIFIED, "memory.current")
FILE_OF(v2_max, UNIFIED, "memory.max")
FILE_OF(v2_stat, UNIFIED, "memory.stat")
FILE_OF(v2_swap, UNIFIED, "memory.swap.current")
FILE_OF(v2_swap_events, UNIFIED, "memory.swap.events")
FILE_OF(v2_events, UNIFIED, "memory.events")
FILE_OF(v2_pids, UNIFIED, "pids.current")
FILE_OF(v2_pids_max, UNIFIED, "pids.max")
FILE_OF(v2_io, UNIFIED, "io.stat")
FILE_OF(v2_psi, UNIFIED, "memory.pressure")
FILE_OF(v2_irq, UNIFIED, "irq.pressure")
FILE_OF(v1_usage, CPUACCT, "cpuacct.usage")
FILE_OF(v1_stat, CPUACCT, "cpuacct.stat")
FILE_OF(v1_cpu, CPU, "cpu.stat")
FILE_OF(v1_quota, CPU, "cpu.cfs_quota_us")
FILE_OF(v1_memory, MEMORY, "memory.usage_in_bytes")
FILE_OF(v1_max, MEMORY, "memory.limit_in_bytes")
FILE_OF(v1_memstat, MEMORY, "memory.stat")
FILE_OF(v1_oom, MEMORY, "memory.oom_control")
FILE_OF(v1_bytes, BLKIO, "blkio.throttle.io_service_bytes")
FILE_OF(v1_ios, BLKIO, "blkio.throttle.io_serviced_recursive")

/* What celltext writes of METRIC_MAX. */
#define MAX_TEXT "18446744073709551615"

static const struct scancase cases[] = {
	{ "v2 cpu.stat", v2_cpu,
	    "usage_usec 8412\nuser_usec 1\nsystem_usec 2\n"
	    "core_sched.force_idle_usec 0\nnr_periods 3\nnr_throttled 4\n"
	    "throttled_usec 5\nnr_bursts 6\nburst_usec 7\n",
	    "cpu=8412 cpu_user=1 cpu_system=2 periods=3 throttled=4 "
	    "throttled_time=5 bursts=6 burst_time=7" },
	{ "v2 cpu.stat, no cpu controller", v2_cpu,
	    "usage_usec 8412\nuser_usec 1\nsystem_usec 2\n",
	    "cpu=8412 cpu_user=1 cpu_system=2" },
	{ "v2 no quota", v2_cpu_max, "max 100000\n",
	    "cpu_quota=" MAX_TEXT " cpu_period=100000" },
	{ "v2 quota", v2_cpu_max, "150000 100000\n",
	    "cpu_quota=150000 cpu_period=100000" },
	{ "v2 quota cut", v2_cpu_max, "150000", "" },
	{ "v2 quota, another word", v2_cpu_max, "maximum 100000\n", "" },
	{ "v2 nice", v2_nice, "-5\n", "cpu_weight_nice=-5" },
	{ "v2 memory", v2_memory, "1048576\n", "memory=1024" },
	{ "v2 no limit", v2_max, "max\n", "memory_max=" MAX_TEXT },
	{ "v2 limit", v2_max, "2097152\n", "memory_max=2048" },
	{ "v2 limit 0", v2_max, "0\n", "memory_max=0" },
	{ "v2 swap", v2_swap, "4096\n", "swap=4" },
	{ "v2 swap events", v2_swap_events, "high 3\nmax 1\nfail 2\n",
	    "swap_event_max=1 swap_event_fail=2" },
	{ "v2 events", v2_events,
	    "low 7\nhigh 8\nmax 9\noom 2\noom_kill 1\noom_group_kill 5\n",
	    "oom_kill=1 event_low=7 event_high=8 event_max=9 event_oom=2 "
	    "event_oom_group=5" },
	{ "v2 memory.stat", v2_stat,
	    "anon 8192\nfile 4096\nkernel 2048\nsock 0\n"
	    "workingset_refault_anon 3\nworkingset_refault_file 4\n"
	    "pgscan 5\npgfault 1024\n",
	    "anon=8 file=4 kernel=2 sock=0 pgfault=1024 refault_anon=3 "
	    "refault_file=4 pgscan=5" },
	{ "v2 memory.stat before 5.9", v2_stat, "workingset_refault 2048\n",
	    "refault_file=2048" },
	{ "v2 pids", v2_pids, "17\n", "pids=17" },
	{ "v2 pids limit", v2_pids_max, "max\n", "pids_max=" MAX_TEXT },
	{ "v2 io", v2_io,
	    "8:0 rbytes=4096 wbytes=1 rios=2 wios=3 dbytes=4 dios=5\n"
	    "253:1 rbytes=1 wbytes=1 rios=1 wios=1 dbytes=1 dios=1 "
	    "cost.usage=9\n",
	    "read=4097 written=2 reads=3 writes=4 discarded=5 discards=6" },
	{ "v2 io before 4.20", v2_io, "8:0 rbytes=1 wbytes=2 rios=3 wios=4\n",
	    "read=1 written=2 reads=3 writes=4" },
	{ "v2 no io yet", v2_io, "", "read=0 written=0 reads=0 writes=0" },
	{ "v2 pressure", v2_psi,
	    "some avg10=1.25 avg60=0.13 avg300=0.11 total=5030633\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
	    "psi_memory_some=5030633 psi_memory_some_avg10=125 "
	    "psi_memory_some_avg60=13 psi_memory_some_avg300=11 "
	    "psi_memory_full=0 psi_memory_full_avg10=0 "
	    "psi_memory_full_avg60=0 psi_memory_full_avg300=0" },
	{ "v2 irq", v2_irq,
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"
	    "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
	    "psi_irq_full=7 psi_irq_full_avg10=0 psi_irq_full_avg60=0 "
	    "psi_irq_full_avg300=0" },
	{ "v1 usage", v1_usage, "8412345\n", "cpu=8412" },
	{ "v1 ticks", v1_stat, "user 12\nsystem 3\n",
	    "cpu_user=120000 cpu_system=30000" },
	{ "v1 cpu.stat", v1_cpu,
	    "nr_periods 1\nnr_throttled 2\nthrottled_time 3000\n"
	    "nr_bursts 4\nburst_time 5000\n",
	    "periods=1 throttled=2 throttled_time=3 bursts=4 burst_time=5" },
	{ "v1 quota", v1_quota, "50000\n", "cpu_quota=50000" },
	{ "v1 no quota", v1_quota, "-1\n", "cpu_quota=" MAX_TEXT },
	{ "v1 memory", v1_memory, "5000\n", "memory=4" },
	{ "v1 no limit", v1_max, "9223372036854771712\n",
	    "memory_max=" MAX_TEXT },
	{ "v1 no limit, 64 KB pages", v1_max, "9223372036854710272\n",
	    "memory_max=" MAX_TEXT },
	{ "v1 limit", v1_max, "1073741824\n", "memory_max=1048576" },
	{ "v1 memory.stat", v1_memstat,
	    "cache 1\nrss 1\npgfault 1\nhierarchical_memory_limit 7\n"
	    "total_cache 8192\ntotal_rss 4096\ntotal_swap 1024\n"
	    "total_pgfault 9\n",
	    "swap=1 anon=4 file=8 pgfault=9" },
	{ "v1 oom", v1_oom, "oom_kill_disable 0\nunder_oom 0\noom_kill 6\n",
	    "oom_kill=6" },
	{ "v1 oom before 4.13", v1_oom, "oom_kill_disable 0\nunder_oom 0\n",
	    "" },
	{ "v1 io", v1_bytes,
	    "8:0 Read 4096\n8:0 Write 1\n8:0 Sync 4097\n8:0 Async 0\n"
	    "8:0 Discard 5\n8:0 Total 4102\n8:16 Read 1\n8:16 Write 0\n"
	    "8:16 Total 1\nTotal 4103\n",
	    "read=4097 written=1 discarded=5" },
	{ "v1 requests", v1_ios, "8:0 Read 4\n8:0 Write 1\nTotal 5\n",
	    "reads=4 writes=1" },
	{ "v1 io not counted", v1_ios, "Total 0\n", "" },
	{ "empty", v2_memory, "", "" },
};

/* A file's columns are those that it sets, so that its cells can be kept. */
static void columns(void **state)
{
	uint64_t can[COL_WORDS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < CGROUP_FILES; i++) {
		const struct cgroup_file *f = &cgroup_files[i];

		memset(can, 0, sizeof(can));
		cgroup_file_columns(f, can);
		assert_true(can[f->col / 64] >> (f->col % 64) & 1);
		assert_true(f->last >= f->col && f->last < NCOLS(CGROUP));
	}
}

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
	assert_true(span_eq(m.root, "/m"));
	assert_true(span_eq(m.super, "rw"));
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
	cases_add(&c, "columns of control group files", columns, NULL);
	cases_add(&c, "mountinfo", mounts, NULL);
	return cases_run(&c, "procfs sysfs");
}
