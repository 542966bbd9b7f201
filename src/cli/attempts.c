/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fnv.h"
#include "cli/console.h"
#include "cli/stop.h"

/* A directory in which more end the process has another problem. */
#define LEFT_OUT_MAX 256

#define NAME_LEN 512u

/* Shared with the children. */
struct attempts {
	size_t n_left_out;
	uint64_t left_out[LEFT_OUT_MAX]; /* hashes of names */
	bool cut; /* some of them have ended a child */
	bool in_piece;
	uint64_t piece; /* hash of its name */
	char name[NAME_LEN]; /* cut if longer */
};

static uint64_t hash(const char *piece)
{
	return fnv_add(FNV_BASIS, piece, strlen(piece));
}

bool attempts_begin(struct attempts *a, const char *piece)
{
	uint64_t h = hash(piece);
	size_t i;

	for (i = 0; i < a->n_left_out; i++) {
		if (a->left_out[i] == h)
			return false;
	}
	a->piece = h;
	(void)snprintf(a->name, sizeof(a->name), "%s", piece);
	a->in_piece = true;
	return true;
}

/* Of the current piece; false: too many are. */
static bool leave_out(struct attempts *a)
{
	if (a->n_left_out == LEFT_OUT_MAX)
		return false;
	a->left_out[a->n_left_out++] = a->piece;
	return true;
}

void attempts_end(struct attempts *a, bool done)
{
	if (!done)
		(void)leave_out(a); /* else it fails once more */
	a->in_piece = false;
}

bool attempts_is_first(const struct attempts *a)
{
	return !a->cut;
}

/* Whoever kills us means the child. */
static void begin_child(pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it would go on alone */
	if (getppid() != parent)
		exit(EXIT_CANNOT);
}

/* Its wait status.  A signal to us is one to it: they are blocked but for the wait
 * for the end of life, which the child holds open, so that none is missed. */
static int wait_for(pid_t child, int life, const sigset_t *open)
{
	struct pollfd end = { .fd = life };
	int status = 0;

	while (ppoll(&end, 1, NULL, open) < 0 && errno == EINTR) {
		if (stop_asked())
			(void)kill(child, SIGTERM); /* it may have ended */
	}
	(void)waitpid(child, &status, 0); /* it has ended; signals are blocked */
	return status;
}

/* What ends the child ends us, unless it came by a piece. */
static int exit_status(const struct attempts *a, int status)
{
	int sig;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	sig = WTERMSIG(status);
	if (a->in_piece && !stop_asked()) {
		cli_notice("%s: the work on it was ended by signal %d (%s%s): "
		    "nothing was removed", a->name, sig, strsignal(sig),
		    sig == SIGKILL ? ", as when memory runs out" : "");
		return EXIT_CANNOT;
	}
	(void)signal(sig, SIG_DFL); /* not of SIGKILL */
	(void)raise(sig);
	return EXIT_CANNOT;
}

/* Forked; *ret_life is readable when it has ended.  Signals are as in open in it. */
static pid_t start(struct attempts *a,
	int (*fn)(struct attempts *a, void *ctx), void *ctx,
	const sigset_t *open, int *ret_life)
{
	pid_t parent = getpid(), child;
	int life[2];

	if (pipe2(life, O_CLOEXEC) < 0)
		return -1;
	(void)fflush(stdout); /* a child writes what is there again */
	child = fork();
	if (child == 0) {
		begin_child(parent);
		(void)close(life[0]); /* the other end is held open */
		(void)sigprocmask(SIG_SETMASK, open, NULL);
		exit(cli_finish(fn(a, ctx)));
	}
	(void)close(life[1]); /* the child's */
	if (child < 0)
		(void)close(life[0]); /* unused */
	*ret_life = life[0];
	return child;
}

static int run_once(struct attempts *a,
	int (*fn)(struct attempts *a, void *ctx), void *ctx)
{
	sigset_t all, open;
	int life = -1, status = 0;
	pid_t child;

	a->in_piece = false;
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &open);
	child = start(a, fn, ctx, &open, &life);
	if (child > 0)
		status = wait_for(child, life, &open);
	(void)sigprocmask(SIG_SETMASK, &open, NULL);
	if (child < 0)
		return fn(a, ctx); /* as without us */
	(void)close(life); /* nothing is read from it */
	return exit_status(a, status);
}

static struct attempts *share(void)
{
	void *p = mmap(NULL, sizeof(struct attempts), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int attempts_run(int (*fn)(struct attempts *a, void *ctx), void *ctx)
{
	struct attempts *a = share(), alone = { 0 };
	int status;

	if (!a)
		return fn(&alone, ctx);
	status = run_once(a, fn, ctx);
	while (a->in_piece && leave_out(a) && !stop_asked()) {
		a->cut = true;
		status = run_once(a, fn, ctx);
	}
	status = a->cut && status <= EXIT_GAPS ? EXIT_CANNOT : status;
	(void)munmap(a, sizeof(*a)); /* the process ends */
	return status;
}
