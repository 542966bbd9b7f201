#include "cli/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/reader.h"
#include "model/world.h"

/* One pass. */
struct pass {
	struct survey *s;
	struct world *w;
	bool lost; /* a tick could not be applied: a key must come */
	bool over; /* ticks were seen before: up to a key that was not */
	bool told; /* a gap was, since the last tick */
	uint64_t seq; /* of the last tick */
};

static void add_gap(struct survey *s, const struct cursor_gap *gap)
{
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

/* Ticks that are nowhere before this key of the same recording; within a file
 * the reader tells. */
static void look_for_hole(struct pass *p, const struct tick *t)
{
	struct survey *s = p->s;
	struct cursor_gap gap = {
		.from_ns = s->last_ns, .to_ns = t->wall_ns,
		.ticks = tick_missing(p->seq, t->seq, t->left_out),
		.file = "",
	};

	if (p->told || gap.ticks == 0)
		return;
	if (t->header->file_number > s->header->file_number + 1)
		(void)snprintf(gap.why, sizeof(gap.why), "file %" PRIu32
		    " of the recording is missing",
		    s->header->file_number + 1);
	else
		(void)snprintf(gap.why, sizeof(gap.why),
		    "ticks are missing");
	add_gap(s, &gap);
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

/* Applies a tick.  What can't be applied is damage up to the next key. */
static void take_tick(struct pass *p, const struct tick *t)
{
	struct survey *s = p->s;
	struct cursor_gap gap = {
		.from_ns = s->ticks ? s->last_ns : INT64_MIN,
		.to_ns = t->wall_ns, .ticks = 1, .damage = true, .file = "",
	};
	struct gs_err err;
	bool seen;

	if (p->lost && !t->key)
		return;
	seen = was_seen(p, t);
	if (p->over)
		return;
	if (p->lost)
		world_lost(p->w);
	p->lost = world_apply(p->w, t, &err) < 0;
	if (p->lost) {
		(void)snprintf(gap.why, sizeof(gap.why),
		    "tick %" PRIu64 ": %.160s", t->seq, err.msg);
		add_gap(s, &gap);
		p->told = true;
		return;
	}
	take_header(s, t);
	p->told = false;
	p->seq = t->seq;
	if (seen)
		return;
	if (s->ticks++ == 0)
		s->first_ns = t->wall_ns;
	s->last_ns = t->wall_ns;
	count_rows(s, p->w);
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
			take_tick(p, t);
			break;
		case CURSOR_GAP:
			add_gap(p->s, &gap);
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
	p.w = world_new();
	for (i = 0; status == GS_OK && i < n; i++)
		status = read_file(&p, path[i], err);
	take_hosts(ret, p.w);
	if (status == GS_OK && ret->ticks == 0 && ret->n_damaged == 0)
		status = gs_fail(err, GS_E_FORMAT,
		    "%s: no tick in it is whole", path[0]);
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
	*s = (struct survey) { 0 };
}
