/* SPDX-License-Identifier: Apache-2.0 */
#include "format/outfile.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "format/group.h"
#include "format/lockfile.h"

#define OPEN_NAME_MAX 4096u /* of a path */

static int create_failed(const char *path, int errnum, struct gs_err *err)
{
	if (errnum == EEXIST && path_is_locked(path))
		return gs_fail(err, GS_E_EXISTS,
		    "%s: another recorder is writing it: use another name",
		    path);
	if (errnum == EEXIST)
		return gs_fail(err, GS_E_EXISTS,
		    "%s: exists already: use another name, or a directory",
		    path);
	if (errnum == ENOENT)
		return gs_fail(err, GS_E_NOTFOUND,
		    "%s: no such directory: create it first", path);
	return gs_fail_errno(err, errnum, "%s", path);
}

/* By its path: on some file systems the open file has other numbers. */
static void identify(struct outfile *f)
{
	struct io_stat l;

	f->known = f->io->stat(f->io->ctx, f->fd, f->path, &l) == 0 &&
	    l.found;
	if (f->known) {
		f->dev = l.dev;
		f->ino = l.ino;
	}
}

int outfile_create(struct outfile *f, const struct io_ops *io,
	const char *path, struct gs_err *err)
{
	int fd = io->create(io->ctx, path);
	int r;

	*f = (struct outfile)OUTFILE_INIT;
	if (fd < 0)
		return create_failed(path, -fd, err);
	f->io = io;
	f->fd = fd;
	f->path = gs_strdup(path);
	identify(f);
	r = io->lock(io->ctx, fd);
	/* Other errors: a file system without locks.  O_EXCL ensures that the
	 * file is ours. */
	if (r != -EAGAIN)
		return 0;
	outfile_unlink(f); /* it is empty */
	outfile_release(f);
	return gs_fail(err, GS_E_BUSY, "%s: locked by another recorder",
	    path);
}

void outfile_stream(struct outfile *f, const struct io_ops *io, int fd,
	const char *name)
{
	*f = (struct outfile)OUTFILE_INIT;
	f->io = io;
	f->fd = fd;
	f->stream = true;
	f->path = gs_strdup(name);
}

void outfile_release(struct outfile *f)
{
	if (f->fd >= 0 && !f->stream)
		(void)f->io->close(f->io->ctx, f->fd); /* given up already */
	free(f->path);
	footer_release(&f->footer);
	*f = (struct outfile)OUTFILE_INIT;
}

/* ---- changes by others ------------------------------------------- */

static bool is_same(const struct outfile *f, const struct io_stat *l)
{
	return l->found && l->dev == f->dev && l->ino == f->ino;
}

/* True for the name that NFS gives to a deleted file while it is open. */
static bool is_remnant(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(slash ? slash + 1 : path, ".nfs", 4) == 0;
}

/* The kernel's path of the open file; we may not be able to see it. */
static void name_of_open(int fd, char path[OPEN_NAME_MAX])
{
	char link[64];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, OPEN_NAME_MAX - 1);
	path[n > 0 ? n : 0] = '\0';
}

char *outfile_moved_to(const struct outfile *f)
{
	char path[OPEN_NAME_MAX];
	struct io_stat l;

	name_of_open(f->fd, path);
	if (f->io->stat(f->io->ctx, f->fd, path, &l) < 0 || !is_same(f, &l))
		return NULL;
	return gs_strdup(path);
}

static enum outfile_fate moved(const struct outfile *f,
	const struct io_stat *l, struct gs_err *why)
{
	char to[OPEN_NAME_MAX];

	name_of_open(f->fd, to);
	if (l->links == 0 || is_remnant(to)) {
		(void)gs_fail(why, GS_E_GONE,
		    "%s: was %s while it was recorded", f->path,
		    l->found ? "replaced" : "deleted");
		return OUTFILE_DELETED;
	}
	(void)gs_fail(why, GS_E_GONE,
	    "%s: was renamed while it was recorded: it is %s now", f->path,
	    to[0] != '\0' ? to : "somewhere else");
	return OUTFILE_MOVED;
}

enum outfile_fate outfile_check(const struct outfile *f, struct gs_err *why)
{
	struct io_stat l;

	if (f->stream || !f->known || !outfile_sound(f) ||
	    f->io->stat(f->io->ctx, f->fd, f->path, &l) < 0)
		return OUTFILE_HERE;
	if (l.links == 0 || !is_same(f, &l))
		return moved(f, &l, why);
	if (l.len_bytes == f->len_bytes)
		return OUTFILE_HERE;
	(void)gs_fail(why, GS_E_FORMAT,
	    "%s: another program %s it while it was recorded: it has %llu "
	    "bytes, not %llu", f->path,
	    l.len_bytes < f->len_bytes ? "cut" : "wrote into",
	    (unsigned long long)l.len_bytes,
	    (unsigned long long)f->len_bytes);
	return OUTFILE_CHANGED;
}

void outfile_unlink(const struct outfile *f)
{
	struct io_stat l;

	if (f->stream || (f->known &&
	    f->io->stat(f->io->ctx, f->fd, f->path, &l) == 0 &&
	    !is_same(f, &l)))
		return; /* the name belongs to another file */
	(void)f->io->unlink(f->io->ctx, f->path); /* just empty */
}

/* ---- writing --------------------------------------------------------- */

/* Truncates the file to its last whole frame, or marks it unsound. */
static void cut_back(struct outfile *f)
{
	if (f->stream || f->io->truncate(f->io->ctx, f->fd, f->len_bytes) < 0)
		f->unsound = true;
}

/* Two short writes give no reason; the usual one is lack of space. */
static int failed_write(struct outfile *f, ssize_t r, struct gs_err *err)
{
	int errnum = r < 0 ? (int)-r : ENOSPC;

	cut_back(f);
	if (errnum != ENOSPC && errnum != EDQUOT && errnum != EAGAIN)
		f->unsound = true;
	return gs_fail_errno(err, errnum, "%s", f->path);
}

static size_t iov_len(const struct iovec *v, int n)
{
	size_t len = 0;
	int i;

	for (i = 0; i < n; i++)
		len += v[i].iov_len;
	return len;
}

static void iov_advance(struct iovec *v, int n, size_t by)
{
	int i;

	for (i = 0; i < n && by > 0; i++) {
		size_t part = GS_MIN(by, v[i].iov_len);

		v[i].iov_base = (char *)v[i].iov_base + part;
		v[i].iov_len -= part;
		by -= part;
	}
}

/* A pipe may take only a part; the rest is written afterwards. */
static ssize_t stream_write(struct outfile *f, struct iovec *v, int n)
{
	struct pollfd p = { .fd = f->fd, .events = POLLOUT };
	size_t want = iov_len(v, n);
	ssize_t r;

	while (iov_len(v, n) > 0) {
		r = f->io->writev(f->io->ctx, f->fd, v, n);
		if (r == -EAGAIN)
			(void)poll(&p, 1, -1); /* the next write reports errors */
		else if (r < 0)
			return r;
		else
			iov_advance(v, n, (size_t)r);
	}
	return (ssize_t)want;
}

/* One write.  If it is short, the rest is tried once more: that gives the
 * reason, or completes it. */
static ssize_t file_write(struct outfile *f, struct iovec *v, int n)
{
	size_t want = iov_len(v, n);
	ssize_t r = f->io->writev(f->io->ctx, f->fd, v, n);
	ssize_t rest;

	if (r < 0 || (size_t)r == want)
		return r;
	iov_advance(v, n, (size_t)r);
	rest = f->io->writev(f->io->ctx, f->fd, v, n);
	return rest < 0 ? rest : r + rest;
}

/* Writes all, or fails and leaves the file as it was. */
static int write_all(struct outfile *f, struct iovec *v, int n,
	struct gs_err *err)
{
	size_t want = iov_len(v, n);
	ssize_t r = f->stream ? stream_write(f, v, n) : file_write(f, v, n);

	if (r < 0 || (size_t)r != want)
		return failed_write(f, r, err);
	f->dirty = !f->stream;
	return 0;
}

static void make_index(const struct outfile *f, const struct outframe *fr,
	void *to)
{
	struct frame_index ix = { .kind = fr->kind,
		.seq = fr->seq,
		.wall_ns = fr->wall_ns,
		.comp_len = fr->zframe_len,
		.raw_len = fr->raw_len,
		.crc = frame_crc32c(fr->zframe, fr->zframe_len) };

	if (fr->kind == FRAME_KEY) {
		if (f->frames > 0)
			ix.back_prev_key = f->len_bytes - f->key;
	} else {
		ix.back_key = f->len_bytes - f->key;
		if (f->has_prev_key)
			ix.back_prev_key = f->len_bytes - f->prev_key;
	}
	if (fr->group) {
		ix.kind = FRAME_GROUP;
		ix.sparse = group_is_sparse(fr->group);
		ix.early = fr->early;
		ix.repair = true;
		ix.summary = fr->summary;
	}
	frame_index_put(&ix, to);
}

static bool has_key(const struct outframe *fr)
{
	return fr->kind == FRAME_KEY ||
	    (fr->group && fr->group->first_key < fr->group->n);
}

static void note_written(struct outfile *f, const struct outframe *fr)
{
	struct frame_entry e = { .offset = f->len_bytes,
		.seq = fr->seq,
		.wall_ns = fr->wall_ns,
		.comp_len = fr->zframe_len,
		.raw_len = fr->raw_len,
		.kind = fr->kind };

	if (!f->stream && fr->group)
		footer_add_group(&f->footer, &e, fr->group);
	else if (!f->stream)
		footer_add(&f->footer, &e);
	if (has_key(fr)) {
		f->has_prev_key = f->frames > 0;
		f->prev_key = f->key;
		f->key = f->len_bytes;
	}
	f->len_bytes += FRAME_INDEX_LEN + fr->zframe_len;
	f->raw_bytes += fr->raw_len;
	f->frames++;
}

int outfile_append(struct outfile *f, const struct outframe *fr,
	struct gs_err *err)
{
	char index[FRAME_INDEX_LEN];
	struct iovec v[2] = { { index, sizeof(index) },
		{ (void *)(uintptr_t)fr->zframe, fr->zframe_len } };
	int r;

	if (!outfile_sound(f))
		return gs_fail(err, GS_E_IO, "%s: given up", f->path);
	if (f->frames == 0 && fr->kind != FRAME_KEY)
		return gs_fail(err, GS_E_USAGE,
		    "%s: the first frame must be a key", f->path);
	make_index(f, fr, index);
	r = write_all(f, v, 2, err);
	if (r == 0)
		note_written(f, fr);
	return r;
}

int outfile_sync(struct outfile *f, struct gs_err *err)
{
	int r;

	if (!f->dirty || !outfile_sound(f))
		return 0;
	f->dirty = false;
	r = f->io->sync(f->io->ctx, f->fd);
	if (r == 0)
		return 0;
	f->unsound = true;
	return gs_fail_errno(err, -r, "%s: fdatasync", f->path);
}

static int put_footer(struct outfile *f, struct gs_err *err)
{
	struct buf b = BUF_INIT;
	struct iovec v;
	int r;

	footer_put(&f->footer, &b);
	v = (struct iovec) { b.ptr, b.len };
	r = write_all(f, &v, 1, err);
	if (r == 0)
		f->len_bytes += b.len;
	buf_release(&b);
	return r;
}

int outfile_finish(struct outfile *f, struct gs_err *err)
{
	uint64_t len_bytes;
	int r = 0, c;

	if (f->fd < 0)
		return 0;
	if (f->frames > 0 && !f->stream && outfile_sound(f)) {
		r = put_footer(f, err);
		if (r == 0)
			r = outfile_sync(f, err);
	}
	if (f->frames == 0)
		outfile_unlink(f);
	if (!f->stream) {
		c = f->io->close(f->io->ctx, f->fd);
		if (c < 0 && r == 0)
			r = gs_fail_errno(err, -c, "%s: close", f->path);
	}
	f->fd = -1;
	len_bytes = f->len_bytes;
	outfile_release(f);
	f->len_bytes = len_bytes;
	return r;
}
