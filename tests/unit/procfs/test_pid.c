/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

#include "scancase.h"

static void stat_with(struct span t, struct cells c, int delayacct)
{
	const struct pid_stat_opt opt = { 4096, delayacct };
	struct pid_stat_more more;

	(void)pid_stat_scan(t, &opt, c, &more); /* sets nothing if cut */
}

static void stat_on(struct span t, struct cells c)
{
	stat_with(t, c, 1);
}

static void stat_off(struct span t, struct cells c)
{
	stat_with(t, c, 0);
}

static void stat_unknown(struct span t, struct cells c)
{
	stat_with(t, c, -1);
}

static void status(struct span t, struct cells c)
{
	struct span cpus;

	pid_status_scan(t, c, &cpus);
}

static void statm(struct span t, struct cells c)
{
	pid_statm_scan(t, 4096, c);
}

/* Fields 4 to 24 of a process with an address space, and 25 to 41. */
#define F4 " 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 20 -5 3 0 280975 163950592 336"
#define F4_CELLS                                                        \
	"ppid=1 pgrp=2 os_session=3 tty=4 tpgid=-1 flags=6 minflt=7 "   \
	"cminflt=8 majflt=9 cmajflt=10 utime=11 stime=12 cutime=13 "    \
	"cstime=14 priority=20 nice=-5 threads=3 vsize=160108 rss=1344"
#define F25 " 18446744073709551615 1 2 3 4 5 6 7 8 9 10 11 12 17 7 0 2"

static const struct scancase cases[] = {
	{ "stat, 44 fields", stat_on, "42 (sh) S" F4 F25 " 9 8 7\n",
	    "pid=42 start=280975 state=83 " F4_CELLS
	    " rss_limit=18446744073709551615 processor=7 rt_priority=0 "
	    "policy=2 blkio_delay=9 guest_time=8 cguest_time=7" },
	{ "stat, 41 fields", stat_on, "42 (sh) S" F4 F25 "\n",
	    "pid=42 start=280975 state=83 " F4_CELLS
	    " rss_limit=18446744073709551615 processor=7 rt_priority=0 "
	    "policy=2" },
	{ "stat, no delay accounting", stat_off,
	    "42 (sh) S" F4 F25 " 0 8 7\n",
	    "pid=42 start=280975 state=83 " F4_CELLS
	    " rss_limit=18446744073709551615 processor=7 rt_priority=0 "
	    "policy=2 guest_time=8 cguest_time=7" },
	{ "stat, delay accounting unknown, 0", stat_unknown,
	    "42 (sh) S" F4 F25 " 0 8 7\n",
	    "pid=42 start=280975 state=83 " F4_CELLS
	    " rss_limit=18446744073709551615 processor=7 rt_priority=0 "
	    "policy=2 guest_time=8 cguest_time=7" },
	{ "stat, delay accounting unknown, seen", stat_unknown,
	    "42 (sh) S" F4 F25 " 5 8 7\n",
	    "pid=42 start=280975 state=83 " F4_CELLS
	    " rss_limit=18446744073709551615 processor=7 rt_priority=0 "
	    "policy=2 blkio_delay=5 guest_time=8 cguest_time=7" },
	{ "stat, kernel thread: no memory", stat_on,
	    "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 1 0 0 20 0 1 0 5 "
	    "0 0 18446744073709551615\n",
	    "pid=2 start=5 state=83 ppid=0 pgrp=0 os_session=0 tty=0 "
	    "tpgid=-1 flags=2129984 minflt=0 cminflt=0 majflt=0 cmajflt=0 "
	    "utime=0 stime=1 cutime=0 cstime=0 priority=20 nice=0 "
	    "threads=1 rss_limit=18446744073709551615" },
	{ "stat, cut before the start time", stat_on,
	    "42 (sh) S 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 20 0 1 0", "" },
	{ "stat, not a number", stat_on,
	    "42 (sh) S 1 2 3 4 -1 x 7 8 9 10 11 12 13 14 20 0 1 0 5 0 0",
	    "" },
	{ "stat, no parenthesis", stat_on, "42 sh S" F4, "" },
	{ "stat, empty", stat_on, "", "" },
	{ "status, 6.18", status,
	    "Name:\tpostgres\nUmask:\t0077\nState:\tS (sleeping)\n"
	    "Tgid:\t2387\nPid:\t2387\nPPid:\t2143\n"
	    "Uid:\t1001\t1002\t1003\t1004\nGid:\t5\t6\t7\t8\n"
	    "Groups:\t1001 \nNStgid:\t2387\t17\nNSpid:\t2387\t4\t17\n"
	    "VmPeak:\t  170996 kB\nVmSize:\t   15188 kB\n"
	    "VmLck:\t       1 kB\nVmPin:\t       2 kB\n"
	    "VmHWM:\t    3480 kB\nVmRSS:\t    3481 kB\n"
	    "RssAnon:\t     684 kB\nRssFile:\t    2796 kB\n"
	    "RssShmem:\t       3 kB\nVmData:\t    2608 kB\n"
	    "VmStk:\t     132 kB\nVmExe:\t    5128 kB\n"
	    "VmLib:\t    2160 kB\nVmPTE:\t      68 kB\n"
	    "VmSwap:\t       4 kB\nHugetlbPages:\t       5 kB\n"
	    "Threads:\t9\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n"
	    "voluntary_ctxt_switches:\t6\n"
	    "nonvoluntary_ctxt_switches:\t2\n",
	    "uid=1001 euid=1002 gid=5 ns_pid=17 vm_peak=170996 vm_lck=1 "
	    "vm_pin=2 vm_hwm=3480 rss_anon=684 rss_file=2796 rss_shmem=3 "
	    "vm_data=2608 vm_stk=132 vm_exe=5128 vm_lib=2160 vm_pte=68 "
	    "vm_swap=4 hugetlb=5 csw_vol=6 csw_invol=2" },
	{ "status, 3.10: no RssAnon, one NSpid", status,
	    "Uid:\t0\t0\t0\t0\nNSpid:\t5\nVmHWM:\t 1 kB\nVmRSS:\t 1 kB\n"
	    "VmPMD:\t 12 kB\n", "uid=0 euid=0 vm_hwm=1 vm_pmd=12" },
	{ "status, a name that looks like a line", status,
	    "Name:\tx\\nVmHWM:\t5 kB\nUid:\t7\n", "uid=7" },
	{ "io", pid_io_scan,
	    "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\n"
	    "write_bytes: 6\ncancelled_write_bytes: 7\n",
	    "rchar=1 wchar=2 syscr=3 syscw=4 read_bytes=5 write_bytes=6 "
	    "cancelled_write_bytes=7" },
	{ "statm", statm, "3797 870 699 1282 0 652 0\n", "private=684" },
	{ "statm, shared ahead", statm, "3797 699 870 1 0 1 0\n",
	    "private=0" },
	{ "statm, no memory", statm, "0 0 0 0 0 0 0\n", "" },
	{ "smaps_rollup", pid_smaps_rollup_scan,
	    "561ed38b3000-7ffe78507000 ---p 00000000 00:00 0 [rollup]\n"
	    "Rss: 14456 kB\nPss: 1751 kB\nPss_Dirty: 1675 kB\n"
	    "Pss_Anon: 1371 kB\nPss_File: 75 kB\nPss_Shmem: 304 kB\n"
	    "Shared_Clean: 1 kB\nShared_Dirty: 2 kB\nPrivate_Clean: 3 kB\n"
	    "Private_Dirty: 4 kB\nReferenced: 5 kB\nAnonHugePages: 6 kB\n"
	    "Anonymous: 8 kB\nKSM: 9 kB\nLazyFree: 10 kB\n"
	    "ShmemPmdMapped: 11 kB\nFilePmdMapped: 12 kB\n"
	    "Shared_Hugetlb: 13 kB\nPrivate_Hugetlb: 14 kB\nSwap: 15 kB\n"
	    "SwapPss: 7 kB\nLocked: 16 kB\n",
	    "pss=1751 pss_anon=1371 pss_file=75 pss_shmem=304 "
	    "private_clean=3 private_dirty=4 shared_clean=1 shared_dirty=2 "
	    "referenced=5 anon_huge=6 swap_pss=7 smaps_rss=14456 "
	    "pss_dirty=1675 anonymous=8 ksm=9 lazy_free=10 shmem_huge=11 "
	    "file_huge=12 shared_hugetlb=13 private_hugetlb=14 "
	    "smaps_swap=15 pss_locked=16" },
	{ "smaps, the stack only", pid_smaps_stack_scan,
	    "00400000-004f4000 r-xp 00000000 fd:00 1 /bin/[stack]x\n"
	    "Size: 1 kB\nReferenced: 1 kB\nVmFlags: rd ex\n"
	    "7ffc8b5e1000-7ffc8b602000 rw-p 00000000 00:00 0 [stack]\n"
	    "Size: 132 kB\nRss: 9 kB\nReferenced: 40 kB\nVmFlags: rd wr\n"
	    "7ffc8b6f0000-7ffc8b6f4000 r--p 00000000 00:00 0 [vvar]\n"
	    "Size: 16 kB\nReferenced: 16 kB\n",
	    "stack_size=132 stack_ref=40" },
	{ "smaps, no stack", pid_smaps_stack_scan,
	    "00400000-004f4000 r-xp 00000000 fd:00 1 /bin/x\nSize: 1 kB\n",
	    "" },
};

static void one(void **state)
{
	scancase_run(*state, ENTITY_PROCESS);
}

struct comm {
	const char *name; /* the text between pid and state */
	const char *comm; /* NULL: no stat line */
};

static const struct comm comms[] = {
	{ "1 (postgres) S", "postgres" },
	{ "1 () S", "" },
	{ "1 (a b) S", "a b" },
	{ "1 (:-) :-)) S", ":-) :-)" },
	{ "1 (x) R 1 (y) S", "x) R 1 (y" },
	{ "1 (line\nbreak) S", "line\nbreak" },
	{ "1 (\xff\xfe) S", "\xff\xfe" },
	{ "1 (kworker/u8:3-events_unbound) S", "kworker/u8:3-events_unbound" },
	{ "1 (x)S", NULL },
	{ "1 (x S", NULL },
	{ "(x) S", NULL },
};

static void comm(void **state)
{
	const struct comm *k = *state;
	const struct pid_stat_opt opt = { 4096, 1 };
	struct cells c = cells_new(ENTITY_PROCESS);
	struct buf b = BUF_INIT;
	struct pid_brief brief;
	struct pid_stat_more more;

	buf_printf(&b, "%s" F4 F25 " 0 0 0\n", k->name);
	assert_int_equal(pid_stat_scan(span_str(b.ptr), &opt, c, &more),
	    k->comm != NULL);
	assert_int_equal(pid_stat_brief(span_str(b.ptr), &brief),
	    k->comm != NULL);
	if (k->comm) {
		assert_true(span_eq(more.comm, k->comm));
		assert_true(span_eq(brief.comm, k->comm));
		assert_true(span_eq(more.image, " 1 2 3"));
		assert_true(span_eq(brief.image, " 1 2 3"));
		assert_int_equal(brief.pid, 1);
		assert_int_equal(brief.ppid, 1);
		assert_int_equal(brief.flags, 6);
		assert_int_equal(brief.cpu, 23);
		assert_int_equal(brief.start, 280975);
		assert_int_equal(brief.state, 'S');
	}
	cells_free(c);
	buf_release(&b);
}

struct groups_of {
	const char *name, *main, *cpu, *memory;
};

static const struct groups_of cgroups[] = {
	{ "0::/user.slice\n", "/user.slice", "/user.slice", "/user.slice" },
	{ "0::/\n", "/", "/", "/" },
	{ "4:memory:/m\n3:cpu,cpuacct:/c\n0::/u\n", "/u", "/c", "/m" },
	{ "3:cpu,cpuacct:/c\n4:memory:/m\n0::/\n", "/m", "/c", "/m" },
	{ "5:devices:/d\n3:cpuacct,cpu:/c\n4:memory:/\n0::/\n", "/c", "/c",
	    "/" },
	{ "5:devices:/d\n3:cpuset:/c\n", "/d", "", "" },
	/* the memory controller is in the unified hierarchy */
	{ "3:cpu:/c\n0::/u\n", "/u", "/c", "/u" },
	{ "3:cpuacct:/a\n0::/u\n", "/u", "/u", "/u" },
	{ "9:name=systemd:/s\n4:memory:/\n", "/s", "", "/" },
	{ "5:devices:/\n4:memory:/\n", "/", "", "/" },
	{ "4:memory:/a:b c\n", "/a:b c", "", "/a:b c" },
	{ "4:memory\n\n4\n", "", "", "" },
	{ "", "", "", "" },
};

static void cgroup(void **state)
{
	const struct groups_of *k = *state;
	struct pid_cgroups in = pid_cgroup_scan(span_str(k->name));

	assert_true(span_eq(in.main, k->main));
	assert_true(span_eq(in.cpu, k->cpu));
	assert_true(span_eq(in.memory, k->memory));
}

static void schedstat(void **state)
{
	uint64_t v[3] = { 9, 9, 9 };

	(void)state;
	assert_false(pid_schedstat_scan(span_str("1 2"), v));
	assert_false(pid_schedstat_scan(span_str(""), v));
	assert_int_equal(v[0], 9);
	assert_true(pid_schedstat_scan(span_str("19935232 84487 45\n"), v));
	assert_int_equal(v[0], 19935232);
	assert_int_equal(v[1], 84487);
	assert_int_equal(v[2], 45);
}

struct line {
	const char *name;
	size_t len;
	const char *joined;
	const char *dir; /* NULL: none */
};

#define L(text) text, sizeof(text) - 1

static const struct line lines[] = {
	{ L("a\0b\0"), "a b", NULL },
	{ L("postgres: idle\0\0\0\0"), "postgres: idle", NULL },
	{ L("postgres: x   \0\0"), "postgres: x   ", NULL },
	{ L(""), "", NULL },
	{ L("\0\0\0"), "", NULL },
	{ L("a\0\0b\0"), "a  b", NULL },
	{ L("pg\0-D\0/data/x\0-p\0" "1\0"), "pg -D /data/x -p 1", "/data/x" },
	{ L("pg\0-D/data/y"), "pg -D/data/y", "/data/y" },
	{ L("pg\0-D"), "pg -D", NULL },
	{ L("pg\0-D\0\0"), "pg -D", NULL },
	{ L("pg\0-c\0data_directory=/z\0"), "pg -c data_directory=/z", "/z" },
	{ L("pg\0--data_directory=/w\0"), "pg --data_directory=/w", "/w" },
	{ L("-D\0/first is the program\0"), "-D /first is the program",
	    NULL },
};

static void cmdline(void **state)
{
	const struct line *k = *state;
	char *p = malloc(k->len + 1);
	struct span dir;
	size_t n;

	memcpy(p, k->name, k->len);
	assert_int_equal(pid_cmdline_data_dir(span_of(p, k->len), &dir),
	    k->dir != NULL);
	if (k->dir)
		assert_true(span_eq(dir, k->dir));
	n = pid_cmdline_join(p, k->len);
	assert_int_equal(n, strlen(k->joined));
	assert_memory_equal(p, k->joined, n);
	free(p);
}

static void environ_value(void **state)
{
	static const char env[] = "PGDATAX=/no\0HOME=/root\0PGDATA=/d\0X=";
	struct span v;

	(void)state;
	assert_true(pid_environ_get(span_of(env, sizeof(env) - 1), "PGDATA",
	    &v));
	assert_true(span_eq(v, "/d"));
	assert_false(pid_environ_get(span_of(env, sizeof(env) - 1), "X", &v));
	assert_false(pid_environ_get(span_of(env, sizeof(env) - 1), "PG",
	    &v));
	assert_false(pid_environ_get(span_of(env, 0), "PGDATA", &v));
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, one, cases);
	CASES_TABLE(&c, comm, comms);
	CASES_TABLE(&c, cgroup, cgroups);
	CASES_TABLE(&c, cmdline, lines);
	cases_add(&c, "schedstat", schedstat, NULL);
	cases_add(&c, "environ", environ_value, NULL);
	return cases_run(&c, "procfs pid");
}
