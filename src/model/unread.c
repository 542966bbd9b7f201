/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unread.h"

#include <errno.h>
#include <inttypes.h>

#include "base/compiler.h"
#include "metric/needs.h"

#define SEE "; see gpsnap-record(1), WHAT CAN NOT BE READ"
#define PTRACE "the agent needs CAP_SYS_PTRACE" SEE
#define HIDEPID "/proc is mounted with hidepid: the agent needs " \
	"CAP_SYS_PTRACE, or to be in the group of the mount option gid" SEE

#define HEAP_PAGE "; see gpsnap-heap(1)"
#define AGAIN "it is started again after five minutes" HEAP_PAGE

/* What can not be read: a file, what it tells, what helps.  %: the number of
 * processes.  Error 0: for lack of a privilege. */
static const struct remedy {
	const char *file, *what, *remedy;
	uint64_t error;
} known[] = {
	{ "io", "IO of % of other users is not readable", PTRACE, 0 },
	{ "smaps_rollup", "PSS (smaps_rollup) of % of other users is not "
	    "readable", PTRACE, 0 },
	{ "smaps", "the stack (smaps) of % of other users is not readable",
	    PTRACE, 0 },
	{ "fd", "the number of descriptors of % of other users is not "
	    "readable", PTRACE, 0 },
	{ "stat", "nothing of % of other users is readable", HIDEPID, 0 },
	{ "pids", "processes of other users are not listed", HIDEPID, 0 },
	{ "taskstats", "delays (taskstats) of % are not readable",
	    "the agent needs CAP_NET_ADMIN" SEE, 0 },
	{ "heap", "the heap of % may not be read", "gpsnap-heap needs "
	    "CAP_SYS_PTRACE, or their user and kernel.yama.ptrace_scope 0"
	    HEAP_PAGE, 0 },
	{ "heap", "processes without jemalloc have no figures of the heap",
	    "no other allocator is read, and a program that has jemalloc in "
	    "itself must keep its symbols" HEAP_PAGE, ENOENT },
	{ "heap", "the heap of processes whose jemalloc has no debug symbols "
	    "is not readable", "install the debug symbols of the program or "
	    "library that has it, do not strip it, or use the shared "
	    "libjemalloc of the distribution" HEAP_PAGE, ENODATA },
	{ "heap", "the heap of processes of another architecture is not "
	    "readable", "only those of 64 bits, as the agent, are" HEAP_PAGE,
	    ENOEXEC },
	{ "heap", "the heap of processes that did not stop is not readable",
	    "a debugger may hold them, or the kernel works for them"
	    HEAP_PAGE, EBUSY },
	{ "heap", "the heap of processes is not readable", "gpsnap-heap is "
	    "neither beside gpsnap-agent nor in PATH" HEAP_PAGE, ENOPKG },
	{ "heap", "the heap of processes is not readable since gpsnap-heap "
	    "ended", AGAIN, EPIPE },
	{ "heap", "the heap of processes is not readable since gpsnap-heap "
	    "did not answer", AGAIN, ETIMEDOUT },
};

/* The same, whatever the error is. */
static const struct remedy others[] = {
	{ "netlink", "delays (taskstats) are not readable: no netlink socket",
	    "a system-call filter (seccomp, RestrictAddressFamilies) or a "
	    "security module must permit AF_NETLINK" SEE, 0 },
	{ "task_delayacct", "block IO and memory delays are not counted",
	    "sysctl kernel.task_delayacct=1, for processes started since" SEE, 0 },
	{ "cgroup_io", "of control groups on many devices, some are without "
	    "figures of a device", "nothing: at most 256 of a group have a row, "
	    "and 4096 of a host; the figures of the groups are complete", 0 },
};

static bool is_denied(uint64_t error)
{
	return error == EACCES || error == EPERM;
}

static const struct remedy *find(const struct unread *u)
{
	size_t i;

	for (i = 0; i < GS_LEN(others); i++) {
		if (span_eq(u->file, others[i].file))
			return &others[i];
	}
	for (i = 0; i < GS_LEN(known); i++) {
		bool fits = known[i].error == 0 ? is_denied(u->error)
		                                : u->error == known[i].error;

		if (fits && span_eq(u->file, known[i].file))
			return &known[i];
	}
	return NULL;
}

static void add_processes(uint64_t n, struct buf *to)
{
	if (n == 0)
		buf_add_str(to, "processes");
	else
		buf_printf(to, "%" PRIu64 " process%s", n,
		    n == 1 ? "" : "es");
}

void unread_add_error(uint64_t error, struct buf *to)
{
	static const struct {
		uint64_t error;
		const char *name;
	} names[] = { { EACCES, "EACCES" }, { EPERM, "EPERM" },
		{ ENOENT, "ENOENT" }, { EIO, "EIO" }, { EINVAL, "EINVAL" },
		{ E2BIG, "E2BIG" }, { EMFILE, "EMFILE" }, { ENFILE, "ENFILE" },
		{ ENOMEM, "ENOMEM" }, { EFBIG, "EFBIG" },
		{ ENODATA, "ENODATA" }, { ENOEXEC, "ENOEXEC" },
		{ EBUSY, "EBUSY" }, { ENOPKG, "ENOPKG" }, { EPIPE, "EPIPE" },
		{ ETIMEDOUT, "ETIMEDOUT" }, { EPROTO, "EPROTO" },
		{ EAFNOSUPPORT, "EAFNOSUPPORT" } };
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		if (names[i].error == error) {
			buf_add_str(to, names[i].name);
			return;
		}
	}
	buf_printf(to, "errno %" PRIu64, error);
}

void unread_add_what(const struct unread *u, struct buf *to)
{
	const struct remedy *r = find(u);
	const char *p;

	for (p = r ? r->what : ""; *p; p++) {
		if (*p == '%')
			add_processes(u->processes, to);
		else
			buf_add_char(to, *p);
	}
	if (r)
		return;
	buf_add(to, u->file.ptr, span_len(u->file));
	if (u->error == ENOENT) {
		buf_add_str(to, " of processes does not exist");
		return;
	}
	buf_add_str(to, " of ");
	add_processes(u->processes, to);
	buf_add_str(to, " is not readable");
}

/* The options of the kernel that has the file. */
static const char *kernel_of(struct span file)
{
	int s;

	for (s = 0; s < SOURCE_COUNT; s++) {
		if (span_eq(file, metric_source_path((enum metric_source)s)))
			return needs_of_source((enum metric_source)s);
	}
	return "";
}

void unread_add_remedy(const struct unread *u, struct buf *to)
{
	const struct remedy *r = find(u);
	const char *kernel = kernel_of(u->file);

	if (r)
		buf_add_str(to, r->remedy);
	else if (u->error == ENOENT && *kernel)
		buf_printf(to, "it needs Linux: %s" SEE, kernel);
	else if (u->error == ENOENT)
		buf_add_str(to, "this kernel does not have it" SEE);
	else if (is_denied(u->error))
		buf_add_str(to, PTRACE);
	else
		unread_add_error(u->error, to);
}
