/* SPDX-License-Identifier: Apache-2.0 */
#include "query/range.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/walk.h"
#include "query/leap.h"

struct range_run {
	struct range range;
	const struct range *r; /* options */
	struct walk walk;
	struct engine *e;
	range_emit_fn emit;
	void *ctx;
	struct range_result *ret;
	bool sought; /* the cursor is at the start of the range */
	bool ended; /* no more tables */
	bool begun; /* the baseline is set */
	bool have_base; /* a tick at or before the start was taken */
	int64_t base_ns;
	int64_t at_ns; /* when the last tick was due */
	int64_t table_end_ns; /* of the current table */
	struct leap leap; /* the next tick ends these stretches */
	bool leapt; /* it does */
	bool no_leap; /* a key could not be read */
	int64_t quiet_ns; /* no table of a tick up to then is needed */
	struct quiet_run {
		int64_t from_ns;
		struct summary last; /* of those from there on, of which none needs
				      * a table */
		bool ended; /* a table is needed after them, or no summary is there */
	} run;
	bool headless; /* data is missing before the first tick: */
	struct cursor_gap head;
};

static int64_t nominal(const struct engine *e, int64_t wall_ns)
{
	return tick_instant(wall_ns, engine_pace(e));
}

/* The tick is of its own interval, which the engine has only after it. */
static int64_t due(const struct range_run *u, const struct tick *t)
{
	return tick_due_of(t, u->at_ns == INT64_MIN ? t->wall_ns : u->e->to_ns,
	    engine_pace(u->e));
}

static int emit(struct range_run *u)
{
	if (u->r->every_ns != 0 && u->e->n_ticks == 0 && u->e->n_hole == 0)
		return 0;
	engine_note_absent(u->e);
	u->ret->n_tables++;
	u->ret->n_holes += u->e->n_hole;
	return u->emit(u->ctx, u->e);
}

/* The range begins at its first tick: missing data before that is a hole from
 * the requested start, or of unknown length. */
static void note_head(struct range_run *u)
{
	if (!u->headless)
		return;
	u->head.to_ns = u->e->to_ns;
	u->head.from_ns = GS_MAX(u->head.from_ns, u->r->from_ns);
	engine_note_hole(u->e, &u->head);
}

static void begin(struct range_run *u)
{
	if (u->begun) {
		engine_restart(u->e);
	} else {
		engine_begin(u->e, !u->have_base);
		note_head(u);
	}
	u->begun = true;
	u->ret->any = true;
	if (u->r->every_ns > 0)
		u->table_end_ns = gs_next_multiple(u->r->every_ns, u->at_ns);
}

/* By more than a table: it does not go on until the clock is there again. */
static bool is_set_back(const struct range_run *u, int64_t t)
{
	return u->r->every_ns > 0 && gs_difference(u->at_ns, t) > u->r->every_ns;
}

/* Before the tick at t: emits tables that end before it. */
static int close_tables(struct range_run *u, int64_t t)
{
	bool back = is_set_back(u, t);
	int r = 0;

	if (u->r->every_ns == 0 || !u->begun)
		return 0;
	if (u->r->every_ns > 0 && t <= u->table_end_ns && !back)
		return 0;
	if (u->r->every_ns == RANGE_EACH_TICK && (u->e->n_ticks == 0 ||
	    u->e->to_ns < u->quiet_ns))
		return 0;
	if (u->e->n_ticks == 0 && u->e->n_hole == 0) {
		/* no table; events of its first tick belong to the next one */
		u->table_end_ns = gs_next_multiple(u->r->every_ns, t - 1);
		return 0;
	}
	r = emit(u);
	begin(u);
	if (u->r->every_ns > 0 && (t > u->table_end_ns || back))
		u->table_end_ns = gs_next_multiple(u->r->every_ns, t - 1);
	return r;
}

static bool base_is_near(const struct range_run *u)
{
	return walk_is_near(u->base_ns, u->r->from_ns, u->e->interval_ns);
}

/* A tick before the start, or at it, is where the range begins. */
static bool begins_at_base(const struct range_run *u)
{
	return u->have_base && (u->r->from_ns == INT64_MIN || base_is_near(u));
}

/* The start of the range is before this tick: finds where it begins. */
static int start(struct range_run *u, const struct tick *t, int64_t at,
	struct gs_err *err)
{
	int r;

	if (begins_at_base(u)) {
		begin(u);
		return GS_OK;
	}
	u->ret->clamped = u->r->from_ns != INT64_MIN;
	r = engine_tick(u->e, t, err);
	u->at_ns = at;
	if (r == GS_OK)
		begin(u);
	return r < 0 ? r : 1;
}

/* ---- stretches that are passed over ------------------------------------ */

/* The next summary after that tick, if the table ends no earlier. */
static const struct summary *ahead(struct range_run *u,
	const struct summary *last, uint64_t entities)
{
	const struct summary *s = cursor_ahead(u->walk.cursor, last->to_seq,
	    last->to_ns);
	int64_t to = s ? nominal(u->e, s->to_ns) : 0;

	if (!s || (s->plain & entities) != entities || to > u->r->to_ns)
		return NULL;
	if (u->r->every_ns == RANGE_EACH_TICK)
		return u->e->skip->may(u->e->skip->ctx, s) ? s : NULL;
	return u->r->every_ns == 0 || to <= u->table_end_ns ? s : NULL;
}

/* A stretch that has a summary begins at the last tick, and is in the range. */
static bool has_ahead(struct range_run *u)
{
	const struct summary *s = cursor_ahead(u->walk.cursor, u->e->to_seq,
	    u->e->to_ns);

	return s && nominal(u->e, s->to_ns) <= u->r->to_ns;
}

/* A table that is complete ends here, if no hole follows, and more ticks do. */
static int close_before_leap(struct range_run *u)
{
	int64_t at = u->at_ns;

	if (u->r->every_ns == 0 || (u->r->every_ns > 0 &&
	    at < u->table_end_ns) || !has_ahead(u))
		return 0;
	return close_tables(u, u->r->every_ns > 0 ? u->table_end_ns + 1
	                                          : at + 1);
}

/* After a key: if stretches after it have summaries, goes to the end of the last
 * one that is within the table.  1: no more is wanted. */
static int try_leap(struct range_run *u)
{
	uint64_t entities = u->e->leaps && u->begun && !u->no_leap &&
	    (u->r->every_ns != RANGE_EACH_TICK || u->e->skip)
	    ? leap_entities(u->e) : 0;
	struct summary last = { .to_seq = u->e->to_seq,
		.to_ns = u->e->to_ns };
	const struct summary *s;
	bool any = false;

	if (!entities)
		return 0;
	if (close_before_leap(u) != 0)
		return 1;
	while ((s = ahead(u, &last, entities)) != NULL) {
		leap_add(&u->leap, s, entities);
		last = *s;
		any = true;
	}
	u->leapt = any && walk_leap(&u->walk, &last);
	if (!u->leapt)
		leap_clear(&u->leap);
	u->no_leap = any && !u->leapt;
	return 0;
}

static int take_leap(struct range_run *u, const struct tick *t,
	struct gs_err *err)
{
	int r = leap_take(&u->leap, u->e, t, err);

	leap_clear(&u->leap);
	u->leapt = false;
	return r;
}

/* The gist of the stretch that begins with the last tick, if it ends in the range. */
static bool gist_from_here(const struct range_run *u, int64_t *ret_to_ns)
{
	/* the range is of times for which ticks were meant */
	int64_t until_ns = u->r->to_ns < INT64_MAX - u->e->interval_ns
	    ? u->r->to_ns + u->e->interval_ns : INT64_MAX;

	return cursor_gist(u->walk.cursor, u->e->to_seq, u->e->to_ns, until_ns,
	    ret_to_ns);
}

static bool take_gist(struct range_run *u)
{
	struct gist_about about;

	if (!cursor_take_gist(u->walk.cursor, &about))
		return false;
	if (engine_takes_gist(u->e, &about))
		return true;
	cursor_drop_gist(u->walk.cursor);
	return false;
}

/* After a key: goes on with the gist of the stretch that begins here, if it is
 * within the table.  1: no more is wanted. */
static int try_gist(struct range_run *u)
{
	int64_t to, every = u->r->every_ns;

	if (!u->e->gists || !u->begun || every == RANGE_EACH_TICK ||
	    !gist_from_here(u, &to))
		return 0;
	to = nominal(u->e, to);
	if (to > u->r->to_ns)
		return 0;
	/* a table that is complete ends here: no hole follows */
	if (every > 0 && u->at_ns >= u->table_end_ns &&
	    close_tables(u, u->table_end_ns + 1) != 0)
		return 1;
	if (every == 0 || to <= u->table_end_ns)
		(void)take_gist(u); /* else all ticks */
	return 0;
}

/* No tick after the last one up to that time needs a table.  Summaries are looked
 * at once, however many gists a crafted file has of them. */
static bool is_quiet(struct range_run *u, int64_t to_ns)
{
	struct quiet_run *run = &u->run;
	const struct summary *s;

	if (u->e->to_ns < run->from_ns || u->e->to_ns > run->last.to_ns)
		*run = (struct quiet_run) { .from_ns = u->e->to_ns,
			.last = { .to_seq = u->e->to_seq,
				.to_ns = u->e->to_ns } };
	while (run->last.to_ns < to_ns && !run->ended) {
		s = ahead(u, &run->last, 0);
		if (s)
			run->last = *s;
		run->ended = !s;
	}
	return run->last.to_ns >= to_ns;
}

/* The gist that begins at the last tick, if no tick of it needs a table. */
static bool take_quiet_gist(struct range_run *u)
{
	return u->e->gists && gist_from_here(u, &u->quiet_ns) && is_quiet(u, u->quiet_ns) &&
	    take_gist(u);
}

/* After a key, where ticks have tables: those of the stretches after it that need
 * none have one together. */
static int try_quiet(struct range_run *u)
{
	const struct summary last = { .to_seq = u->e->to_seq,
		.to_ns = u->e->to_ns };
	const struct summary *s;

	if (!u->begun || u->e->to_ns < u->quiet_ns)
		return 0;
	if (close_before_leap(u) != 0)
		return 1;
	if (u->e->n_ticks > 0)
		return 0; /* no summary follows */
	if (!take_quiet_gist(u)) {
		s = ahead(u, &last, 0);
		u->quiet_ns = s ? s->to_ns : INT64_MIN;
	}
	u->e->skipped = u->e->to_ns < u->quiet_ns;
	return 0;
}

/* What one table can tell of several ticks: no host is silent from before on, of which
 * each of their tables would tell. */
static bool may_join(const struct range_run *u)
{
	return u->r->every_ns != RANGE_EACH_TICK ||
	    presence_is_full(u->e->presence, u->e->world, u->e->to_ns);
}

static int after_key(struct range_run *u)
{
	if (!may_join(u))
		return 0;
	return u->e->leaps ? try_leap(u) : u->e->skip ? try_quiet(u)
	                                              : try_gist(u);
}

/* ---- steps ------------------------------------------------------------- */

/* 0: go on; 1: done; negative: failed. */
static int apply_tick(struct range_run *u, const struct tick *t, struct gs_err *err)
{
	int64_t at = due(u, t);
	int r;

	if (at > u->r->to_ns)
		return 1;
	if (at <= u->r->from_ns && !u->begun) {
		r = engine_tick(u->e, t, err);
		u->have_base = true;
		u->base_ns = u->at_ns = at;
		return r;
	}
	if (!u->begun) {
		r = start(u, t, at, err);
		if (r != GS_OK)
			return r < 0 ? r : 0;
	}
	if (close_tables(u, at) != 0)
		return 1;
	u->at_ns = at;
	return u->leapt ? take_leap(u, t, err) : engine_tick(u->e, t, err);
}

static bool touches(const struct range *r, const struct cursor_gap *gap)
{
	bool back = gap->to_ns < gap->from_ns;

	if (back) /* by the clock: one of its ends is in the range */
		return (gap->from_ns > r->from_ns && gap->from_ns < r->to_ns) ||
		    (gap->to_ns > r->from_ns && gap->to_ns < r->to_ns);
	return gap->to_ns > r->from_ns && gap->from_ns < r->to_ns;
}

static void note_hole(const struct range_run *u, const struct cursor_gap *gap)
{
	struct range_hole *h = &u->ret->hole;

	if (u->begun || !walk_is_hole(gap, u->e->interval_ns))
		return;
	*h = (struct range_hole) { .any = true, .from_ns = gap->from_ns,
		.to_ns = gap->to_ns };
	memcpy(h->why, gap->why, sizeof(h->why));
}

/* A complete table need not wait for the next tick. */
static int close_complete(struct range_run *u)
{
	int64_t every = u->r->every_ns;
	int r;

	if (every == 0 || !u->begun || u->e->n_ticks == 0 || (every > 0 &&
	    u->at_ns < u->table_end_ns))
		return GS_OK;
	r = emit(u);
	begin(u);
	return r;
}

/* A hole belongs to the table of the tick after it, never to one that ends before it. */
static int apply_gap(struct range_run *u, const struct cursor_gap *gap)
{
	int r = 0;

	u->quiet_ns = INT64_MIN;
	if (!touches(u->r, gap)) {
		world_lost(u->e->world);
		return GS_OK;
	}
	note_hole(u, gap);
	if (!u->begun && !begins_at_base(u) &&
	    nominal(u->e, gap->to_ns) > u->r->from_ns &&
	    (gap->from_ns == INT64_MIN ? gap->damage
	    : gap->why[0] != '\0')) {
		u->headless = true;
		u->head = *gap;
	}
	if (gap->to_ns == INT64_MAX || gap->to_ns > u->r->to_ns)
		r = close_complete(u);
	else
		r = close_tables(u, nominal(u->e, gap->to_ns));
	engine_gap(u->e, gap);
	return r != 0;
}

static int step(struct range_run *u, struct gs_err *err)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;
	enum cursor_step is = walk_next(&u->walk, &t, &gap, err);
	int r;

	switch (is) {
	case CURSOR_TICK:
	case CURSOR_REPEAT:
		r = is == CURSOR_TICK ? apply_tick(u, t, err)
		                      : engine_repeat(u->e, t, err);
		if (r == GS_OK && (t->key || t->was_key))
			r = after_key(u);
		if (r < 0 && r != GS_E_MEMORY &&
		    cursor_refuse_gist(u->walk.cursor))
			return gs_err_again(err,
			    "a gist is not of its recording");
		if (r < 0 && r != GS_E_MEMORY) {
			walk_lose(&u->walk, err);
			r = GS_OK;
		}
		return r;
	case CURSOR_GAP:
		return apply_gap(u, &gap);
	case CURSOR_WAIT:
	case CURSOR_END:
		u->ret->waiting = is == CURSOR_WAIT;
		return RANGE_WAITS;
	case CURSOR_ERROR:
		return err->status ? (int)err->status : GS_E_IO;
	}
	return 1;
}

struct range_run *range_open(const struct range *range, struct cursor c,
	struct engine *e, range_emit_fn fn, void *ctx,
	struct range_result *ret)
{
	struct range_run *u = gs_calloc(1, sizeof(*u));

	u->range = *range;
	u->at_ns = u->quiet_ns = INT64_MIN;
	u->r = &u->range;
	walk_begin(&u->walk, c, e->interval_ns);
	u->e = e;
	e->before_range = true;
	u->emit = fn;
	u->ctx = ctx;
	u->ret = ret;
	*ret = (struct range_result) { 0 };
	return u;
}

int range_go(struct range_run *u, struct gs_err *err)
{
	struct gs_err own;
	int r = GS_OK;

	if (!err)
		err = &own;
	err->status = GS_OK;
	if (!u->sought) /* another range may have moved the cursor on */
		r = walk_seek(&u->walk, gs_difference(u->r->from_ns,
		    u->e->before_ns), err);
	u->sought = true;
	while (r == GS_OK && !u->ended)
		r = step(u, err);
	if (r == RANGE_WAITS)
		r = close_complete(u) == 0 ? RANGE_WAITS : 1;
	if (r < 0 || r == RANGE_WAITS)
		return r;
	u->ended = true;
	return GS_OK;
}

void range_end(struct range_run *u)
{
	struct cursor_gap gap;

	if (walk_end(&u->walk, &gap))
		(void)apply_gap(u, &gap); /* the end anyway */
	/* all ticks were before the start, or there is one tick only */
	if (!u->begun && begins_at_base(u))
		begin(u);
	if (u->begun)
		(void)emit(u); /* the end anyway */
	u->ended = true;
}

void range_close(struct range_run *u)
{
	leap_clear(&u->leap);
	free(u);
}

int range_run(const struct range *range, struct cursor c, struct engine *e,
	range_emit_fn fn, void *ctx, struct range_result *ret,
	struct gs_err *err)
{
	struct range_run *u = range_open(range, c, e, fn, ctx, ret);
	int r = range_go(u, err);

	if (r >= 0)
		range_end(u);
	range_close(u);
	return GS_MIN(r, GS_OK);
}
