/* SPDX-License-Identifier: Apache-2.0 */
#include "query/leap.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/arith.h"
#include "base/bytes.h"
#include "base/mem.h"

struct leap_row {
	char *key; /* entity, host, identity */
	uint64_t missing[COL_WORDS_MAX];
	struct summary_peak *peak; /* in order of columns */
	size_t n_peak, peak_cap;
	UT_hash_handle hh;
};

void leap_identity(const struct world *w, const struct row *row,
	struct buf *to)
{
	const struct entity *en = entity_get(row->entity);
	unsigned i;

	buf_reset(to);
	for (i = 0; i < en->ncols; i++) {
		struct span text;
		uint64_t v;

		if (!(en->metrics[i].flags & F_ID) || !row_get(row, i, &v))
			continue;
		buf_add_char(to, (char)i);
		if (!metric_is_text(&en->metrics[i])) {
			buf_add_le32(to, (uint32_t)v);
			buf_add_le32(to, (uint32_t)(v >> 32));
			continue;
		}
		text = row_text(w, row, i);
		buf_add_le32(to, (uint32_t)span_len(text));
		buf_add(to, text.ptr, span_len(text));
	}
}

static void put_key(struct buf *to, enum entity_id e, uint32_t host,
	struct span id)
{
	buf_reset(to);
	buf_add_char(to, (char)e);
	buf_add_le32(to, host);
	buf_add(to, id.ptr, span_len(id));
}

static struct leap_row *find(const struct leap *l, const struct buf *key)
{
	struct leap_row *r = NULL;

	HASH_FIND(hh, l->row, key->ptr, key->len, r);
	return r;
}

/* Peaks of a summary are in order of columns. */
static void raise_peaks(struct leap_row *to, const struct summary_peak *p,
	size_t n)
{
	size_t at = 0, i;

	for (i = 0; i < n; i++) {
		while (at < to->n_peak && to->peak[at].col < p[i].col)
			at++;
		if (at < to->n_peak && to->peak[at].col == p[i].col) {
			to->peak[at].level = GS_MAX(to->peak[at].level,
			    p[i].level);
			continue;
		}
		GS_GROW(to->peak, &to->peak_cap, to->n_peak + 1);
		memmove(&to->peak[at + 1], &to->peak[at],
		    (to->n_peak - at) * sizeof(*to->peak));
		to->peak[at] = p[i];
		to->n_peak++;
	}
}

static struct leap_row *row_of(struct leap *l, const struct buf *key)
{
	struct leap_row *r = find(l, key);

	if (r)
		return r;
	r = gs_calloc(1, sizeof(*r));
	r->key = gs_strndup(key->ptr, key->len);
	HASH_ADD_KEYPTR(hh, l->row, r->key, key->len, r);
	return r;
}

void leap_add(struct leap *l, const struct summary *s, uint64_t entities)
{
	struct buf key = BUF_INIT;
	size_t i;
	unsigned w;

	l->n_ticks += s->n_ticks;
	l->n_skipped += s->n_skipped;
	for (i = 0; i < s->n_mark; i++)
		summary_add_mark(&l->marks, s->mark[i].wall_ns,
		    summary_mark_text(s, &s->mark[i]));
	for (i = 0; i < s->n_row; i++) {
		const struct summary_row *from = &s->row[i];
		struct leap_row *to;

		if (!(entities & summary_bit(from->entity)))
			continue;
		put_key(&key, from->entity, from->host, summary_id(s, from));
		to = row_of(l, &key);
		if (from->n_peak > 0)
			raise_peaks(to, &s->peak[from->peak], from->n_peak);
		for (w = 0; w < COL_WORDS_MAX; w++)
			to->missing[w] |= from->missing[w];
	}
	buf_release(&key);
}

void leap_clear(struct leap *l)
{
	struct leap_row *r, *tmp;

	HASH_ITER (hh, l->row, r, tmp) {
		HASH_DEL(l->row, r);
		free(r->key);
		free(r->peak);
		free(r);
	}
	summary_release(&l->marks);
	*l = (struct leap) { 0 };
}

uint64_t leap_entities(const struct engine *e)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < e->n_grouping; i++) {
		const struct grouping *l = e->grouping[i];
		const struct rollup *r = grouping_rollup(l);
		uint64_t bit = summary_bit(rollup_entity(r));

		if (grouping_kind(l) != GROUPING_ROW || rollup_has_ema(r) ||
		    grouping_is_of_last_tick(l) || !(LEAP_ENTITIES & bit))
			return 0;
		all |= bit;
	}
	return e->n_follower > 0 ? 0 : all;
}

static void add_to_group(const struct leap_row *from, struct rollup *r,
	struct group *g)
{
	size_t i;

	for (i = 0; i < from->n_peak; i++)
		rollup_raise(r, g, from->peak[i].col, from->peak[i].level);
	rollup_add_missing(r, g, from->missing);
}

static void add_to_rollup(const struct leap *l, const struct engine *e,
	struct rollup *r)
{
	struct buf id = BUF_INIT, key = BUF_INIT;
	size_t i;

	for (i = 0; i < rollup_count(r); i++) {
		struct group *g = rollup_get(r, i);
		const struct leap_row *from;

		if (g->n_live == 0 || !g->row)
			continue;
		leap_identity(e->world, g->row, &id);
		put_key(&key, rollup_entity(r), g->row->host->index,
		    span_of(buf_str(&id), id.len));
		from = find(l, &key);
		if (from)
			add_to_group(from, r, g);
	}
	buf_release(&id);
	buf_release(&key);
}

int leap_take(const struct leap *l, struct engine *e, const struct tick *key,
	struct gs_err *err)
{
	uint64_t skipped = e->n_skipped;
	size_t ticks = e->n_ticks, events = e->n_event, i;
	int r = engine_tick(e, key, err);

	if (r < 0)
		return r;
	e->skipped = e->skip != NULL;
	e->n_skipped = skipped + l->n_skipped;
	e->n_ticks = ticks + l->n_ticks;
	engine_drop_events(e, events); /* its marks are among the others */
	for (i = 0; i < l->marks.n_mark; i++)
		engine_add_mark(e, l->marks.mark[i].wall_ns,
		    summary_mark_text(&l->marks, &l->marks.mark[i]));
	for (i = 0; i < e->n_grouping; i++)
		add_to_rollup(l, e, grouping_rollup(e->grouping[i]));
	return GS_OK;
}
