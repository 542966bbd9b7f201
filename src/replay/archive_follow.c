/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_follow.c - files that appear while the archive is read: the recorder
 * rotates, or another one starts.
 */
#include "replay/archive_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "format/lockfile.h"

/* A file that is not a recording may become one for so long after its last
 * change. */
#define YOUNG_NS (10 * GS_NSEC_PER_SEC)

/* ---- where files may come to ------------------------------------------ */

/* A copy without slashes at the end; the caller frees it. */
static char *trimmed(const char *path, size_t len)
{
	while (len > 1 && path[len - 1] == '/')
		len--;
	return gs_strndup(path, len);
}

static const struct file *file_of(const struct archive *a, const char *path)
{
	size_t i;

	for (i = 0; i < a->n_file; i++) {
		if (strcmp(a->file[i].is.path, path) == 0)
			return &a->file[i];
	}
	return NULL;
}

static void add_feed(struct archive *a, const char *path)
{
	struct feed f = { .all = path_is_directory(path) };
	const struct file *named = f.all ? NULL : file_of(a, path);
	char *dir = f.all ? trimmed(path, strlen(path)) : path_directory(path);
	size_t i;

	if (named) {
		memcpy(f.recording, named->is.header->recording_id,
		    RECORDING_ID_LEN);
		f.number = named->is.header->file_number;
	}
	f.watch = watch_new(dir);
	for (i = 0; i < a->n_file; i++) {
		char *of = path_directory(a->file[i].is.path);

		if (strcmp(of, dir) == 0)
			watch_know(f.watch, a->file[i].is.path);
		free(of);
	}
	a->feed[a->n_feed++] = f;
	free(dir);
}

void archive_follow(struct archive *a, char *const *path, size_t n)
{
	size_t i;

	a->feed = gs_calloc(n, sizeof(*a->feed));
	for (i = 0; i < n; i++)
		add_feed(a, path[i]);
}

/* ---- files that came --------------------------------------------------- */

struct newcomers {
	struct archive *a;
	const struct feed *feed;
};

static bool is_young(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && gs_clock_wall_ns() -
	    (int64_t)st.st_mtim.tv_sec * GS_NSEC_PER_SEC < YOUNG_NS;
}

/* True if the file's recording is wanted. */
static bool is_wanted(const struct feed *f, const struct recfile *r)
{
	return f->all || (memcmp(f->recording, r->header->recording_id,
	    RECORDING_ID_LEN) == 0 && r->header->file_number > f->number);
}

/* Removes the note about a file that was empty when it was seen first. */
static void forget_note(struct archive *a, const char *path)
{
	size_t i, len = strlen(path);

	for (i = 0; i < a->n_note; i++) {
		if (strncmp(a->note[i], path, len) != 0 ||
		    a->note[i][len] != ':')
			continue;
		free(a->note[i]);
		a->note[i] = a->note[--a->n_note];
		a->n_refused--;
		return;
	}
}

static void refuse(struct archive *a, const char *why)
{
	size_t before = a->n_note;

	archive_add_note(a, why);
	a->n_refused += a->n_note - before;
}

static bool add_newcomer(void *ctx, const char *path)
{
	const struct newcomers *t = ctx;
	struct recfile f;
	struct gs_err err;

	if (!t->feed->all && strncmp(path, "./", 2) == 0)
		path += 2; /* as the file that was named */
	if (recfile_open(path, &f, &err) < 0) {
		if (path_is_locked(path) || is_young(path))
			return false;
		if (t->feed->all)
			refuse(t->a, err.msg);
		return true;
	}
	if (is_wanted(t->feed, &f)) {
		forget_note(t->a, path);
		archive_add_file(t->a, &f);
	} else {
		recfile_release(&f);
	}
	return true;
}

/* Closes files that were read and have been deleted since; not the last of
 * them, which a pending gap may name. */
static void drop_deleted(struct archive *a)
{
	size_t i, kept = 0, at = a->at;

	for (i = 0; i < a->n_file; i++) {
		if (i + 1 < at &&
		    access(a->file[i].is.path, F_OK) < 0) {
			archive_drop_file(&a->file[i]);
			a->at--;
			continue;
		}
		a->file[kept++] = a->file[i];
	}
	a->n_file = kept;
}

static void place_newcomers(struct archive *a)
{
	const struct reader *now = a->file[a->at].is.reader;

	drop_deleted(a);
	archive_put_in_order(a);
	for (a->at = 0; a->file[a->at].is.reader != now; a->at++)
		;
}

int archive_refresh(struct archive *a, struct gs_err *err)
{
	size_t i, before = a->n_file;
	bool came;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < a->n_feed; i++) {
		struct newcomers t = { a, &a->feed[i] };

		r = watch_poll(a->feed[i].watch, add_newcomer, &t, err);
	}
	came = a->n_file > before;
	if (came)
		place_newcomers(a);
	return r < 0 ? r : came;
}

/* ---- whether more may come --------------------------------------------- */

static const struct file *newest(const struct archive *a)
{
	const struct file *f = &a->file[a->n_file - 1];
	size_t i;

	for (i = 0; i < a->n_file; i++) {
		if (a->file[i].is.first_ns > f->is.first_ns)
			f = &a->file[i];
	}
	return f;
}

bool archive_is_written(const struct archive *a)
{
	size_t i;

	for (i = 0; i < a->n_feed; i++) {
		if (a->feed[i].all && watch_is_locked(a->feed[i].watch))
			return true;
	}
	return reader_is_written(a->file[a->at].is.reader) ||
	    reader_is_written(newest(a)->is.reader);
}

const char *archive_newest(const struct archive *a)
{
	return newest(a)->is.path;
}

bool archive_is_closed(const struct archive *a)
{
	return reader_is_closed(newest(a)->is.reader);
}
