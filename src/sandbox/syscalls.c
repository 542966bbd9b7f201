/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscalls.c - the list of allowed system calls.
 *
 * Other calls have one of three results.
 *
 * Calls that are never made by mistake - starting a program, reading another
 * process, mounting, loading into the kernel - kill the process: an attacker
 * has control, and must not get a second try.
 *
 * Calls that a library may try for good reasons - a socket to nscd, a new
 * process - fail with EPERM, as for a user without the right.
 *
 * All others fail with ENOSYS, which libc takes as an older kernel: it does
 * without, or in the older way.  That includes future system calls.
 */
#include "sandbox/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include <seccomp.h>

#include "base/compiler.h"
#include "sandbox/rights.h"
#include "sandbox/sanitizer.h"

/* libseccomp's functions take numbers as int, and uint32_t for actions. */
struct filter {
	scmp_filter_ctx ctx;
	int r; /* the first failure */
};

/* ---- the lists --------------------------------------------------------- */

/* The most frequent ones first: the filter checks them in this order. */
static const char *const always[] = {
	"read", "pread64", "write", "writev", "futex", "brk", "munmap",
	"close", "lseek", "fstat", "newfstatat", "madvise",
	"mremap", "clock_gettime", "poll", "ppoll", "readv", "preadv",
	"pwrite64", "pwritev", "_llseek", "stat", "lstat", "statx",
	"stat64", "lstat64", "fstat64", "fstatat64", "access",
	"faccessat", "faccessat2", "readlink", "readlinkat", "getdents",
	"getdents64", "flock", "fadvise64", "dup", "dup2", "dup3",
	"getcwd", "statfs", "fstatfs", "futex_time64", "set_robust_list",
	"get_robust_list", "rseq", "membarrier", "sched_yield",
	"sched_getaffinity", "rt_sigaction", "rt_sigprocmask",
	"rt_sigreturn", "rt_sigtimedwait", "rt_sigtimedwait_time64",
	"rt_sigpending", "rt_sigsuspend", "sigaltstack", "sigreturn",
	"restart_syscall", "getpid", "gettid", "getppid", "getuid",
	"geteuid", "getgid", "getegid", "getpgrp", "getpgid",
	"clock_gettime64", "clock_getres", "clock_nanosleep",
	"clock_nanosleep_time64", "nanosleep", "gettimeofday", "time",
	"times", "getrusage", "ppoll_time64", "select", "_newselect",
	"pselect6", "getrandom", "uname", "sysinfo", "getrlimit",
	"ugetrlimit", "exit", "exit_group",
};

/* To create and rename files.  Landlock limits where. */
static const char *const making[] = {
	"fsync", "fdatasync", "ftruncate", "ftruncate64", "fallocate",
	"unlink", "unlinkat", "rename", "renameat", "renameat2", "link",
	"linkat",
};

/* On open sockets: no socket() and no connect(). */
static const char *const talking[] = {
	"sendto", "recvfrom", "sendmsg", "recvmsg", "getsockopt",
	"setsockopt", "getsockname", "getpeername", "shutdown",
};

static const char *const waiting[] = { "wait4", "waitid" };

/* LeakSanitizer checks for leaks from a separate process, which stops this one
 * as a debugger would.  A build with sanitizers is for tests; it can't refuse
 * this. */
static const char *const sanitizing[] = {
	"clone", "ptrace", "wait4", "prctl", "kill", "tgkill", "mprotect",
	"mmap", "setrlimit", "prlimit64", "sched_setaffinity", "process_vm_readv",
};

static const char *const killing[] = {
	"execve", "execveat", "ptrace", "process_vm_readv",
	"process_vm_writev", "pidfd_getfd", "bpf", "perf_event_open",
	"userfaultfd", "io_uring_setup", "keyctl", "add_key", "request_key",
	"mount", "umount", "umount2", "move_mount", "open_tree", "fsopen",
	"pivot_root", "chroot", "setns", "unshare", "init_module",
	"finit_module", "delete_module", "kexec_load", "kexec_file_load",
	"open_by_handle_at", "iopl", "ioperm", "modify_ldt", "reboot",
	"swapon", "swapoff", "setuid", "setgid", "setreuid", "setregid",
	"setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid",
	"capset",
};

/* Of commands without threads; of others, new processes get ENOSYS. */
static const char *const beginning[] = { "clone" };

/* The same of commands that do not change these of files that are open. */
static const char *const changing[] = { "fchmod", "fchown", "utimensat" };

static const char *const refusing[] = {
	"socket", "socketpair", "connect", "bind", "listen", "accept",
	"accept4", "fork", "vfork", "chmod",
	"fchmodat", "chown", "lchown", "fchownat", "mkdir",
	"mkdirat", "rmdir", "mknod", "mknodat", "symlink", "symlinkat",
	"truncate", "setxattr", "lsetxattr", "fsetxattr",
	"prctl", "sched_setscheduler", "setpriority", "shmget", "msgget",
	"semget", "mq_open", "setsid", "setpgid",
};

/* ioctls of a terminal and a pipe; not TIOCSTI, which could type into the shell
 * that runs next. */
static const unsigned long asking[] = {
	TCGETS, TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGWINSZ, TIOCGPGRP,
	FIONREAD,
	0x802c542a, /* TCGETS2, of newer libcs */
};

/* Commands of fcntl(); not F_SETOWN and F_SETSIG, by which the owner of one end
 * of a pipe could choose a process to send a signal to. */
static const int handling[] = {
	F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GETLK,
	F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
	F_GETPIPE_SZ,
};

/* ---- rules ------------------------------------------------------------- */

/* Calls that this architecture, or this libseccomp, does not have are left
 * out. */
static bool find(const char *name, int *ret)
{
	*ret = seccomp_syscall_resolve_name(name);
	return *ret != __NR_SCMP_ERROR && *ret >= 0;
}

static void note(struct filter *f, int r)
{
	if (f->r == 0 && r < 0)
		f->r = r;
}

static void add_names(struct filter *f, uint32_t action,
	const char *const *name, size_t n)
{
	size_t i;
	int nr, r;

	for (i = 0; i < n; i++) {
		if (!find(name[i], &nr))
			continue;
		r = seccomp_rule_add(f->ctx, action, nr, 0);
		/* it has another rule already, on purpose */
		if (r != -EEXIST)
			note(f, r);
	}
}

/* (argument & mask) == value */
static struct scmp_arg_cmp where(unsigned arg, uint64_t mask, uint64_t value)
{
	return (struct scmp_arg_cmp) { .arg = arg, .op = SCMP_CMP_MASKED_EQ,
		.datum_a = mask, .datum_b = value };
}

/* Allows a call if all n arguments match. */
static void add_where(struct filter *f, const char *name,
	const struct scmp_arg_cmp *cmp, unsigned n)
{
	int nr;

	if (find(name, &nr))
		note(f, seccomp_rule_add_array(f->ctx, SCMP_ACT_ALLOW, nr, n,
		    cmp));
}

static void add_if(struct filter *f, const char *name, unsigned arg,
	uint64_t mask, uint64_t value)
{
	const struct scmp_arg_cmp cmp = where(arg, mask, value);

	add_where(f, name, &cmp, 1);
}

#define ALL_BITS UINT32_MAX /* of an int */

#define FOR_EXECUTION UINT64_C(07111) /* of a mode */

/* Only a new file that is no program.  The mode is the argument after the
 * flags. */
static void add_making(struct filter *f, const char *name, unsigned flags,
	uint64_t unnamed)
{
	const uint64_t fresh = O_CREAT | O_EXCL;
	const struct scmp_arg_cmp cmp[] = {
		where(flags, fresh | unnamed, fresh),
		where(flags + 1, FOR_EXECUTION, 0),
	};

	add_where(f, name, cmp, GS_LEN(cmp));
}

/* Allows opening to read; and to create, if may_make. */
static void add_open(struct filter *f, bool may_make)
{
	static const struct {
		const char *name;
		unsigned flags;
	} opens[] = { { "open", 1 }, { "openat", 2 } };
	const uint64_t unnamed = O_TMPFILE & ~(uint64_t)O_DIRECTORY;
	size_t i;

	for (i = 0; i < GS_LEN(opens); i++) {
		add_if(f, opens[i].name, opens[i].flags, O_ACCMODE | O_CREAT |
		    O_TRUNC | unnamed, O_RDONLY);
		if (may_make)
			add_making(f, opens[i].name, opens[i].flags, unnamed);
	}
}

/* No executable memory: all libraries are loaded. */
static void add_memory(struct filter *f)
{
	add_if(f, "mmap", 2, PROT_EXEC, 0);
	add_if(f, "mmap2", 2, PROT_EXEC, 0);
	add_if(f, "mprotect", 2, PROT_EXEC, 0);
}

/* A process may end, stop and limit itself. */
static void add_own(struct filter *f)
{
	const uint64_t self = (uint64_t)getpid();

	add_if(f, "kill", 0, ALL_BITS, self);
	add_if(f, "tgkill", 0, ALL_BITS, self);
	add_if(f, "tkill", 0, ALL_BITS, self);
	add_if(f, "prlimit64", 0, ALL_BITS, 0);
}

static void add_asking(struct filter *f)
{
	size_t i;

	for (i = 0; i < GS_LEN(asking); i++)
		add_if(f, "ioctl", 1, ALL_BITS, asking[i]);
}

/* A pipe or socket may be set to O_NONBLOCK, not to O_ASYNC (signals). */
static void add_handling(struct filter *f)
{
	static const char *const names[] = { "fcntl", "fcntl64" };
	const struct scmp_arg_cmp silent[] = {
		where(1, ALL_BITS, F_SETFL), where(2, O_ASYNC, 0),
	};
	size_t i, k;

	for (i = 0; i < GS_LEN(names); i++) {
		for (k = 0; k < GS_LEN(handling); k++)
			add_if(f, names[i], 1, ALL_BITS, (uint64_t)handling[k]);
		add_where(f, names[i], silent, GS_LEN(silent));
	}
}

/* As pthread_create() of glibc and musl: a thread of this process, which shares
 * all that it has, not a new process or namespace.  clone3(), whose flags can't be
 * seen, has no rule: libc takes this call then. */
#define THREAD_FLAGS UINT64_C(0x3d0f00)
#define THREAD_DETACHED UINT64_C(0x400000) /* musl; without effect */

static void add_threads(struct filter *f)
{
#if defined(__s390__) || defined(__s390x__)
	const unsigned flags = 1;
#else
	const unsigned flags = 0;
#endif

	add_if(f, "clone", flags, ~THREAD_DETACHED, THREAD_FLAGS);
}

/* An open file may get times, a mode without execution, and another group of the
 * user's; not by a path, which Landlock would not limit. */
static void add_keeping(struct filter *f)
{
	add_if(f, "fchmod", 1, FOR_EXECUTION, 0);
	add_if(f, "fchown", 1, ALL_BITS, ALL_BITS);
	add_if(f, "utimensat", 1, UINT64_MAX, 0);
}

#define ADD(f, action, list) add_names(f, action, list, GS_LEN(list))

static uint32_t kill_action(void)
{
	return seccomp_api_get() >= 3 ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_KILL;
}

/* The first rule of a call wins, so rules for sanitizers come before those that
 * refuse the call. */
static void add_all(struct filter *f, unsigned needs, bool may_make)
{
	ADD(f, SCMP_ACT_ALLOW, always);
	add_open(f, may_make);
	if (HAS_SANITIZER)
		ADD(f, SCMP_ACT_ALLOW, sanitizing);
	else
		add_memory(f);
	if (!HAS_SANITIZER)
		add_own(f);
	add_asking(f);
	add_handling(f);
	if (may_make)
		ADD(f, SCMP_ACT_ALLOW, making);
	if (!HAS_SANITIZER && (needs & SANDBOX_THREADS))
		add_threads(f);
	else
		ADD(f, SCMP_ACT_ERRNO(EPERM), beginning);
	if (needs & SANDBOX_TALKS)
		ADD(f, SCMP_ACT_ALLOW, talking);
	if (needs & SANDBOX_WAITS)
		ADD(f, SCMP_ACT_ALLOW, waiting);
	if (needs & SANDBOX_KEEPS)
		add_keeping(f);
	else
		ADD(f, SCMP_ACT_ERRNO(EPERM), changing);
	ADD(f, SCMP_ACT_ERRNO(EPERM), refusing);
	ADD(f, kill_action(), killing);
}

/* libseccomp returns its own error codes for those of the kernel. */
static int load(scmp_filter_ctx ctx)
{
	int r;

	errno = 0;
	r = seccomp_load(ctx);
	return r < 0 && errno ? -errno : r;
}

int syscalls_restrict(unsigned needs, bool may_make)
{
	struct filter f = { .ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS)) };

	if (!f.ctx)
		return -ENOMEM;
	/* a mitigation that costs time, for programs that run untrusted code */
#if SCMP_VER_MAJOR > 2 || (SCMP_VER_MAJOR == 2 && SCMP_VER_MINOR >= 5)
	(void)seccomp_attr_set(f.ctx, SCMP_FLTATR_CTL_SSB, 1);
#endif
	add_all(&f, needs, may_make);
	if (f.r == 0)
		f.r = load(f.ctx);
	seccomp_release(f.ctx);
	return f.r;
}
