/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sorter.c - runs of sorted records, one after the other in a file, and a
 * heap of their heads.
 *
 * Each run has a buffer of RUN_BUFFER bytes while they are merged: a gigabyte
 * of records in runs of 32 MiB needs 32 such.
 */
#include "history/sorter.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/tempfile.h"

#define RUN_BUFFER ((size_t)64 << 10)

struct run {
	uint64_t at, end; /* in the file */
	char *buf;
	size_t pos, len; /* of buf */
};

struct sorter {
	size_t record_len, room; /* records in memory */
	sorter_compare_fn compare;
	char *held;
	size_t n_held, next_held;
	int fd; /* -1: all is in memory */
	uint64_t file_len;
	struct run *run;
	size_t n_run, run_cap;
	size_t *heap; /* runs by their heads */
	size_t n_heap;
	bool returned; /* the head of the first was returned */
};

int sorter_temporary(struct gs_err *err)
{
	int fd = tempfile_open();

	return fd >= 0 ? fd : gs_fail_errno(err, -fd, "temporary file in %s",
	    tempfile_dir());
}

struct sorter *sorter_new(size_t record_len, size_t memory,
	sorter_compare_fn compare)
{
	struct sorter *s = gs_calloc(1, sizeof(*s));

	s->record_len = record_len;
	s->room = GS_MAX(memory / record_len, (size_t)1);
	s->compare = compare;
	s->held = gs_malloc(s->room * record_len);
	s->fd = -1;
	return s;
}

void sorter_free(struct sorter *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n_run; i++)
		free(s->run[i].buf);
	if (s->fd >= 0)
		(void)close(s->fd); /* its contents are not needed */
	free(s->run);
	free(s->heap);
	free(s->held);
	free(s);
}

/* Writes the records in memory as a run. */
static int put_run(struct sorter *s, struct gs_err *err)
{
	uint64_t at = s->file_len;
	int r;

	if (s->fd < 0)
		s->fd = sorter_temporary(err);
	if (s->fd < 0)
		return GS_E_IO;
	qsort(s->held, s->n_held, s->record_len, s->compare);
	r = io_write_all(s->fd, s->held, s->n_held * s->record_len);
	if (r != 0)
		return gs_fail_errno(err, r, "temporary file");
	s->file_len += s->n_held * s->record_len;
	s->n_held = 0;
	GS_GROW(s->run, &s->run_cap, s->n_run + 1);
	s->run[s->n_run++] = (struct run) { .at = at, .end = s->file_len };
	return GS_OK;
}

int sorter_add(struct sorter *s, const void *record, struct gs_err *err)
{
	int r = s->n_held == s->room ? put_run(s, err) : GS_OK;

	if (r < 0)
		return r;
	memcpy(s->held + s->n_held++ * s->record_len, record, s->record_len);
	return GS_OK;
}

/* ---- merging ----------------------------------------------------------- */

static int fill(struct sorter *s, struct run *u, struct gs_err *err)
{
	size_t want = RUN_BUFFER / s->record_len * s->record_len;
	ssize_t n;

	u->pos = u->len = 0;
	want = (size_t)GS_MIN((uint64_t)GS_MAX(want, s->record_len),
	    u->end - u->at);
	if (!u->buf)
		u->buf = gs_malloc(GS_MAX(RUN_BUFFER, s->record_len));
	while (u->len < want) {
		n = pread(s->fd, u->buf + u->len, want - u->len,
		    (off_t)u->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return gs_fail_errno(err, n < 0 ? errno : EIO,
			    "temporary file");
		u->len += (size_t)n;
		u->at += (uint64_t)n;
	}
	return GS_OK;
}

static const char *head(const struct sorter *s, size_t i)
{
	const struct run *u = &s->run[s->heap[i]];

	return u->buf + u->pos;
}

static void sink(struct sorter *s, size_t i)
{
	for (;;) {
		size_t least = i, k, swap;

		for (k = 2 * i + 1; k <= 2 * i + 2 && k < s->n_heap; k++) {
			if (s->compare(head(s, k), head(s, least)) < 0)
				least = k;
		}
		if (least == i)
			return;
		swap = s->heap[i];
		s->heap[i] = s->heap[least];
		s->heap[least] = swap;
		i = least;
	}
}

int sorter_done(struct sorter *s, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	if (s->n_run == 0) {
		if (s->n_held > 1)
			qsort(s->held, s->n_held, s->record_len, s->compare);
		return GS_OK;
	}
	if (s->n_held > 0)
		r = put_run(s, err);
	free(s->held);
	s->held = NULL;
	s->heap = gs_calloc(s->n_run, sizeof(*s->heap));
	for (i = 0; r == GS_OK && i < s->n_run; i++) {
		r = fill(s, &s->run[i], err);
		s->heap[s->n_heap++] = i;
	}
	for (i = s->n_heap; r == GS_OK && i > 0; i--)
		sink(s, i - 1);
	return r;
}

/* Advances past the last returned record. */
static int advance(struct sorter *s, struct gs_err *err)
{
	struct run *u = &s->run[s->heap[0]];
	int r = GS_OK;

	u->pos += s->record_len;
	if (u->pos == u->len && u->at < u->end)
		r = fill(s, u, err);
	else if (u->pos == u->len)
		s->heap[0] = s->heap[--s->n_heap];
	if (r == GS_OK && s->n_heap > 0)
		sink(s, 0);
	return r;
}

int sorter_next(struct sorter *s, const void **ret, struct gs_err *err)
{
	int r;

	if (s->n_run == 0) {
		*ret = s->next_held < s->n_held
		    ? s->held + s->next_held++ * s->record_len : NULL;
		return GS_OK;
	}
	if (s->returned && s->n_heap > 0) {
		r = advance(s, err);
		if (r < 0)
			return r;
	}
	s->returned = true;
	*ret = s->n_heap > 0 ? head(s, 0) : NULL;
	return GS_OK;
}
