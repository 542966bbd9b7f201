#include "cli/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/reader.h"
#include "model/world.h"

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
	header_free(s->header);
	s->header = header_dup(t->header);
}

/* Applies a tick.  What can't be applied is damage up to the next key. */
static void take_tick(struct survey *s, struct world *w, const struct tick *t,
	bool *lost)
{
	struct cursor_gap gap = {
		.from_ns = s->ticks ? s->last_ns : INT64_MIN,
		.to_ns = t->wall_ns, .ticks = 1, .damage = true, .file = "",
	};
	struct gs_err err;

	if (*lost && !t->key)
		return;
	if (*lost)
		world_lost(w);
	*lost = world_apply(w, t, &err) < 0;
	if (*lost) {
		(void)snprintf(gap.why, sizeof(gap.why),
		    "tick %" PRIu64 ": %.160s", t->seq, err.msg);
		add_gap(s, &gap);
		return;
	}
	take_header(s, t);
	if (s->ticks++ == 0)
		s->first_ns = t->wall_ns;
	s->last_ns = t->wall_ns;
	count_rows(s, w);
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

		s->host[s->n_host++] = gs_strdup(h->name ? h->name : "?");
		found = found || host_offset(h, &s->utc_offset_s);
	}
	if (!found)
		s->utc_offset_s = 0;
}

static int read_ticks(struct reader *r, struct world *w, struct survey *s,
	struct gs_err *err)
{
	bool lost = false;

	for (;;) {
		struct cursor_gap gap;
		struct tick *t = NULL;

		switch (reader_next(r, &t, &gap, err)) {
		case CURSOR_TICK:
		case CURSOR_REPEAT:
			take_tick(s, w, t, &lost);
			break;
		case CURSOR_GAP:
			add_gap(s, &gap);
			world_lost(w);
			break;
		case CURSOR_WAIT:
			s->written = true;
			return GS_OK;
		case CURSOR_END:
			return GS_OK;
		case CURSOR_ERROR:
			return err->status;
		}
	}
}

int survey_read(const char *path, struct survey *ret, struct gs_err *err)
{
	struct reader *r = NULL;
	struct world *w = NULL;
	int status;

	*ret = (struct survey) { 0 };
	status = reader_open(path, &r, err);
	if (status < 0)
		return status;
	w = world_new();
	status = read_ticks(r, w, ret, err);
	take_hosts(ret, w);
	ret->size_bytes = reader_size(r);
	ret->closed = reader_is_file(r) && reader_is_closed(r);
	if (status == GS_OK && ret->ticks == 0 && ret->n_damaged == 0)
		status = gs_fail(err, GS_E_FORMAT,
		    "%s: no tick in it is whole", path);
	world_free(w);
	reader_free(r);
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
