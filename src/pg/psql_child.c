/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql_child.c - the process of a psql: how it starts and how it ends.
 *
 * Its input and output are one socket, so that writing to one that is gone
 * raises no signal.  It is alone in its session: what a terminal sends to a
 * recorder does not reach it.  When the recorder is gone it reads the end of
 * its input, and ends, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/user.h"
#include "pg/psql_int.h"

#define END_TRIES 20 /* of END_PAUSE_NS each, until it is killed */
#define END_PAUSE_NS 100000000L

/* ---- which ------------------------------------------------------------- */

bool psql_find(struct buf *path)
{
	const char *home = getenv("GPHOME"), *dirs = getenv("PATH");
	struct span all = span_str(dirs ? dirs : ""), dir;
	bool more;

	buf_reset(path);
	if (home && home[0] == '/') {
		buf_printf(path, "%s/bin/psql", home);
		if (access(buf_str(path), X_OK) == 0)
			return true;
	}
	do {
		more = scan_until(&all, ':', &dir);
		if (!more)
			dir = all;
		buf_reset(path);
		if (span_empty(dir) || *dir.ptr != '/')
			continue; /* the current directory is not for us */
		buf_add(path, dir.ptr, span_len(dir));
		buf_add_str(path, "/psql");
		if (access(buf_str(path), X_OK) == 0)
			return true;
	} while (more);
	return false;
}

/* ---- start ------------------------------------------------------------- */

extern char **environ;

static bool is_variable(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

static char *variable(const char *name, const char *value)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s=%s", name, value);
	return b.ptr;
}

/* Ours; messages in English, and the password, which must not be seen in the
 * arguments.  The caller frees the list and its last *ret_own entries. */
static char **make_environment(const char *password, size_t *ret_own)
{
	size_t n = 0, k = 0;
	char **env;

	while (environ && environ[n])
		n++;
	env = gs_calloc(n + 3, sizeof(*env));
	for (n = 0; environ && environ[n]; n++) {
		if (!is_variable(environ[n], "LC_ALL") && !(password &&
		    is_variable(environ[n], "PGPASSWORD")))
			env[k++] = environ[n];
	}
	env[k++] = variable("LC_ALL", "C");
	*ret_own = 1;
	if (password) {
		env[k++] = variable("PGPASSWORD", password);
		*ret_own = 2;
	}
	return env;
}

static void free_environment(char **env, size_t own)
{
	size_t n = 0;

	while (env[n])
		n++;
	while (own-- > 0)
		free(env[--n]);
	free(env);
}

/* In the child: calls that are safe after fork() of one thread alone.  The
 * effective user becomes the only one. */
static void GS_NORETURN become_psql(char *const *argv, char *const *env,
	int fd, int errors, long uid, long gid)
{
	static const char why[] = "psql: error: psql can't be run\n";
	sigset_t none;

	(void)signal(SIGPIPE, SIG_DFL); /* valid, as all below */
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGTERM, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setsid(); /* a child leads no group */
	if (uid >= 0 && (syscall(SYS_setresuid, -1L, 0L, -1L) != 0 ||
	    syscall(SYS_setgroups, 0L, NULL) != 0 ||
	    syscall(SYS_setresgid, gid, gid, gid) != 0 ||
	    syscall(SYS_setresuid, uid, uid, uid) != 0))
		_exit(126);
	if (dup2(fd, 0) == 0 && dup2(fd, 1) == 1 && dup2(errors, 2) == 2)
		(void)execve(argv[0], argv, env);
	(void)!write(2, why, sizeof(why) - 1); /* or else only its end shows */
	_exit(127);
}

static bool open_sockets(int pair[2], int errors[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, errors) < 0) {
		(void)close(pair[0]); /* nothing was written to them */
		(void)close(pair[1]);
		return false;
	}
	(void)fcntl(pair[0], F_SETFL, O_NONBLOCK); /* valid descriptors */
	(void)fcntl(errors[0], F_SETFL, O_NONBLOCK);
	return true;
}

int psql_start(struct psql_child *c, const char *path, const char *conninfo,
	const char *password)
{
	const char *const argv[] = { path, "-X", "-q", "-w", "-d", conninfo,
		NULL };
	bool other = getuid() == 0 && geteuid() != 0;
	uint32_t gid = other ? user_group(geteuid()) : 0;
	int pair[2], errors[2], e = 0;
	size_t own = 0;
	char **env;

	if (!open_sockets(pair, errors))
		return errno;
	env = make_environment(password, &own);
	c->pid = fork();
	if (c->pid == 0)
		become_psql((char *const *)(uintptr_t)argv, env, pair[1],
		    errors[1], other ? (long)geteuid() : -1, (long)gid);
	if (c->pid < 0)
		e = errno;
	free_environment(env, own);
	(void)close(pair[1]); /* the child's */
	(void)close(errors[1]);
	c->fd = pair[0];
	c->errors = errors[0];
	if (e != 0) {
		c->pid = 0;
		(void)close(c->fd); /* nothing was written to them */
		(void)close(c->errors);
	}
	return e;
}

/* ---- end --------------------------------------------------------------- */

void psql_interrupt(const struct psql_child *c)
{
	if (c->pid > 0)
		(void)kill(c->pid, SIGINT); /* a child that is not waited for */
}

/* It may hang in a file system: so a thread waits, which handles no signals. */
static void *wait_for(void *arg)
{
	const struct timespec pause = { .tv_nsec = END_PAUSE_NS };
	pid_t pid = (pid_t)(intptr_t)arg;
	int i;

	for (i = 0; i < END_TRIES; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return NULL;
		(void)nanosleep(&pause, NULL); /* signals are blocked */
	}
	(void)kill(pid, SIGKILL); /* a child that is not waited for yet */
	(void)waitpid(pid, NULL, 0);
	return NULL;
}

static void start_waiting(pid_t pid)
{
	pthread_t thread;
	sigset_t all, before;

	(void)sigfillset(&all); /* fails for no valid set */
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, wait_for,
		(void *)(intptr_t)pid) == 0)
		(void)pthread_detach(thread); /* it is ours and joinable */
	else
		(void)kill(pid, SIGKILL); /* init waits for it in the end */
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void psql_end(struct psql_child *c, bool busy)
{
	if (c->pid <= 0)
		return;
	if (busy)
		(void)kill(c->pid, SIGTERM); /* a child, as above */
	(void)close(c->fd); /* nothing is lost that is wanted */
	(void)close(c->errors);
	if (waitpid(c->pid, NULL, WNOHANG) == 0)
		start_waiting(c->pid);
	c->pid = 0;
}
