/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/heap_link.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define PROGRAM "gpsnap-heap"
#define STATUS_NOT_FOUND 127 /* as a shell says */
#define HANGS_NS (30 * GS_NSEC_PER_SEC) /* longer than any file takes */
#define RETRY_NS (300 * GS_NSEC_PER_SEC)
#define PIPE_BYTES (1 << 20) /* answers of a tick; with less, more ticks */
#define READ_BYTES 65536u
#define TICK_BYTES (4u << 20) /* more is read at the next tick */

void heap_link_init(struct heap_link *l)
{
	*l = (struct heap_link) { .to = -1, .from = -1 };
}

static void hang_up(struct heap_link *l)
{
	if (l->to >= 0)
		(void)close(l->to); /* the child ends by that */
	if (l->from >= 0)
		(void)close(l->from); /* was only read */
	l->to = l->from = -1;
	l->waiting = 0;
	l->taken = 0;
	buf_reset(&l->in);
}

void heap_link_release(struct heap_link *l)
{
	hang_up(l);
	buf_release(&l->in);
}

/* ---- start ----------------------------------------------------------------- */

/* The program beside the agent's own file; false if it does not exist. */
static bool beside(char path[PATH_MAX])
{
	const size_t room = PATH_MAX - sizeof(PROGRAM);
	ssize_t n = readlink("/proc/self/exe", path, room);
	char *slash;

	if (n <= 0 || (size_t)n == room)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	memcpy(slash + 1, PROGRAM, sizeof(PROGRAM));
	return access(path, X_OK) == 0;
}

static void run(int in, int out)
{
	char path[PATH_MAX], name[] = PROGRAM;
	char *argv[] = { name, NULL };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGPIPE, SIG_DFL);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(1);
	if (beside(path))
		(void)execv(path, argv);
	(void)execvp(PROGRAM, argv);
	_exit(STATUS_NOT_FOUND);
}

static void close_both(const int fd[2])
{
	(void)close(fd[0]); /* never used */
	(void)close(fd[1]);
}

static bool open_pipes(int ask[2], int answer[2])
{
	if (pipe2(ask, O_CLOEXEC) < 0)
		return false;
	if (pipe2(answer, O_CLOEXEC) == 0)
		return true;
	close_both(ask);
	return false;
}

bool heap_link_start(struct heap_link *l, int64_t now_ns)
{
	int ask[2], answer[2];

	if (l->to >= 0)
		return true;
	if (l->ending || now_ns < l->retry_ns)
		return false;
	l->retry_ns = now_ns + RETRY_NS;
	if (!open_pipes(ask, answer))
		return false;
	l->child = fork();
	if (l->child == 0)
		run(ask[0], answer[1]);
	(void)close(ask[0]); /* the child's */
	(void)close(answer[1]);
	l->to = ask[1];
	l->from = answer[0];
	/* these three can't fail for a pipe that is open; a smaller pipe is
	 * only slower */
	(void)fcntl(l->to, F_SETFL, O_NONBLOCK);
	(void)fcntl(l->from, F_SETFL, O_NONBLOCK);
	(void)fcntl(l->from, F_SETPIPE_SZ, PIPE_BYTES);
	if (l->child < 0) {
		l->child = 0;
		hang_up(l);
	}
	return l->to >= 0;
}

/* ---- its end --------------------------------------------------------------- */

/* Ends the child; why: 0 if it did so itself. */
static void lose(struct heap_link *l, int why)
{
	if (why != 0)
		(void)kill(l->child, SIGKILL);
	hang_up(l);
	l->ending = true;
	l->why = why;
}

/* The cause, when it has been waited for; 0: not yet. */
static int bury(struct heap_link *l)
{
	int status, why = l->why;
	pid_t r = waitpid(l->child, &status, WNOHANG);

	if (r == 0)
		return 0;
	if (why == 0)
		why = r > 0 && WIFEXITED(status) &&
		    WEXITSTATUS(status) == STATUS_NOT_FOUND
			? HEAP_NO_PROGRAM : HEAP_DIED;
	l->ending = false;
	l->child = 0;
	return why;
}

void heap_link_close(struct heap_link *l)
{
	if (l->to >= 0)
		lose(l, HEAP_DIED);
	if (l->ending)
		(void)bury(l); /* or at the next call */
	l->retry_ns = 0;
}

/* ---- lines ------------------------------------------------------------------ */

/* False: it closed its end. */
static bool read_all(struct heap_link *l, int64_t now_ns)
{
	ssize_t n = 1;
	size_t sum = 0;

	while (n > 0 && sum < TICK_BYTES) {
		n = read(l->from, buf_reserve(&l->in, READ_BYTES), READ_BYTES);
		if (n > 0) {
			l->in.len += (size_t)n;
			sum += (size_t)n;
			l->heard_ns = now_ns;
		}
	}
	return n != 0;
}

int heap_link_receive(struct heap_link *l, int64_t now_ns)
{
	if (l->ending)
		return bury(l);
	if (l->to < 0)
		return 0;
	if (l->taken > 0) {
		l->in.len -= l->taken;
		memmove(l->in.ptr, l->in.ptr + l->taken, l->in.len);
		l->taken = 0;
	}
	if (!read_all(l, now_ns))
		lose(l, 0);
	else if (l->waiting > 0 && now_ns - l->heard_ns > HANGS_NS)
		lose(l, HEAP_HANGS);
	return l->ending ? bury(l) : 0;
}

bool heap_link_next(struct heap_link *l, struct heap_answer *ret)
{
	struct span rest, line;

	if (l->to < 0)
		return false;
	rest = span_of(l->in.ptr + l->taken, l->in.len - l->taken);
	if (!scan_until(&rest, '\n', &line)) {
		if (span_len(rest) >= HEAP_LINE_MAX)
			lose(l, HEAP_DIED); /* it is not the program we know */
		return false;
	}
	l->taken = l->in.len - span_len(rest);
	if (!heapline_answer(line, ret)) {
		lose(l, HEAP_DIED);
		return false;
	}
	if (ret->kind == 'P' && l->waiting > 0)
		l->waiting--;
	return true;
}

bool heap_link_ask(struct heap_link *l, const struct heap_request *r,
	int64_t now_ns)
{
	struct buf line = BUF_INIT;
	bool good;

	heapline_put_request(r, &line);
	/* a line is written as a whole or not at all */
	good = write(l->to, line.ptr, line.len) == (ssize_t)line.len;
	buf_release(&line);
	if (good && l->waiting++ == 0)
		l->heard_ns = now_ns;
	return good;
}
