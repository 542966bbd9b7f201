/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "base/newfile.h"
#include "tui/edit.h"
#include "view/view.h"

/* Names of columns, of metrics, and what --columns has between them. */
static bool is_list(const char *p)
{
	static const char in[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,+%";
	size_t n = strlen(p);

	return n > 0 && n <= EDIT_BYTES_MAX && strspn(p, in) == n;
}

/* The text up to KEEP_BYTES_MAX; 0 if there is no file. */
static int read_all(const char *path, struct buf *to, struct gs_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char bytes[4096];
	ssize_t n = 0;
	int saved;

	if (fd < 0 && errno == ENOENT)
		return GS_OK;
	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", path);
	while (to->len <= KEEP_BYTES_MAX &&
	    (n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(to, bytes, (size_t)n);
	saved = errno;
	(void)close(fd); /* only read from */
	if (n < 0)
		return gs_fail_errno(err, saved, "%s", path);
	if (to->len > KEEP_BYTES_MAX)
		return gs_fail(err, GS_E_FORMAT, "%s: more than %d bytes",
		    path, KEEP_BYTES_MAX);
	return GS_OK;
}

/* fn NULL: only checks.  False: the line is neither a remark nor a view and its
 * columns. */
static bool take_line(char *line, keep_fn fn, void *ctx)
{
	char *tab = strchr(line, '\t');

	if (*line == '#')
		return true;
	if (!tab)
		return false;
	*tab = '\0';
	if (!view_find(line) || !is_list(tab + 1))
		return false;
	if (fn)
		fn(ctx, line, tab + 1);
	return true;
}

/* The number of the first line that is wrong or not whole, or 0. */
static size_t each_line(const struct buf *b, keep_fn fn, void *ctx)
{
	const char *p = buf_str(b), *end = p + b->len;
	size_t line;

	for (line = 1; p < end; line++) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		size_t len = lf ? (size_t)(lf - p) : 0;
		char *text = gs_strndup(p, len);
		bool right = lf && strlen(text) == len &&
		    take_line(text, fn, ctx);

		free(text);
		if (!right)
			return line;
		p = lf + 1;
	}
	return 0;
}

int keep_read(const char *path, keep_fn fn, void *ctx, struct gs_err *err)
{
	struct buf b = BUF_INIT;
	int r = read_all(path, &b, err);
	size_t wrong = r == GS_OK ? each_line(&b, NULL, NULL) : 0;

	if (wrong > 0)
		r = gs_fail(err, GS_E_FORMAT, "%s: line %zu: no view and its "
		    "columns", path, wrong);
	if (r == GS_OK)
		(void)each_line(&b, fn, ctx); /* they are right */
	buf_release(&b);
	return r;
}

void keep_add(struct buf *to, const char *view, const char *columns)
{
	if (is_list(columns))
		buf_printf(to, "%s\t%s\n", view, columns);
}

int keep_write(const char *path, const struct buf *lines, struct gs_err *err)
{
	static const char head[] = "# columns of gpsnap's terminal, by view\n";
	struct newfile *f;
	int r = newfile_begin(path, true, 0600, &f, err);

	if (r == GS_OK)
		r = newfile_add(f, head, strlen(head), err);
	if (r == GS_OK && lines->len > 0)
		r = newfile_add(f, lines->ptr, lines->len, err);
	if (r == GS_OK)
		r = newfile_finish(f, err);
	newfile_free(f);
	return r;
}
