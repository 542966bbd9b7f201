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

struct newfile {
	char *path, *part;
	bool force;
	int fd; /* -1: not begun, or finished */
	struct gs_undo undo;
};

static void remove_part(void *arg)
{
	const struct newfile *f = arg;

	if (f->fd >= 0)
		(void)unlink(f->part); /* of no use, and may be gone */
}

static int refuse(const struct newfile *f, struct gs_err *err)
{
	struct stat st;

	if (lstat(f->path, &st) < 0)
		return GS_OK;
	if (!S_ISREG(st.st_mode))
		return gs_fail(err, GS_E_USAGE, "%s: is no file: name one",
		    f->path);
	if (!f->force)
		return gs_fail(err, GS_E_EXISTS, "%s: exists already: use "
		    "another name, or --force to replace it", f->path);
	return GS_OK;
}

int newfile_begin(const char *path, bool force, mode_t mode,
	struct newfile **ret, struct gs_err *err)
{
	struct newfile *f = gs_calloc(1, sizeof(*f));
	struct buf part = BUF_INIT;
	int r;

	buf_printf(&part, "%s.part", path);
	f->path = gs_strdup(path);
	f->part = gs_strdup(buf_str(&part));
	f->force = force;
	f->fd = -1;
	f->undo = (struct gs_undo) { remove_part, f, NULL };
	buf_release(&part);
	*ret = f;
	r = refuse(f, err);
	if (r < 0)
		return r;
	(void)unlink(f->part); /* open() reports what remains */
	f->fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (f->fd < 0)
		return gs_fail_errno(err, errno, "%s", f->part);
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
	int r = refuse(f, err); /* somebody else may have made it meanwhile */

	if (r < 0)
		return r;
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
