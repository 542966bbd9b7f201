/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daily.c - a day as one file.
 */
#include "edit/daily.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path.h"
#include "edit/beside.h"
#include "edit/tickhash.h"

/* Of zstd: a page has few bytes. */
#define PAGE_LEVEL 12

struct making {
	const struct day *day;
	const struct day_options *opt;
	struct sink *sink;
	uint8_t id[RECORDING_ID_LEN]; /* of the current recording */
	struct written {
		uint64_t seq;
		int64_t wall_ns;
	} *tick; /* its written ones, in order */
	size_t n, cap;
	bool begins; /* the next tick is the first of its file */
	bool covered; /* the previous tick was skipped, */
	uint64_t covered_seq; /* this one */
	uint64_t hash, covered_hash; /* of ticks since the last key: of those that were
	                              * written; of those that were skipped */
	uint64_t *size; /* of each source, before it was read */
};

/* NULL: it was not. */
static const struct written *find_written(const struct making *m, uint64_t seq)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (m->tick[mid].seq == seq)
			return &m->tick[mid];
		if (m->tick[mid].seq < seq)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static uint64_t last_written(const struct making *m)
{
	return m->n ? m->tick[m->n - 1].seq : 0;
}

/* Two ticks of one number are one only if they are of one time: a host that was cloned
 * goes on with the recording of the other one. */
static int check_same(const struct written *w, const struct tick *t,
	const char *path, struct gs_err *err)
{
	if (!w || w->wall_ns == t->wall_ns)
		return GS_OK;
	return gs_fail(err, GS_E_FORMAT, "%s: tick %" PRIu64 " is another one than that "
	    "of another file, though the recording is said to be the same: they stay "
	    "side by side", path, t->seq);
}

static void add_hash(uint64_t *h, const struct tick *t)
{
	*h = tickhash_add(t->key ? 0 : *h, t);
}

/* What changed in a tick can be added to the one before it; if that was skipped, to the
 * same one, whose rows and texts have the same numbers: a cut has others. */
static bool follows(const struct making *m, const struct tick *t)
{
	return t->key || !m->covered || (m->covered_seq == last_written(m) &&
	    m->covered_hash == m->hash);
}

/* Skips a tick of this recording that was written already: its file was
 * archived before and not removed.  A tick repeated by a rotation is kept. */
static int judge(struct making *m, const struct tick *t, const char *path,
	bool *ret_pass, struct gs_err *err)
{
	const struct written *w = find_written(m, t->seq);
	uint64_t last = last_written(m);
	int s = check_same(w, t, path, err);

	*ret_pass = w && !(t->key && t->seq == last && (m->begins || !m->covered));
	if (s < 0 || *ret_pass || (t->seq >= last && follows(m, t)))
		return s;
	return gs_fail(err, GS_E_FORMAT, "%s: tick %" PRIu64 " belongs among "
	    "those that were archived: gpsnap merge puts it there", path,
	    t->seq);
}

static void begin_recording(struct making *m, const struct tick *t)
{
	if (!t->header || (m->n > 0 && memcmp(m->id, t->header->recording_id,
	    RECORDING_ID_LEN) == 0))
		return;
	memcpy(m->id, t->header->recording_id, RECORDING_ID_LEN);
	m->n = 0;
}

static int write_tick(struct making *m, struct reader *r,
	struct tick *t, struct gs_err *err)
{
	struct frame_entry e;
	struct span record = reader_record(r, &e);
	bool first = m->n == 0 || (m->begins && t->seq > last_written(m) + 1);
	int s = GS_OK;

	if (t->key && sink_is_full(m->sink))
		s = sink_rotate(m->sink, err);
	add_hash(&m->hash, t); /* of all its rows */
	if (s == GS_OK)
		s = sink_put_record(m->sink, t, record, first, err);
	GS_GROW(m->tick, &m->cap, m->n + 1);
	m->tick[m->n++] = (struct written) { t->seq, t->wall_ns };
	if (s == GS_OK && m->opt->step &&
	    !m->opt->step(m->opt->ctx, m->day, t->wall_ns, m->sink))
		s = gs_fail(err, GS_E_GONE, "stopped");
	return s;
}

static int archive_tick(struct making *m, struct reader *r,
	struct tick *t, struct gs_err *err)
{
	bool pass = false;
	int s;

	begin_recording(m, t);
	s = judge(m, t, reader_path(r), &pass, err);
	if (s == GS_OK && !pass)
		s = write_tick(m, r, t, err);
	if (pass) {
		m->covered_seq = t->seq;
		add_hash(&m->covered_hash, t);
	}
	m->covered = pass;
	m->begins = false;
	return s;
}

static int archive_file(struct making *m, struct recfile *f, struct gs_err *err)
{
	struct cursor_gap gap;
	struct tick *t = NULL;
	int s = GS_OK;

	m->begins = true;
	reader_enter(f->reader, NULL);
	while (s == GS_OK) {
		switch (reader_next(f->reader, &t, &gap, err)) {
		case CURSOR_TICK:
			s = archive_tick(m, f->reader, t, err);
			break;
		case CURSOR_GAP:
			if (gap.damage)
				s = gs_fail(err, GS_E_FORMAT, "%s: offset %"
				    PRIu64 ": %s: gpsnap recover saves what "
				    "is whole", f->path, gap.offset, gap.why);
			break;
		case CURSOR_WAIT:
			s = gs_fail(err, GS_E_BUSY, "%s: is being written",
			    f->path);
			break;
		case CURSOR_ERROR:
			s = err ? (int)err->status : GS_E_IO;
			break;
		default:
			reader_rest(f->reader);
			return GS_OK;
		}
	}
	return s;
}

/* Under whatever name. */
static bool is_output(const struct sink *s, const char *path)
{
	size_t i;

	for (i = 0; i < sink_files(s); i++) {
		if (path_is_same(sink_file(s, i), path))
			return true;
	}
	return false;
}

static int remove_file(const char *path, const char *why,
	const struct io_ops *io, struct gs_err *err)
{
	int r = io->unlink(io->ctx, path);

	return r == 0 || r == -ENOENT ? GS_OK
	    : gs_fail_errno(err, -r, "%s: %s, but can't be removed", path, why);
}

/* Unless somebody has written to it since. */
static int remove_source(const struct making *m, size_t i, const struct io_ops *io,
	struct gs_err *err)
{
	const struct recfile *f = m->day->file[i];

	if (is_output(m->sink, f->path))
		return GS_OK;
	if (reader_size(f->reader) != m->size[i])
		return gs_fail(err, GS_E_BUSY, "%s: grew while it was archived: it "
		    "stays, and the next run takes the rest", f->path);
	return remove_file(f->path, "was archived", io, err);
}

/* The new file has its name: its sources may be removed. */
static int remove_files(const struct making *m, const struct io_ops *io,
	struct gs_err *err)
{
	size_t i;
	int s = GS_OK;

	for (i = 0; i < m->day->n_file; i++) {
		int r = remove_source(m, i, io, s < 0 ? NULL : err);

		s = s < 0 ? s : r;
	}
	return s;
}

/* An unrelated file of that name must stay. */
static bool may_replace(void *ctx, const char *path)
{
	const struct making *m = ctx;
	size_t i;

	for (i = 0; i < m->day->n_file; i++) {
		if (strcmp(m->day->file[i]->path, path) == 0)
			return true;
	}
	return false;
}

/* Files of the recording that belong to other days would lie between those of this
 * one, where no reader looks for them. */
static int check_clock(const struct day *d, struct gs_err *err)
{
	if (!d->between)
		return GS_OK;
	return gs_fail(err, GS_E_EXISTS, "%s: its ticks are between those of %s, "
	    "because the clock was set: they stay side by side",
	    d->between->path, d->text);
}

/* In a thinned day, ticks that were left out look like new ones. */
static int check_thinned(const struct day *d, struct gs_err *err)
{
	const struct recfile *thin = NULL, *full = NULL;
	size_t i;

	for (i = 0; i < d->n_file; i++) {
		if (d->file[i]->header->incompat & FEATURE_LEFT_OUT)
			thin = d->file[i];
		else
			full = d->file[i];
	}
	if (!thin || !full)
		return GS_OK;
	return gs_fail(err, GS_E_EXISTS, "%s: was thinned, and %s, which is "
	    "of the same day, was not: they stay side by side", thin->path,
	    full->path);
}

/* The frame of what a report of the day shows, for put_page(): made first, since it
 * needs the memory that compressing needs later. */
static int make_page(const struct making *m, struct buf *frame,
	struct gs_err *err)
{
	struct page_kept k = { .raw = BUF_INIT };
	struct tickcode *zstd;
	int r;

	if (!m->opt->page)
		return GS_OK;
	r = m->opt->page(m->opt->ctx, m->day, &k, err);
	if (r == GS_OK && k.raw.len <= PAGEFRAME_RAW_MAX) {
		zstd = tickcode_new(PAGE_LEVEL);
		pageframe_put(zstd, &k, frame);
		tickcode_free(zstd);
	}
	buf_release(&k.raw);
	return r;
}

/* After the last tick: it is about all of them, so that they must be in one file. */
static void put_page(struct making *m, const struct buf *frame)
{
	if (frame->len > 0 && sink_files(m->sink) == 1)
		sink_set_page(m->sink, frame);
}

int day_check(const struct day *d, struct gs_err *err)
{
	struct making m = { .day = d };
	struct stat st;
	int s = check_clock(d, err);

	if (s == GS_OK)
		s = check_thinned(d, err);
	if (s == GS_OK && lstat(d->out, &st) == 0 && !may_replace(&m, d->out))
		s = gs_fail(err, GS_E_EXISTS, "%s: another file has this name",
		    d->out);
	return s;
}

int day_make(const struct day *d, const struct day_options *o,
	const struct io_ops *io, struct day_result *ret, struct gs_err *err)
{
	struct sink_options so = { .path = d->out, .force = true,
		.level = o->level, .groups = true,
		.threads = o->threads,
		.like = d->file[0]->path,
		.may_replace = may_replace };
	struct making m = { .day = d, .opt = o };
	struct buf page = BUF_INIT;
	size_t i;
	int s = day_check(d, err);

	so.ctx = &m;
	so.beside = beside_new(&(struct beside_options) { .level = o->level,
	    .spares_short = true, .also = o->also, .follower = o->follower });
	*ret = (struct day_result) { 0 };
	if (s == GS_OK)
		s = make_page(&m, &page, err);
	if (s == GS_OK)
		s = sink_open(&so, io, &m.sink, err);
	m.size = gs_calloc(d->n_file, sizeof(*m.size));
	for (i = 0; s == GS_OK && i < d->n_file; i++) {
		m.size[i] = reader_size(d->file[i]->reader);
		ret->bytes_before += m.size[i];
		s = archive_file(&m, d->file[i], err);
	}
	if (s == GS_OK)
		put_page(&m, &page);
	if (s == GS_OK)
		s = sink_finish(m.sink, err);
	if (s == GS_OK) {
		ret->ticks = sink_ticks(m.sink);
		ret->bytes = sink_bytes(m.sink);
		s = remove_files(&m, io, err);
	}
	sink_free(m.sink);
	beside_free(so.beside);
	buf_release(&page);
	free(m.tick);
	free(m.size);
	return s;
}

int day_remove(const struct day *d, const struct io_ops *io,
	struct gs_err *err)
{
	size_t i;

	for (i = d->n_file; i-- > 0;) {
		int r = remove_file(d->file[i]->path, "is older than is kept",
		    io, err);

		if (r < 0)
			return r;
	}
	return GS_OK;
}
