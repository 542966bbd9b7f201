/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/sink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "edit/sink_part.h"
#include "edit/tickhash.h"
#include "format/naming.h"
#include "format/outfile.h"
#include "format/packer.h"
#include "format/tickcode.h"

/* Of decompressed bytes, if nothing else was asked for.  One more key may come, after
 * a file was found full: much less than FRAME_FILE_RAW_MAX. */
#define FULL_BYTES (192u << 20)

struct sink {
	struct sink_options opt;
	const struct io_ops *io;
	bool stream;
	struct part *part;
	size_t n_part, part_cap;
	struct outfile file;
	struct tickcode *code;
	struct packer *packer; /* NULL: each tick has a frame, and nothing beside it */
	bool packs; /* ticks are put into groups */
	struct buf raw, comp;
	uint64_t ticks, bytes;
	uint64_t last_seq;
	struct gs_undo undo;
};

/* Makes the part file.  One that a stopped command left is replaced; one that is
 * being written stays, and is an error. */
static int create(struct sink *s, const char *temp, struct gs_err *err)
{
	int r = outfile_create(&s->file, s->io, temp, err);
	int fd;

	if (r != GS_E_EXISTS)
		return r;
	r = part_take(temp, &fd, err);
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
	r = part_refuse(buf_str(&name), s->opt.force, err);
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

/* Removes unfinished files. */
static void remove_parts(void *arg)
{
	struct sink *s = arg;
	size_t i;

	for (i = 0; i < s->n_part; i++) {
		if (s->part[i].temp && /* else it has its name */
		    part_is_ours(&s->part[i]))
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
	s->packs = o->groups;
	if (!o->groups)
		tickcode_be_dense(s->code);
	if (o->groups || o->beside)
		s->packer = packer_new(o->groups ? o->level
		    : beside_level(o->beside), o->threads);
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

	tickcode_compress_tick(s->code, record.ptr, span_len(record), &s->comp);
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

/* In a frame of its own, unless something comes beside it. */
static int put_framed(struct sink *s, const struct tick *t,
	struct span record, struct gs_err *err)
{
	struct packer_tick pt = packer_tick_of(t, record);

	tickcode_compress_tick(s->code, record.ptr, span_len(record), &s->comp);
	return packer_add_frame(s->packer, &pt, s->comp.ptr, s->comp.len,
	    &s->file, err);
}

static struct packer *need_packer(struct sink *s)
{
	if (!s->packer)
		s->packer = packer_new(s->opt.level, s->opt.threads);
	return s->packer;
}

/* Only ticks in groups have left_out. */
static int begin_packing(struct sink *s, struct gs_err *err)
{
	int r = GS_OK;

	if (s->packs)
		return GS_OK;
	if (s->packer)
		r = packer_flush(s->packer, &s->file, err);
	packer_free(s->packer); /* it may be of another level */
	s->packer = NULL;
	(void)need_packer(s);
	s->packs = true;
	return r;
}

/* A tick was put, when the file had so many bytes. */
static void note_put(struct sink *s, struct tick *t, struct span record,
	uint64_t before)
{
	struct part *p = s->stream ? NULL : &s->part[s->n_part - 1];

	s->bytes += s->file.len_bytes - before;
	s->ticks += s->ticks == 0 || t->seq != s->last_seq;
	s->last_seq = t->seq;
	if (p) {
		p->ticks++;
		p->digest = tickhash_add(p->digest, t);
	}
	if (s->opt.beside)
		beside_tick(s->opt.beside, t, record, s->packer);
}

int sink_put_record(struct sink *s, struct tick *t, struct span record,
	bool first, struct gs_err *err)
{
	uint64_t before = s->file.len_bytes;
	int r;

	if (span_len(record) > FRAME_RAW_MAX)
		return gs_fail(err, GS_E_LIMIT, "tick %" PRIu64 " is larger "
		    "than " FRAME_RAW_MAX_TEXT, t->seq);
	r = t->left_out > 0 ? begin_packing(s, err) : GS_OK;
	if (r == GS_OK)
		r = s->packs ? put_packed(s, t, record, first, err)
		    : s->packer ? put_framed(s, t, record, err)
		    : put_alone(s, t, record, err);
	if (r == GS_OK)
		note_put(s, t, record, before);
	return r;
}

int sink_put_frame(struct sink *s, struct tick *t, struct span record,
	struct span zframe, struct gs_err *err)
{
	uint64_t before = s->file.len_bytes;
	struct packer_tick pt = packer_tick_of(t, record);
	int r = packer_add_frame(need_packer(s), &pt, zframe.ptr,
	    span_len(zframe), &s->file, err);

	if (r == GS_OK)
		note_put(s, t, record, before);
	return r;
}

int sink_put(struct sink *s, struct tick *t, struct gs_err *err)
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

static void end_beside(struct sink *s)
{
	if (s->opt.beside)
		beside_end(s->opt.beside, s->packer);
}

bool sink_has_beside(struct sink *s)
{
	end_beside(s);
	return beside_any(s->opt.beside);
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
	int r = GS_OK;

	end_beside(s);
	if (s->packer)
		r = packer_flush(s->packer, &s->file, err);
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

/* ---- the end ----------------------------------------------------------- */

static void sync_names(struct sink *s)
{
	const char *path = s->part[0].path;
	const char *slash = strrchr(path, '/');
	char *dir = !slash ? gs_strdup(".") : slash == path ? gs_strdup("/")
	    : gs_strndup(path, (size_t)(slash - path));

	(void)s->io->sync_dir(s->io->ctx, dir); /* best effort */
	free(dir);
}

static int check_stopped(const struct sink *s, struct gs_err *err)
{
	if (s->opt.stopped && s->opt.stopped())
		return gs_fail(err, GS_E_GONE, "stopped: nothing was written");
	return GS_OK;
}

int sink_finish(struct sink *s, struct gs_err *err)
{
	const struct part_naming naming = { s->opt.force, s->opt.replaces,
		s->opt.like };
	int r = check_stopped(s, err);
	size_t i;

	if (r == GS_OK)
		r = end_part(s, err);
	if (s->stream || r < 0 || s->ticks == 0)
		return r;
	for (i = 0; r == GS_OK && i < s->n_part; i++)
		r = part_verify(&s->part[i], s->opt.stopped, err);
	for (i = 0; r == GS_OK && i < s->n_part; i++)
		r = part_give_name(&s->part[i], &naming, err);
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
