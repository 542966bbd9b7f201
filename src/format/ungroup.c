/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ungroup.c - the ticks of a group, see groupcode.h.
 */
#include "format/groupcode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/blockcode.h"
#include "format/fields.h"
#include "format/groupcode_int.h"
#include "format/varint.h"

/* Values of a column: row_gap, diff, text, gone_gap. */
#define LANES 4u

/* A stream that is being read. */
struct source {
	struct stream_name name; /* first: find_stream_name() */
	struct span all[LANES];
};

/* How far the streams are read: per source and lane. */
struct places {
	const char **at;
	size_t cap;
};

struct ungrouper {
	struct span *tick; /* their bytes */
	size_t n_tick, tick_cap;
	struct source *source; /* by name */
	size_t n, cap;
	uint64_t skipped; /* entities whose columns get no values, a bit each */
	struct places now;
	struct places begin; /* where tick number `current` has its values */
	size_t current;
	bool done; /* its values were passed over */
	bool key; /* current is one */
	size_t last; /* source that was found last */
	uint16_t near[512]; /* where sources are, by a hash of the name */
	struct shapes shapes;
	struct buf tick_out; /* ungrouper_record(): the tick, */
	struct buf level[3]; /* messages within each other in it */
};

struct ungrouper *ungrouper_new(void)
{
	return gs_calloc(1, sizeof(struct ungrouper));
}

void ungrouper_only(struct ungrouper *u, uint64_t entities)
{
	u->skipped = ~entities;
}

void ungrouper_free(struct ungrouper *u)
{
	size_t i;

	if (!u)
		return;
	for (i = 0; i < GS_LEN(u->level); i++)
		buf_release(&u->level[i]);
	buf_release(&u->tick_out);
	shapes_release(&u->shapes);
	free(u->tick);
	free(u->source);
	free(u->now.at);
	free(u->begin.at);
	free(u);
}

static bool add_source(struct ungrouper *u, struct span stream)
{
	struct source *s;
	struct field f;

	GS_GROW(u->source, &u->cap, u->n + 1);
	s = &u->source[u->n++];
	*s = (struct source) { 0 };
	while (!span_empty(stream)) {
		if (!field_next(&stream, &f) || (f.wire != WIRE_BYTES &&
		    f.number - FIELD_STREAM_VALUES < LANES))
			return false;
		if (f.number == FIELD_STREAM_ENTITY)
			s->name.entity = (uint32_t)f.value;
		else if (f.number == FIELD_STREAM_METRIC)
			s->name.metric = (uint32_t)f.value;
		else if (f.number == FIELD_STREAM_KEY)
			s->name.key = f.value != 0;
		else if (f.number - FIELD_STREAM_VALUES < LANES)
			s->all[f.number - FIELD_STREAM_VALUES] = f.body;
	}
	return true;
}

static void add_tick(struct ungrouper *u, struct span tick)
{
	GS_GROW(u->tick, &u->tick_cap, u->n_tick + 1);
	u->tick[u->n_tick++] = tick;
}

/* For each field of the group. */
static int take_field(void *ctx, const struct field *f)
{
	struct ungrouper *u = ctx;

	if (f->number == FIELD_GROUP_TICK && f->wire == WIRE_BYTES)
		add_tick(u, f->body);
	else if (f->number == FIELD_GROUP_STREAM &&
	    !add_source(u, f->body))
		return GS_E_FORMAT;
	return GS_OK;
}

static int sort_sources(struct ungrouper *u, struct gs_err *err)
{
	size_t i;

	if (u->n > 1)
		qsort(u->source, u->n, sizeof(*u->source), by_stream_name);
	for (i = 1; i < u->n; i++) {
		if (by_stream_name(&u->source[i - 1], &u->source[i]) == 0)
			return gs_fail(err, GS_E_FORMAT, "two streams of one "
			    "column");
	}
	return GS_OK;
}

static void keep_places(struct ungrouper *u, struct places *to, const struct places *from)
{
	if (u->n > 0)
		memcpy(to->at, from->at, u->n * LANES * sizeof(*to->at));
}

static void rewind_sources(struct ungrouper *u)
{
	size_t i, k;

	GS_GROW(u->now.at, &u->now.cap, u->n * LANES);
	GS_GROW(u->begin.at, &u->begin.cap, u->n * LANES);
	for (i = 0; i < u->n; i++) {
		for (k = 0; k < LANES; k++)
			u->now.at[i * LANES + k] = u->source[i].all[k].ptr;
	}
	keep_places(u, &u->begin, &u->now);
	u->current = 0;
	u->done = false;
}

int ungrouper_open(struct ungrouper *u, const void *p, size_t len, size_t n,
	struct gs_err *err)
{
	struct span record = span_of(p, len), group = record, one;
	int r;

	u->n = u->n_tick = 0;
	if (!message_next(&record, FIELD_RECORDING_RECORD, &one) ||
	    !span_empty(record) ||
	    !message_next(&one, FIELD_RECORD_GROUP, &group) ||
	    each_field(group, take_field, u) < 0 || u->n_tick != n)
		return gs_fail(err, GS_E_FORMAT,
		    "%zu bytes: not a group of %zu ticks", len, n);
	r = sort_sources(u, err);
	rewind_sources(u);
	return r;
}

static bool is_named(const struct ungrouper *u, size_t at, const struct stream_name *name)
{
	const struct stream_name *is = at < u->n ? &u->source[at].name : NULL;

	return is && is->metric == name->metric &&
	    is->entity == name->entity && is->key == name->key;
}

/* Where the source of that name was found before is tried first. */
static bool find_source(struct ungrouper *u, const struct stream_name *name)
{
	uint16_t *near = &u->near[(name->entity * 61 + name->metric * 2 +
	    name->key) % GS_LEN(u->near)];
	bool found;

	u->last = *near;
	if (is_named(u, u->last, name))
		return true;
	u->last = find_stream_name(u->source, u->n, sizeof(*u->source), name,
	    &found);
	*near = (uint16_t)u->last;
	return found;
}

/* The next n values of a lane of the source found last. */
static inline bool take_lane(struct ungrouper *u, size_t k, uint32_t n, struct lane *to)
{
	const char **now;
	struct span rest;

	if (n == 0 || to->n > 0)
		return to->n == 0;
	now = &u->now.at[u->last * LANES + k];
	rest = (struct span) { *now, u->source[u->last].all[k].end };
	if (!(n < 8 ? lane_take_few(to, &rest, n) : lane_take(to, &rest, n)))
		return false;
	*now = rest.ptr;
	return true;
}

/* The next values of a column of the current tick. */
static int find_values(void *ctx, uint32_t entity, struct column_fields *c,
	struct gs_err *err)
{
	struct ungrouper *u = ctx;
	struct stream_name name = { entity, c->is.metric, u->key };

	if (!entity_is_in(~u->skipped, entity))
		return GS_OK;
	if (find_source(u, &name) && take_lane(u, 0, c->is.rows, &c->row_gap) &&
	    take_lane(u, 1, c->is.diffs, &c->diff) &&
	    take_lane(u, 2, c->is.texts, &c->text) &&
	    take_lane(u, 3, c->is.gones, &c->gone_gap))
		return GS_OK;
	return gs_fail(err, GS_E_FORMAT, "values of metric %" PRIu32
	    " of entity %" PRIu32 " are missing", c->is.metric, entity);
}

static bool is_key(struct span tick)
{
	struct field f;
	bool key = false;

	while (!span_empty(tick) && field_next(&tick, &f))
		key = f.number == FIELD_TICK_KEY ? f.value != 0 : key;
	return key;
}

/* Steps over the values of the current tick. */
static int pass_values(struct ungrouper *u, struct gs_err *err)
{
	struct span tick = u->tick[u->current], host, entity;
	struct delta_fields d;
	int r = GS_OK;

	u->key = is_key(tick);
	while (message_next(&tick, FIELD_TICK_HOST, &host)) {
		while (r == GS_OK && message_next(&host, FIELD_BLOCK_ENTITY, &entity)) {
			if (!delta_fields_read(&d, entity))
				return gs_fail(err, GS_E_FORMAT, "no entity");
			r = each_shaped(&u->shapes, d.entity, &d.columns, find_values,
			    u, err);
		}
	}
	return r;
}

/* Goes to the beginning of the values of tick i. */
static int go_to(struct ungrouper *u, size_t i, struct gs_err *err)
{
	int r = GS_OK;

	if (i < u->current)
		rewind_sources(u);
	else if (u->done && i > u->current)
		u->current++;
	else
		keep_places(u, &u->now, &u->begin);
	for (; r == GS_OK && u->current < i; u->current++)
		r = pass_values(u, err);
	if (r < 0)
		rewind_sources(u); /* later ticks fail here, too */
	else
		keep_places(u, &u->begin, &u->now);
	u->done = false;
	u->key = is_key(u->tick[i]);
	return r;
}

int ungrouper_tick(struct ungrouper *u, size_t i, struct span *ret,
	struct column_values *ret_values, struct gs_err *err)
{
	*ret = u->tick[i];
	*ret_values = (struct column_values) { find_values, u,
		&u->shapes };
	return go_to(u, i, err);
}

void ungrouper_done(struct ungrouper *u)
{
	u->done = true;
}

/* ---- records ------------------------------------------------------------ */

/* Messages within each other, down to a column. */
enum { OF_TICK, OF_BLOCK, OF_DELTA, OF_COLUMN };
static const uint64_t inner[OF_COLUMN] = { [OF_TICK] = FIELD_TICK_HOST,
	[OF_BLOCK] = FIELD_BLOCK_ENTITY, [OF_DELTA] = FIELD_DELTA_COLUMN };

/* A column with its values in place of their numbers. */
static int put_column(struct ungrouper *u, uint32_t entity,
	struct span column, struct buf *to, struct gs_err *err)
{
	struct column_fields c;
	struct field f;
	int r;

	if (!column_fields_read(&c, column))
		return gs_fail(err, GS_E_FORMAT, "no column");
	r = find_values(u, entity, &c, err);
	while (r == GS_OK && !span_empty(column) && field_next(&column, &f)) {
		const struct lane *of[LANES] = { &c.row_gap, &c.diff, &c.text,
			&c.gone_gap };
		uint64_t k = f.number - FIELD_COLUMN_COUNTS;

		if (k >= LANES) {
			buf_add(to, f.whole.ptr, span_len(f.whole));
			continue;
		}
		if (of[k]->n == 0)
			continue;
		varint_add_field(to, FIELD_COLUMN_VALUES + (unsigned)k,
		    (size_t)(of[k]->end - of[k]->at));
		buf_add(to, of[k]->at, (size_t)(of[k]->end - of[k]->at));
	}
	return r;
}

/* The message at a depth, whose inner ones are each rebuilt. */
static int put_message(struct ungrouper *u, unsigned depth, uint32_t entity,
	struct span from, struct buf *to, struct gs_err *err)
{
	struct delta_fields d;
	struct field f;
	int r = GS_OK;

	if (depth == OF_COLUMN)
		return put_column(u, entity, from, to, err);
	if (depth == OF_DELTA && delta_fields_read(&d, from))
		entity = d.entity;
	while (r == GS_OK && !span_empty(from) && field_next(&from, &f)) {
		struct buf *in = &u->level[depth];

		if (f.number != inner[depth]) {
			buf_add(to, f.whole.ptr, span_len(f.whole));
			continue;
		}
		buf_reset(in);
		r = put_message(u, depth + 1, entity, f.body, in, err);
		varint_add_field(to, (unsigned)f.number, in->len);
		buf_add(to, in->ptr, in->len);
	}
	return r;
}

void ungrouper_record(struct ungrouper *u, size_t i, struct buf *out)
{
	struct gs_err err;

	buf_reset(&u->tick_out);
	/* it was read before, so it can be */
	if (go_to(u, i, &err) == GS_OK)
		(void)put_message(u, OF_TICK, 0, u->tick[i], &u->tick_out,
		    &err);
	varint_begin_record(out, FIELD_RECORD_TICK, u->tick_out.len);
	buf_add(out, u->tick_out.ptr, u->tick_out.len);
}
