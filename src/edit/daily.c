/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/daily.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/zone.h"
#include "edit/gist.h"
#include "format/naming.h"

/* Of zstd: a page has few bytes. */
#define PAGE_LEVEL 12

#define DAY_NS (INT64_C(86400) * GS_NSEC_PER_SEC)

/* ---- days ------------------------------------------------------------ */

static int64_t day_of(const struct recfile *f)
{
	struct zone z = zone_fixed(f->utc_offset_s);
	struct civil c = zone_to_civil(&z, f->first_ns);

	c.hour = c.minute = c.second = c.ns = 0;
	return zone_from_civil(&z, &c, false);
}

/* NAME-YYYYMMDD.gpsnap; if another recording has that name, with some
 * letters of this one's id. */
static char *name_of(const struct recfile *f, const char *to, bool with_id)
{
	struct zone z = zone_fixed(f->utc_offset_s);
	struct civil c = zone_to_civil(&z, f->first_ns);
	struct buf name = BUF_INIT, path = BUF_INIT;
	const uint8_t *id = f->header->recording_id;
	char *ret;

	naming_host(f->header->recorder_host, &name);
	buf_printf(&name, "-%04d%02d%02d", (int)c.year, (int)c.month,
	    (int)c.day);
	if (with_id)
		buf_printf(&name, "-%02x%02x%02x%02x", id[0], id[1], id[2],
		    id[3]);
	buf_add_str(&name, NAMING_SUFFIX);
	recfile_path(to, buf_str(&name), &path);
	ret = gs_strdup(buf_str(&path));
	buf_release(&name);
	buf_release(&path);
	return ret;
}

/* True for "x/NAME-20261120.gpsnap" or "-2.gpsnap", ...: names that sink_open()
 * derives from it. */
static bool is_part_of(const char *path, const char *out)
{
	struct buf name = BUF_INIT;
	bool is = false;
	unsigned i;

	for (i = 1; !is && i < 100; i++) {
		naming_continued(out, i, &name);
		is = strcmp(buf_str(&name), path) == 0;
	}
	buf_release(&name);
	return is;
}

static struct day *find_day(const struct days *d, const struct recfile *f)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (d->day[i].start_ns == day_of(f) &&
		    recfile_same(d->day[i].file[0], f))
			return &d->day[i];
	}
	return NULL;
}

static bool is_used(const struct days *d, const char *out)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (strcmp(d->day[i].out, out) == 0)
			return true;
	}
	return false;
}

static void add_file(struct day *d, struct recfile *f)
{
	d->file = gs_realloc(d->file, (d->n_file + 1) * sizeof(*d->file));
	d->file[d->n_file++] = f;
}

/* Takes ownership of out. */
static void begin_day(struct days *all, char *out, struct recfile *f)
{
	struct zone z = zone_fixed(f->utc_offset_s);
	struct buf text = BUF_INIT;
	struct day *d;

	all->day = gs_realloc(all->day, (all->n + 1) * sizeof(*all->day));
	d = &all->day[all->n++];
	*d = (struct day) { .out = out, .start_ns = day_of(f),
		.end_ns = day_of(f) + DAY_NS };
	zone_add_date_time(&z, d->start_ns, 0, &text);
	d->text = gs_strndup(buf_str(&text), strlen("2026-11-20"));
	buf_release(&text);
	add_file(d, f);
}

static bool is_candidate(const struct recfile *f)
{
	return !f->refused && f->header && !reader_is_written(f->reader);
}

/* A file that was made before keeps its name. */
static void add_made(struct days *all, struct recfile *f, const char *to)
{
	int with_id;

	for (with_id = 0; with_id < 2; with_id++) {
		char *out = name_of(f, to, with_id);

		if (is_part_of(f->path, out) && !find_day(all, f)) {
			begin_day(all, out, f);
			return;
		}
		free(out);
	}
}

static void add_to_day(struct days *all, struct recfile *f, const char *to)
{
	struct day *d = find_day(all, f);
	char *out;

	if (d) {
		if (d->file[0] != f)
			add_file(d, f);
		return;
	}
	out = name_of(f, to, false);
	if (is_used(all, out)) {
		free(out);
		out = name_of(f, to, true);
	}
	begin_day(all, out, f);
}

static int by_time(const void *x, const void *y)
{
	struct recfile *const *a = x, *const *b = y;

	return recfile_by_time(*a, *b);
}

/* Only archived files have groups of ticks, a recorder's never has. */
static bool has_groups(const struct recfile *f)
{
	const struct frame_entry *e;
	struct frame_entry first;
	struct cursor_gap gap;
	bool is = false;
	size_t n, i;

	if (reader_index(f->reader, &e, &n, NULL) < 0 || n == 0)
		return false;
	for (i = 0; i < n && n > 1; i++) {
		if (e[i].number > 0)
			return true;
	}
	if (n > 1)
		return false;
	reader_enter(f->reader, NULL); /* a group of one looks like a tick there */
	while (!is && reader_next_index(f->reader, &first, &gap, NULL) ==
	    CURSOR_GAP)
		;
	is = span_empty(reader_frame(f->reader));
	reader_rest(f->reader);
	return is;
}

/* An earlier run made it, whatever its name. */
static bool is_made(const struct day *d, const struct recfile *f)
{
	return is_part_of(f->path, d->out) && has_groups(f);
}

/* Files made before come first; the others are new.  The day has not ended before its
 * last tick, even if its first ones have the time of a clock that was wrong. */
static void put_in_order(struct day *d)
{
	struct recfile **to = gs_calloc(d->n_file, sizeof(*to));
	size_t i, n = 0;

	qsort(d->file, d->n_file, sizeof(*d->file), by_time);
	for (i = 0; i < d->n_file; i++) {
		d->end_ns = GS_MAX(d->end_ns, recfile_end(d->file[i]));
		if (is_made(d, d->file[i]))
			to[n++] = d->file[i];
	}
	d->is_done = n == d->n_file;
	for (i = 0; i < d->n_file; i++) {
		if (!is_made(d, d->file[i]))
			to[n++] = d->file[i];
	}
	free(d->file);
	d->file = to;
}

static void note_growth(struct days *all, const struct recfile *f)
{
	struct day *d = NULL;

	if (!f->refused && f->header && reader_is_written(f->reader))
		d = find_day(all, f);
	if (d)
		d->is_growing = true;
}

/* The first file of another day whose ticks lie between those of the day; NULL: none. */
static const struct recfile *find_between(const struct day *d,
	const struct recfile *file, size_t n)
{
	uint64_t first = UINT64_MAX, last = 0;
	size_t i, k;

	for (i = 0; i < d->n_file; i++) {
		first = GS_MIN(first, d->file[i]->first_seq);
		last = GS_MAX(last, d->file[i]->first_seq);
	}
	for (i = 0; i < n && first < last; i++) {
		const struct recfile *f = &file[i];

		if (f->refused || !f->header || f->first_seq <= first ||
		    f->first_seq >= last || !recfile_same(f, d->file[0]))
			continue;
		for (k = 0; k < d->n_file && d->file[k] != f; k++)
			;
		if (k == d->n_file)
			return f;
	}
	return NULL;
}

void days_find(struct recfile *file, size_t n, const char *to,
	struct days *ret)
{
	size_t i;

	*ret = (struct days) { 0 };
	for (i = 0; i < n; i++) {
		if (is_candidate(&file[i]))
			add_made(ret, &file[i], to);
	}
	for (i = 0; i < n; i++) {
		if (is_candidate(&file[i]))
			add_to_day(ret, &file[i], to);
	}
	for (i = 0; i < n; i++)
		note_growth(ret, &file[i]);
	for (i = 0; i < ret->n; i++) {
		put_in_order(&ret->day[i]);
		ret->day[i].between = find_between(&ret->day[i], file, n);
	}
}

static uint64_t last_seq(const struct recfile *f)
{
	const struct frame_entry *e;
	uint64_t last = f->first_seq;
	size_t k, n;

	if (reader_index(f->reader, &e, &n, NULL) < 0)
		return last; /* reading it will report why */
	for (k = 0; k < n; k++)
		last = GS_MAX(last, e[k].seq);
	return last;
}

static bool is_before(const struct recfile *x, const struct recfile *f)
{
	return x->header && recfile_same(x, f) && x->first_seq < f->first_seq;
}

/* Compares with the previous file; indexes of other files are read only if that
 * one leaves a hole. */
static uint64_t missing_before(const struct recfile *f, struct recfile *file,
	size_t n)
{
	const struct recfile *near = NULL;
	uint64_t missing = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (is_before(&file[i], f) &&
		    (!near || file[i].first_seq > near->first_seq))
			near = &file[i];
	}
	if (near)
		missing = tick_missing(last_seq(near), f->first_seq,
		    f->left_out);
	for (i = 0; missing > 0 && i < n; i++) {
		if (is_before(&file[i], f))
			missing = GS_MIN(missing, tick_missing(
			    last_seq(&file[i]), f->first_seq, f->left_out));
	}
	return missing > f->lost ? missing : 0;
}

void day_find_missing(const struct day *d, struct recfile *file, size_t n,
	void (*fn)(void *ctx, const struct recfile *f, uint64_t ticks),
	void *ctx)
{
	size_t i;

	for (i = 0; i < d->n_file; i++) {
		const struct recfile *f = d->file[i];
		uint64_t ticks = is_part_of(f->path, d->out) ? 0
		    : missing_before(f, file, n);

		if (ticks > 0)
			fn(ctx, f, ticks);
	}
}

void days_release(struct days *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		free(d->day[i].out);
		free(d->day[i].text);
		free(d->day[i].file);
	}
	free(d->day);
	*d = (struct days) { 0 };
}

/* ---- a day as one file ------------------------------------------------ */

struct making {
	const struct day *day;
	const struct day_options *opt;
	struct sink *sink;
	struct stretch *stretch;
	struct gists *gists;
	uint8_t id[RECORDING_ID_LEN]; /* of the current recording */
	uint64_t *seq; /* of its written ticks, in order */
	size_t n, cap;
	bool begins; /* the next tick is the first of its file */
	bool covered; /* the previous tick was skipped */
};

static bool was_written(const struct making *m, uint64_t seq)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (m->seq[mid] == seq)
			return true;
		if (m->seq[mid] < seq)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/* Skips a tick of this recording that was written already: its file was
 * archived before and not removed.  A tick repeated by a rotation is kept. */
static int judge(struct making *m, const struct tick *t, const char *path,
	bool *ret_pass, struct gs_err *err)
{
	uint64_t last = m->n ? m->seq[m->n - 1] : 0;

	*ret_pass = was_written(m, t->seq) &&
	    !(t->key && t->seq == last && (m->begins || !m->covered));
	if (*ret_pass || (t->seq >= last && (t->key || !m->covered)))
		return GS_OK;
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

/* After the tick was written; it loses what summaries do not need. */
static void sum_up(struct making *m, struct tick *t)
{
	const struct summary *s = stretch_tick(m->stretch, t);

	if (s)
		sink_put_summary(m->sink, s);
}

static void put_gist(struct making *m, const struct buf *frame)
{
	if (frame)
		sink_put_gist(m->sink, frame);
}

static int write_tick(struct making *m, struct reader *r,
	struct tick *t, struct gs_err *err)
{
	struct frame_entry e;
	struct span record = reader_record(r, &e);
	bool first = m->n == 0 || (m->begins && t->seq > m->seq[m->n - 1] + 1);
	int s = GS_OK;

	if (t->key && sink_is_full(m->sink)) {
		put_gist(m, gists_end(m->gists));
		s = sink_rotate(m->sink, err);
		stretch_begin(m->stretch);
	}
	if (s == GS_OK)
		s = sink_put_record(m->sink, t, record, first, err);
	if (s == GS_OK) {
		put_gist(m, gists_tick(m->gists, t, record));
		sum_up(m, t);
	}
	GS_GROW(m->seq, &m->cap, m->n + 1);
	m->seq[m->n++] = t->seq;
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

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 &&
	    x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* Under whatever name. */
static bool is_output(const struct sink *s, const char *path)
{
	size_t i;

	for (i = 0; i < sink_files(s); i++) {
		if (is_same_file(sink_file(s, i), path))
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

/* The new file has its name: its sources may be removed. */
static int remove_files(const struct making *m, const struct io_ops *io,
	struct gs_err *err)
{
	size_t i;
	int s = GS_OK;

	for (i = 0; i < m->day->n_file; i++) {
		const char *path = m->day->file[i]->path;
		int r = is_output(m->sink, path) ? GS_OK
		    : remove_file(path, "was archived", io, s < 0 ? NULL : err);

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
	*ret = (struct day_result) { 0 };
	m.stretch = stretch_new(&o->also);
	m.gists = gists_new(o->level, GISTS_WORTH);
	gists_spare_short(m.gists);
	gists_follow(m.gists, &o->follower);
	if (s == GS_OK)
		s = make_page(&m, &page, err);
	if (s == GS_OK)
		s = sink_open(&so, io, &m.sink, err);
	for (i = 0; s == GS_OK && i < d->n_file; i++) {
		ret->bytes_before += reader_size(d->file[i]->reader);
		s = archive_file(&m, d->file[i], err);
	}
	if (s == GS_OK)
		put_gist(&m, gists_end(m.gists));
	if (s == GS_OK)
		put_page(&m, &page);
	stretch_begin(m.stretch); /* its memory is not needed any more */
	if (s == GS_OK)
		s = sink_finish(m.sink, err);
	if (s == GS_OK) {
		ret->ticks = sink_ticks(m.sink);
		ret->bytes = sink_bytes(m.sink);
		s = remove_files(&m, io, err);
	}
	sink_free(m.sink);
	stretch_free(m.stretch);
	gists_free(m.gists);
	buf_release(&page);
	free(m.seq);
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
