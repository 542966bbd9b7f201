/* SPDX-License-Identifier: Apache-2.0 */
#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"

#define NAMES_MAX 100u

struct newfile {
	char *path, *part;
	bool force;
	int fd; /* -1: not begun, or finished */
	struct gs_undo undo;
};

/* Somebody may have removed it, and made another. */
static bool is_ours(const struct newfile *f)
{
	struct stat st, own;

	return f->fd >= 0 && f->part && fstat(f->fd, &own) == 0 &&
	    lstat(f->part, &st) == 0 && st.st_dev == own.st_dev &&
	    st.st_ino == own.st_ino;
}

static void remove_part(void *arg)
{
	const struct newfile *f = arg;

	if (is_ours(f))
		(void)unlink(f->part); /* of no use */
}

static int refuse(const char *path, bool force, struct gs_err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return GS_OK;
	if (!S_ISREG(st.st_mode))
		return gs_fail(err, GS_E_USAGE, "%s: is no file: name one", path);
	if (!force)
		return gs_fail(err, GS_E_EXISTS, "%s: exists already: use "
		    "another name, or --force to replace it", path);
	return GS_OK;
}

int newfile_check(const char *path, bool force, struct gs_err *err)
{
	char *dir = path_directory(path);
	int r = GS_OK;

	if (path[0] == '\0')
		r = gs_fail(err, GS_E_USAGE, "the name of a file is empty");
	else if (access(dir, W_OK | X_OK) < 0)
		r = gs_fail_errno(err, errno, "%s", dir);
	free(dir);
	return r < 0 ? r : refuse(path, force, err);
}

/* A name that no other file has, beside the path. */
static int create(struct newfile *f, mode_t mode, struct gs_err *err)
{
	struct buf part = BUF_INIT;
	unsigned i;

	for (i = 0; f->fd < 0 && i < NAMES_MAX; i++) {
		buf_reset(&part);
		buf_printf(&part, "%s.%ld-%u.part", f->path, (long)getpid(), i);
		f->fd = open(buf_str(&part),
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (f->fd < 0 && errno != EEXIST)
			break;
	}
	f->part = gs_strdup(buf_str(&part));
	buf_release(&part);
	if (f->fd < 0)
		return gs_fail_errno(err, errno, "%s", f->part);
	return GS_OK;
}

int newfile_begin(const char *path, bool force, mode_t mode,
	struct newfile **ret, struct gs_err *err)
{
	struct newfile *f = gs_calloc(1, sizeof(*f));
	int r;

	f->path = gs_strdup(path);
	f->force = force;
	f->fd = -1;
	f->undo = (struct gs_undo) { remove_part, f, NULL };
	*ret = f;
	r = refuse(f->path, f->force, err);
	if (r == GS_OK)
		r = create(f, mode, err);
	if (r < 0)
		return r;
	gs_undo_add(&f->undo);
	return GS_OK;
}

int newfile_fd(const struct newfile *f)
{
	return f->fd;
}

int newfile_add(struct newfile *f, const void *bytes, size_t len,
	struct gs_err *err)
{
	int errnum = io_write_all(f->fd, bytes, len);

	return errnum ? gs_fail_errno(err, errnum, "%s", f->part) : GS_OK;
}

int newfile_finish(struct newfile *f, struct gs_err *err)
{
	/* somebody else may have made it meanwhile */
	int r = refuse(f->path, f->force, err);

	if (r < 0)
		return r;
	if (!is_ours(f))
		return gs_fail(err, GS_E_IO, "%s: was removed or replaced",
		    f->part);
	if (fsync(f->fd) < 0 || rename(f->part, f->path) < 0)
		return gs_fail_errno(err, errno, "%s", f->path);
	(void)close(f->fd); /* it is synced */
	f->fd = -1;
	return GS_OK;
}

void newfile_free(struct newfile *f)
{
	if (!f)
		return;
	gs_undo_drop(&f->undo);
	remove_part(f);
	if (f->fd >= 0)
		(void)close(f->fd); /* it is not kept */
	free(f->path);
	free(f->part);
	free(f);
}
