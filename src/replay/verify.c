/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "replay/recfile.h"
#include "replay/survey.h"
#include "replay/watch.h"

/* How many ticks is not known where an edge is open; the time is. */
static void add_lost(struct buf *to, const struct survey *s,
	const struct cursor_gap *gap)
{
	struct zone zone = zone_fixed(s->utc_offset_s);

	if (gap->ticks == 0 && gap->from_ns != INT64_MIN &&
	    gap->to_ns != INT64_MAX)
		return;
	buf_add_str(to, gap->ticks ? " from " : ", lost from ");
	if (gap->from_ns == INT64_MIN)
		buf_add_str(to, "the start");
	else
		zone_add_date_time(&zone, gap->from_ns, 0, to);
	buf_add_str(to, " to ");
	if (gap->to_ns == INT64_MAX)
		buf_add_str(to, "the end");
	else
		zone_add_date_time(&zone, gap->to_ns, 0, to);
}

static void add_damage(struct buf *to, const char *path,
	const struct survey *s, const struct cursor_gap *gap)
{
	utf8_add_safe(to, path, strlen(path));
	if (gap->offset != SURVEY_NOWHERE)
		buf_printf(to, ": offset %" PRIu64, gap->offset);
	buf_add_str(to, ": ");
	utf8_add_safe(to, gap->why, strlen(gap->why));
	if (gap->bytes)
		buf_printf(to, ", %" PRIu64 " byte%s", gap->bytes,
		    units_plural(gap->bytes));
	if (gap->ticks)
		buf_printf(to, ", %" PRIu64 " tick%s lost", gap->ticks,
		    units_plural(gap->ticks));
	add_lost(to, s, gap);
	buf_add_char(to, '\n');
}

static void add_bad_footer(struct buf *to, const char *path,
	const struct survey *s)
{
	if (s->bad_footer == 0)
		return;
	utf8_add_safe(to, path, strlen(path));
	buf_printf(to, ": offset %" PRIu64 ": the index at the end is damaged, "
	    "%" PRIu64 " bytes, no tick lost\n",
	    s->size_bytes - s->bad_footer, s->bad_footer);
}

static void add_mended(struct buf *to, const char *path,
	const struct survey *s)
{
	if (s->mended == 0)
		return;
	utf8_add_safe(to, path, strlen(path));
	buf_printf(to, ": offset %" PRIu64 ": ", s->first_mended);
	if (s->mended == 1)
		buf_add_str(to, "a damaged group was");
	else
		buf_printf(to, "the first of %" PRIu64 " damaged groups that "
		    "were", s->mended);
	buf_add_str(to, " restored, no tick lost\n");
}

static void add_verdict(struct buf *to, const char *path,
	const struct survey *s)
{
	struct zone zone = zone_fixed(s->utc_offset_s);
	size_t holes = s->n_gaps - s->n_damaged;

	utf8_add_safe(to, path, strlen(path));
	if (s->ticks == 0) {
		buf_add_str(to, ": damaged, no tick of it whole\n");
		return;
	}
	buf_printf(to, ": %s, %" PRIu64 " tick%s",
	    survey_is_damaged(s) ? "damaged" : "whole", s->ticks,
	    units_plural(s->ticks));
	if (survey_is_damaged(s))
		buf_add_str(to, " of it whole");
	buf_add_str(to, ", ");
	zone_add_date_time(&zone, s->first_ns, 0, to);
	buf_add_str(to, " to ");
	zone_add_date_time(&zone, s->last_ns, 0, to);
	buf_add_char(to, ' ');
	zone_add_label(&zone, to);
	if (holes)
		buf_printf(to, ", %zu hole%s", holes, units_plural(holes));
	buf_add_str(to, survey_ending(s));
	buf_add_char(to, '\n');
}

/* Files of one directory, in order. */
struct check {
	const struct verify_output *out;
	const char *dir; /* NULL: the file itself was named */
	const struct recfile *next; /* the next file of the same recording;
	                             * NULL: none */
	struct survey before; /* of the file before, in the directory */
	bool missing; /* a file is, or ticks between files */
	enum verify_result worst;
	/* how far it is */
	const char *path;
	uint64_t done, all; /* bytes: of passes that ended; of all known ones */
	uint64_t at; /* in this pass */
};

/* A smaller offset begins another pass. */
static void step(void *ctx, uint64_t bytes)
{
	struct check *c = ctx;

	if (bytes < c->at)
		c->done += c->at;
	c->at = bytes;
	if (c->out->step)
		c->out->step(c->out->ctx, c->path, c->done + bytes, c->all);
}

/* Over each file: its ticks, its summaries, its gists. */
static uint64_t passes(const struct check *c)
{
	return c->out->summaries ? 3 : 1;
}

static void end_passes(struct check *c)
{
	c->done += c->at;
	c->at = 0;
}

/* A recorder that was killed at once leaves an empty file.  A user who names
 * one expects more. */
static enum verify_result add_empty(const struct check *c, const char *path,
	struct buf *to)
{
	bool written = path_is_recorded(path);

	utf8_add_safe(to, path, strlen(path));
	buf_add_str(to, written ? ": empty, still being written\n"
	    : c->missing ? ": empty: may be the file that is missing\n"
	    : ": empty, nothing lost\n");
	return !c->dir && !written ? VERIFY_DAMAGED : VERIFY_WHOLE;
}

static bool is_same(const struct header *a, const struct header *b)
{
	return a && b && memcmp(a->recording_id, b->recording_id,
	    RECORDING_ID_LEN) == 0;
}

static void add_between(struct check *c, const char *path,
	const struct cursor_gap *gap, struct buf *to)
{
	utf8_add_safe(to, c->dir, strlen(c->dir));
	buf_add_str(to, ": before ");
	utf8_add_safe(to, path, strlen(path));
	buf_printf(to, ": %s", gap->why);
	if (gap->ticks)
		buf_printf(to, ", %" PRIu64 " tick%s %s", gap->ticks,
		    units_plural(gap->ticks), gap->damage ? "lost"
		    : "not here");
	buf_add_char(to, '\n');
	c->missing = true;
	if (gap->damage)
		c->worst = GS_MAX(c->worst, VERIFY_DAMAGED);
}

/* What is missing between the file before and this one.  If one of them is
 * damaged at that edge, that file reports the ticks. */
static void check_between(struct check *c, const struct survey *s,
	const char *path, struct buf *to)
{
	const struct survey *b = &c->before;
	struct cursor_gap gap;

	if (!is_same(b->header, s->header) || !survey_between(b, s, &gap))
		return;
	if (b->cut_end || s->cut_begin) {
		if (s->first_number <= b->header->file_number + 1)
			return;
		gap.ticks = 0;
	}
	add_between(c, path, &gap, to);
}

/* Damage up to an edge of the file reaches to the file beside it.  If both are
 * damaged, the first one reports how many ticks are lost. */
static void join_gaps(const struct check *c, struct survey *s)
{
	const struct recfile *next = c->next;
	struct cursor_gap *first, *last;

	if (s->n_gap == 0 || s->n_gap < s->n_gaps)
		return;
	first = &s->gap[0];
	last = &s->gap[s->n_gap - 1];
	if (next && is_same(s->header, next->header) &&
	    last->to_ns == INT64_MAX && next->first_seq > s->last_seq) {
		last->to_ns = next->first_ns;
		last->ticks = tick_missing(s->last_seq, next->first_seq,
		    next->left_out);
	}
	if (is_same(c->before.header, s->header) &&
	    first->from_ns == INT64_MIN && s->first_seq > c->before.last_seq) {
		first->from_ns = c->before.last_ns;
		first->ticks = c->before.cut_end ? 0
		    : tick_missing(c->before.last_seq, s->first_seq,
		    s->first_left_out);
	}
	/* reported as the missing file */
	if (c->missing && s->ticks == 0)
		first->ticks = 0;
}

/* The next file follows the one that ends last. */
static void keep_survey(struct check *c, struct survey *s)
{
	const struct survey *b = &c->before;

	if (!c->dir || !s->header || (is_same(b->header, s->header) &&
	    s->last_seq < b->last_seq)) {
		survey_release(s);
		return;
	}
	survey_release(&c->before);
	c->before = *s;
}

static bool path_is_empty(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	    S_ISREG(st.st_mode) && st.st_size == 0;
}

/* 0: a pipe. */
static uint64_t file_bytes(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	    S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

/* True if there are wrong ones; they are never needed. */
static bool add_summaries(struct check *c, struct buf *to,
	const char *path, const struct survey *s)
{
	const struct reading reading = { step, c };
	size_t n;

	if (!c->out->summaries)
		return false;
	if (s->summaries == 0 && s->gists == 0) {
		c->all -= GS_MIN(c->all,
		    (passes(c) - 1) * file_bytes(path));
		return false;
	}
	n = c->out->summaries(c->out->ctx, path, &reading);
	if (n == 0)
		return false;
	utf8_add_safe(to, path, strlen(path));
	buf_printf(to, ": %zu of the summaries and gists do%s not fit the ticks, "
	    "no tick lost: gpsnap cut makes a file with new ones\n", n,
	    n == 1 ? "es" : "");
	return true;
}

static bool add_page(struct check *c, struct buf *to, const char *path,
	const struct survey *s)
{
	if (s->page_bytes == 0 || !c->out->page_is_wrong ||
	    !c->out->page_is_wrong(path))
		return false;
	utf8_add_safe(to, path, strlen(path));
	buf_add_str(to, ": what it keeps of a report does not fit the ticks, no tick "
	    "lost: gpsnap cut makes a file without it\n");
	return true;
}

static enum verify_result verify(struct check *c, const char *path, struct buf *to)
{
	const struct reading reading = { step, c };
	struct survey s;
	struct gs_err err;
	bool damaged;
	size_t i;

	if (path_is_empty(path))
		return add_empty(c, path, to);
	c->path = path;
	if (survey_read(path, &reading, &s, &err) < 0) {
		c->out->fail(c->out->ctx, &err);
		survey_release(&s);
		return VERIFY_FAILED;
	}
	check_between(c, &s, path, to);
	join_gaps(c, &s);
	for (i = 0; i < s.n_gap; i++) {
		if (s.gap[i].damage)
			add_damage(to, path, &s, &s.gap[i]);
	}
	add_mended(to, path, &s);
	add_bad_footer(to, path, &s);
	damaged = add_summaries(c, to, path, &s);
	damaged |= add_page(c, to, path, &s);
	add_verdict(to, path, &s);
	damaged |= survey_is_damaged(&s);
	end_passes(c);
	keep_survey(c, &s);
	return damaged ? VERIFY_DAMAGED : VERIFY_WHOLE;
}

/* The first of the n files of a recording: what is missing before it, unless
 * files made from that cover it. */
static void check_first(struct check *c, struct recfile *f, size_t n,
	struct buf *to)
{
	struct cursor_gap gap = { .damage = true };
	int64_t newest = INT64_MIN;
	uint64_t bytes = 0;
	size_t i;

	if (f->first_seq <= 1 || (c->before.header &&
	    c->before.last_ns > f->header->started_ns))
		return;
	for (i = 0; i < n && is_same(f->header, f[i].header); i++) {
		newest = GS_MAX(newest, recfile_end(&f[i]));
		bytes += reader_size(f[i].reader);
	}
	recfile_read_more(f);
	gap.ticks = recfile_missing_first(f, f->more.lost, newest, bytes);
	if (gap.ticks == 0)
		return;
	recfile_describe_missing(0, f->header->file_number, gap.why,
	    sizeof(gap.why));
	add_between(c, f->path, &gap, to);
}

/* Emits and frees text; false: the output failed. */
static bool verify_file(struct check *c, const char *path, struct buf *text)
{
	enum verify_result r = verify(c, path, text);
	bool ok = c->out->text(c->out->ctx, text);

	c->worst = GS_MAX(c->worst, r);
	buf_release(text);
	return ok;
}

/* File i of n. */
static bool verify_in_order(struct check *c, struct recfile *file,
	size_t i, size_t n)
{
	struct buf text = BUF_INIT;

	c->next = i + 1 < n ? &file[i + 1] : NULL;
	if (file[i].header && !is_same(c->before.header, file[i].header))
		check_first(c, &file[i], n - i, &text);
	return verify_file(c, file[i].path, &text);
}

/* The files of a directory in order, then those that are not recordings. */
static bool verify_directory(struct check *c)
{
	struct recfile *file = NULL;
	struct gs_err err;
	size_t i, n = 0;
	bool ok = true;

	if (recfile_list(c->dir, true, &file, &n, &err) < 0) {
		c->worst = VERIFY_FAILED;
		c->out->fail(c->out->ctx, &err);
	}
	for (i = 0; i < n; i++)
		c->all += file[i].reader
		    ? passes(c) * reader_size(file[i].reader) : 0;
	for (i = 0; i < n; i++) {
		ok = ok && verify_in_order(c, file, i, n);
		recfile_release(&file[i]);
	}
	free(file);
	survey_release(&c->before);
	c->next = NULL;
	c->missing = false;
	return ok;
}

enum verify_result verify_paths(char *const *path, size_t n,
	const struct verify_output *out)
{
	struct check c = { .out = out, .worst = VERIFY_WHOLE };
	bool ok = true;
	size_t i;

	for (i = 0; i < n; i++)
		c.all += passes(&c) * file_bytes(path[i]);
	for (i = 0; ok && i < n; i++) {
		struct buf text = BUF_INIT;

		c.dir = path_is_directory(path[i]) ? path[i] : NULL;
		ok = c.dir ? verify_directory(&c)
		           : verify_file(&c, path[i], &text);
	}
	return c.worst;
}
