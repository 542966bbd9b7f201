/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/encrypt.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cli/memory.h"

extern char **environ;

/* age reads from one descriptor and writes to another. */
static int spawn(struct encrypt *e, int from, int to, const char *recipient,
	struct gs_err *err)
{
	char *argv[] = { (char *)(uintptr_t)"age", (char *)(uintptr_t)"-r",
		(char *)(uintptr_t)recipient, NULL };
	posix_spawn_file_actions_t fa;
	int r;

	if (posix_spawn_file_actions_init(&fa) != 0)
		return gs_fail(err, GS_E_IO, "age: no memory to start it");
	r = posix_spawn_file_actions_adddup2(&fa, from, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&fa, to, STDOUT_FILENO);
	memory_lift();
	if (r == 0)
		r = posix_spawnp(&e->age, "age", &fa, NULL, argv, environ);
	memory_lower();
	(void)posix_spawn_file_actions_destroy(&fa);
	if (r == ENOENT)
		return gs_fail(err, GS_E_NOTFOUND, "--encrypt-to: there is no "
		    "age on this host: install the package age");
	if (r != 0)
		return gs_fail_errno(err, r, "age");
	return GS_OK;
}

static int connect_age(struct encrypt *e, int file, const char *recipient,
	struct gs_err *err)
{
	int p[2], r;

	if (pipe2(p, O_CLOEXEC) < 0)
		return gs_fail_errno(err, errno, "pipe");
	r = spawn(e, p[0], file, recipient, err);
	(void)close(p[0]);
	if (r == GS_OK) {
		e->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		if (dup2(p[1], STDOUT_FILENO) < 0)
			r = gs_fail_errno(err, errno, "pipe");
	}
	(void)close(p[1]);
	return r;
}

int encrypt_begin(struct encrypt *e, const char *path, bool force,
	const char *recipient, struct gs_err *err)
{
	int r;

	*e = (struct encrypt) { .path = path, .out = -1 };
	r = newfile_begin(path, force, 0600, &e->file, err);
	if (r == GS_OK)
		r = connect_age(e, newfile_fd(e->file), recipient, err);
	if (r < 0)
		(void)encrypt_end(e, false, NULL);
	return r;
}

static int wait_for(struct encrypt *e, struct gs_err *err)
{
	int status = 0;

	while (waitpid(e->age, &status, 0) < 0) {
		if (errno != EINTR)
			return gs_fail_errno(err, errno, "age");
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return gs_fail(err, GS_E_IO, "%s: age could not encrypt: "
		    "nothing was written", e->path);
	return GS_OK;
}

int encrypt_end(struct encrypt *e, bool good, struct gs_err *err)
{
	int r = GS_OK;

	if (e->out >= 0) {
		(void)dup2(e->out, STDOUT_FILENO); /* ends age's input */
		(void)close(e->out);
	}
	if (e->age > 0)
		r = wait_for(e, err);
	if (r == GS_OK && good)
		r = newfile_finish(e->file, err);
	newfile_free(e->file);
	e->file = NULL;
	return r;
}
