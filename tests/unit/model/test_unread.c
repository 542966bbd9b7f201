/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unread.h"

#include <errno.h>
#include <string.h>

#include "cases.h"

#define PTRACE "the agent needs CAP_SYS_PTRACE"
#define SEE "; see gpsnap-record(1), WHAT CAN NOT BE READ"
#define HEAP "; see gpsnap-heap(1)"

static const struct row {
	const char *name;
	const char *file;
	int error;
	uint64_t processes;
	const char *what, *remedy;
} rows[] = {
	{ "io", "io", EACCES, 28,
	    "IO of 28 processes of other users is not readable", PTRACE SEE },
	{ "one", "io", EPERM, 1,
	    "IO of 1 process of other users is not readable", PTRACE SEE },
	{ "none now", "smaps_rollup", EACCES, 0,
	    "PSS (smaps_rollup) of processes of other users is not readable",
	    PTRACE SEE },
	{ "hidden", "pids", EPERM, 0,
	    "processes of other users are not listed",
	    "/proc is mounted with hidepid: the agent needs CAP_SYS_PTRACE, or "
	    "to be in the group of the mount option gid" SEE },
	{ "taskstats", "taskstats", EPERM, 3,
	    "delays (taskstats) of 3 processes are not readable",
	    "the agent needs CAP_NET_ADMIN" SEE },
	{ "heap", "heap", EPERM, 2, "the heap of 2 processes may not be read",
	    "gpsnap-heap needs CAP_SYS_PTRACE, or their user and "
	    "kernel.yama.ptrace_scope 0" HEAP },
	{ "no jemalloc", "heap", ENOENT, 0,
	    "processes without jemalloc have no figures of the heap",
	    "no other allocator is read, and a program that has jemalloc in "
	    "itself must keep its symbols" HEAP },
	{ "no symbols", "heap", ENODATA, 0, "the heap of processes whose "
	    "jemalloc has no debug symbols is not readable",
	    "install the debug symbols of the program or library that has it, "
	    "do not strip it, or use the shared libjemalloc of the "
	    "distribution" HEAP },
	{ "no program", "heap", ENOPKG, 0,
	    "the heap of processes is not readable",
	    "gpsnap-heap is neither beside gpsnap-agent nor in PATH" HEAP },
	{ "hangs", "heap", ETIMEDOUT, 0, "the heap of processes is not "
	    "readable since gpsnap-heap did not answer",
	    "it is started again after five minutes" HEAP },
	{ "heap, otherwise", "heap", EIO, 0,
	    "heap of processes is not readable", "EIO" },
	{ "no taskstats", "taskstats", ENOENT, 0,
	    "taskstats of processes does not exist",
	    "it needs Linux: TASKSTATS, TASK_DELAY_ACCT" SEE },
	{ "filter", "netlink", EPERM, 0,
	    "delays (taskstats) are not readable: no netlink socket",
	    "a system-call filter (seccomp, RestrictAddressFamilies) or a "
	    "security module must permit AF_NETLINK" SEE },
	{ "switched off", "task_delayacct", ENODATA, 0,
	    "block IO and memory delays are not counted",
	    "sysctl kernel.task_delayacct=1, for processes started since" SEE },
	{ "bound", "cgroup_io", E2BIG, 0,
	    "of control groups on many devices, some are without figures of a "
	    "device",
	    "nothing: at most 256 of a group have a row, and 4096 of a host; "
	    "the figures of the groups are complete" },
	{ "option", "schedstat", ENOENT, 0,
	    "schedstat of processes does not exist",
	    "it needs Linux: SCHED_INFO" SEE },
	{ "version", "smaps_rollup", ENOENT, 0,
	    "smaps_rollup of processes does not exist",
	    "it needs Linux: 4.14, PROC_PAGE_MONITOR" SEE },
	{ "no option known", "statm", ENOENT, 0,
	    "statm of processes does not exist",
	    "this kernel does not have it" SEE },
	{ "no row", "statm", EACCES, 2, "statm of 2 processes is not readable",
	    PTRACE SEE },
	{ "other", "io", EIO, 2, "io of 2 processes is not readable", "EIO" },
	{ "rare", "io", 4000, 2, "io of 2 processes is not readable",
	    "errno 4000" },
};

static void sentence(void **state)
{
	const struct row *r = *state;
	const struct unread u = { span_str(r->file), (uint64_t)r->error,
		r->processes };
	struct buf b = BUF_INIT;

	unread_add_what(&u, &b);
	assert_string_equal(buf_str(&b), r->what);
	buf_reset(&b);
	unread_add_remedy(&u, &b);
	assert_string_equal(buf_str(&b), r->remedy);
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, sentence, rows);
	return cmocka_run_group_tests_name("unread", c.test, NULL, NULL);
}
