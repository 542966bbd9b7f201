/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_files.c - opens and sorts the files of an archive, and finds
 * recordings that overlap.
 */
#include "replay/archive_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void archive_add_note(struct archive *a, const char *text)
{
	size_t i;

	for (i = 0; i < a->n_note; i++) {
		if (strcmp(a->note[i], text) == 0)
			return;
	}
	a->note = gs_realloc(a->note, (a->n_note + 1) * sizeof(*a->note));
	a->note[a->n_note++] = gs_strdup(text);
}

/* ---- opening --------------------------------------------------------- */

void archive_add_file(struct archive *a, struct recfile *f)
{
	GS_GROW(a->file, &a->file_cap, a->n_file + 1);
	a->file[a->n_file++] = (struct file) { .is = *f,
		.after_ns = INT64_MIN };
}

void archive_drop_file(struct file *f)
{
	recfile_release(&f->is);
	free(f->run);
}

static int add_directory(struct archive *a, const char *path,
	struct gs_err *err)
{
	struct recfile *file = NULL;
	size_t i, n = 0;
	size_t first = a->n_file;
	int r = recfile_list(path, false, &file, &n, err);

	for (i = 0; i < n; i++) {
		if (file[i].refused) {
			archive_add_note(a, file[i].refused);
			a->n_refused++;
			recfile_release(&file[i]);
		} else {
			archive_add_file(a, &file[i]);
		}
	}
	free(file);
	for (i = first; i < a->n_file; i++)
		a->file[i].all = true;
	return r;
}

static int add_path(struct archive *a, const char *path, struct gs_err *err)
{
	struct recfile f;
	int r;

	if (path_is_directory(path))
		return add_directory(a, path, err);
	r = recfile_open(path, &f, err);
	if (r < 0)
		return r;
	archive_add_file(a, &f);
	if (f.held) {
		a->held = f.held;
		a->has_pending = f.has_gap;
		a->pending = f.gap;
	}
	return GS_OK;
}

/* As the iteration reads it: a file is read up to the beginning of the next one
 * that ends later; files that do not end later are skipped. */
void archive_find_pieces(struct archive *a)
{
	struct file *last = NULL;
	int64_t reach = INT64_MIN;
	size_t i;

	archive_find_runs(a);
	for (i = 0; i < a->n_file; i++) {
		struct file *f = &a->file[i];
		bool same = last && recfile_same(&last->is, &f->is);
		int64_t end = archive_file_end(f);

		f->until_seq = same && end <= reach ? 0 : UINT64_MAX;
		if (f->until_seq == 0)
			continue;
		if (same)
			last->until_seq = f->is.first_seq;
		last = f;
		reach = end;
	}
}

/* Files first to end are of one recording, which overlaps the one that ends
 * at until_ns, in file shown. */
static void note_overlap(struct archive *a, size_t first, size_t end,
	int64_t last_ns, int64_t until_ns, size_t shown)
{
	struct archive_overlap *o;
	size_t i;

	for (i = first; i < end; i++)
		a->file[i].after_ns = until_ns;
	GS_GROW(a->overlapping, &a->overlap_cap, a->n_overlap + 1);
	o = &a->overlapping[a->n_overlap++];
	*o = (struct archive_overlap) {
		.hidden = reader_path(a->file[first].is.reader),
		.hidden_files = end - first,
		.shown = reader_path(a->file[shown].is.reader),
		.from_ns = a->file[first].is.first_ns,
		.to_ns = GS_MIN(last_ns, until_ns),
	};
}

void archive_note_hidden(struct archive *a, int64_t from_ns)
{
	const char *path = reader_path(a->file[a->at].is.reader);
	size_t i;

	for (i = 0; i < a->n_overlap; i++) {
		const struct archive_overlap *o = &a->overlapping[i];

		if (o->hidden == path && o->shown == path &&
		    o->from_ns <= from_ns && from_ns <= o->to_ns)
			return; /* noted at an earlier key, or read before */
	}
	GS_GROW(a->overlapping, &a->overlap_cap, a->n_overlap + 1);
	a->overlapping[a->n_overlap++] = (struct archive_overlap) {
		.hidden = path, .hidden_files = 1, .shown = path,
		.from_ns = from_ns, .to_ns = a->last_ns };
}

/* Recordings come one after the other: if one begins before the earlier ones
 * have ended, it is skipped until then.  One may begin with the last tick of
 * another. */
static void find_overlaps(struct archive *a)
{
	int64_t until = INT64_MIN;
	size_t i, end, shown = 0;

	for (i = 0; i < a->n_file; i = end) {
		int64_t last = INT64_MIN;
		size_t newest = i;

		if (i == 0 && recfile_same(&a->file[0].is,
		    &a->file[a->n_file - 1].is))
			return; /* only one recording */
		for (end = i; end < a->n_file && recfile_same(
		    &a->file[i].is, &a->file[end].is); end++) {
			int64_t l = archive_file_end(&a->file[end]);

			newest = l > last ? end : newest;
			last = GS_MAX(last, l);
		}
		if (a->file[i].is.first_ns < until)
			note_overlap(a, i, end, last, until, shown);
		shown = last > until ? newest : shown;
		until = GS_MAX(until, last);
	}
}

void archive_put_in_order(struct archive *a)
{
	size_t i;

	recfile_sort(a->file, a->n_file, sizeof(*a->file));
	for (i = 0; i < a->n_file; i++)
		a->file[i].after_ns = INT64_MIN;
	a->n_overlap = 0;
	a->runs_known = false;
	find_overlaps(a);
}

int archive_open(char *const *path, size_t n, struct archive **ret,
	struct gs_err *err)
{
	struct archive *a = gs_calloc(1, sizeof(*a));
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n; i++) {
		if (strcmp(path[i], "-") == 0 && n > 1)
			r = gs_fail(err, GS_E_USAGE,
			    "-: standard input must be the only recording");
		else
			r = add_path(a, path[i], err);
	}
	if (r < 0) {
		archive_free(a);
		return r;
	}
	if (a->n_file == 0) {
		archive_free(a);
		return gs_fail(err, GS_E_USAGE, "expected a recording");
	}
	archive_put_in_order(a);
	a->header = header_dup(a->file[a->n_file - 1].is.header);
	recfile_read_more(&a->file[a->n_file - 1].is);
	a->utc_offset_s = a->file[a->n_file - 1].is.more.utc_offset_s;
	*ret = a;
	return GS_OK;
}

void archive_free(struct archive *a)
{
	size_t i;

	if (!a)
		return;
	for (i = 0; i < a->n_file; i++)
		archive_drop_file(&a->file[i]);
	for (i = 0; i < a->n_note; i++)
		free(a->note[i]);
	for (i = 0; i < a->n_feed; i++)
		watch_free(a->feed[i].watch);
	free(a->feed);
	free(a->file);
	free(a->note);
	free(a->overlapping);
	archive_forget_hosts(a);
	free(a->ahead.row);
	header_free(a->header);
	free(a);
}

/* ---- what it is of ---------------------------------------------------- */

bool archive_range(struct archive *a, int64_t *ret_first_ns,
	int64_t *ret_last_ns)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	size_t i, k, n;

	for (i = 0; i < a->n_file; i++) {
		const struct frame_entry *e;

		if (reader_index(a->file[i].is.reader, &e, &n, NULL) < 0)
			return false;
		for (k = 0; k < n; k++) {
			first = e[k].wall_ns < first ? e[k].wall_ns : first;
			last = e[k].wall_ns > last ? e[k].wall_ns : last;
		}
	}
	*ret_first_ns = first;
	*ret_last_ns = last;
	return first <= last;
}

bool archive_bounds(struct archive *a, int64_t *ret_first_ns,
	int64_t *ret_last_ns)
{
	if (archive_range(a, ret_first_ns, ret_last_ns))
		return true;
	*ret_first_ns = *ret_last_ns = a->header->started_ns;
	return false;
}

const struct header *archive_header(const struct archive *a)
{
	return a->header;
}

int32_t archive_utc_offset(const struct archive *a)
{
	return a->utc_offset_s;
}

bool archive_page(struct archive *a, struct page_kept *ret)
{
	return a->n_file == 1 && a->n_refused == 0 &&
	    reader_page(a->file[0].is.reader, ret);
}

size_t archive_files(const struct archive *a)
{
	return a->n_file;
}

const char *archive_file(const struct archive *a, size_t i)
{
	return reader_path(a->file[i].is.reader);
}

bool archive_is_part(const struct archive *a, int64_t from_ns, int64_t to_ns)
{
	size_t i;

	for (i = 0; i < a->n_overlap; i++) {
		const struct archive_overlap *o = &a->overlapping[i];

		if (o->to_ns > from_ns && o->from_ns < to_ns)
			return true;
	}
	return a->n_refused > 0;
}

static void describe(const struct archive_overlap *o,
	const struct zone *zone, struct buf *to)
{
	buf_add_str(to, o->hidden);
	if (o->hidden_files > 1)
		buf_printf(to, " and %zu more of its recording",
		    o->hidden_files - 1);
	buf_add_str(to, ": not shown from ");
	zone_add_date_time(zone, o->from_ns, 0, to);
	buf_add_str(to, " to ");
	zone_add_date_time(zone, o->to_ns, 0, to);
	if (strcmp(o->shown, o->hidden) == 0)
		buf_add_str(to, ", when another recording in it is");
	else
		buf_printf(to, ", when %s is; replay it alone to see it",
		    o->shown);
}

void archive_notes(const struct archive *a, const struct zone *zone,
	archive_note_fn fn, void *ctx)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < a->n_overlap; i++) {
		buf_reset(&text);
		describe(&a->overlapping[i], zone, &text);
		fn(ctx, buf_str(&text));
	}
	for (i = 0; i < a->n_note; i++)
		fn(ctx, a->note[i]);
	buf_release(&text);
}

void archive_set_all(struct archive *a)
{
	size_t i;

	for (i = 0; i < a->n_file; i++)
		a->file[i].all = true;
}

uint64_t archive_harmless(const struct archive *a)
{
	return a->n_harmless;
}
