/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist.c - collects the ticks of a stretch, then tells them again.
 *
 * The ticks are followed twice: as they come, to plan which tick tells what; then once
 * more, to tell it (gist_tell.h).  Two engines check the result.  Where they differ,
 * more is told.
 */
#include "edit/gist.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "edit/gist_check.h"
#include "edit/gist_plan.h"
#include "edit/gist_remark.h"
#include "edit/gist_tell.h"
#include "edit/gist_waits.h"
#include "format/gistframe.h"
#include "format/groupcode.h"
#include "format/tickcode.h"
#include "model/header.h"

#define HOUR_NS (INT64_C(3600) * GS_NSEC_PER_SEC)

/* A stretch ends at the first key after so many bytes of records, and has at most
 * so many ticks. */
#define RECORDS_ENOUGH ((size_t)16 << 20)
#define RECORDS_MAX ((size_t)64 << 20)
#define TICKS_MAX 8192u

/* Bytes of records that are read in a few hundredths of a second. */
#define RECORDS_FEW ((size_t)3 << 20)

/* What the engine that takes every tick needs for each row that it sums up, at most, and
 * what telling the stretch again needs then: measured with 1,000 to 20,000 processes, 14
 * to 19 KiB together.  For each byte of records, when they are told again; and what zstd
 * and others do. */
#define ROW_BYTES ((size_t)10 << 10)
#define RECORDS_TIMES 3u
#define FIXED_BYTES ((size_t)16 << 20)

/* Ticks after which room is looked for: rows come and stay until the stretch ends. */
#define ROOM_TICKS 64u

/* How often a plan is made. */
#define TRIES 4

struct kept {
	struct group_tick is;
	size_t off, len; /* in gists.records */
};

/* Of a stretch that has a gist; a file may have the same ticks twice. */
struct verdict {
	struct {
		uint64_t seq;
		int64_t ns;
	} from;
	bool right; /* each time */
	UT_hash_handle hh;
};

struct gists {
	unsigned worth;
	bool spares_short, lacked;
	bool goes_on; /* a stretch of the file ended before */
	struct gists_given given; /* take is NULL: they are made */
	struct gist_about given_is;
	struct verdict *verdicts;
	struct header *header; /* of the first tick */
	struct kept *kept;
	size_t n, cap;
	size_t n_key; /* up to the last key; 1: that is the first tick */
	struct buf records;
	int64_t end_ns; /* of the hour in which the stretch begins */
	struct tickcode *code, *zstd;
	struct tick tick;
	struct follower also; /* of all, as the ticks come; self NULL: nobody */
	struct gist_check *all; /* follows every tick; NULL: none, or one failed */
	size_t n_all; /* that it has taken */
	struct gist_plan *plan;
	struct grouper *grouper;
	struct gist gist;
	struct gist_base base; /* of the file's gists */
	struct buf record, frame;
};

struct gists *gists_new(int level, unsigned worth)
{
	struct gists *g = gs_calloc(1, sizeof(*g));

	g->worth = worth;
	g->code = tickcode_new(level);
	g->zstd = tickcode_new(level);
	tickcode_be_bare(g->zstd);
	g->plan = gist_plan_new();
	return g;
}

struct gists *gists_new_to_compare(const struct gists_given *given)
{
	struct gists *g = gists_new(TICKCODE_LEVEL, 0);

	g->given = *given;
	return g;
}

void gists_spare_short(struct gists *g)
{
	g->spares_short = true;
}

void gists_follow(struct gists *g, const struct follower *f)
{
	g->also = *f;
}

size_t gists_right(const struct gists *g)
{
	const struct verdict *v;
	size_t n = 0;

	for (v = g->verdicts; v; v = v->hh.next)
		n += v->right;
	return n;
}

static void forget(struct gists *g)
{
	header_free(g->header);
	g->header = NULL;
	g->n = g->n_key = 0;
	buf_release(&g->records);
	gist_check_free(g->all);
	g->all = NULL;
}

void gists_free(struct gists *g)
{
	struct verdict *v, *following;

	if (!g)
		return;
	HASH_ITER(hh, g->verdicts, v, following) {
		HASH_DEL(g->verdicts, v);
		free(v);
	}
	forget(g);
	free(g->kept);
	tickcode_free(g->code);
	tickcode_free(g->zstd);
	tick_release(&g->tick);
	gist_plan_free(g->plan);
	gist_release(&g->gist);
	buf_release(&g->base.raw);
	buf_release(&g->record);
	buf_release(&g->frame);
	free(g);
}

static int read_kept(struct gists *g, size_t i, struct gs_err *err)
{
	return tickcode_decode(g->code, g->records.ptr + g->kept[i].off,
	    g->kept[i].len, &g->tick, err);
}

/* A reader has the rows with which the stretch begins. */
static int tell_first(struct gists *g, struct gist_tell *to, struct gist_check *e,
	struct gs_err *err)
{
	struct tick again = { .seq = g->tick.seq, .wall_ns = g->tick.wall_ns,
		.renumbers = true };
	int r = gist_check_begin(e, &g->tick, err);

	if (r == GS_OK)
		r = gist_tell_first(to, &g->tick, err);
	return r == GS_OK ? gist_check_again(e, &again, err) : r;
}

/* A tick as a reader will give it to its engine. */
static int tell_next(struct gists *g, struct gist_tell *to, struct gist_check *e,
	size_t i, struct gs_err *err)
{
	const struct tick *now;
	struct tick told;
	int r = gist_tell_next(to, &g->tick, &now, err);

	if (r < 0)
		return r;
	gistclock_add(&g->gist.clock, now);
	if (!gisttext_add(&g->gist.text, now))
		return gs_fail(err, GS_E_FORMAT, "texts that a gist can't have");
	tickcode_encode(g->zstd, now, &g->record);
	r = grouper_add(g->grouper, g->record.ptr, g->record.len, err);
	if (r < 0)
		return r;
	told = *now;
	told.was_key = g->tick.key;
	gistwaits_give(&g->gist.waits, i, &told);
	return gist_check_tick(e, &told, err);
}

static int tell_all(struct gists *g, struct gist_check *e,
	struct gist_remarks *beside, struct gs_err *err)
{
	struct gist_tell *to = gist_tell_new(g->plan, header_dup(g->header),
	    g->kept[0].is.seq);
	int r = GS_OK;
	size_t i;

	for (i = 0; r == GS_OK && i < g->n_key; i++) {
		r = read_kept(g, i, err);
		if (r == GS_OK)
			r = i == 0 ? tell_first(g, to, e, err)
			           : tell_next(g, to, e, i, err);
		if (r < 0)
			break;
		gist_waits_tick(&g->gist.waits, g->all->waits, e->waits,
		    e->engine, (uint32_t)i, i + 1 == g->n_key);
		gist_remarks_tick(beside, e->engine, g->plan, (uint32_t)i);
	}
	gist_tell_free(to);
	return r;
}

/* ---- room ---------------------------------------------------------------- */

/* For telling a stretch again.  Of one with more rows than there is memory for no gist is
 * made: whoever asked for it gets the rest.  Those that are given are compared all the
 * same. */
static bool has_room(struct gists *g, size_t n_row)
{
	bool room = g->given.take || n_row * ROW_BYTES + g->records.len *
	    RECORDS_TIMES + FIXED_BYTES <= budget_heap_left(budget_own());

	g->lacked |= !room;
	return room;
}

/* ---- a gist ------------------------------------------------------------- */

static void open_all(struct gists *g)
{
	gist_check_free(g->all);
	g->all = gist_check_new(g->header->interval_ns);
	g->n_all = 0;
	gist_plan_reset(g->plan);
	gist_reset(&g->gist);
}

/* The next tick, of which the plan is made, too. */
static void follow(struct gists *g, const struct tick *t)
{
	struct tick_census census;
	struct gs_err err;
	int r;

	if (!g->all)
		return;
	r = g->n_all == 0 ? gist_check_begin(g->all, t, &err)
	                  : gist_check_tick(g->all, t, &err);
	if (r < 0) {
		gist_check_free(g->all);
		g->all = NULL;
		return;
	}
	census = gist_check_plan(g->all, g->plan);
	gist_add(&g->gist, &g->kept[g->n_all++].is, &census);
}

/* All ticks up to the last key were followed, and no others. */
static bool has_followed(struct gists *g)
{
	struct gs_err err;
	size_t i;

	if (g->all && g->n_all == g->n_key)
		return true;
	open_all(g);
	for (i = 0; i < g->n_key; i++) {
		if (read_kept(g, i, &err) < 0)
			return false;
		follow(g, &g->tick);
	}
	return g->all != NULL;
}

static void keep_remarks(struct gists *g, const struct gist_remarks *from)
{
	const struct tick_remark *r = gist_remarks_list(from,
	    &g->gist.n_remark);

	GS_GROW(g->gist.remark, &g->gist.remark_cap, g->gist.n_remark);
	if (g->gist.n_remark > 0)
		memcpy(g->gist.remark, r, g->gist.n_remark * sizeof(*r));
}

/* Which ticks show what backends do. */
static void plan_waits(struct gists *g)
{
	struct gistwaits *w = &g->gist.waits;
	uint64_t from = gist_waits_from(g->all->waits);

	gistwaits_reset(w);
	w->any = from > 0;
	w->from = (uint32_t)(gist_plan_is_serverless(g->plan) ? g->n_key
	    : GS_MIN(from, g->n_key));
	w->relations = g->all->relations;
	gist_plan_sample(g->plan, w->any ? w->from - 1 : 0);
}

/* 1: it is made; 0: it would need another plan. */
static int try_plan(struct gists *g, struct gs_err *err)
{
	struct gist_check *e = gist_check_new(g->header->interval_ns);
	struct gist_remarks *beside = gist_remarks_new(g->all->engine);
	bool forced = false;
	int r;

	plan_waits(g);
	gist_plan_end(g->plan);
	gisttext_reset(&g->gist.text);
	gistclock_reset(&g->gist.clock);
	g->grouper = grouper_new();
	r = tell_all(g, e, beside, err);
	if (r == GS_OK && gist_check_same(g->all, e, g->plan, &forced))
		r = 1;
	else if (r == GS_OK && !forced)
		r = gs_fail(err, GS_E_FORMAT, "a gist would not tell the same");
	if (r == 1) {
		grouper_end(g->grouper, &g->gist.raw);
		g->gist.record_len = g->gist.raw.len;
		keep_remarks(g, beside);
	}
	gist_remarks_free(beside);
	gist_check_free(e);
	grouper_free(g->grouper);
	g->grouper = NULL;
	return r;
}

/* ---- a gist that is given ------------------------------------------------- */

/* Tick i of it is the one that the stretch has. */
static bool is_of_stretch(const struct gist *g, size_t i, const struct tick *t)
{
	const struct group_tick *want = &g->list.tick[i];

	if (i >= g->list.n || t->seq != want->seq ||
	    t->wall_ns != want->wall_ns)
		return false;
	return i == 0 || (t->was_key == (want->kind == FRAME_KEY) &&
	    t->has_census &&
	    memcmp(&t->census, &g->census[i], sizeof(t->census)) == 0);
}

static int follow_given(struct gists *g, struct gist_check *e, struct gs_err *err)
{
	bool last = false;
	size_t i = 0;
	int r = read_kept(g, 0, err);

	if (r == GS_OK)
		r = gist_check_begin(e, &g->tick, err);
	while (r == GS_OK && !last) {
		struct tick *t;

		r = g->given.next(g->given.ctx, &t, &last, err);
		if (r == GS_OK && !is_of_stretch(&g->gist, i, t))
			r = gs_fail(err, GS_E_FORMAT, "gist: another tick");
		if (r == GS_OK)
			r = i++ == 0 ? gist_check_again(e, t, err)
			             : gist_check_tick(e, t, err);
	}
	if (r == GS_OK && i != g->gist.list.n)
		r = gs_fail(err, GS_E_FORMAT, "gist: too few ticks");
	return r;
}

static bool is_right(struct gists *g)
{
	struct gist_check *e = gist_check_new(g->header->interval_ns);
	struct gs_err err;
	bool forced, right;

	gist_plan_end(g->plan);
	right = follow_given(g, e, &err) == GS_OK && (!g->given_is.has_catalog ||
	    g->given_is.relations == g->all->relations) &&
	    gist_check_same(g->all, e, g->plan, &forced);
	gist_check_free(e);
	return right;
}

static void judge(struct gists *g, const struct group_tick *first, bool right)
{
	struct verdict *v, key = { .right = false };

	key.from.seq = first->seq;
	key.from.ns = first->wall_ns;
	HASH_FIND(hh, g->verdicts, &key.from, sizeof(key.from), v);
	if (v) {
		v->right &= right;
		return;
	}
	v = gs_calloc(1, sizeof(*v));
	*v = key;
	v->right = right;
	HASH_ADD(hh, g->verdicts, from, sizeof(v->from), v);
}

static void compare(struct gists *g)
{
	const struct group_tick *first = &g->kept[0].is;

	if (g->given.take(g->given.ctx, first->seq, first->wall_ns,
	    &g->given_is) &&
	    has_followed(g))
		judge(g, first, is_right(g));
}

/* ---- the end of a stretch ------------------------------------------------- */

/* Bytes of the records up to the last key. */
static size_t record_bytes(const struct gists *g)
{
	const struct kept *last = &g->kept[g->n_key - 1];

	return last->off + last->len;
}

/* Of the ticks up to the last key. */
static const struct buf *make(struct gists *g)
{
	struct gs_err err;
	int r = GS_OK, i;

	if (!has_followed(g) || !has_room(g, gist_check_rows(g->all)))
		return NULL;
	for (i = 0; r == GS_OK && i < TRIES; i++)
		r = try_plan(g, &err);
	if (r != 1 || g->gist.raw.len > GISTFRAME_RAW_MAX / 2 ||
	    g->gist.n_remark > GISTFRAME_REMARKS_MAX ||
	    g->gist.waits.n > GISTWAITS_MAX ||
	    g->gist.waits.n_event > GISTWAITS_EVENTS_MAX ||
	    g->gist.raw.len * g->worth > record_bytes(g))
		return NULL;
	buf_reset(&g->frame);
	gistframe_put(g->zstd, &g->gist, &g->base, &g->frame);
	return &g->frame;
}

static const struct buf *end_stretch(struct gists *g)
{
	if (g->n == 0 || g->n_key < 2)
		return NULL;
	if (!g->given.take)
		return make(g);
	compare(g);
	return NULL;
}

/* ---- stretches ---------------------------------------------------------- */

static size_t rows_of(const struct tick *t)
{
	size_t i, n = 0;
	int e;

	for (i = 0; i < t->n_block; i++) {
		for (e = 0; e < ENTITY_COUNT; e++)
			n += t->block[i]->ent[e].n_opened;
	}
	return n;
}

static void keep(struct gists *g, const struct tick *t, struct span record)
{
	GS_GROW(g->kept, &g->cap, g->n + 1);
	g->kept[g->n++] = (struct kept) { .is = {
		.kind = t->key ? FRAME_KEY : FRAME_DELTA, .seq = t->seq,
		.wall_ns = t->wall_ns }, .off = g->records.len,
		.len = span_len(record) };
	buf_add(&g->records, record.ptr, span_len(record));
	if (t->key)
		g->n_key = g->n;
	follow(g, t);
}

static void begin_with(struct gists *g, const struct tick *t,
	struct span record)
{
	forget(g);
	if (!t->key || !t->header || t->header->thinned_ns > 0 ||
	    t->header->n_unknown > 0 || !has_room(g, 2 * rows_of(t)))
		return;
	g->header = header_dup(t->header);
	g->end_ns = gs_next_multiple(HOUR_NS, tick_nominal(t->wall_ns,
	    t->header->interval_ns));
	open_all(g);
	gist_check_follow(g->all, &g->also);
	keep(g, t, record);
}

static bool same_hosts(const struct header *a, const struct header *b)
{
	size_t i;

	if (a->n_host != b->n_host)
		return false;
	for (i = 0; i < a->n_host; i++) {
		if (a->host[i].index != b->host[i].index ||
		    a->host[i].catalog != b->host[i].catalog ||
		    strcmp(a->host[i].name, b->host[i].name) != 0)
			return false;
	}
	return true;
}

/* Nothing is missing before the tick, and no fact has changed. */
static bool goes_on(const struct gists *g, const struct tick *t)
{
	const struct kept *last = &g->kept[g->n - 1];

	return t->seq == last->is.seq + 1 && t->left_out == 0 &&
	    t->wall_ns > last->is.wall_ns && (!t->key || (t->header &&
	    memcmp(t->header->recording_id, g->header->recording_id,
	    RECORDING_ID_LEN) == 0 && t->header->thinned_ns == 0 &&
	    t->header->interval_ns == g->header->interval_ns &&
	    same_hosts(t->header, g->header)));
}

/* A key after which the stretch does not go on. */
static bool is_enough(const struct gists *g, const struct tick *t)
{
	return tick_nominal(t->wall_ns, g->header->interval_ns) >=
	    g->end_ns || g->records.len >= RECORDS_ENOUGH || g->n >= TICKS_MAX;
}

/* The file ends, and is so short that a gist of it would save too little time. */
static bool is_spared(const struct gists *g)
{
	return g->spares_short && !g->goes_on && g->n_key > 0 &&
	    record_bytes(g) < RECORDS_FEW;
}

const struct buf *gists_end(struct gists *g)
{
	const struct buf *ret = is_spared(g) ? NULL : end_stretch(g);

	forget(g);
	g->goes_on = false;
	buf_reset(&g->base.raw);
	return ret;
}

const struct buf *gists_tick(struct gists *g, const struct tick *t,
	struct span record)
{
	const struct buf *ret = NULL;
	bool ends;

	if (g->n == 0) {
		begin_with(g, t, record);
		return NULL;
	}
	ends = !goes_on(g, t) || (t->key && tick_nominal(t->wall_ns,
	    g->header->interval_ns) > g->end_ns) ||
	    g->records.len > RECORDS_MAX;
	if (!ends) {
		keep(g, t, record);
		if (g->all && g->n % ROOM_TICKS == 0 &&
		    !has_room(g, gist_check_rows(g->all))) {
			forget(g);
			return NULL;
		}
	}
	if (ends || (t->key && is_enough(g, t))) {
		ret = end_stretch(g);
		g->goes_on = true;
		begin_with(g, t, record);
	}
	return ret;
}

void gists_lose(struct gists *g)
{
	buf_reset(&g->base.raw);
}

bool gists_lacked(const struct gists *g)
{
	return g->lacked;
}
