/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/survey_index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arith.h"
#include "base/bytes.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/path.h"
#include "format/reader.h"
#include "replay/archive.h"
#include "replay/recfile.h"
#include "replay/survey_fold.h"

/* Another version may count otherwise.  The number changes with NUMBERS() and what else an
 * entry has. */
#define HEAD "gpsnap index 4 " GS_VERSION "\n"
#define SUM_LEN ((size_t)8)
#define NAME_LIMIT 4096u
#define HOSTS_LIMIT 65536u
/* Hourly files of almost two years: an entry takes 2 KB of memory. */
#define ENTRIES_LIMIT 16384u
/* So that sums of all entries fit. */
#define NUMBER_LIMIT (UINT64_C(1) << 48)

struct entry {
	char *name; /* within the directory */
	uint64_t size, digest;
	bool plain; /* else only that it is not */
	bool asked; /* it is of a file that still exists */
	struct survey is; /* without its header */
};

struct survey_index {
	struct entry *entry;
	size_t n, cap;
	bool changed;
};

/* ---- layout ----------------------------------------------------------- */

/* The fields of a plain survey that are numbers, in the order of the file. */
#define NUMBERS(X) \
	X(first_seq) X(first_left_out) X(first_lost) X(last_seq) X(ticks) \
	X(keys) X(skipped) X(first_number) X(size_bytes) X(stretches) X(summaries) \
	X(summary_bytes) X(gists) X(gist_bytes) X(page_bytes) \
	X(content) X(first_late)

static void put_text(struct buf *to, const char *text)
{
	buf_add_varint(to, strlen(text));
	buf_add_str(to, text);
}

static void put_survey(struct buf *to, const struct survey *s)
{
	size_t i;

#define PUT(field) buf_add_varint(to, (uint64_t)s->field);
	NUMBERS(PUT)
#undef PUT
	buf_add_varint(to, gs_zigzag(s->first_ns));
	buf_add_varint(to, gs_zigzag(s->last_ns));
	buf_add_varint(to, gs_zigzag(s->utc_offset_s));
	buf_add_varint(to, (uint64_t)s->pace[0].interval_ns);
	buf_add_varint(to, ENTITY_COUNT);
	for (i = 0; i < ENTITY_COUNT; i++) {
		buf_add_varint(to, s->rows[i]);
		buf_add_varint(to, s->rows_max[i]);
		buf_add_varint(to, s->first_rows[i]);
	}
	buf_add_varint(to, s->n_host);
	for (i = 0; i < s->n_host; i++)
		put_text(to, s->host[i]);
}

static bool get(struct span *in, uint64_t *ret)
{
	size_t n = gs_get_varint(in->ptr, span_len(*in), ret);

	if (n == 0 || n > 10)
		return false;
	in->ptr += n;
	return true;
}

/* A count or length that can be true. */
static bool get_number(struct span *in, uint64_t *ret)
{
	return get(in, ret) && *ret <= NUMBER_LIMIT;
}

static bool get_signed(struct span *in, int64_t *ret)
{
	uint64_t v;

	if (!get(in, &v))
		return false;
	*ret = gs_unzigzag(v);
	return true;
}

/* A text without a NUL; the caller frees it. */
static bool get_text(struct span *in, char **ret)
{
	uint64_t len;

	if (!get(in, &len) || len > NAME_LIMIT || len > span_len(*in) ||
	    memchr(in->ptr, '\0', (size_t)len))
		return false;
	*ret = gs_malloc((size_t)len + 1);
	if (len > 0)
		memcpy(*ret, in->ptr, (size_t)len);
	(*ret)[len] = '\0';
	in->ptr += len;
	return true;
}

static bool get_rows(struct span *in, struct survey *s)
{
	uint64_t n, most;
	size_t i;

	if (!get(in, &n) || n != ENTITY_COUNT)
		return false;
	for (i = 0; i < ENTITY_COUNT; i++) {
		if (!get_number(in, &s->rows[i]) || !get_number(in, &most) ||
		    !get_number(in, &s->first_rows[i]))
			return false;
		s->rows_max[i] = (size_t)most;
	}
	return true;
}

static bool get_hosts(struct span *in, struct survey *s)
{
	uint64_t n;

	if (!get(in, &n) || n > HOSTS_LIMIT || n > span_len(*in))
		return false;
	s->host = gs_calloc((size_t)n, sizeof(*s->host));
	while (s->n_host < n) {
		if (!get_text(in, &s->host[s->n_host]))
			return false;
		s->n_host++;
	}
	return true;
}

static bool get_survey(struct span *in, struct survey *s)
{
	uint64_t v;
	int64_t offset, interval;

#define GET(field) \
	if (!get_number(in, &v)) \
		return false; \
	s->field = (__typeof__(s->field))v;
	NUMBERS(GET)
#undef GET
	if (!get_signed(in, &s->first_ns) || !get_signed(in, &s->last_ns) ||
	    !get_signed(in, &offset) || !get(in, &v))
		return false;
	s->utc_offset_s = (int32_t)offset;
	interval = (int64_t)v;
	s->pace[0] = (struct survey_pace) { .interval_ns = interval,
		.ticks = s->ticks, .times = 1 };
	s->n_pace = s->n_file = 1;
	s->closed = s->steady = true;
	return get_rows(in, s) && get_hosts(in, s) && interval > 0 &&
	    s->ticks > 0;
}

static void put_entry(struct buf *to, const struct entry *e)
{
	put_text(to, e->name);
	buf_add_varint(to, e->size);
	buf_add_varint(to, e->digest);
	buf_add_varint(to, e->plain);
	if (e->plain)
		put_survey(to, &e->is);
}

static void release_entry(struct entry *e)
{
	survey_release(&e->is);
	free(e->name);
}

static bool get_entry(struct span *in, struct entry *e)
{
	uint64_t plain;

	*e = (struct entry) { 0 };
	if (!get_text(in, &e->name) || !get(in, &e->size) ||
	    !get(in, &e->digest) || !get(in, &plain) || plain > 1 ||
	    (plain && !get_survey(in, &e->is))) {
		release_entry(e);
		return false;
	}
	e->plain = plain;
	return true;
}

bool survey_index_is_whole(const void *bytes, size_t len)
{
	size_t head = strlen(HEAD);

	return len >= head + SUM_LEN && len <= SURVEY_INDEX_MAX &&
	    memcmp(bytes, HEAD, head) == 0 &&
	    gs_get_le64((const char *)bytes + len - SUM_LEN) ==
	    fnv_add(FNV_BASIS, bytes, len - SUM_LEN);
}

/* Reads entries up to the first that can't be one. */
static void take(struct survey_index *x, const struct buf *all)
{
	struct span in = { all->ptr + strlen(HEAD),
		all->ptr + all->len - SUM_LEN };
	struct entry e;

	while (!span_empty(in) && x->n < ENTRIES_LIMIT && get_entry(&in, &e)) {
		GS_GROW(x->entry, &x->cap, x->n + 1);
		x->entry[x->n++] = e;
	}
}

/* Never waits for a pipe of that name, nor follows a link. */
static bool load(const char *path, struct buf *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY);
	struct stat st;
	bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size > 0 && (uint64_t)st.st_size <= SURVEY_INDEX_MAX;
	ssize_t k = 1;

	while (ok && k > 0 && to->len < (size_t)st.st_size) {
		size_t want = (size_t)st.st_size - to->len;

		k = read(fd, buf_reserve(to, want), want);
		to->len += k > 0 ? (size_t)k : 0;
	}
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return ok && k >= 0;
}

struct survey_index *survey_index_open(const char *dir)
{
	struct survey_index *x = gs_calloc(1, sizeof(*x));
	struct buf path = BUF_INIT, all = BUF_INIT;

	recfile_path(dir, SURVEY_INDEX_NAME, &path);
	if (load(buf_str(&path), &all) &&
	    survey_index_is_whole(all.ptr, all.len))
		take(x, &all);
	buf_release(&path);
	buf_release(&all);
	return x;
}

void survey_index_free(struct survey_index *x)
{
	size_t i;

	if (!x)
		return;
	for (i = 0; i < x->n; i++)
		release_entry(&x->entry[i]);
	free(x->entry);
	free(x);
}

bool survey_index_changed(const struct survey_index *x, struct buf *to)
{
	size_t i, begin = to->len;
	bool changed = x->changed;
	char sum[SUM_LEN];

	buf_add_str(to, HEAD);
	for (i = 0; i < x->n; i++) {
		changed |= !x->entry[i].asked;
		if (x->entry[i].asked)
			put_entry(to, &x->entry[i]);
	}
	gs_put_le64(sum, fnv_add(FNV_BASIS, to->ptr + begin,
	    to->len - begin));
	buf_add(to, sum, sizeof(sum));
	return changed && to->len - begin <= SURVEY_INDEX_MAX;
}

/* ---- use -------------------------------------------------------------- */

static struct entry *find(struct survey_index *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (strcmp(x->entry[i].name, name) == 0)
			return &x->entry[i];
	}
	GS_GROW(x->entry, &x->cap, x->n + 1);
	x->entry[x->n] = (struct entry) { .name = gs_strdup(name) };
	return &x->entry[x->n++];
}

/* What a closed file says of itself. */
struct identity {
	uint64_t size, digest, ticks, keys, last_seq;
	int64_t first_ns, last_ns;
};

/* False: it is not closed. */
static bool identify(const char *path, struct identity *ret)
{
	const struct frame_entry *e;
	struct reader *r = NULL;
	size_t n, i;
	bool ok;

	if (reader_open(path, &r, NULL) < 0)
		return false;
	*ret = (struct identity) { .size = reader_size(r) };
	ok = reader_is_closed(r) && !reader_is_written(r) &&
	    reader_digest(r, &ret->digest) &&
	    reader_index(r, &e, &n, NULL) == GS_OK && n > 0;
	for (i = 0; ok && i < n; i++)
		ret->keys += e[i].kind == FRAME_KEY;
	if (ok) {
		ret->ticks = n;
		ret->last_seq = e[n - 1].seq;
		ret->first_ns = e[0].wall_ns;
		ret->last_ns = e[n - 1].wall_ns;
	}
	reader_free(r);
	return ok;
}

/* The entry is of that file, and says of its ticks what the file's own index does. */
static bool is_of(const struct entry *e, const struct identity *id)
{
	const struct survey *s = &e->is;

	return e->size == id->size && e->digest == id->digest &&
	    (!e->plain || (s->ticks == id->ticks && s->keys == id->keys &&
	    s->last_seq == id->last_seq && s->first_ns == id->first_ns &&
	    s->last_ns == id->last_ns && s->size_bytes == id->size));
}

static void copy_hosts(struct survey *to, const struct survey *from)
{
	size_t i;

	to->header = NULL;
	to->host = gs_calloc(from->n_host, sizeof(*to->host));
	for (i = 0; i < from->n_host; i++)
		to->host[i] = gs_strdup(from->host[i]);
}

/* Decodes a file. */
static void enter(struct survey_index *x, struct entry *e, char *const *path,
	const struct identity *id)
{
	struct gs_err err;

	survey_release(&e->is);
	e->size = id->size;
	e->digest = id->digest;
	x->changed = true;
	e->plain = survey_recording(path, 1, false, &e->is, &err) == GS_OK &&
	    survey_is_plain(&e->is);
	header_free(e->is.header);
	e->is.header = NULL;
	if (!e->plain)
		survey_release(&e->is);
}

/* The survey of a closed file, by the index; false: it is not plain. */
static bool look_up(struct survey_index *x, char *const *path,
	struct survey *ret)
{
	const char *slash = strrchr(*path, '/');
	struct entry *e = find(x, slash ? slash + 1 : *path);
	struct identity id = { .size = 0 };
	bool closed = identify(*path, &id);

	if (closed && !is_of(e, &id))
		enter(x, e, path, &id);
	e->asked = closed;
	if (!closed || !e->plain)
		return false;
	*ret = e->is;
	copy_hosts(ret, &e->is);
	return true;
}

/* Nothing is missing before the first tick of all files. */
static bool begins_whole(char *const *path, size_t n)
{
	struct archive *a = NULL;
	const struct tick *t = NULL;
	struct cursor_gap gap;
	struct gs_err err;
	struct cursor c;
	bool ok;

	if (archive_open(path, n, &a, &err) < 0)
		return false;
	archive_set_all(a);
	c = archive_cursor(a);
	ok = cursor_next(c, &t, &gap, &err) == CURSOR_TICK;
	archive_free(a);
	return ok;
}

/* All but the last file by the index; the last one is decoded: its header is
 * shown. */
static bool fold_all(struct survey_index *x, char *const *path, size_t n,
	struct survey *sum)
{
	struct survey part = { 0 };
	struct gs_err err;
	bool ok = true;
	size_t i;

	for (i = 0; ok && i + 1 < n; i++) {
		ok = look_up(x, path + i, &part) && survey_fold(sum, &part);
		survey_release(&part);
	}
	ok = ok && survey_recording(path + n - 1, 1, false, &part, &err) ==
	    GS_OK && survey_fold(sum, &part);
	survey_release(&part);
	return ok;
}

/* The files that are not asked for, since one before them is not plain, are
 * still there. */
static void keep(struct survey_index *x, char *const *path, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		const char *slash = strrchr(path[i], '/');
		const char *name = slash ? slash + 1 : path[i];

		for (k = 0; k < x->n; k++)
			x->entry[k].asked |= x->entry[k].digest != 0 &&
			    strcmp(x->entry[k].name, name) == 0;
	}
}

int survey_indexed(struct survey_index *x, char *const *path, size_t n,
	struct survey *ret, struct gs_err *err)
{
	bool ok;

	*ret = (struct survey) { 0 };
	ok = n > 1 && begins_whole(path, n) && fold_all(x, path, n, ret);
	keep(x, path, n);
	if (ok)
		return GS_OK;
	survey_release(ret);
	return survey_recording(path, n, true, ret, err);
}
