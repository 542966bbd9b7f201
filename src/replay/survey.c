/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/presence.h"
#include "model/walk.h"
#include "model/world.h"
#include "replay/archive.h"
#include "replay/recfile.h"

/* One pass. */
struct pass {
	struct survey *s;
	struct world *w;
	struct presence *presence;
	struct survey_absence *by_host; /* by index; host is NULL */
	size_t n_by_host, by_host_cap;
	struct walk walk;
	struct reader *reader; /* of the one file; NULL: of several */
	const struct reading *reading; /* of that one */
	bool lost; /* a tick could not be applied, and no gap covers it yet */
	uint64_t lost_at; /* its offset */
	bool follows; /* no gap since the last tick */
	size_t first_hosts; /* number of them at the first tick */
};

static void add_gap(struct pass *p, const struct cursor_gap *gap)
{
	struct survey *s = p->s;

	presence_gap(p->presence, gap->from_ns, gap->to_ns);
	s->cut_begin |= s->ticks == 0;
	s->cut_end = true; /* until another tick comes */
	s->n_gaps++;
	s->n_damaged += gap->damage;
	s->damaged_bytes += gap->bytes;
	s->missing_ticks += gap->ticks;
	if (s->n_gap == SURVEY_GAPS_MAX)
		return;
	GS_GROW(s->gap, &s->gap_cap, s->n_gap + 1);
	s->gap[s->n_gap] = *gap;
	s->gap[s->n_gap++].file = ""; /* the reader's, soon invalid */
}

static struct survey_absence *absence_of(struct pass *p, uint32_t index)
{
	size_t old = p->n_by_host;

	if (index >= old) {
		GS_GROW(p->by_host, &p->by_host_cap, (size_t)index + 1);
		p->n_by_host = (size_t)index + 1;
		memset(p->by_host + old, 0,
		    (p->n_by_host - old) * sizeof(*p->by_host));
	}
	return &p->by_host[index];
}

static void add_absence(void *ctx, const struct host *h, int64_t from_ns,
	int64_t to_ns, const char *why)
{
	struct survey_absence *a = absence_of(ctx, h->index);

	(void)why;
	if (a->n++ == 0) {
		a->from_ns = from_ns;
		a->to_ns = to_ns;
	}
	a->missing_ns = gs_sum(a->missing_ns, gs_difference(to_ns, from_ns));
}

static int64_t interval_of(const struct survey *s)
{
	return s->header ? s->header->interval_ns : 0;
}

/* At which hosts were asked. */
static int64_t sampled_of(const struct survey *s)
{
	return s->header ? pace_sampled(header_pace(s->header)) : 0;
}

/* Absent hosts, in the order of hosts. */
static void add_absences(struct pass *p)
{
	struct survey *s = p->s;
	size_t i;

	presence_open(p->presence, p->w, s->last_ns, sampled_of(s),
	    add_absence, p);
	for (i = 0; s->ticks > 0 && i < world_hosts(p->w); i++) {
		const struct host *h = world_host(p->w, i);
		struct survey_absence a = *absence_of(p, h->index);

		a.never = !presence_was_there(p->presence, h);
		if (h->catalog || (a.never ? !h->named : a.n == 0))
			continue;
		a.host = gs_strdup(h->name ? h->name : "?");
		GS_GROW(s->absence, &s->absence_cap, s->n_absence + 1);
		s->absence[s->n_absence++] = a;
	}
}

static void count_rows(struct survey *s, const struct world *w)
{
	size_t live[ENTITY_COUNT] = { 0 };
	size_t i, e;

	for (i = 0; i < world_hosts(w); i++) {
		for (e = 0; e < ENTITY_COUNT; e++)
			live[e] += world_host(w, i)->table[e].n_live;
	}
	for (e = 0; e < ENTITY_COUNT; e++) {
		s->rows[e] += live[e];
		s->rows_max[e] = GS_MAX(s->rows_max[e], live[e]);
	}
}

static void keep_header(struct survey *s, const struct tick *t)
{
	s->keys += t->key;
	if (!t->header)
		return;
	if (!s->header)
		s->first_number = t->header->file_number;
	header_free(s->header);
	s->header = header_dup(t->header);
	s->content |= t->header->content;
}

bool survey_between(const struct survey *before, const struct survey *after,
	struct cursor_gap *ret)
{
	*ret = (struct cursor_gap) {
		.from_ns = before->last_ns, .to_ns = after->first_ns,
		.ticks = tick_missing(before->last_seq, after->first_seq,
		    after->first_left_out),
		.file = "", .offset = SURVEY_NOWHERE,
	};
	if (ret->ticks == 0 || !before->header || !after->header)
		return false;
	survey_describe_missing(before->header, after->header,
	    after->first_lost, ret);
	return true;
}

bool survey_is_damaged(const struct survey *s)
{
	return s->n_damaged > 0 || s->bad_footer > 0 || s->mended > 0 ||
	    s->n_harmless > 0;
}

static void begin(struct survey *s, const struct tick *t)
{
	s->first_ns = t->wall_ns;
	s->first_seq = t->seq;
	s->first_left_out = t->left_out;
	s->first_lost = tick_lost_before(t);
	s->first_late = tick_skipped_before(t, INT64_MIN / 2,
	    GS_NSEC_PER_SEC) > 0;
}

/* All hosts answered at the last tick. */
static bool are_all_here(const struct pass *p)
{
	size_t i;

	for (i = 0; i < world_hosts(p->w); i++) {
		const struct host *h = world_host(p->w, i);

		if (!h->catalog && (!presence_was_there(p->presence, h) ||
		    presence_last(p->presence, h) != p->s->last_ns))
			return false;
	}
	return true;
}

/* Offset of the tick that can't be applied, if known. */
static void lose(struct pass *p, const struct gs_err *why)
{
	struct frame_entry e;

	if (!p->lost) {
		p->lost_at = SURVEY_NOWHERE;
		if (p->reader) {
			(void)reader_record(p->reader, &e); /* for its place */
			p->lost_at = e.offset;
		}
	}
	p->lost = true;
	walk_lose(&p->walk, why);
}

static void count_pace(struct survey *s)
{
	int64_t ns = interval_of(s);
	size_t i;

	for (i = 0; i < s->n_pace && s->pace[i].interval_ns != ns; i++)
		continue;
	if (i == SURVEY_PACES_MAX || ns <= 0)
		return;
	if (i == s->n_pace)
		s->pace[s->n_pace++] = (struct survey_pace) {
			.interval_ns = ns };
	s->pace[i].times += s->pace[i].ticks == 0 || i != s->last_pace;
	s->pace[i].ticks++;
	s->last_pace = i;
}

static int add_tick(struct pass *p, const struct tick *t, bool is_new,
	struct gs_err *err)
{
	struct survey *s = p->s;
	int r = world_apply(p->w, t, err);

	if (r == GS_E_MEMORY)
		return r;
	if (r < 0) {
		lose(p, err);
		return GS_OK;
	}
	keep_header(s, t);
	s->cut_end = false;
	s->last_seq = t->seq;
	if (!is_new)
		return GS_OK;
	if (s->ticks++ == 0)
		begin(s, t);
	if (p->follows)
		s->skipped += tick_skipped_before(t, s->last_ns,
		    interval_of(s));
	p->follows = true;
	s->last_ns = t->wall_ns;
	count_pace(s);
	count_rows(s, p->w);
	presence_tick(p->presence, p->w, t->wall_ns, sampled_of(s),
	    add_absence, p);
	if (s->ticks == 1) {
		memcpy(s->first_rows, s->rows, sizeof(s->first_rows));
		p->first_hosts = world_hosts(p->w);
		s->steady = are_all_here(p);
	}
	return GS_OK;
}

static void survey_gap(struct pass *p, struct cursor_gap *gap)
{
	if (p->lost)
		gap->offset = p->lost_at;
	p->lost = p->follows = false;
	world_lost(p->w);
	if (!walk_is_hole(gap, interval_of(p->s)))
		return;
	if (!gap->why[0])
		(void)snprintf(gap->why, sizeof(gap->why), "%s", walk_why(gap));
	add_gap(p, gap);
}

static bool host_offset(const struct host *h, int32_t *ret_s)
{
	const struct row *r = host_row(h);
	uint64_t v;

	if (!r || !row_get(r, COL(HOST, UTC_OFFSET), &v))
		return false;
	*ret_s = (int32_t)(int64_t)v;
	return *ret_s > -86400 && *ret_s < 86400;
}

static void add_hosts(struct survey *s, const struct world *w)
{
	size_t i, n = world_hosts(w);
	bool found = false;

	s->host = gs_calloc(n, sizeof(*s->host));
	for (i = 0; i < n; i++) {
		const struct host *h = world_host(w, i);

		if (!world_is_host(h))
			continue;
		s->host[s->n_host++] = gs_strdup(h->name ? h->name : "?");
		found = found || host_offset(h, &s->utc_offset_s);
	}
	if (!found)
		s->utc_offset_s = 0;
}

static int read_ticks(struct pass *p, struct cursor c, struct gs_err *err)
{
	walk_begin(&p->walk, c, 0);
	for (;;) {
		const struct tick *t = NULL;
		struct cursor_gap gap;
		enum cursor_step is = walk_next(&p->walk, &t, &gap, err);

		switch (is) {
		case CURSOR_TICK:
		case CURSOR_REPEAT:
			if (add_tick(p, t, is == CURSOR_TICK, err) < 0)
				return GS_E_MEMORY;
			if (p->reader)
				reading_at(p->reading,
				    reader_offset(p->reader));
			break;
		case CURSOR_GAP:
			survey_gap(p, &gap);
			break;
		case CURSOR_WAIT:
		case CURSOR_END:
			p->s->written |= is == CURSOR_WAIT;
			if (walk_end(&p->walk, &gap))
				survey_gap(p, &gap);
			return GS_OK;
		case CURSOR_ERROR:
			return err->status;
		}
	}
}

/* The state of a file's bytes, after they were read to the end. */
static void add_file(struct survey *s, struct reader *r)
{
	uint64_t first, n = reader_mended(r, &first), bytes;

	s->stretches += reader_count_stretches(r);
	s->summaries += reader_count_summaries(r, &bytes);
	s->summary_bytes += bytes;
	s->gists += reader_count_gists(r, &bytes);
	s->gist_bytes += bytes;
	s->page_bytes += reader_page_bytes(r);
	s->size_bytes += reader_size(r);
	s->bad_footer += reader_bad_footer(r);
	if (s->mended == 0)
		s->first_mended = first;
	s->mended += n;
	s->piped |= !reader_is_file(r);
	s->closed = (s->n_file++ == 0 || s->closed) && reader_is_file(r) &&
	    reader_is_closed(r);
}

const char *survey_ending(const struct survey *s)
{
	if (s->written)
		return ", still being written";
	if (s->piped)
		return "";
	return s->closed ? ", closed" : ", not closed";
}

static void begin_pass(struct pass *p, struct survey *s)
{
	*s = (struct survey) { 0 };
	/* only existing bytes count */
	*p = (struct pass) { .s = s, .w = world_new_plain(),
		.presence = presence_new() };
}

static int end_pass(struct pass *p, const char *path, int status,
	struct gs_err *err)
{
	struct survey *s = p->s;

	s->steady = s->steady && p->first_hosts == world_hosts(p->w) &&
	    are_all_here(p);
	add_hosts(s, p->w);
	add_absences(p);
	if (status == GS_OK && s->ticks == 0 && s->n_damaged == 0)
		status = gs_fail(err, GS_E_FORMAT,
		    "%s: no tick in it is whole", path);
	free(p->by_host);
	presence_free(p->presence);
	world_free(p->w);
	return status;
}

int survey_read(const char *path, const struct reading *reading,
	struct survey *ret, struct gs_err *err)
{
	struct survey_file f = { .any = false };
	struct reader *r = NULL;
	struct pass p;
	int status = reader_open(path, &r, err);

	begin_pass(&p, ret);
	f.reader = p.reader = r;
	p.reading = reading;
	if (status == GS_OK)
		status = read_ticks(&p, survey_file_cursor(&f), err);
	if (r)
		add_file(ret, r);
	status = end_pass(&p, path, status, err);
	survey_file_release(&f);
	reader_free(r);
	return status;
}

/* Checks the bytes of a file, without its ticks. */
static int read_bytes(struct survey *s, const char *path, struct gs_err *err)
{
	enum cursor_step is = CURSOR_TICK;
	struct frame_entry e;
	struct cursor_gap gap;
	struct reader *r = NULL;
	int status = reader_open(path, &r, err);

	if (status < 0)
		return status;
	while (is == CURSOR_TICK || is == CURSOR_GAP)
		is = reader_next_index(r, &e, &gap, err);
	s->written |= is == CURSOR_WAIT;
	if (is == CURSOR_ERROR)
		status = err->status;
	add_file(s, r);
	reader_free(r);
	return status;
}

static int read_archive(struct archive *a, char *const *path, size_t n,
	struct survey *ret, struct gs_err *err)
{
	struct pass p;
	size_t i;
	int status;

	begin_pass(&p, ret);
	status = read_ticks(&p, archive_cursor(a), err);
	ret->n_harmless = archive_harmless(a);
	for (i = 0; status == GS_OK && i < n; i++)
		status = read_bytes(ret, path[i], err);
	return end_pass(&p, path[0], status, err);
}

int survey_recording(char *const *path, size_t n, bool all,
	struct survey *ret, struct gs_err *err)
{
	struct archive *a = NULL;
	int status;

	*ret = (struct survey) { 0 };
	/* a pipe is read only once; without a key the bytes tell the reason */
	if (n == 1 && (path_is_read_once(path[0]) ||
	    archive_open(path, n, &a, NULL) < 0))
		return survey_read(path[0], NULL, ret, err);
	if (!a && archive_open(path, n, &a, err) < 0)
		return err->status;
	if (all)
		archive_set_all(a);
	status = read_archive(a, path, n, ret, err);
	archive_free(a);
	return status;
}

void survey_release(struct survey *s)
{
	size_t i;

	header_free(s->header);
	free(s->gap);
	for (i = 0; i < s->n_host; i++)
		free(s->host[i]);
	free(s->host);
	for (i = 0; i < s->n_absence; i++)
		free(s->absence[i].host);
	free(s->absence);
	*s = (struct survey) { 0 };
}
