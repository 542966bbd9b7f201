/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim.c - loaded into gpsnap by LD_PRELOAD: takes the place of the function
 * that checks the first bytes of a recording, and does there what an error in
 * a reader could make gpsnap do.  GS_ATTACK names it; "all" is all that leaves
 * the process alive.  It says what came of it on the standard error output.
 *
 * System calls are made here, not by functions of libc, which may do without.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

unsigned int crc32_iscsi(unsigned char *p, int len, unsigned int crc);

#define IO_URING_SETUP 425

static long open_named(const char *variable, int flags)
{
	const char *path = getenv(variable);

	return syscall(SYS_openat, AT_FDCWD, path ? path : "", flags, 0600);
}

static long try_socket(void)
{
	return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
}

static long try_local_socket(void)
{
	return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
}

static long try_passwd(void)
{
	return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}

static long try_secret(void)
{
	return open_named("GS_SECRET", O_RDONLY);
}

static long try_elsewhere(void)
{
	return open_named("GS_ELSEWHERE", O_WRONLY | O_CREAT | O_EXCL);
}

static long try_overwrite(void)
{
	return open_named("GS_OVERWRITE", O_WRONLY);
}

static long try_truncate(void)
{
	return syscall(SYS_truncate, getenv("GS_OVERWRITE"), 1L << 20);
}

static long try_unlink(void)
{
	return syscall(SYS_unlinkat, AT_FDCWD, getenv("GS_UNLINK"), 0);
}

static long try_fork(void)
{
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(0);
	return pid;
}

static long try_signal(void)
{
	return syscall(SYS_kill, getppid(), 0);
}

static long try_code(void)
{
	return syscall(SYS_mmap, NULL, 4096L, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
}

static long try_chmod(void)
{
	return syscall(SYS_fchmodat, AT_FDCWD, getenv("GS_OVERWRITE"), 0644);
}

/* Undone at once, so that nobody gets a signal. */
static long try_owner(void)
{
	long r = syscall(SYS_fcntl, 2, F_SETOWN, (long)getppid());

	if (r == 0)
		(void)syscall(SYS_fcntl, 2, F_SETOWN, 0L);
	return r;
}

static long try_signal_number(void)
{
	long r = syscall(SYS_fcntl, 2, F_SETSIG, (long)SIGKILL);

	if (r == 0)
		(void)syscall(SYS_fcntl, 2, F_SETSIG, 0L);
	return r;
}

static long try_async(void)
{
	long flags = syscall(SYS_fcntl, 2, F_GETFL);
	long r = syscall(SYS_fcntl, 2, F_SETFL, flags | O_ASYNC);

	if (r == 0)
		(void)syscall(SYS_fcntl, 2, F_SETFL, flags);
	return r;
}

/* Where the command makes what it was asked for. */
static long try_program(void)
{
	long fd = syscall(SYS_openat, AT_FDCWD, "program",
	    O_WRONLY | O_CREAT | O_EXCL, 0700);

	if (fd >= 0)
		(void)syscall(SYS_unlinkat, AT_FDCWD, "program", 0);
	return fd;
}

/* What whoever started the command left open. */
static long try_inherited(void)
{
	const char *fd = getenv("GS_INHERITED");

	return syscall(SYS_write, fd ? atoi(fd) : -1, "x", 1L);
}

static long try_execve(void)
{
	static const char *const argv[] = { "/bin/sh", "-c",
		"echo attack execve: done >&2", NULL };

	(void)unsetenv("LD_PRELOAD");
	return syscall(SYS_execve, argv[0], argv, environ);
}

static long try_ptrace(void)
{
	return syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
}

static long try_uring(void)
{
	char params[120] = { 0 };

	return syscall(IO_URING_SETUP, 1, params);
}

static const struct {
	const char *name;
	long (*try)(void);
	int alone; /* nothing comes after it */
} attacks[] = {
	{ "socket", try_socket, 0 },
	{ "local_socket", try_local_socket, 0 },
	{ "passwd", try_passwd, 0 },
	{ "secret", try_secret, 0 },
	{ "elsewhere", try_elsewhere, 0 },
	{ "overwrite", try_overwrite, 0 },
	{ "truncate", try_truncate, 0 },
	{ "unlink", try_unlink, 0 },
	{ "fork", try_fork, 0 },
	{ "signal", try_signal, 0 },
	{ "code", try_code, 0 },
	{ "chmod", try_chmod, 0 },
	{ "owner", try_owner, 0 },
	{ "signal_number", try_signal_number, 0 },
	{ "async", try_async, 0 },
	{ "program", try_program, 0 },
	{ "inherited", try_inherited, 0 },
	{ "execve", try_execve, 1 },
	{ "ptrace", try_ptrace, 1 },
	{ "uring", try_uring, 1 },
};

static void say(const char *name, long r)
{
	char line[128];
	int n = r < 0
	    ? snprintf(line, sizeof(line), "attack %s: refused, %s\n", name,
		  strerrorname_np(errno))
	    : snprintf(line, sizeof(line), "attack %s: done\n", name);

	if (write(2, line, (size_t)n) != n)
		abort();
}

static void attack(const char *which)
{
	size_t i;

	for (i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		int named = strcmp(attacks[i].name, which) == 0;

		if (named || (strcmp(which, "all") == 0 && !attacks[i].alone))
			say(attacks[i].name, attacks[i].try());
	}
	say("over", 0);
}

unsigned int crc32_iscsi(unsigned char *p, int len, unsigned int crc)
{
	static unsigned int (*next)(unsigned char *, int, unsigned int);
	static int done;
	const char *which = getenv("GS_ATTACK");

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "crc32_iscsi");
	if (which && !done) {
		done = 1;
		attack(which);
	}
	return next(p, len, crc);
}
