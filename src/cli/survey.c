/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "format/reader.h"
#include "model/world.h"
#include "query/presence.h"

/* One pass. */
struct pass {
	struct survey *s;
	struct world *w;
	struct presence *presence;
	struct survey_absence *by_host; /* by index; host is NULL */
	size_t n_by_host, by_host_cap;
	bool lost; /* a tick could not be applied: a key must come */
	bool over; /* ticks were seen before: up to a key that was not */
	bool told; /* a gap was, since the last tick */
	uint64_t seq; /* of the last tick */
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
	s->gap[s->n_gap++].file = ""; /* the reader's, gone soon */
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

/* Whoever was not there, in the order of hosts. */
static void take_absences(struct pass *p)
{
	struct survey *s = p->s;
	size_t i;

	presence_open(p->presence, p->w, s->last_ns, interval_of(s),
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

static void take_header(struct survey *s, const struct tick *t)
{
	s->keys += t->key;
	if (!t->header)
		return;
	if (!s->header)
		s->first_number = t->header->file_number;
	header_free(s->header);
	s->header = header_dup(t->header);
}

/* How many ticks the recorder says it could not write before this one. */
static uint64_t hole_before(const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		if (t->event[i].kind == EVENT_HOLE && t->event[i].value > 0)
			return (uint64_t)t->event[i].value;
	}
	return 0;
}

/* Says which files, or that ticks, are missing between two.  What the recorder
 * wrote and is not there is damage; pieces that somebody cut out are not. */
static void tell_hole(const struct header *before, const struct header *after,
	uint32_t to, uint64_t not_written, struct cursor_gap *gap)
{
	uint32_t from = before->file_number + 1;

	if (to > from + 1)
		(void)snprintf(gap->why, sizeof(gap->why), "files %" PRIu32
		    " to %" PRIu32 " of the recording are missing", from,
		    to - 1);
	else if (to == from + 1)
		(void)snprintf(gap->why, sizeof(gap->why), "file %" PRIu32
		    " of the recording is missing", from);
	else
		(void)snprintf(gap->why, sizeof(gap->why),
		    "ticks are missing");
	gap->damage = gap->ticks > not_written &&
	    !(before->edited && before->edited[0]) &&
	    !(after->edited && after->edited[0]);
}

/* Ticks that are nowhere before this key of the same recording; within a file
 * the reader tells. */
static void look_for_hole(struct pass *p, const struct tick *t)
{
	struct survey *s = p->s;
	struct cursor_gap gap = {
		.from_ns = s->last_ns, .to_ns = t->wall_ns,
		.ticks = tick_missing(p->seq, t->seq, t->left_out),
		.file = "", .offset = SURVEY_NOWHERE,
	};

	if (gap.ticks == 0 || (p->told &&
	    t->header->file_number <= s->header->file_number + 1))
		return;
	tell_hole(s->header, t->header, t->header->file_number,
	    hole_before(t), &gap);
	add_gap(p, &gap);
}

bool survey_between(const struct survey *before, const struct survey *after,
	struct cursor_gap *ret)
{
	*ret = (struct cursor_gap) {
		.from_ns = before->last_ns, .to_ns = after->first_ns,
		.ticks = tick_missing(before->last_seq, after->first_seq,
		    after->first_left_out),
		.file = "",
	};
	if (ret->ticks == 0 || !before->header || !after->header ||
	    (after->first_number <= before->header->file_number + 1 &&
	    (before->cut_end || after->cut_begin)))
		return false;
	tell_hole(before->header, after->header, after->first_number,
	    after->first_hole, ret);
	return true;
}

bool survey_is_damaged(const struct survey *s)
{
	return s->n_damaged > 0 || s->bad_footer > 0 || s->mended > 0;
}

/* A key tells where it stands; true: the tick was counted. */
static bool was_seen(struct pass *p, const struct tick *t)
{
	const struct header *h = p->s->header;

	if (!t->key || !t->header)
		return p->over;
	p->over = false;
	if (p->s->ticks == 0 || !h || memcmp(h->recording_id,
	    t->header->recording_id, RECORDING_ID_LEN) != 0)
		return false;
	look_for_hole(p, t);
	p->over = t->seq < p->seq;
	return t->seq <= p->seq;
}

static void begin(struct survey *s, const struct tick *t)
{
	s->first_ns = t->wall_ns;
	s->first_seq = t->seq;
	s->first_left_out = t->left_out;
	s->first_hole = hole_before(t);
}

/* Applies a tick.  What can't be applied is damage up to the next key. */
static int take_tick(struct pass *p, const struct tick *t,
	struct gs_err *ret_err)
{
	struct survey *s = p->s;
	struct cursor_gap gap = {
		.from_ns = s->ticks ? s->last_ns : INT64_MIN,
		.to_ns = t->wall_ns, .ticks = 1, .damage = true, .file = "",
	};
	struct gs_err err;
	bool seen;

	if (p->lost && !t->key)
		return GS_OK;
	seen = was_seen(p, t);
	if (p->over)
		return GS_OK;
	if (p->lost)
		world_lost(p->w);
	p->lost = world_apply(p->w, t, &err) < 0;
	if (p->lost && err.status == GS_E_MEMORY)
		return gs_fail(ret_err, err.status, "%s", err.msg);
	if (p->lost) {
		(void)snprintf(gap.why, sizeof(gap.why),
		    "tick %" PRIu64 ": %.160s", t->seq, err.msg);
		add_gap(p, &gap);
		p->told = true;
		return GS_OK;
	}
	take_header(s, t);
	p->told = s->cut_end = false;
	p->seq = s->last_seq = t->seq;
	if (seen)
		return GS_OK;
	if (s->ticks++ == 0)
		begin(s, t);
	s->last_ns = t->wall_ns;
	count_rows(s, p->w);
	presence_tick(p->presence, p->w, t->wall_ns, interval_of(s),
	    add_absence, p);
	return GS_OK;
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

static void take_hosts(struct survey *s, const struct world *w)
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

static int read_ticks(struct pass *p, struct reader *r, struct gs_err *err)
{
	for (;;) {
		struct cursor_gap gap;
		struct tick *t = NULL;

		switch (reader_next(r, &t, &gap, err)) {
		case CURSOR_TICK:
		case CURSOR_REPEAT:
			if (take_tick(p, t, err) < 0)
				return GS_E_MEMORY;
			break;
		case CURSOR_GAP:
			add_gap(p, &gap);
			p->told = true;
			world_lost(p->w);
			break;
		case CURSOR_WAIT:
			p->s->written = true;
			return GS_OK;
		case CURSOR_END:
			return GS_OK;
		case CURSOR_ERROR:
			return err->status;
		}
	}
}

static void take_mended(struct survey *s, const struct reader *r)
{
	uint64_t first, n = reader_mended(r, &first);

	if (s->mended == 0)
		s->first_mended = first;
	s->mended += n;
}

static int read_file(struct pass *p, const char *path, struct gs_err *err)
{
	struct survey *s = p->s;
	struct reader *r = NULL;
	int status = reader_open(path, &r, err);

	if (status < 0)
		return status;
	p->over = false;
	status = read_ticks(p, r, err);
	s->size_bytes += reader_size(r);
	s->bad_footer += reader_bad_footer(r);
	take_mended(s, r);
	s->closed = (s->n_file++ == 0 || s->closed) && reader_is_file(r) &&
	    reader_is_closed(r);
	reader_free(r);
	return status;
}

int survey_read(const char *const *path, size_t n, struct survey *ret,
	struct gs_err *err)
{
	struct pass p = { .s = ret };
	int status = GS_OK;
	size_t i;

	*ret = (struct survey) { 0 };
	p.w = world_new_plain(); /* only what is there counts */
	p.presence = presence_new();
	for (i = 0; status == GS_OK && i < n; i++)
		status = read_file(&p, path[i], err);
	take_hosts(ret, p.w);
	take_absences(&p);
	if (status == GS_OK && ret->ticks == 0 && ret->n_damaged == 0)
		status = gs_fail(err, GS_E_FORMAT,
		    "%s: no tick in it is whole", path[0]);
	free(p.by_host);
	presence_free(p.presence);
	world_free(p.w);
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
