/* SPDX-License-Identifier: Apache-2.0 */
#include "web/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/* How gpsnap ends, of cli/console.h. */
enum { ENDS_DONE = 0, ENDS_GAPS = 1, ENDS_NOTHING = 3, ENDS_USAGE = 64 };

static int64_t now_ms(void)
{
	return gs_clock_mono_ns() / GS_NSEC_PER_MSEC;
}

/* ---- start ------------------------------------------------------------- */

static void limit(pid_t pid, int what, uint64_t soft)
{
	const struct rlimit l = { soft, soft };

	/* it may have ended already */
	(void)prlimit(pid, (enum __rlimit_resource)what, &l, NULL);
}

static int spawn(struct job *j, char *const argv[], int said)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, all;
	int r;

	(void)sigemptyset(&none); /* valid arguments, all of them */
	(void)sigfillset(&all);
	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawn_file_actions_addopen(&files, 0, "/dev/null",
	    O_RDONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&files, j->out, 1);
	(void)posix_spawn_file_actions_adddup2(&files, said, 2);
	(void)posix_spawnattr_init(&how);
	(void)posix_spawnattr_setsigmask(&how, &none);
	(void)posix_spawnattr_setsigdefault(&how, &all);
	/* ^C ends the server, which ends them */
	(void)posix_spawnattr_setpgroup(&how, 0);
	(void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK |
	    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	r = posix_spawn(&j->pid, "/proc/self/exe", &files, &how, argv,
	    environ);
	(void)posix_spawn_file_actions_destroy(&files);
	(void)posix_spawnattr_destroy(&how);
	return r;
}

int job_start(struct job *j, char *const argv[], int64_t time_ms,
	struct gs_err *err)
{
	int said[2] = { -1, -1 }, r = 0;

	*j = (struct job) { .said_fd = -1, .end_ms = now_ms() + time_ms };
	j->out = memfd_create("gpsnap answer", MFD_CLOEXEC);
	if (j->out < 0 || pipe2(said, O_CLOEXEC | O_NONBLOCK) < 0)
		r = errno;
	if (r == 0)
		r = spawn(j, argv, said[1]);
	if (said[1] >= 0)
		(void)close(said[1]); /* the child has its own */
	j->said_fd = said[0];
	if (r != 0) {
		j->pid = 0;
		job_release(j);
		return gs_fail_errno(err, r, "a process for the request");
	}
	limit(j->pid, RLIMIT_CPU, (uint64_t)time_ms / 1000 + 1);
	limit(j->pid, RLIMIT_FSIZE, JOB_OUTPUT_MAX);
	limit(j->pid, RLIMIT_CORE, 0);
	return GS_OK;
}

/* ---- while it runs ----------------------------------------------------- */

/* Keeps the beginning of what it says. */
static void listen_to(struct job *j)
{
	char part[1024];
	ssize_t n;

	while (j->said_fd >= 0) {
		n = read(j->said_fd, part, sizeof(part));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			(void)close(j->said_fd); /* was only read */
			j->said_fd = -1;
		} else if (j->said.len < JOB_SAID_MAX) {
			buf_add(&j->said, part, (size_t)n);
		}
	}
}

static enum job_state state_of(const struct job *j, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (code == ENDS_DONE || code == ENDS_GAPS || code == ENDS_NOTHING)
		return JOB_DONE;
	if (j->late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return JOB_LATE;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return JOB_LARGE;
	return code == ENDS_USAGE ? JOB_REFUSED : JOB_FAILED;
}

enum job_state job_step(struct job *j)
{
	int status;
	pid_t pid;

	listen_to(j);
	pid = waitpid(j->pid, &status, WNOHANG);
	if (pid == j->pid) {
		j->pid = 0;
		listen_to(j);
		return state_of(j, status);
	}
	if (pid < 0) { /* somebody else has reaped it: never signal its number */
		j->pid = 0;
		return JOB_FAILED;
	}
	if (!j->late && now_ms() >= j->end_ms) {
		j->late = true;
		(void)kill(j->pid, SIGKILL); /* it is not reaped yet */
	}
	return JOB_RUNS;
}

/* ---- the end ----------------------------------------------------------- */

int job_take(struct job *j, uint64_t *ret_len)
{
	struct stat st;
	int fd = j->out;

	*ret_len = fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	j->out = -1;
	return fd;
}

/* "gpsnap replay: --from: ..." without its beginning. */
static const char *without_name(const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);

	if (strncmp(line, "gpsnap", 6) != 0 || !colon || colon - line > 24)
		return line;
	return colon[1] == ' ' ? colon + 2 : colon + 1;
}

/* Lines become one; the hint at --help is for a terminal. */
void job_add_said(const struct job *j, struct buf *to)
{
	const char *p = buf_str(&j->said);

	while (*p) {
		size_t len = strcspn(p, "\n");
		const char *text = without_name(p, len);

		text += strspn(text, " ");
		if (strncmp(p, "try gpsnap", 10) != 0 && p + len > text) {
			if (to->len > 0)
				buf_add_char(to, ' ');
			buf_add(to, text, (size_t)(p + len - text));
		}
		p += len + (p[len] != '\0');
	}
}

void job_release(struct job *j)
{
	if (j->pid > 0) {
		(void)kill(j->pid, SIGKILL); /* it is not reaped yet */
		(void)waitpid(j->pid, NULL, 0);
	}
	if (j->out >= 0)
		(void)close(j->out); /* of no use */
	if (j->said_fd >= 0)
		(void)close(j->said_fd);
	buf_release(&j->said);
	*j = (struct job) { .out = -1, .said_fd = -1 };
}
