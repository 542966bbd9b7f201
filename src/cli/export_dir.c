/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/export_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"

struct export_file {
	char *table, *path, *part;
	int fd; /* -1: closed */
};

static char *path_of(const struct export_dir *d, const char *table,
	const char *suffix)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/%s.csv%s", d->path, table, suffix);
	return b.ptr; /* the caller's */
}

static int begin(struct export_dir *d, const char *table,
	struct export_file **ret, struct gs_err *err)
{
	struct export_file *f;
	struct stat st;

	GS_GROW(d->file, &d->cap, d->n + 1);
	f = &d->file[d->n++];
	*f = (struct export_file) { gs_strdup(table), path_of(d, table, ""),
		path_of(d, table, ".part"), -1 };
	if (!d->force && lstat(f->path, &st) == 0)
		return gs_fail(err, GS_E_EXISTS,
		    "%s: exists; --force replaces it", f->path);
	(void)unlink(f->part); /* of an earlier run that was killed */
	f->fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	*ret = f;
	return f->fd < 0 ? gs_fail_errno(err, errno, "%s", f->part) : GS_OK;
}

int export_dir_add(struct export_dir *d, const char *table,
	const struct buf *text, struct gs_err *err)
{
	struct export_file *f = NULL;
	int errnum, r = GS_OK;
	size_t i;

	for (i = 0; i < d->n && !f; i++) {
		if (strcmp(d->file[i].table, table) == 0)
			f = &d->file[i];
	}
	if (!f)
		r = begin(d, table, &f, err);
	if (r < 0)
		return r;
	errnum = io_write_all(f->fd, buf_str(text), text->len);
	return errnum ? gs_fail_errno(err, errnum, "%s", f->part) : GS_OK;
}

static int finish(struct export_file *f, struct gs_err *err)
{
	int fd = f->fd;

	f->fd = -1;
	if (close(fd) < 0 || rename(f->part, f->path) < 0)
		return gs_fail_errno(err, errno, "%s", f->path);
	free(f->part);
	f->part = NULL;
	return GS_OK;
}

int export_dir_finish(struct export_dir *d, struct gs_err *err)
{
	int r = GS_OK;
	size_t i;

	for (i = 0; r == GS_OK && i < d->n; i++)
		r = finish(&d->file[i], err);
	return r;
}

void export_dir_release(struct export_dir *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		struct export_file *f = &d->file[i];

		if (f->fd >= 0) {
			(void)close(f->fd); /* it is not kept */
			(void)unlink(f->part);
		}
		free(f->table);
		free(f->path);
		free(f->part);
	}
	free(d->file);
	d->file = NULL;
	d->n = d->cap = 0;
}
