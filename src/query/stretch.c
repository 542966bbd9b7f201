/* SPDX-License-Identifier: Apache-2.0 */
#include "query/stretch.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/header.h"
#include "query/leap.h"

struct stretch {
	struct stretch_also also;
	bool begun; /* the engines are at a tick, and no tick is missing */
	struct engine all, keys;
	uint8_t recording[RECORDING_ID_LEN];
	uint64_t from_seq; /* the key at which it began */
	int64_t from_ns, interval_ns;
	bool *named; /* hosts by the header at that key */
	size_t n_named, named_cap;
	struct summary summary;
};

struct stretch *stretch_new(const struct stretch_also *also)
{
	struct stretch *s = gs_calloc(1, sizeof(*s));

	s->also = *also;
	return s;
}

void stretch_abandon(struct stretch *s)
{
	if (!s->begun)
		return;
	if (s->also.self)
		s->also.begin(s->also.self);
	engine_release(&s->all);
	engine_release(&s->keys);
	s->begun = false;
}

void stretch_free(struct stretch *s)
{
	if (!s)
		return;
	stretch_abandon(s);
	free(s->named);
	summary_release(&s->summary);
	free(s);
}

/* ---- ticks -------------------------------------------------------------- */

/* Processes and the catalog are most of a tick, and not summed up here. */
static void drop_others(struct tick *t)
{
	size_t i;
	int e;

	for (i = 0; i < t->n_block; i++) {
		for (e = 0; e < ENTITY_COUNT; e++) {
			if (!(LEAP_ENTITIES & summary_bit((enum entity_id)e)))
				delta_reset(&t->block[i]->ent[e]);
		}
	}
}

/* ---- engines ------------------------------------------------------------ */

static void open_engine(struct engine *e, int64_t interval_ns)
{
	uint64_t want[COL_WORDS_MAX];
	int i;

	memset(want, 0xff, sizeof(want));
	engine_init(e, interval_ns);
	e->leaps = true;
	for (i = 0; i < ENTITY_COUNT; i++) {
		if (LEAP_ENTITIES & summary_bit((enum entity_id)i))
			engine_add_grouping(e, grouping_new(GROUPING_ROW,
			    (enum entity_id)i, want, NULL, 0));
	}
}

static void keep_named(struct stretch *s)
{
	const struct world *w = s->all.world;
	size_t i;

	GS_GROW(s->named, &s->named_cap, world_hosts(w));
	for (i = 0; i < world_hosts(w); i++)
		s->named[i] = world_host(w, i)->named;
	s->n_named = world_hosts(w);
}

/* A stretch begins at the last tick, which is a key. */
static void set_out(struct stretch *s)
{
	engine_restart(&s->all);
	engine_restart(&s->keys);
	presence_copy(s->keys.presence, s->all.presence);
	s->from_seq = s->all.to_seq;
	s->from_ns = s->all.to_ns;
	s->interval_ns = s->all.interval_ns;
	keep_named(s);
}

/* A file, or a recording in it, begins with this key. */
static void begin_with(struct stretch *s, struct tick *t)
{
	struct gs_err err;

	stretch_abandon(s);
	if (!t->key || !t->header || t->header->thinned_ns > 0 ||
	    t->header->n_unknown > 0)
		return;
	memcpy(s->recording, t->header->recording_id, RECORDING_ID_LEN);
	open_engine(&s->all, t->header->interval_ns);
	open_engine(&s->keys, t->header->interval_ns);
	s->begun = true;
	if (s->also.tick)
		s->also.tick(s->also.self, t, false);
	drop_others(t);
	if (engine_tick(&s->all, t, &err) < 0 ||
	    engine_tick(&s->keys, t, &err) < 0) {
		stretch_abandon(s);
		return;
	}
	engine_begin(&s->all, true);
	engine_begin(&s->keys, true);
	set_out(s);
}

static bool is_of_other(const struct stretch *s, const struct tick *t)
{
	return t->header && memcmp(s->recording, t->header->recording_id,
	    RECORDING_ID_LEN) != 0;
}

/* ---- summaries ---------------------------------------------------------- */

static bool covers_the_same(const struct engine *a, const struct engine *b)
{
	size_t i;

	if (world_hosts(a->world) != world_hosts(b->world))
		return false;
	for (i = 0; i < world_hosts(a->world); i++) {
		const struct host *h = world_host(a->world, i);
		const struct host *k = world_host(b->world, i);

		if (h->index != k->index || h->catalog != k->catalog ||
		    rollup_covered_ns(grouping_rollup(a->grouping[0]), h) !=
		    rollup_covered_ns(grouping_rollup(b->grouping[0]), k))
			return false;
	}
	return presence_equal(a->presence, b->presence);
}

/* The header names the same hosts, and each either answered at the second key, or
 * was silent before the first: so the time of its last answer does not depend on
 * which keys were read. */
static bool has_steady_hosts(const struct stretch *s)
{
	const struct world *w = s->all.world;
	size_t i;

	if (s->n_named != world_hosts(w))
		return false;
	for (i = 0; i < s->n_named; i++) {
		const struct host *h = world_host(w, i);
		int64_t last = presence_last(s->all.presence, h);

		if (h->named != s->named[i] || (!h->catalog &&
		    last != s->all.to_ns && last >= s->from_ns))
			return false;
	}
	return true;
}

/* What is not about rows is the same with and without the ticks between. */
static bool is_even(const struct stretch *s)
{
	return s->all.n_hole == 0 && s->keys.n_hole == 0 &&
	    s->all.n_ticks > 0 && s->all.interval_ns == s->interval_ns &&
	    s->all.thinned_ns == 0 && s->all.to_ns > s->from_ns &&
	    has_steady_hosts(s) && covers_the_same(&s->all, &s->keys);
}

static void add_row(struct stretch *s, const struct rollup *r,
	const struct group *g, struct buf *id)
{
	const struct entity *en = entity_get(rollup_entity(r));
	struct summary_row *to;
	int64_t peak;
	unsigned i;

	leap_identity(s->all.world, g->row, id);
	to = summary_add_row(&s->summary, rollup_entity(r),
	    g->row->host->index, span_of(buf_str(id), id->len));
	(void)rollup_missing(r, g, to->missing); /* none: all 0 */
	for (i = 0; i < en->ncols; i++) {
		if (rollup_peak(r, g, i, &peak))
			summary_add_peak(&s->summary, i, peak);
	}
}

static void add_entity(struct stretch *s, size_t grouping)
{
	const struct rollup *all = grouping_rollup(s->all.grouping[grouping]);
	const struct rollup *keys =
	    grouping_rollup(s->keys.grouping[grouping]);
	struct buf id = BUF_INIT;
	size_t i;

	if (!rollup_leaps(all, keys, s->keys.world))
		return;
	s->summary.plain |= summary_bit(rollup_entity(all));
	for (i = 0; i < rollup_count(all); i++)
		add_row(s, all, rollup_get(all, i), &id);
	buf_release(&id);
}

static int compare_rows(const void *x, const void *y, void *arg)
{
	const struct summary_row *a = x, *b = y;
	const struct summary *s = arg;
	int d = (a->entity > b->entity) - (a->entity < b->entity);

	d = d ? d : (a->host > b->host) - (a->host < b->host);
	d = d ? d : (a->id_len > b->id_len) - (a->id_len < b->id_len);
	if (d != 0 || a->id_len == 0)
		return d;
	return memcmp(s->bytes.ptr + a->id, s->bytes.ptr + b->id, a->id_len);
}

/* Two rows of one identity can't be told apart by a reader. */
static void refuse_twins(struct summary *s)
{
	struct summary_row *row = s->row;
	size_t i;

	if (s->n_row > 1)
		qsort_r(row, s->n_row, sizeof(*row), compare_rows, s);
	for (i = 1; i < s->n_row; i++) {
		if (compare_rows(&row[i - 1], &row[i], s) == 0)
			s->plain &= ~summary_bit(row[i].entity);
	}
}

/* Only rows of which there is something to say. */
static void keep_rows(struct summary *s)
{
	static const uint64_t none[COL_WORDS_MAX];
	size_t i, kept = 0;

	for (i = 0; i < s->n_row; i++) {
		const struct summary_row *r = &s->row[i];

		if (s->plain & summary_bit(r->entity) && (r->n_peak > 0 ||
		    memcmp(r->missing, none, sizeof(none)) != 0))
			s->row[kept++] = *r;
	}
	s->n_row = kept;
}

static void add_marks(struct stretch *s)
{
	size_t i;

	for (i = 0; i < s->all.n_event; i++) {
		const struct engine_event *e = &s->all.event[i];

		if (e->kind == EVENT_MARK)
			summary_add_mark(&s->summary, e->wall_ns,
			    span_str(e->text));
	}
}

static const struct summary *sum_up(struct stretch *s)
{
	struct summary *to = &s->summary;
	size_t i;

	summary_reset(to);
	if (!is_even(s))
		return NULL;
	to->from_seq = s->from_seq;
	to->from_ns = s->from_ns;
	to->to_seq = s->all.to_seq;
	to->to_ns = s->all.to_ns;
	to->n_ticks = s->all.n_ticks;
	to->n_skipped = s->all.n_skipped;
	for (i = 1; i < s->all.n_grouping; i++) /* 0 is the engine's own */
		add_entity(s, i);
	refuse_twins(to);
	keep_rows(to);
	add_marks(s);
	return to->plain ? to : NULL;
}

/* The key ends a stretch. */
static const struct summary *end(struct stretch *s, struct tick *t)
{
	const struct summary *ret = NULL;
	struct gs_err err;

	tick_clear_closed(t);
	if (engine_tick(&s->keys, t, &err) < 0) {
		stretch_abandon(s);
		return NULL;
	}
	if (s->all.n_ticks > 0)
		ret = sum_up(s);
	if (s->also.self)
		s->also.end(s->also.self, ret ? &s->summary : NULL);
	set_out(s);
	return ret;
}

const struct summary *stretch_tick(struct stretch *s, struct tick *t)
{
	bool again = s->begun && t->key && t->seq == s->all.to_seq &&
	    !is_of_other(s, t);
	struct gs_err err;
	int r;

	if (!s->begun || t->left_out > 0 || is_of_other(s, t) || (!again &&
	    t->seq != s->all.to_seq + 1)) {
		begin_with(s, t);
		return NULL;
	}
	if (s->also.tick)
		s->also.tick(s->also.self, t, again);
	drop_others(t);
	r = again ? engine_repeat(&s->all, t, &err)
	    : engine_tick(&s->all, t, &err);
	if (r < 0) {
		stretch_abandon(s);
		return NULL;
	}
	return t->key ? end(s, t) : NULL;
}
