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

static int refuse(const struct encrypt *e, struct gs_err *err)
{
	struct stat st;

	if (lstat(e->path, &st) < 0)
		return GS_OK;
	if (!S_ISREG(st.st_mode))
		return gs_fail(err, GS_E_USAGE, "%s: is no file: name one",
		    e->path);
	if (!e->force)
		return gs_fail(err, GS_E_EXISTS, "%s: exists already: use "
		    "another name, or --force to replace it", e->path);
	return GS_OK;
}

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
	struct buf temp = BUF_INIT;
	int fd, r;

	*e = (struct encrypt) { .path = path, .force = force, .out = -1 };
	r = refuse(e, err);
	if (r < 0)
		return r;
	buf_printf(&temp, "%s.part", path);
	fd = open(buf_str(&temp), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
	    O_NOFOLLOW, 0600);
	if (fd < 0)
		r = gs_fail_errno(err, errno, "%s", buf_str(&temp));
	else
		e->temp = gs_strdup(buf_str(&temp));
	buf_release(&temp);
	if (r < 0)
		return r;
	r = connect_age(e, fd, recipient, err);
	(void)close(fd);
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

static int give_name(struct encrypt *e, struct gs_err *err)
{
	int fd = open(e->temp, O_RDONLY | O_CLOEXEC), r = refuse(e, err);

	if (r == GS_OK && (fd < 0 || fsync(fd) < 0 ||
	    rename(e->temp, e->path) < 0))
		r = gs_fail_errno(err, errno, "%s", e->path);
	if (fd >= 0)
		(void)close(fd); /* only read */
	return r;
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
		r = give_name(e, err);
	if (r < 0 || !good)
		(void)unlink(e->temp);
	free(e->temp);
	e->temp = NULL;
	return r;
}
