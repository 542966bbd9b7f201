/* SPDX-License-Identifier: Apache-2.0 */
#include "anonymize/keyfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/io_ops.h"

#define HEAD "gpsnap-key 1\n"
#define END "end "

/* ---- text ------------------------------------------------------------- */

static void add_name(struct buf *to, struct span s)
{
	const char *p;

	for (p = s.ptr; p < s.end; p++) {
		if (*p >= ' ' && *p <= '~' && *p != '\\')
			buf_add_char(to, *p);
		else
			buf_printf(to, "\\x%02x", (unsigned char)*p);
	}
}

static void write_text(const struct aliases *a, struct buf *to)
{
	size_t i, n = aliases_count(a);

	buf_add_str(to, HEAD);
	for (i = 0; i < n; i++) {
		const struct alias *x = alias_at(a, i);

		alias_write(x->kind, x->number, to);
		buf_add_char(to, '\t');
		add_name(to, x->name);
		buf_add_char(to, '\n');
	}
	buf_printf(to, END "%zu %08" PRIx32 "\n", n,
	    frame_crc32c(to->ptr, to->len));
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_name(struct span s, struct buf *to)
{
	buf_reset(to);
	for (; !span_empty(s); s.ptr++) {
		int high, low;

		if (*s.ptr != '\\') {
			buf_add_char(to, *s.ptr);
			continue;
		}
		if (span_len(s) < 4 || s.ptr[1] != 'x')
			return false;
		high = digit(s.ptr[2]);
		low = digit(s.ptr[3]);
		if (high < 0 || low < 0)
			return false;
		buf_add_char(to, (char)(high << 4 | low));
		s.ptr += 3;
	}
	return true;
}

static bool read_line(struct span line, struct aliases *to, struct buf *name)
{
	enum alias_kind kind;
	uint32_t number;

	if (!alias_scan(&line, &kind, &number) || span_empty(line) ||
	    *line.ptr != '\t')
		return false;
	line.ptr++;
	return read_name(line, name) && alias_restore(to, kind, number,
	    span_of(buf_str(name), name->len));
}

/* "end COUNT CRC", of all before it. */
static bool ends_well(struct span line, const char *text, size_t n)
{
	struct buf want = BUF_INIT;
	bool ok;

	buf_printf(&want, END "%zu %08" PRIx32, n,
	    frame_crc32c(text, (size_t)(line.ptr - text)));
	ok = span_eq(line, buf_str(&want));
	buf_release(&want);
	return ok;
}

static int damaged(const char *path, size_t line, const char *why,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_FORMAT, "%s: line %zu: %s: the key file is "
	    "damaged, take it from a backup, or name another one", path,
	    line, why);
}

int keyfile_parse(const char *path, const char *text, size_t len,
	struct aliases *to, struct gs_err *err)
{
	struct span s = span_of(text, len), line;
	struct buf name = BUF_INIT;
	size_t n = 1;
	bool ok = true;

	if (!span_starts(s, HEAD))
		return gs_fail(err, GS_E_FORMAT, "%s: no key file of gpsnap "
		    "share: expected \"gpsnap-key 1\"", path);
	s.ptr += strlen(HEAD);
	while (ok && scan_line(&s, &line) && ++n && !span_starts(line, END))
		ok = read_line(line, to, &name);
	buf_release(&name);
	if (!ok)
		return damaged(path, n, "expected user-1, a tab, a name", err);
	if (n == 1 || !span_starts(line, END))
		return damaged(path, n + 1, "expected more, got the end", err);
	if (!ends_well(line, text, aliases_count(to)) || !span_empty(s) ||
	    text[len - 1] != '\n')
		return damaged(path, n, "number of names or checksum is not "
		    "that of the lines before", err);
	return GS_OK;
}

/* ---- the file --------------------------------------------------------- */

static int read_all(FILE *f, const char *path, struct buf *to,
	struct gs_err *err)
{
	size_t got;

	do {
		char *at = buf_reserve(to, 1 << 16);

		got = fread(at, 1, 1 << 16, f);
		to->len += got;
		if (to->len > KEYFILE_MAX_BYTES)
			return gs_fail(err, GS_E_LIMIT, "%s: larger than a "
			    "key file can be, %u bytes", path,
			    KEYFILE_MAX_BYTES);
	} while (got > 0);
	if (ferror(f))
		return gs_fail_errno(err, errno, "%s", path);
	return GS_OK;
}

static int load(const char *path, bool must, struct aliases *to, bool *ret_any,
	struct gs_err *err)
{
	struct buf text = BUF_INIT;
	FILE *f = fopen(path, "re");
	int r;

	*ret_any = f != NULL;
	if (!f)
		return errno == ENOENT && !must ? GS_OK
		    : gs_fail_errno(err, errno, "%s", path);
	r = read_all(f, path, &text, err);
	(void)fclose(f); /* only read from */
	if (r == GS_OK)
		r = keyfile_parse(path, buf_str(&text), text.len, to, err);
	buf_release(&text);
	return r;
}

int keyfile_read(const char *path, struct aliases **ret, struct gs_err *err)
{
	struct aliases *a = aliases_new();
	bool any;
	int r = load(path, true, a, &any, err);

	if (r == GS_OK)
		*ret = a;
	else
		aliases_free(a);
	return r;
}

/* Waits for the owner of the lock: a signal ends the program. */
static int acquire_lock(struct keyfile *k, struct gs_err *err)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct buf path = BUF_INIT;
	int r = GS_OK;

	buf_printf(&path, "%s.lock", k->path);
	k->lock = open(buf_str(&path),
	    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
	if (k->lock < 0)
		r = gs_fail_errno(err, errno, "%s", buf_str(&path));
	else if (fcntl(k->lock, F_OFD_SETLKW, &l) < 0 && errno != ENOLCK &&
	    errno != EINVAL) /* a file system without locks */
		r = gs_fail_errno(err, errno, "%s", buf_str(&path));
	buf_release(&path);
	return r;
}

int keyfile_open(struct keyfile *k, const char *path, struct gs_err *err)
{
	bool any = false;
	int r;

	k->path = gs_strdup(path);
	k->aliases = aliases_new();
	r = acquire_lock(k, err);
	if (r == GS_OK)
		r = load(path, false, k->aliases, &any, err);
	k->n_saved = any ? aliases_count(k->aliases) : SIZE_MAX;
	return r;
}

static int sync_dir(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? gs_strndup(path, (size_t)(slash - path) + 1)
	                  : gs_strdup(".");
	int r = io_posix.sync_dir(io_posix.ctx, dir);

	free(dir);
	return r;
}

static int replace(const char *path, const char *temp, const struct buf *text,
	struct gs_err *err)
{
	int fd, errnum;

	(void)unlink(temp); /* of a program that was killed */
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", temp);
	errnum = io_write_all(fd, text->ptr, text->len);
	if (!errnum && fsync(fd) < 0)
		errnum = errno;
	if (close(fd) < 0 && !errnum)
		errnum = errno;
	if (!errnum && rename(temp, path) < 0)
		errnum = errno;
	if (errnum) {
		(void)unlink(temp); /* incomplete */
		return gs_fail_errno(err, errnum, "%s", path);
	}
	(void)sync_dir(path); /* best effort */
	return GS_OK;
}

int keyfile_save(struct keyfile *k, struct gs_err *err)
{
	struct buf temp = BUF_INIT, text = BUF_INIT;
	int r;

	if (k->n_saved == aliases_count(k->aliases))
		return GS_OK;
	buf_printf(&temp, "%s.part", k->path);
	write_text(k->aliases, &text);
	if (text.len > KEYFILE_MAX_BYTES)
		r = gs_fail(err, GS_E_LIMIT,
		    "%s: too many names for one key file: name another one",
		    k->path);
	else
		r = replace(k->path, buf_str(&temp), &text, err);
	if (r == GS_OK)
		k->n_saved = aliases_count(k->aliases);
	buf_release(&temp);
	buf_release(&text);
	return r;
}

void keyfile_close(struct keyfile *k)
{
	if (k->lock >= 0)
		(void)close(k->lock); /* releases the lock */
	aliases_free(k->aliases);
	free(k->path);
	*k = (struct keyfile)KEYFILE_INIT;
}
