/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/recfile.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"

#define SUFFIX ".gpsnap"

/* Seconds east of UTC of the first host of a key. */
static int32_t offset_of(const struct tick *t)
{
	const struct delta_col *c;

	if (t->n_block == 0)
		return 0;
	c = &t->block[0]->ent[ENTITY_HOST].col[COL(HOST, UTC_OFFSET)];
	if (c->n == 0 || (int64_t)c->diff[0] > 86400 ||
	    (int64_t)c->diff[0] < -86400)
		return 0;
	return (int32_t)c->diff[0];
}

static struct recfile_more more_of(const struct tick *t)
{
	return (struct recfile_more) { tick_lost_before(t), offset_of(t) };
}

/* True if no more of the file is needed to know where it belongs. */
static bool read_header(struct recfile *f)
{
	struct frame_entry e;

	if (!reader_is_file(f->reader))
		return false;
	reader_spare(f->reader);
	f->header = reader_header(f->reader, &e);
	reader_rest(f->reader);
	if (!f->header)
		return false;
	f->first_ns = e.wall_ns;
	f->first_seq = e.seq;
	f->left_out = e.left_out;
	f->brief = true;
	return true;
}

/* No rows but those of hosts. */
static void read_little(struct recfile *f)
{
	if (!reader_is_file(f->reader)) /* it is read only once */
		return;
	reader_only(f->reader, UINT64_C(1) << ENTITY_HOST);
	reader_spare(f->reader);
}

/* Reads up to the first undamaged key. */
static enum cursor_step find_key(struct recfile *f, struct tick **ret,
	struct gs_err *err)
{
	struct cursor_gap gap;
	enum cursor_step s;

	read_little(f);
	do {
		s = reader_next(f->reader, ret, &gap, err);
		if (s == CURSOR_GAP && !reader_is_file(f->reader)) {
			f->gap = gap;
			f->has_gap = true;
		}
	} while (s == CURSOR_GAP);
	return s;
}

void recfile_read_more(struct recfile *f)
{
	struct tick *t = NULL;

	if (!f->brief)
		return;
	if (find_key(f, &t, NULL) == CURSOR_TICK)
		f->more = more_of(t);
	reader_rest(f->reader);
	reader_only(f->reader, UINT64_MAX);
}

static int read_key(struct recfile *f, struct gs_err *err)
{
	struct tick *t = NULL;
	enum cursor_step s = find_key(f, &t, err);

	if (s == CURSOR_ERROR)
		return err ? (int)err->status : GS_E_FORMAT;
	if (s != CURSOR_TICK || !t->header)
		return gs_fail(err, GS_E_FORMAT,
		    "%s: no whole key tick: nothing can be replayed",
		    reader_path(f->reader));
	f->header = header_dup(t->header);
	f->first_ns = t->wall_ns;
	f->first_seq = t->seq;
	f->left_out = t->left_out;
	f->more = more_of(t);
	if (reader_is_file(f->reader))
		reader_rest(f->reader);
	else
		f->held = t;
	return GS_OK;
}

static int open_file(const char *path, bool brief, struct recfile *ret,
	struct gs_err *err)
{
	struct recfile f = { .path = gs_strdup(path) };
	int r = reader_open(path, &f.reader, err);

	/* of a pipe the tick is used; of a file it is read again */
	if (r == GS_OK && !(brief && read_header(&f)))
		r = read_key(&f, err);
	if (r == GS_OK)
		reader_only(f.reader, UINT64_MAX);
	if (r < 0)
		recfile_release(&f);
	else
		*ret = f;
	return r;
}

int recfile_open(const char *path, struct recfile *ret, struct gs_err *err)
{
	return open_file(path, false, ret, err);
}

void recfile_release(struct recfile *f)
{
	reader_free(f->reader);
	header_free(f->header);
	free(f->refused);
	free(f->path);
	*f = (struct recfile) { 0 };
}

bool recfile_is_name(const char *name)
{
	size_t n = strlen(name), k = strlen(SUFFIX);

	return n > k && strcmp(name + n - k, SUFFIX) == 0;
}

void recfile_path(const char *dir, const char *name, struct buf *ret)
{
	size_t len = strlen(dir);

	buf_reset(ret);
	buf_printf(ret, "%s%s%s", dir,
	    len > 0 && dir[len - 1] == '/' ? "" : "/", name);
}

static void release_all(struct recfile *file, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		recfile_release(&file[i]);
	free(file);
}

/* Does not wait for the writer of a named pipe. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Opens it into ret; false: it is refused. */
static bool take(const char *path, bool brief, struct recfile *ret)
{
	struct gs_err why;

	if (open_file(path, brief, ret, &why) == GS_OK)
		return true;
	*ret = (struct recfile) { .path = gs_strdup(path),
		.refused = gs_strdup(why.msg) };
	return false;
}

/* ret_good: how many of them are recordings. */
static int gather(const char *dir, struct recfile **ret, size_t *ret_n,
	size_t *ret_good, struct gs_err *err)
{
	struct buf full = BUF_INIT;
	size_t cap = 0;
	struct dirent *e;
	DIR *d = opendir(dir);

	if (!d)
		return gs_fail_errno(err, errno, "%s", dir);
	while ((e = readdir(d)) != NULL) {
		if (!recfile_is_name(e->d_name))
			continue;
		recfile_path(dir, e->d_name, &full);
		if (is_no_file(buf_str(&full)))
			continue;
		GS_GROW(*ret, &cap, *ret_n + 1);
		*ret_good += take(buf_str(&full), true, &(*ret)[(*ret_n)++]);
	}
	(void)closedir(d); /* only read from */
	buf_release(&full);
	return GS_OK;
}

/* Its ticks, by its index, are not before from and not after to. */
static bool is_within(const struct recfile *f, const struct frame_entry *from,
	const struct frame_entry *to)
{
	const struct frame_entry *e;
	size_t k, n;

	if (reader_index(f->reader, &e, &n, NULL) < 0)
		return false;
	for (k = 0; k < n; k++) {
		if (e[k].wall_ns < from->wall_ns || e[k].seq < from->seq ||
		    e[k].wall_ns > to->wall_ns || e[k].seq > to->seq)
			return false;
	}
	return true;
}

static struct frame_entry first_of(const struct recfile *f)
{
	return (struct frame_entry) { .seq = f->first_seq,
		.wall_ns = f->first_ns };
}

/* The file i of a sorted list is between two others of its recording, and shares its time
 * with neither: whatever its first key contains, no other file is shown in its place, or
 * hidden by it. */
static bool is_between(const struct recfile *file, size_t n, size_t i)
{
	const struct recfile *f = &file[i];
	struct frame_entry before, first, after;

	if (i == 0 || i + 1 >= n || !f[1].header || !recfile_same(f - 1, f) ||
	    !recfile_same(f, f + 1))
		return false;
	before = first_of(f - 1);
	first = first_of(f);
	after = first_of(f + 1);
	return is_within(f - 1, &before, &first) && is_within(f, &first, &after);
}

/* Sorts the list, and reads the first keys of the others. */
static void settle(struct recfile *file, size_t n, size_t *good)
{
	bool changed = true;
	size_t i;

	while (changed) {
		changed = false;
		recfile_sort(file, n, sizeof(*file));
		for (i = 0; i < n; i++) {
			char *path;

			if (!file[i].brief || is_between(file, n, i))
				continue;
			path = gs_strdup(file[i].path);
			recfile_release(&file[i]);
			*good -= !take(path, false, &file[i]);
			free(path);
			changed = true;
			if (!file[i].header)
				break; /* who is beside whom? */
		}
	}
}

int recfile_list(const char *dir, bool is_any, struct recfile **ret,
	size_t *ret_n, struct gs_err *err)
{
	struct recfile *file = NULL;
	size_t n = 0, good = 0;
	int r = gather(dir, &file, &n, &good, err);

	if (r < 0)
		return r;
	settle(file, n, &good);
	if (n > 0 && (good > 0 || is_any)) {
		*ret = file;
		*ret_n = n;
		return GS_OK;
	}
	if (n == 0)
		r = gs_fail(err, GS_E_NOTFOUND,
		    "%s: no recording (*%s) in this directory", dir, SUFFIX);
	else
		r = gs_fail(err, GS_E_FORMAT, "%s: no recording in it: %s%s",
		    dir, file[0].refused, n > 1 ? ", and so on" : "");
	release_all(file, n);
	return r;
}

bool recfile_same(const struct recfile *a, const struct recfile *b)
{
	return memcmp(a->header->recording_id, b->header->recording_id,
	    RECORDING_ID_LEN) == 0;
}

int recfile_each(const char *dir, recfile_fn fn, void *ctx,
	struct gs_err *err)
{
	struct recfile *file = NULL;
	char **path;
	size_t i, end, n = 0;
	int r = recfile_list(dir, true, &file, &n, err);

	if (r < 0)
		return r;
	path = gs_calloc(n, sizeof(*path));
	for (i = 0; i < n; i++)
		path[i] = file[i].path;
	for (i = 0; i < n; i = end) {
		end = i + 1;
		while (file[i].header && end < n && file[end].header &&
		    recfile_same(&file[i], &file[end]))
			end++;
		fn(ctx, path + i, end - i);
	}
	free(path);
	release_all(file, n);
	return GS_OK;
}

int64_t recfile_end(const struct recfile *f)
{
	const struct frame_entry *e;
	int64_t last = f->first_ns;
	size_t k, n;

	if (reader_index(f->reader, &e, &n, NULL) < 0)
		return last; /* reading it will say why */
	for (k = 0; k < n; k++)
		last = GS_MAX(last, e[k].wall_ns);
	return last;
}

void recfile_describe_missing(uint32_t before, uint32_t after, char *to,
	size_t size)
{
	uint32_t from = before + 1;

	if (after > from && after - from > 1)
		(void)snprintf(to, size, "files %" PRIu32 " to %" PRIu32
		    " of the recording are missing", from, after - 1);
	else if (after > from)
		(void)snprintf(to, size, "file %" PRIu32
		    " of the recording is missing", from);
	else
		(void)snprintf(to, size, "ticks are missing");
}

/* By default retention deletes files older than 7 days, the oldest beyond
 * 5 GiB, and, if the disk is full, files older than an hour. */
#define KEPT_NS ((int64_t)3600 * GS_NSEC_PER_SEC)
#define KEPT_BYTES (UINT64_C(4) << 30)

/* The header has the options that were typed. */
static bool may_be_deleted(const struct recfile *first, int64_t newest_ns,
	uint64_t bytes)
{
	const struct header *h = first->header;

	return gs_difference(newest_ns, h->started_ns) >= KEPT_NS ||
	    bytes >= KEPT_BYTES || (h->options && strstr(h->options, "--k"));
}

uint64_t recfile_missing_first(const struct recfile *first, uint64_t lost,
	int64_t newest_ns, uint64_t bytes)
{
	const struct header *h = first->header;
	uint64_t missing = tick_missing(0, first->first_seq, first->left_out);

	if (missing == 0 || header_is_edited(h))
		return 0;
	if (lost >= missing || (h->file_number > 1 &&
	    h->started_ns <= first->first_ns &&
	    !may_be_deleted(first, newest_ns, bytes)))
		return missing;
	return 0;
}

static int order(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

int recfile_by_time(const void *x, const void *y)
{
	const struct recfile *a = x, *b = y;
	const struct header *ha = a->header, *hb = b->header;
	int r;

	if (!ha || !hb)
		return ha ? -1 : hb ? 1 : strcmp(a->refused, b->refused);
	r = memcmp(ha->recording_id, hb->recording_id, RECORDING_ID_LEN);
	if (r != 0 && a->begins_ns != b->begins_ns)
		return order(a->begins_ns, b->begins_ns);
	if (r != 0)
		return r;
	if (ha->file_number != hb->file_number)
		return order(ha->file_number, hb->file_number);
	return order(a->first_ns, b->first_ns);
}

static int by_recording(const void *x, const void *y)
{
	const struct recfile *a = x, *b = y;
	int r;

	if (!a->header || !b->header)
		return a->header ? -1 : b->header != NULL;
	r = memcmp(a->header->recording_id, b->header->recording_id,
	    RECORDING_ID_LEN);
	return r ? r : order(a->first_ns, b->first_ns);
}

void recfile_sort(void *files, size_t n, size_t size)
{
	struct recfile *f, *before = NULL;
	size_t i;

	if (n == 0)
		return;
	qsort(files, n, size, by_recording);
	for (i = 0; i < n; i++) {
		f = (void *)((char *)files + i * size);
		if (!f->header)
			break;
		f->begins_ns = before && recfile_same(before, f)
		    ? before->begins_ns : f->first_ns;
		before = f;
	}
	qsort(files, n, size, recfile_by_time);
}

bool path_is_read_once(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 || (stat(path, &st) == 0 &&
	    !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

bool path_is_directory(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	    S_ISDIR(st.st_mode);
}
