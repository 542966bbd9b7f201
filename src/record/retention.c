/* SPDX-License-Identifier: Apache-2.0 */
#include "record/retention.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/lockfile.h"
#include "format/naming.h"

struct candidate {
	char *file;
	int64_t time_s; /* by its name */
	unsigned nth;
	int64_t changed_ns;
	uint64_t size_bytes;
	bool part; /* unfinished, of a command that was killed */
};

struct candidates {
	struct candidate *at;
	size_t n, cap;
};

static void candidates_release(struct candidates *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		free(c->at[i].file);
	free(c->at);
}

/* Every file of ours begins with an index frame. */
static bool has_magic(int fd)
{
	char head[4], magic[4];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	gs_put_le32(magic, FRAME_SKIP_MAGIC);
	return n == sizeof(head) && memcmp(head, magic, sizeof(head)) == 0;
}

/* Fills the fields from stat; false if the file is not ours. */
static bool inspect(int dirfd, const char *file, struct candidate *ret)
{
	int fd = openat(dirfd, file,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	bool ours;

	if (fd < 0)
		return false;
	ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    !lockfile_is_locked(fd) && (st.st_size == 0 || has_magic(fd));
	(void)close(fd); /* only read */
	if (!ours)
		return false;
	ret->size_bytes = (uint64_t)st.st_size;
	ret->changed_ns = (int64_t)st.st_mtim.tv_sec * GS_NSEC_PER_SEC +
	    st.st_mtim.tv_nsec;
	return true;
}

static int by_age(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->time_s != b->time_s)
		return a->time_s < b->time_s ? -1 : 1;
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

/* FILE.part is made when summaries are added to FILE. */
static bool is_of(const struct retention *r, const char *file,
	struct candidate *c)
{
	size_t len = strlen(file), n = strlen(NAMING_PART);
	char *whole;
	bool is;

	c->part = len > n && strcmp(file + len - n, NAMING_PART) == 0;
	whole = gs_strndup(file, c->part ? len - n : len);
	is = naming_is_rotated(r->name, whole, &c->time_s, &c->nth);
	free(whole);
	return is;
}

/* Lists our files, oldest first; *ret_live is the size of the live one. */
static int list(const struct retention *r, const char *live,
	struct candidates *c, uint64_t *ret_live, struct gs_err *err)
{
	DIR *d = opendir(r->dir);
	struct dirent *e;
	struct stat st;

	*ret_live = 0;
	if (!d)
		return gs_fail_errno(err, errno, "%s", r->dir);
	while ((e = readdir(d)) != NULL) {
		struct candidate one = { 0 };

		if (!is_of(r, e->d_name, &one))
			continue;
		if (live && strcmp(e->d_name, live) == 0) {
			if (fstatat(dirfd(d), live, &st, 0) == 0)
				*ret_live = (uint64_t)st.st_size;
			continue;
		}
		if (!inspect(dirfd(d), e->d_name, &one))
			continue;
		one.file = gs_strdup(e->d_name);
		GS_GROW(c->at, &c->cap, c->n + 1);
		c->at[c->n++] = one;
	}
	(void)closedir(d); /* only read */
	if (c->n > 0)
		qsort(c->at, c->n, sizeof(*c->at), by_age);
	return 0;
}

struct eviction {
	const struct retention *r;
	const struct io_ops *io;
	struct retention_result *ret;
	uint64_t total_bytes;
	uint64_t wanted_bytes; /* still to be freed */
	struct buf path;
	struct gs_err *err;
	int status; /* of the first failure */
};

static void delete(struct eviction *s, const struct candidate *c)
{
	int r;

	buf_reset(&s->path);
	buf_printf(&s->path, "%s/%s", s->r->dir, c->file);
	r = s->io->unlink(s->io->ctx, buf_str(&s->path));
	if (r == 0) {
		s->ret->deleted++;
		s->ret->deleted_bytes += c->size_bytes;
	} else if (r != -ENOENT && s->status == 0) {
		s->status = gs_fail_errno(s->err, -r,
		    "%s: is due to be deleted", buf_str(&s->path));
	}
	if (r == 0 || r == -ENOENT) {
		s->total_bytes -= c->size_bytes;
		s->wanted_bytes -= GS_MIN(s->wanted_bytes, c->size_bytes);
	}
}

/* Bytes to delete until there is room, from one reading of the file system: it
 * need not free deleted blocks at once. */
static uint64_t missing_bytes(const struct eviction *s)
{
	struct io_room room;
	double want;

	if (s->r->min_free <= 0 ||
	    s->io->room(s->io->ctx, s->r->dir, &room) < 0)
		return 0;
	want = s->r->min_free * (double)room.size_bytes;
	return want > (double)room.free_bytes
	    ? (uint64_t)(want - (double)room.free_bytes) + 1 : 0;
}

static bool too_little_free(const struct eviction *s)
{
	return s->r->min_free > 0 &&
	    retention_free_share(s->io, s->r->dir) < s->r->min_free;
}

static bool must_go(const struct eviction *s, const struct candidate *c,
	int64_t now_ns)
{
	if (c->part)
		return c->changed_ns < now_ns - RETENTION_FLOOR_NS;
	if (s->r->keep_ns > 0 && c->changed_ns < now_ns - s->r->keep_ns)
		return true;
	if (s->r->keep_bytes > 0 && s->total_bytes > s->r->keep_bytes)
		return true;
	/* A full disk must not cost the newest history, too. */
	return s->wanted_bytes > 0 &&
	    c->changed_ns < now_ns - RETENTION_FLOOR_NS;
}

int retention_apply(const struct retention *r, const struct io_ops *io,
	const char *live, int64_t now_ns, struct retention_result *ret,
	struct gs_err *err)
{
	struct candidates c = { 0 };
	struct eviction s = { .r = r, .io = io, .ret = ret, .err = err };
	size_t i;

	*ret = (struct retention_result) { 0 };
	s.status = list(r, live, &c, &s.total_bytes, err);
	for (i = 0; i < c.n; i++)
		s.total_bytes += c.at[i].size_bytes;
	s.wanted_bytes = missing_bytes(&s);
	for (i = 0; i < c.n; i++) {
		if (must_go(&s, &c.at[i], now_ns))
			delete(&s, &c.at[i]);
	}
	ret->low = too_little_free(&s);
	candidates_release(&c);
	buf_release(&s.path);
	return s.status;
}

double retention_free_share(const struct io_ops *io, const char *dir)
{
	struct io_room room;

	if (io->room(io->ctx, dir, &room) < 0 || room.size_bytes == 0)
		return 1;
	return (double)room.free_bytes / (double)room.size_bytes;
}
