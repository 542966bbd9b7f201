/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save.c - saves the shown table to a file: what gpsnap replay prints for the
 * same range, conditions and order.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "render/render.h"
#include "tui/tui_int.h"
#include "view/report.h"

static enum render_format format_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	enum render_format f = render_named(dot ? dot + 1 : "");

	return f == RENDER_FORMATS || render_can((int)f, RENDER_ONE_INSTANT)
	    ? RENDER_TEXT : f;
}

static void render_all(const struct tui *t, enum render_format format,
	struct buf *to)
{
	struct render_options o = { .format = format,
		.width = GS_MAX(t->width, 80), .utf8 = t->utf8 };
	struct report rep = { .zone = &t->src->zone };
	struct render *r = render_new(&o, to);
	size_t i;

	t->src->report(t->src->ctx, &rep, t->shot.engine, &t->shot.range);
	baseline_tell(&t->shot.baseline, &rep);
	render_begin(r, &rep);
	i = render_can((int)format, RENDER_FOR_PEOPLE) ? 0 : t->shot.n_head;
	for (; i < t->shot.n_grid; i++)
		render_grid(r, t->shot.grid[i]);
	render_end(r);
	render_free(r);
	report_release(&rep);
}

int save_table(const struct tui *t, const char *path, struct gs_err *err)
{
	struct buf b = BUF_INIT;
	int fd, wrong;

	if (!t->src->report || t->shot.n_grid == 0)
		return gs_fail(err, GS_E_NOTFOUND, "there is no table here");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	/* ENOSYS: the sandbox makes no files at all */
	if (fd < 0 && (errno == EACCES || errno == ENOSYS) &&
	    t->src->save_hint)
		return gs_fail(err, GS_E_IO, "%s: %s", path,
		    t->src->save_hint);
	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", path);
	render_all(t, format_of(path), &b);
	wrong = io_write_all(fd, b.ptr, b.len);
	if (close(fd) < 0 && wrong == 0)
		wrong = errno;
	buf_release(&b);
	return wrong == 0 ? GS_OK : gs_fail_errno(err, wrong, "%s", path);
}
