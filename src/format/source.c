/* SPDX-License-Identifier: Apache-2.0 */
#include "format/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/fnv.h"
#include "base/gate.h"
#include "base/mem.h"
#include "format/crc32c.h"
#include "format/lockfile.h"

/* Bytes per read. */
#define CHUNK ((size_t)256 << 10)

/* The window may be this much larger than requested. */
#define ROOM_MAX ((size_t)1 << 20)

static int failed(struct source *s, struct gs_err *err)
{
	uint64_t at = s->base + s->len;

	if (errno == ENOMEM && s->budget) {
		budget_place(s->budget, s->path, s->base, 0);
		return budget_fail(s->budget, err, "bytes of one frame");
	}
	return gs_fail_errno(err, errno, "%s: at byte %" PRIu64, s->path, at);
}

/* A pipe with a name, which may have no writer: opening it would wait for one.  That of
 * a shell, /dev/fd/63, is a link to something that has none. */
static bool is_named_pipe(const char *path)
{
	struct stat st;
	char *name;

	if (stat(path, &st) < 0 || !S_ISFIFO(st.st_mode))
		return false;
	name = realpath(path, NULL);
	free(name);
	return name != NULL;
}

int source_open(struct source *s, const char *path, struct gs_err *err)
{
	struct stat st;

	*s = (struct source) { .fd = -1, .budget = budget_own() };
	if (!gate_is_open())
		return gs_fail(err, GS_E_IO, "%s: this command has no sandbox "
		    "and does not say so: nothing is read", path);
	if (path[0] == '\0')
		return gs_fail(err, GS_E_IO, "a file name is empty");
	if (is_named_pipe(path))
		return gs_fail(err, GS_E_IO, "%s: not a regular file; - reads "
		    "the standard input", path);
	if (strcmp(path, "-") == 0) {
		s->fd = STDIN_FILENO;
	} else {
		s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		s->own_fd = true;
	}
	if (s->fd < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (fstat(s->fd, &st) < 0) {
		int e = errno;

		source_close(s);
		return gs_fail_errno(err, e, "%s", path);
	}
	if (S_ISDIR(st.st_mode)) {
		source_close(s);
		return gs_fail(err, GS_E_IO, "%s: is a directory", path);
	}
	s->path = gs_strdup(strcmp(path, "-") == 0 ? "standard input" : path);
	s->seekable = S_ISREG(st.st_mode);
	return GS_OK;
}

void source_close(struct source *s)
{
	if (s->own_fd && s->fd >= 0)
		(void)close(s->fd); /* only read from */
	budget_leave(s->budget, s->path);
	free(s->path);
	free(s->buf);
	budget_give(s->budget, s->cap);
	*s = (struct source) { .fd = -1 };
}

void source_rest(struct source *s)
{
	free(s->buf);
	budget_give(s->budget, s->cap);
	s->buf = NULL;
	s->cap = s->len = 0;
	s->base = 0;
}

/* Room for want more bytes at the end of the window. */
static bool make_room(struct source *s, size_t want)
{
	size_t cap = s->len + want;

	if (cap <= s->cap)
		return true;
	cap += GS_MIN(cap / 2, ROOM_MAX);
	if (!budget_take(s->budget, cap - s->cap))
		return false;
	s->buf = gs_realloc(s->buf, cap);
	s->cap = cap;
	return true;
}

/* Reads up to want bytes at the end of the window.  A pipe may deliver nothing
 * for a long time: a signal with a handler ends the wait. */
static ssize_t fill(struct source *s, size_t want)
{
	ssize_t n;

	if (!make_room(s, want)) {
		errno = ENOMEM;
		return -1;
	}
	do {
		if (s->seekable)
			n = pread(s->fd, s->buf + s->len, want,
			    (off_t)(s->base + s->len));
		else
			n = read(s->fd, s->buf + s->len, want);
	} while (n < 0 && errno == EINTR && s->seekable);
	if (n > 0)
		s->len += (size_t)n;
	return n;
}

/* Moves the window so that it starts at off. */
static int move_to(struct source *s, uint64_t off, struct gs_err *err)
{
	if (off >= s->base && off <= s->base + s->len) {
		size_t skip = (size_t)(off - s->base);

		/* moved only when half of the window is consumed */
		if (skip == s->len || skip > s->cap / 2) {
			if (s->len > skip)
				memmove(s->buf, s->buf + skip,
				    s->len - skip);
			s->len -= skip;
			s->base = off;
		}
		return GS_OK;
	}
	if (s->seekable) {
		s->base = off;
		s->len = 0;
		return GS_OK;
	}
	while (off > s->base + s->len) {
		ssize_t n;

		s->base += s->len;
		s->len = 0;
		n = fill(s, GS_MIN(CHUNK, off - s->base));
		if (n < 0)
			return failed(s, err);
		if (n == 0)
			break;
	}
	s->base += s->len;
	s->len = 0;
	return GS_OK;
}

int64_t source_get(struct source *s, uint64_t off, size_t want,
	const char **ret, struct gs_err *err)
{
	size_t have;
	int r = move_to(s, off, err);

	if (r < 0)
		return r;
	if (off < s->base || off > s->base + s->len)
		return 0; /* a pipe that ended before, or was read past */
	while (s->base + s->len < off + want) {
		size_t miss = (size_t)(off + want - s->base) - s->len;
		ssize_t n = fill(s, (want <= 256 || s->sparing) && s->seekable
		    ? miss : GS_MAX(miss, CHUNK));

		if (n < 0)
			return failed(s, err);
		if (n == 0)
			break;
	}
	have = (size_t)(s->base + s->len - off);
	*ret = s->buf + (off - s->base);
	return (int64_t)GS_MIN(have, want);
}

bool source_peek(const struct source *s, uint64_t off, void *to, size_t n)
{
	size_t got = 0;

	while (s->seekable && got < n) {
		ssize_t k = pread(s->fd, (char *)to + got, n - got,
		    (off_t)(off + got));

		if (k <= 0)
			return false;
		got += (size_t)k;
	}
	return s->seekable;
}

bool source_digest(const struct source *s, uint64_t *ret)
{
	int64_t size = source_size(s), at;
	char *part = gs_malloc(CHUNK);
	uint64_t h = FNV_BASIS;
	bool ok = size >= 0;

	for (at = 0; ok && at < size; at += (int64_t)CHUNK) {
		size_t n = (size_t)GS_MIN((int64_t)CHUNK, size - at);
		unsigned char sum[12];

		ok = source_peek(s, (uint64_t)at, part, n);
		if (!ok)
			break;
		gs_put_le32(sum, crc32c_update(~UINT32_C(0), part, n));
		gs_put_le64(sum + 4, n);
		h = fnv_add(h, sum, sizeof(sum));
	}
	free(part);
	*ret = h;
	return ok;
}

int64_t source_size(const struct source *s)
{
	struct stat st;

	if (!s->seekable || fstat(s->fd, &st) < 0)
		return -1;
	return st.st_size;
}

uint64_t source_bytes(const struct source *s)
{
	int64_t size = source_size(s);

	return size >= 0 ? (uint64_t)size : s->base + s->len;
}

bool source_is_written(const struct source *s)
{
	if (!s->seekable)
		return false;
	if (flock(s->fd, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK;
	(void)flock(s->fd, LOCK_UN); /* we hold it; cannot fail */
	return lockfile_is_locked(s->fd);
}
