/* SPDX-License-Identifier: Apache-2.0 */
/*
 * days.c - which files are of which day; see daily.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/zone.h"
#include "edit/daily.h"
#include "format/naming.h"

#define DAY_NS (INT64_C(86400) * GS_NSEC_PER_SEC)
/* A file without an end whose last tick is not older may be written. */
#define GROWS_NS (INT64_C(60) * GS_NSEC_PER_SEC)

static int64_t day_of(const struct recfile *f)
{
	struct zone z = zone_fixed(f->more.utc_offset_s);
	struct civil c = zone_to_civil(&z, f->first_ns);

	c.hour = c.minute = c.second = c.ns = 0;
	return zone_from_civil(&z, &c, false);
}

/* NAME-YYYYMMDD.gpsnap; if another recording has that name, with some
 * letters of this one's id. */
static char *name_of(const struct recfile *f, const char *to, bool with_id)
{
	struct zone z = zone_fixed(f->more.utc_offset_s);
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
	struct zone z = zone_fixed(f->more.utc_offset_s);
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

/* A recorder may still be writing it: it has the lock; or, as through a pipe there is
 * none, the file has no end, and a tick of just now. */
static bool may_grow(const struct recfile *f)
{
	int64_t recent_ns = GS_MAX(GROWS_NS, 3 * f->header->interval_ns);

	return reader_is_written(f->reader) || (!reader_is_closed(f->reader) &&
	    recfile_end(f) > gs_clock_wall_ns() - recent_ns);
}

static bool is_candidate(const struct recfile *f)
{
	return !f->refused && f->header && !may_grow(f);
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
	bool is;
	size_t n, i;

	if (reader_index(f->reader, &e, &n, NULL) < 0 || n == 0)
		return false;
	for (i = 0; i < n; i++) {
		if (e[i].number > 0)
			return true;
	}
	if (n > 1)
		return false;
	reader_enter(f->reader, NULL); /* a group of one looks like a tick there */
	while (reader_next_index(f->reader, &first, &gap, NULL) == CURSOR_GAP)
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
	bool *made = gs_calloc(d->n_file, sizeof(*made));
	size_t i, n = 0;

	qsort(d->file, d->n_file, sizeof(*d->file), by_time);
	for (i = 0; i < d->n_file; i++) {
		d->end_ns = GS_MAX(d->end_ns, recfile_end(d->file[i]));
		made[i] = is_made(d, d->file[i]);
		if (made[i])
			to[n++] = d->file[i];
	}
	d->is_done = n == d->n_file;
	for (i = 0; i < d->n_file; i++) {
		if (!made[i])
			to[n++] = d->file[i];
	}
	free(made);
	free(d->file);
	d->file = to;
}

static void note_growth(struct days *all, const struct recfile *f)
{
	struct day *d = NULL;

	if (!f->refused && f->header && may_grow(f))
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

static int by_start(const void *a, const void *b)
{
	const struct day *x = a, *y = b;

	return x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1)
	    : strcmp(x->out, y->out);
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
	if (ret->n > 1)
		qsort(ret->day, ret->n, sizeof(*ret->day), by_start);
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
	return missing > f->more.lost ? missing : 0;
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
