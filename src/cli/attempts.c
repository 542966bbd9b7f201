/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/attempts.h"

#include <errno.h>
#include <signal.h>
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

/* Shared with the children. */
struct attempts {
	size_t n_left_out;
	uint64_t left_out[LEFT_OUT_MAX]; /* hashes of names */
	bool cut; /* some of them have ended a child */
	bool in_piece;
	uint64_t piece;
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

/* Its wait status.  A signal to us is one to it. */
static int wait_for(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
		if (stop_asked())
			(void)kill(child, SIGTERM); /* it may have ended */
	}
	return status;
}

/* What ends the child ends us. */
static int exit_status(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	(void)signal(WTERMSIG(status), SIG_DFL); /* not of SIGKILL */
	(void)raise(WTERMSIG(status));
	return EXIT_CANNOT;
}

static int run_once(struct attempts *a,
	int (*fn)(struct attempts *a, void *ctx), void *ctx)
{
	pid_t parent = getpid(), child;

	a->in_piece = false;
	child = fork();
	if (child < 0)
		return fn(a, ctx); /* as without us */
	if (child == 0) {
		begin_child(parent);
		exit(cli_finish(fn(a, ctx)));
	}
	return exit_status(wait_for(child));
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
