/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/summarize.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit/sink.h"
#include "format/reader.h"
#include "model/header.h"

struct summarizing {
	const struct summarize_options *o;
	struct reader *from;
	struct sink *to;
	const struct beside *beside;
	enum summarize_done done; /* SUMMARIZE_NONE: something can still be added */
};

static int copy_tick(struct summarizing *m, struct tick *t, struct gs_err *err)
{
	struct frame_entry e;
	struct span record = reader_record(m->from, &e);

	return sink_put_frame(m->to, t, record, reader_frame(m->from), err);
}

static int report_step(struct summarizing *m, struct gs_err *err)
{
	if (m->o->step && !m->o->step(m->o->ctx,
	    reader_offset(m->from), reader_size(m->from)))
		return gs_fail(err, GS_E_GONE, "stopped");
	return GS_OK;
}

/* The tick says that nothing is to be added to its file. */
static bool is_done(struct summarizing *m, const struct tick *t)
{
	if (span_len(reader_frame(m->from)) == 0)
		m->done = SUMMARIZE_HAS;
	else if (t->header && t->header->thinned_ns > 0)
		m->done = SUMMARIZE_THINNED;
	else if (t->header && t->header->n_unknown > 0)
		m->done = SUMMARIZE_NEWER;
	return m->done != SUMMARIZE_NONE;
}

static int damaged(const struct reader *r, const struct cursor_gap *gap,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_FORMAT, "%s: offset %" PRIu64 ": %s: gpsnap "
	    "recover saves what is whole", reader_path(r), gap->offset,
	    gap->why);
}

/* Its ticks are whole, but not its bytes. */
static int check_mended(const struct reader *r, struct gs_err *err)
{
	uint64_t first;

	if (reader_mended(r, &first) == 0)
		return GS_OK;
	return gs_fail(err, GS_E_FORMAT, "%s: offset %" PRIu64 ": a damaged "
	    "group, whose ticks can be restored: gpsnap recover does it",
	    reader_path(r), first);
}

/* Copies what is to get more beside it; what is done is read to see whether it is
 * whole. */
static int copy_all(struct summarizing *m, struct gs_err *err)
{
	enum cursor_step is = CURSOR_TICK;
	struct cursor_gap gap;
	struct tick *t = NULL;
	int r = GS_OK;

	while (r == GS_OK && (m->done == SUMMARIZE_NONE || m->o->reads_all) &&
	    (is == CURSOR_TICK || is == CURSOR_GAP)) {
		is = reader_next(m->from, &t, &gap, err);
		if (is == CURSOR_TICK && m->done == SUMMARIZE_NONE &&
		    !is_done(m, t))
			r = copy_tick(m, t, err);
		else if (is == CURSOR_GAP && gap.damage)
			r = damaged(m->from, &gap, err);
		if (r == GS_OK && is == CURSOR_TICK)
			r = report_step(m, err);
	}
	if (r == GS_OK && is == CURSOR_ERROR)
		return err ? (int)err->status : GS_E_IO;
	return r == GS_OK ? check_mended(m->from, err) : r;
}

/* The file is complete: nobody writes to it, and its index is there. */
static int check(const struct reader *r, struct gs_err *err)
{
	if (!reader_is_file(r))
		return gs_fail(err, GS_E_USAGE, "%s: is not a file",
		    reader_path(r));
	if (reader_is_written(r))
		return gs_fail(err, GS_E_BUSY, "%s: is being written",
		    reader_path(r));
	if (!reader_is_closed(r))
		return gs_fail(err, GS_E_FORMAT, "%s: was not closed in good "
		    "order: gpsnap recover saves what is whole",
		    reader_path(r));
	return GS_OK;
}

/* A file of another user would become one of ours. */
static int check_owner(const char *path, struct stat *ret, struct gs_err *err)
{
	if (strcmp(path, "-") == 0)
		return gs_fail(err, GS_E_USAGE, "standard input: is not a file: "
		    "name one");
	if (lstat(path, ret) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (!S_ISREG(ret->st_mode) || ret->st_nlink > 1)
		return gs_fail(err, GS_E_USAGE, "%s: %s: it can't be replaced",
		    path, S_ISREG(ret->st_mode) ? "has other names"
		    : S_ISLNK(ret->st_mode) ? "is a link" : "is not a file");
	if (ret->st_uid != geteuid())
		return gs_fail(err, GS_E_USAGE, "%s: belongs to another user, "
		    "who can do this", path);
	return GS_OK;
}

static int make(struct summarizing *m, struct gs_err *err)
{
	int r = copy_all(m, err);

	if (r < 0 || m->done != SUMMARIZE_NONE)
		return r;
	if (!sink_has_beside(m->to)) {
		m->done = beside_lacked(m->beside) ? SUMMARIZE_MEMORY
		                                   : SUMMARIZE_NONE;
		return GS_OK;
	}
	m->done = SUMMARIZE_MADE;
	return sink_finish(m->to, err);
}

int summarize_file(const char *path, const struct summarize_options *o,
	const struct io_ops *io, struct summarize_result *ret,
	struct gs_err *err)
{
	struct summarizing m = { .o = o, .done = SUMMARIZE_NONE };
	struct stat was;
	struct sink_options so = { .path = path, .force = true,
		.level = o->beside.level, .replaces = &was,
		.beside = beside_new(&o->beside) };
	int r = check_owner(path, &was, err);

	m.beside = so.beside;
	*ret = (struct summarize_result) { .bytes_before =
	    r == GS_OK ? (uint64_t)was.st_size : 0 };
	if (r == GS_OK)
		r = reader_open(path, &m.from, err);
	if (r == GS_OK)
		r = check(m.from, err);
	if (r == GS_OK)
		r = sink_open(&so, io, &m.to, err);
	if (r == GS_OK)
		r = make(&m, err);
	if (r == GS_OK) {
		ret->done = m.done;
		ret->bytes = sink_bytes(m.to);
	}
	sink_free(m.to);
	beside_free(so.beside);
	reader_free(m.from);
	return r;
}
