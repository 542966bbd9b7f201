/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/sink_part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit/tickhash.h"
#include "format/lockfile.h"
#include "format/reader.h"
#include "model/world.h"

int part_refuse(const char *path, bool force, struct gs_err *err)
{
	struct stat st;

	/* a dangling link exists, too */
	if (stat(path, &st) < 0 && lstat(path, &st) < 0)
		return GS_OK;
	if (S_ISDIR(st.st_mode))
		return gs_fail(err, GS_E_USAGE,
		    "%s: is a directory: name a file in it", path);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return gs_fail(err, GS_E_USAGE,
		    "%s: is not a file: name one, or - for a pipe", path);
	if (!force)
		return gs_fail(err, GS_E_EXISTS, "%s: exists already: use "
		    "another name, or --force to replace it", path);
	return GS_OK;
}

/* Nobody writes to it, and from now on nobody else removes or renames it. */
static bool take(int fd)
{
	/* not a writer's lock: files that exist can't be opened for writing here */
	return !lockfile_is_locked(fd) && (flock(fd, LOCK_EX | LOCK_NB) == 0 ||
	    errno != EWOULDBLOCK); /* some file systems have no locks */
}

int part_take(const char *temp, int *ret_fd, struct gs_err *err)
{
	int fd = open(temp, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", temp);
	if (!take(fd)) {
		(void)close(fd); /* only looked at */
		return gs_fail(err, GS_E_BUSY, "%s: another command is writing "
		    "it: use another name", temp);
	}
	*ret_fd = fd;
	return GS_OK;
}

bool part_is_ours(const struct part *p)
{
	struct stat st;

	return stat(p->temp, &st) == 0 && st.st_dev == p->dev &&
	    st.st_ino == p->ino;
}

static int not_ours(const struct part *p, struct gs_err *err)
{
	return gs_fail(err, GS_E_BUSY, "%s: another command makes it, too",
	    p->temp);
}

/* ---- verifying -------------------------------------------------------- */

static int differs(const struct part *p, uint64_t ticks, const char *why,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_IO, "%s: read back it differs from what was "
	    "written: %s (%" PRIu64 " of %" PRIu64 " ticks); nothing was "
	    "kept", p->path, why, ticks, p->ticks);
}

static int check_ticks(const struct part *p, bool (*stopped)(void),
	struct reader *r, struct gs_err *err)
{
	struct world *w = world_new_plain();
	uint64_t n = 0, digest = 0;
	struct cursor_gap gap;
	enum cursor_step is;
	struct tick *t = NULL;
	int status = GS_OK;

	while (status == GS_OK) {
		is = reader_next(r, &t, &gap, err);
		if (is == CURSOR_GAP && !gap.damage) {
			world_lost(w); /* the source's */
			continue;
		}
		if (is != CURSOR_TICK)
			break;
		digest = tickhash_add(digest, t);
		n++;
		status = stopped && stopped() ? gs_fail(err, GS_E_GONE,
		    "stopped: nothing was written") : world_apply(w, t, err);
	}
	world_free(w);
	if (status < 0)
		return status;
	if (is == CURSOR_ERROR)
		return err ? (int)err->status : GS_E_IO;
	if (is == CURSOR_GAP)
		return differs(p, n, gap.why, err);
	if (n != p->ticks || digest != p->digest)
		return differs(p, n, "figures differ", err);
	return GS_OK;
}

int part_verify(const struct part *p, bool (*stopped)(void),
	struct gs_err *err)
{
	struct reader *r = NULL;
	int status = reader_open(p->temp, &r, err);

	if (status == GS_OK)
		status = check_ticks(p, stopped, r, err);
	reader_free(r);
	return status < 0 && !part_is_ours(p) ? not_ours(p, err) : status;
}

/* ---- naming ----------------------------------------------------------- */

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Nobody has changed the file that is to be replaced. */
static int check_replaced(const struct part *p, const struct stat *was,
	struct gs_err *err)
{
	struct stat is;

	if (stat(p->path, &is) == 0 && is.st_dev == was->st_dev &&
	    is.st_ino == was->st_ino && is.st_size == was->st_size &&
	    is_same_time(&is.st_mtim, &was->st_mtim))
		return GS_OK;
	return gs_fail(err, GS_E_GONE, "%s: was changed or removed in the "
	    "meantime: nothing was written", p->path);
}

/* The group is one that new files have here, or else may not be given. */
static bool give_group_and_mode(int fd, const struct stat *like)
{
	struct stat is;

	return fstat(fd, &is) == 0 && (is.st_gid == like->st_gid ||
	    fchown(fd, (uid_t)-1, like->st_gid) == 0) &&
	    fchmod(fd, like->st_mode & 0666) == 0;
}

/* The new file, open, looks like the one that it replaces; its bytes are synced. */
static int look_like(const struct stat *was, const struct part *p, int fd,
	struct gs_err *err)
{
	const struct timespec times[2] = { was->st_atim, was->st_mtim };

	if (!give_group_and_mode(fd, was) || futimens(fd, times) < 0)
		return gs_fail_errno(err, errno, "%s: can't be given the group, "
		    "mode and times of the file that it replaces", p->temp);
	return GS_OK;
}

static int replace(const struct part *p, const struct stat *was, int fd,
	struct gs_err *err)
{
	int r = look_like(was, p, fd, err);

	if (r == GS_OK)
		r = check_replaced(p, was, err);
	if (r == GS_OK && rename(p->temp, p->path) < 0)
		r = gs_fail_errno(err, errno, "%s", p->path);
	return r;
}

/* A file created in the meantime is not replaced. */
static int rename_part(struct part *p, const struct part_naming *o, int fd,
	struct gs_err *err)
{
	if (o->replaces) {
		int r = replace(p, o->replaces, fd, err);

		if (r < 0)
			return r;
	} else if (o->force || (link(p->temp, p->path) < 0 && errno != EEXIST)) {
		/* a file system may have no links */
		int r = part_refuse(p->path, o->force, err);

		if (r < 0)
			return r;
		if (rename(p->temp, p->path) < 0)
			return gs_fail_errno(err, errno, "%s", p->path);
	} else {
		struct stat a, b;

		if (stat(p->temp, &a) < 0 || stat(p->path, &b) < 0 ||
		    a.st_ino != b.st_ino || a.st_dev != b.st_dev)
			return gs_fail(err, GS_E_EXISTS, "%s: was created "
			    "in the meantime: it stays as it is", p->path);
		(void)unlink(p->temp); /* the file has its final name */
	}
	free(p->temp);
	p->temp = NULL;
	return GS_OK;
}

/* What root makes of a user's files can be read by the user's group as before. */
static int give_group(const struct part *p, const char *as, int fd,
	struct gs_err *err)
{
	struct stat like;

	if (!as || geteuid() != 0 || stat(as, &like) < 0)
		return GS_OK;
	if (!give_group_and_mode(fd, &like))
		return gs_fail_errno(err, errno, "%s: can't be given the group "
		    "and mode of what it was made of", p->temp);
	return GS_OK;
}

int part_give_name(struct part *p, const struct part_naming *o,
	struct gs_err *err)
{
	int fd, r = part_take(p->temp, &fd, err);

	if (r < 0)
		return r;
	r = part_is_ours(p) ? give_group(p, o->like, fd, err)
	    : not_ours(p, err);
	if (r == GS_OK)
		r = rename_part(p, o, fd, err);
	(void)close(fd); /* the lock was all */
	return r;
}
