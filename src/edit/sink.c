/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "edit/tickhash.h"
#include "format/lockfile.h"
#include "format/naming.h"
#include "format/outfile.h"
#include "format/packer.h"
#include "format/reader.h"
#include "format/tickcode.h"
#include "model/world.h"

/* Of decompressed bytes, if nothing else was asked for.  One more key may come, after
 * a file was found full: much less than FRAME_FILE_RAW_MAX. */
#define FULL_BYTES (192u << 20)

/* One file of the output. */
struct part {
	char *path; /* its final name */
	char *temp; /* its name until then; NULL: it has its final name */
	uint64_t dev, ino; /* of the file with that name */
	uint64_t ticks;
	uint64_t digest;
};

struct sink {
	struct sink_options opt;
	const struct io_ops *io;
	bool stream;
	struct part *part;
	size_t n_part, part_cap;
	struct outfile file;
	struct tickcode *code;
	struct packer *packer; /* NULL: each tick has a frame */
	struct buf raw, comp;
	uint64_t ticks, bytes;
	uint64_t last_seq;
	struct gs_undo undo;
};

static int refuse(const char *path, bool force, struct gs_err *err)
{
	struct stat st;

	/* a dangling link exists, too */
	if (stat(path, &st) < 0 && lstat(path, &st) < 0)
		return GS_OK;
	if (S_ISDIR(st.st_mode))
		return gs_fail(err, GS_E_USAGE,
		    "%s: is a directory: name a file in it", path);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return gs_fail(err, GS_E_USAGE,
		    "%s: is not a file: name one, or - for a pipe", path);
	if (!force)
		return gs_fail(err, GS_E_EXISTS, "%s: exists already: use "
		    "another name, or --force to replace it", path);
	return GS_OK;
}

/* Nobody writes to it, and from now on nobody else removes or renames it. */
static bool take(int fd)
{
	/* not a writer's lock: files that exist can't be opened for writing here */
	return !lockfile_is_locked(fd) && (flock(fd, LOCK_EX | LOCK_NB) == 0 ||
	    errno != EWOULDBLOCK); /* some file systems have no locks */
}

/* Whoever removes or renames a part file has it open and taken meanwhile. */
static int open_part(const char *temp, int *ret_fd, struct gs_err *err)
{
	int fd = open(temp, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", temp);
	if (!take(fd)) {
		(void)close(fd); /* only looked at */
		return gs_fail(err, GS_E_BUSY, "%s: another command is writing "
		    "it: use another name", temp);
	}
	*ret_fd = fd;
	return GS_OK;
}

/* Makes the part file.  One that a stopped command left is replaced; one that is
 * being written stays, and is an error. */
static int create(struct sink *s, const char *temp, struct gs_err *err)
{
	int r = outfile_create(&s->file, s->io, temp, err);
	int fd;

	if (r != GS_E_EXISTS)
		return r;
	r = open_part(temp, &fd, err);
	if (r < 0)
		return r;
	(void)s->io->unlink(s->io->ctx, temp); /* creating reports errors */
	r = outfile_create(&s->file, s->io, temp, err);
	(void)close(fd); /* the lock was all */
	return r;
}

/* Begins the next file. */
static int begin_part(struct sink *s, struct gs_err *err)
{
	struct buf name = BUF_INIT;
	struct part p = { 0 };
	struct stat st;
	int r;

	naming_continued(s->opt.path, (unsigned)s->n_part + 1, &name);
	r = refuse(buf_str(&name), s->opt.force, err);
	if (r == GS_OK && s->opt.may_replace &&
	    lstat(buf_str(&name), &st) == 0 &&
	    !s->opt.may_replace(s->opt.ctx, buf_str(&name)))
		r = gs_fail(err, GS_E_EXISTS, "%s: another file has this name",
		    buf_str(&name));
	p.path = gs_strdup(buf_str(&name));
	buf_add_str(&name, NAMING_PART);
	p.temp = gs_strdup(buf_str(&name));
	buf_release(&name);
	if (r == GS_OK)
		r = create(s, p.temp, err);
	if (r < 0) {
		free(p.path);
		free(p.temp);
		return r;
	}
	p.dev = s->file.dev;
	p.ino = s->file.ino;
	GS_GROW(s->part, &s->part_cap, s->n_part + 1);
	s->part[s->n_part++] = p;
	return GS_OK;
}

/* The part file that is there is this one, not another command's. */
static bool is_ours(const struct part *p)
{
	struct stat st;

	return stat(p->temp, &st) == 0 && st.st_dev == p->dev &&
	    st.st_ino == p->ino;
}

static int not_ours(const struct part *p, struct gs_err *err)
{
	return gs_fail(err, GS_E_BUSY, "%s: another command makes it, too",
	    p->temp);
}

/* Removes unfinished files. */
static void remove_parts(void *arg)
{
	struct sink *s = arg;
	size_t i;

	for (i = 0; i < s->n_part; i++) {
		if (s->part[i].temp && /* else it has its name */
		    is_ours(&s->part[i]))
			(void)s->io->unlink(s->io->ctx, s->part[i].temp);
	}
}

int sink_open(const struct sink_options *o, const struct io_ops *io,
	struct sink **ret, struct gs_err *err)
{
	struct sink *s = gs_calloc(1, sizeof(*s));
	int r = GS_OK;

	s->opt = *o;
	s->io = io;
	s->undo = (struct gs_undo) { remove_parts, s, NULL };
	gs_undo_add(&s->undo);
	s->file = (struct outfile)OUTFILE_INIT;
	s->stream = strcmp(o->path, "-") == 0;
	s->code = tickcode_new(o->level);
	if (!o->groups)
		tickcode_be_dense(s->code);
	else
		s->packer = packer_new(o->level, o->threads);
	if (s->opt.full_bytes == 0)
		s->opt.full_bytes = FULL_BYTES;
	if (s->stream && isatty(STDOUT_FILENO))
		r = gs_fail(err, GS_E_USAGE, "a recording can't be written to a "
		    "terminal: use -o FILE, or a pipe");
	else if (s->stream)
		outfile_stream(&s->file, io, STDOUT_FILENO, "standard output");
	else
		r = begin_part(s, err);
	if (r < 0)
		sink_free(s);
	else
		*ret = s;
	return r;
}

void sink_free(struct sink *s)
{
	size_t i;

	if (!s)
		return;
	gs_undo_drop(&s->undo);
	outfile_release(&s->file);
	remove_parts(s);
	for (i = 0; i < s->n_part; i++) {
		free(s->part[i].path);
		free(s->part[i].temp);
	}
	free(s->part);
	tickcode_free(s->code);
	packer_free(s->packer);
	buf_release(&s->raw);
	buf_release(&s->comp);
	free(s);
}

/* ---- writing ----------------------------------------------------------- */

static int put_alone(struct sink *s, const struct tick *t, struct span record,
	struct gs_err *err)
{
	struct outframe f;

	tickcode_compress(s->code, record.ptr, span_len(record), &s->comp);
	f = (struct outframe) { .kind = t->key ? FRAME_KEY : FRAME_DELTA,
		.seq = t->seq, .wall_ns = t->wall_ns,
		.raw_len = (uint32_t)span_len(record), .zframe = s->comp.ptr,
		.zframe_len = (uint32_t)s->comp.len };
	return outfile_append(&s->file, &f, err);
}

static struct packer_tick packer_tick_of(const struct tick *t,
	struct span record)
{
	return (struct packer_tick) {
		.kind = t->key ? FRAME_KEY : FRAME_DELTA, .seq = t->seq,
		.left_out = t->left_out, .wall_ns = t->wall_ns,
		.record = record.ptr, .len = span_len(record) };
}

static int put_packed(struct sink *s, const struct tick *t,
	struct span record, bool first, struct gs_err *err)
{
	struct packer_tick pt = packer_tick_of(t, record);

	pt.first = first;
	return packer_add(s->packer, &pt, &s->file, err);
}

static struct packer *need_packer(struct sink *s)
{
	if (!s->packer)
		s->packer = packer_new(s->opt.level, s->opt.threads);
	return s->packer;
}

/* A tick was put, when the file had so many bytes. */
static void note_put(struct sink *s, const struct tick *t, uint64_t before)
{
	struct part *p = s->stream ? NULL : &s->part[s->n_part - 1];

	s->bytes += s->file.len_bytes - before;
	s->ticks += s->ticks == 0 || t->seq != s->last_seq;
	s->last_seq = t->seq;
	if (p) {
		p->ticks++;
		p->digest = tickhash_add(p->digest, t);
	}
}

int sink_put_record(struct sink *s, const struct tick *t, struct span record,
	bool first, struct gs_err *err)
{
	uint64_t before = s->file.len_bytes;
	int r;

	if (span_len(record) > FRAME_RAW_MAX)
		return gs_fail(err, GS_E_LIMIT, "tick %" PRIu64 " is larger "
		    "than " FRAME_RAW_MAX_TEXT, t->seq);
	if (t->left_out > 0)
		(void)need_packer(s); /* only packed ticks have left_out */
	r = s->packer ? put_packed(s, t, record, first, err)
	              : put_alone(s, t, record, err);
	if (r == GS_OK)
		note_put(s, t, before);
	return r;
}

int sink_put_frame(struct sink *s, const struct tick *t, struct span record,
	struct span zframe, struct gs_err *err)
{
	uint64_t before = s->file.len_bytes;
	struct packer_tick pt = packer_tick_of(t, record);
	int r = packer_add_frame(need_packer(s), &pt, zframe.ptr,
	    span_len(zframe), &s->file, err);

	if (r == GS_OK)
		note_put(s, t, before);
	return r;
}

int sink_put(struct sink *s, const struct tick *t, struct gs_err *err)
{
	tickcode_encode(s->code, t, &s->raw);
	return sink_put_record(s, t, span_of(s->raw.ptr, s->raw.len), false,
	    err);
}

void sink_put_summary(struct sink *s, const struct summary *sum)
{
	if (s->packer)
		packer_add_summary(s->packer, sum);
}

void sink_put_gist(struct sink *s, const struct buf *frame)
{
	if (s->packer)
		packer_add_gist(s->packer, frame);
}

void sink_set_page(struct sink *s, const struct buf *frame)
{
	if (s->packer)
		packer_set_page(s->packer, frame);
}

/* Completes the current file. */
static int end_part(struct sink *s, struct gs_err *err)
{
	uint64_t before = s->file.len_bytes;
	int r = s->packer ? packer_flush(s->packer, &s->file, err) : GS_OK;

	if (r == GS_OK)
		r = outfile_finish(&s->file, err);
	s->bytes += s->file.len_bytes - before;
	return r;
}

bool sink_is_full(const struct sink *s)
{
	return !s->stream && s->file.raw_bytes + (s->packer
	    ? packer_pending(s->packer) : 0) >= s->opt.full_bytes;
}

int sink_rotate(struct sink *s, struct gs_err *err)
{
	int r = end_part(s, err);

	return r == GS_OK ? begin_part(s, err) : r;
}

/* ---- verifying -------------------------------------------------------- */

static int differs(const struct part *p, uint64_t ticks, const char *why,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_IO, "%s: read back it differs from what was "
	    "written: %s (%" PRIu64 " of %" PRIu64 " ticks); nothing was "
	    "kept", p->path, why, ticks, p->ticks);
}

static int check_stopped(const struct sink *s, struct gs_err *err)
{
	if (s->opt.stopped && s->opt.stopped())
		return gs_fail(err, GS_E_GONE, "stopped: nothing was written");
	return GS_OK;
}

static int check_ticks(const struct sink *s, const struct part *p,
	struct reader *r, struct gs_err *err)
{
	struct world *w = world_new_plain();
	uint64_t n = 0, digest = 0;
	struct cursor_gap gap;
	enum cursor_step is;
	struct tick *t = NULL;
	int status = GS_OK;

	while (status == GS_OK) {
		is = reader_next(r, &t, &gap, err);
		if (is == CURSOR_GAP && !gap.damage) {
			world_lost(w); /* the source's */
			continue;
		}
		if (is != CURSOR_TICK)
			break;
		digest = tickhash_add(digest, t);
		n++;
		status = check_stopped(s, err);
		if (status == GS_OK)
			status = world_apply(w, t, err);
	}
	world_free(w);
	if (status < 0)
		return status;
	if (is == CURSOR_ERROR)
		return err ? (int)err->status : GS_E_IO;
	if (is == CURSOR_GAP)
		return differs(p, n, gap.why, err);
	if (n != p->ticks || digest != p->digest)
		return differs(p, n, "figures differ", err);
	return GS_OK;
}

static int verify(const struct sink *s, const struct part *p,
	struct gs_err *err)
{
	struct reader *r = NULL;
	int status = reader_open(p->temp, &r, err);

	if (status == GS_OK)
		status = check_ticks(s, p, r, err);
	reader_free(r);
	return status < 0 && !is_ours(p) ? not_ours(p, err) : status;
}

/* ---- naming ----------------------------------------------------------- */

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Nobody has changed the file that is to be replaced. */
static int check_replaced(const struct sink *s, const struct part *p,
	struct gs_err *err)
{
	const struct stat *was = s->opt.replaces;
	struct stat is;

	if (stat(p->path, &is) == 0 && is.st_dev == was->st_dev &&
	    is.st_ino == was->st_ino && is.st_size == was->st_size &&
	    is_same_time(&is.st_mtim, &was->st_mtim))
		return GS_OK;
	return gs_fail(err, GS_E_GONE, "%s: was changed or removed in the "
	    "meantime: nothing was written", p->path);
}

/* The group is one that new files have here, or else may not be given. */
static bool give_group_and_mode(int fd, const struct stat *like)
{
	struct stat is;

	return fstat(fd, &is) == 0 && (is.st_gid == like->st_gid ||
	    fchown(fd, (uid_t)-1, like->st_gid) == 0) &&
	    fchmod(fd, like->st_mode & 0666) == 0;
}

/* The new file, open, looks like the one that it replaces; its bytes are synced. */
static int look_like(const struct stat *was, const struct part *p, int fd,
	struct gs_err *err)
{
	const struct timespec times[2] = { was->st_atim, was->st_mtim };

	if (!give_group_and_mode(fd, was) || futimens(fd, times) < 0)
		return gs_fail_errno(err, errno, "%s: can't be given the group, "
		    "mode and times of the file that it replaces", p->temp);
	return GS_OK;
}

static int replace(struct sink *s, struct part *p, int fd, struct gs_err *err)
{
	int r = look_like(s->opt.replaces, p, fd, err);

	if (r == GS_OK)
		r = check_replaced(s, p, err);
	if (r == GS_OK && rename(p->temp, p->path) < 0)
		r = gs_fail_errno(err, errno, "%s", p->path);
	return r;
}

/* A file created in the meantime is not replaced. */
static int rename_part(struct sink *s, struct part *p, int fd,
	struct gs_err *err)
{
	if (s->opt.replaces) {
		int r = replace(s, p, fd, err);

		if (r < 0)
			return r;
	} else if (s->opt.force || (link(p->temp, p->path) < 0 && errno != EEXIST)) {
		/* a file system may have no links */
		int r = refuse(p->path, s->opt.force, err);

		if (r < 0)
			return r;
		if (rename(p->temp, p->path) < 0)
			return gs_fail_errno(err, errno, "%s", p->path);
	} else {
		struct stat a, b;

		if (stat(p->temp, &a) < 0 || stat(p->path, &b) < 0 ||
		    a.st_ino != b.st_ino || a.st_dev != b.st_dev)
			return gs_fail(err, GS_E_EXISTS, "%s: was created "
			    "in the meantime: it stays as it is", p->path);
		(void)unlink(p->temp); /* the file has its final name */
	}
	free(p->temp);
	p->temp = NULL;
	return GS_OK;
}

/* What root makes of a user's files can be read by the user's group as before. */
static int give_group(const struct sink *s, const struct part *p, int fd,
	struct gs_err *err)
{
	struct stat like;

	if (!s->opt.like || geteuid() != 0 || stat(s->opt.like, &like) < 0)
		return GS_OK;
	if (!give_group_and_mode(fd, &like))
		return gs_fail_errno(err, errno, "%s: can't be given the group "
		    "and mode of what it was made of", p->temp);
	return GS_OK;
}

static int give_name(struct sink *s, struct part *p, struct gs_err *err)
{
	int fd, r = open_part(p->temp, &fd, err);

	if (r < 0)
		return r;
	r = is_ours(p) ? give_group(s, p, fd, err) : not_ours(p, err);
	if (r == GS_OK)
		r = rename_part(s, p, fd, err);
	(void)close(fd); /* the lock was all */
	return r;
}

static void sync_names(struct sink *s)
{
	const char *path = s->part[0].path;
	const char *slash = strrchr(path, '/');
	char *dir = !slash ? gs_strdup(".") : slash == path ? gs_strdup("/")
	    : gs_strndup(path, (size_t)(slash - path));

	(void)s->io->sync_dir(s->io->ctx, dir); /* best effort */
	free(dir);
}

int sink_finish(struct sink *s, struct gs_err *err)
{
	int r = check_stopped(s, err);
	size_t i;

	if (r == GS_OK)
		r = end_part(s, err);
	if (s->stream || r < 0 || s->ticks == 0)
		return r;
	for (i = 0; r == GS_OK && i < s->n_part; i++)
		r = verify(s, &s->part[i], err);
	for (i = 0; r == GS_OK && i < s->n_part; i++)
		r = give_name(s, &s->part[i], err);
	if (r == GS_OK)
		sync_names(s);
	return r;
}

uint64_t sink_ticks(const struct sink *s)
{
	return s->ticks;
}

uint64_t sink_bytes(const struct sink *s)
{
	return s->bytes;
}

size_t sink_files(const struct sink *s)
{
	return s->n_part;
}

const char *sink_file(const struct sink *s, size_t i)
{
	return s->part[i].path;
}
