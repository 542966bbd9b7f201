/* SPDX-License-Identifier: Apache-2.0 */
#include "query/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/header.h"
#include "model/walk.h"
#include "query/remark.h"

/* Limit of events and holes of one range; further ones are dropped and not
 * counted. */
#define NOTES_MAX 100000

/* What each engine has of its own. */
static void init_sums(struct engine *e)
{
	uint64_t none[COL_WORDS_MAX] = { 0 };

	e->statements = statements_new();
	e->reap = reap_new();
	e->notables = notables_new();
	e->presence = presence_new();
	/* covered time of hosts, for any view */
	engine_add_grouping(
	    e, grouping_new(GROUPING_ROW, ENTITY_HOST, none, NULL, 0));
}

void engine_init(struct engine *e, int64_t interval_ns)
{
	*e = (struct engine) { .interval_ns = interval_ns };
	e->world = world_new();
	e->sessions = sessions_new();
	init_sums(e);
}

void engine_init_beside(struct engine *e, const struct engine *of)
{
	*e = (struct engine) { .of = of, .interval_ns = of->interval_ns,
		.world = of->world, .sessions = of->sessions };
	init_sums(e);
}

/* It follows them itself. */
static bool has_sessions(const struct engine *e)
{
	return !e->leaps && !e->of;
}

static void add_hole(struct engine *e, int64_t from_ns, int64_t to_ns,
	const char *why, const char *host)
{
	if (e->n_hole >= NOTES_MAX)
		return;
	GS_GROW(e->hole, &e->hole_cap, e->n_hole + 1);
	e->hole[e->n_hole++] = (struct engine_hole) { from_ns, to_ns,
		gs_strdup(why), host ? gs_strdup(host) : NULL };
}

static void add_host_hole(void *ctx, const struct host *h, int64_t from_ns,
	int64_t to_ns, const char *why)
{
	add_hole(ctx, from_ns, to_ns, why, h->name);
}

static void release_hole(struct engine_hole *h)
{
	free(h->why);
	free(h->host);
}

/* They are added again, with the current end. */
static void forget_open(struct engine *e)
{
	for (; e->n_open > 0; e->n_open--)
		release_hole(&e->hole[--e->n_hole]);
}

void engine_note_absent(struct engine *e)
{
	size_t before;

	forget_open(e);
	before = e->n_hole;
	presence_open(e->presence, e->world, e->to_ns,
	    engine_sampled_ns(e), add_host_hole, e);
	e->n_open = e->n_hole - before;
}

/* Holes that extend beyond before_ns belong to the next range. */
static void clear_holes(struct engine *e, int64_t before_ns)
{
	size_t i, kept = 0;

	forget_open(e);
	for (i = 0; i < e->n_hole; i++) {
		if (e->hole[i].to_ns > before_ns)
			e->hole[kept++] = e->hole[i];
		else
			release_hole(&e->hole[i]);
	}
	e->n_hole = kept;
}

void engine_drop_events(struct engine *e, size_t n)
{
	while (e->n_event > n) {
		e->n_event--;
		free(e->event[e->n_event].host);
		free(e->event[e->n_event].text);
	}
}

static void clear_events(struct engine *e)
{
	engine_drop_events(e, 0);
	e->tick_event = 0;
}

void engine_add_mark(struct engine *e, int64_t wall_ns, struct span text)
{
	if (e->n_event >= NOTES_MAX)
		return;
	GS_GROW(e->event, &e->event_cap, e->n_event + 1);
	e->event[e->n_event++] = (struct engine_event) {
		.kind = EVENT_MARK, .wall_ns = wall_ns, .host = gs_strdup(""),
		.text = gs_strndup(text.ptr, span_len(text)) };
}

void engine_release(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_follower; i++) {
		if (e->follower[i].end)
			e->follower[i].end(e->follower[i].self);
	}
	clear_holes(e, INT64_MAX);
	clear_events(e);
	for (i = 0; i < e->n_grouping; i++)
		grouping_free(e->grouping[i]);
	free(e->grouping);
	free(e->follower);
	free(e->hole);
	free(e->event);
	free(e->up);
	notables_free(e->notables);
	presence_free(e->presence);
	reap_free(e->reap);
	statements_free(e->statements);
	if (!e->of) {
		sessions_free(e->sessions);
		world_free(e->world);
	}
	*e = (struct engine) { 0 };
}

void engine_add_grouping(struct engine *e, struct grouping *l)
{
	e->grouping =
	    gs_realloc(e->grouping, (e->n_grouping + 1) * sizeof(*e->grouping));
	e->grouping[e->n_grouping++] = l;
}

void engine_add_follower(struct engine *e, const struct follower *f)
{
	e->follower = gs_realloc(e->follower,
	    (e->n_follower + 1) * sizeof(*e->follower));
	e->follower[e->n_follower++] = *f;
}

static const char *host_name(const struct engine *e, uint32_t index)
{
	const struct host *h = world_host_of(e->world, index);

	return h ? h->name : "";
}

static void keep_events(struct engine *e, const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event && e->n_event < NOTES_MAX; i++) {
		const struct event *from = &t->event[i];

		GS_GROW(e->event, &e->event_cap, e->n_event + 1);
		e->event[e->n_event++] = (struct engine_event) {
			.kind = from->kind,
			.wall_ns = from->wall_ns,
			.value = from->value,
			.host = gs_strdup(host_name(e, from->host)),
			.text = gs_strndup(tick_text_at(t, from->off),
			    from->len),
		};
	}
}

/* Keeps derived events that the recorder did not record. */
static void keep_notables(struct engine *e, const struct tick *t)
{
	size_t i;

	notable_tick(e->notables, e->world, e->sessions, t);
	for (i = 0; i < notable_count(e->notables) &&
	    e->n_event < NOTES_MAX; i++) {
		struct notable n = notable_get(e->notables, i);

		GS_GROW(e->event, &e->event_cap, e->n_event + 1);
		e->event[e->n_event++] = (struct engine_event) {
			.kind = n.kind,
			.wall_ns = n.wall_ns,
			.value = n.value,
			.host = gs_strdup(host_name(e, n.host)),
			.text = gs_strdup(n.text),
		};
	}
}

/* Updates all that depends on the world, after a tick. */
static void follow(struct engine *e, int64_t wall_ns, bool key, bool again)
{
	enum grouping_when when = e->before_range ? GROUPING_BEFORE
	    : again ? GROUPING_AGAIN : GROUPING_TICK;
	size_t i;

	if (has_sessions(e))
		sessions_tick(e->sessions, e->world, wall_ns);
	if (!e->leaps)
		reap_tick(e->reap, e->world, key);
	for (i = 0; i < e->n_grouping; i++)
		grouping_tick(e->grouping[i], e->world, e->sessions,
		    e->statements, e->reap, when);
}

/* The ticks of the pace that was. */
static void note_pace(struct engine *e, struct tick_pace was)
{
	size_t ticks = e->n_ticks - e->pace_tick, i;

	e->pace_tick = e->n_ticks;
	for (i = 0; i < e->n_paced; i++) {
		if (pace_is_same(e->paced[i].pace, was))
			break;
	}
	if (ticks == 0 || i == GS_LEN(e->paced))
		return;
	if (i == e->n_paced)
		e->paced[e->n_paced++] = (struct paced_ticks) { was, 0 };
	e->paced[i].ticks += ticks;
}

static void set_pace(struct engine *e, struct tick_pace pace)
{
	struct tick_pace was = engine_pace(e);

	e->interval_ns = pace.interval_ns;
	e->thinned_ns = pace.thinned_ns;
	if (!pace_is_same(was, pace))
		note_pace(e, was);
}

static void update_interval(struct engine *e, const struct tick *t)
{
	if (!t->header)
		return;
	set_pace(e, (struct tick_pace) { t->header->interval_ns > 0
	    ? t->header->interval_ns : e->interval_ns,
	    t->header->thinned_ns });
}

/* The rows of a server end while it is down. */
static void keep_up(struct engine *e, int64_t wall_ns)
{
	const struct host *c;
	size_t i;

	for (i = 0; (c = world_catalog(e->world, i)) != NULL; i++) {
		bool up = c->table[ENTITY_CLUSTER].n_live > 0;
		struct engine_up *u;

		if (i == e->n_up) {
			GS_GROW(e->up, &e->up_cap, i + 1);
			e->up[e->n_up++] = (struct engine_up) {
				.index = c->index };
		}
		u = &e->up[i];
		if (up && u->up && u->index == c->index)
			u->ns = gs_sum(u->ns,
			    gs_difference(wall_ns, e->to_ns));
		u->index = c->index;
		u->up = up;
	}
}

void engine_remark(struct engine *e, const struct tick_remark *r)
{
	const struct remark_to to = { e->world, e->sessions, e->grouping,
		e->n_grouping };

	remark_apply(&to, r);
}

/* The range goes on to a tick, which world and groupings have taken; was_ns: the
 * interval up to then. */
static void go_to(struct engine *e, uint64_t seq, int64_t wall_ns,
	int64_t was_ns)
{
	forget_open(e);
	/* a host may have answered last at the interval before */
	presence_tick(e->presence, e->world, wall_ns,
	    GS_MAX(was_ns, engine_sampled_ns(e)), add_host_hole, e);
	keep_up(e, wall_ns);
	e->follows = true;
	e->to_ns = wall_ns;
	e->to_seq = seq;
	e->n_ticks++;
	e->tick_event = e->n_event;
}

static void tell_followers(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_follower; i++) {
		if (e->follower[i].tick)
			e->follower[i].tick(e->follower[i].self, e);
	}
}

bool engine_takes_gist(const struct engine *e, const struct gist_about *g)
{
	size_t i;

	for (i = 0; i < e->n_follower; i++) {
		const struct follower *f = &e->follower[i];

		if (f->takes_gist && !f->takes_gist(f->self, e, g))
			return false;
	}
	return true;
}

void engine_tick_beside(struct engine *e)
{
	const struct engine *of = e->of;
	int64_t was_ns = engine_sampled_ns(e);

	set_pace(e, engine_pace(of));
	e->has_census = of->has_census;
	e->census = of->census;
	e->unsampled = of->unsampled;
	e->wait = of->wait;
	e->n_wait = of->n_wait;
	follow(e, of->to_ns, of->is_key, false);
	go_to(e, of->to_seq, of->to_ns, was_ns);
	tell_followers(e);
}

int engine_tick(struct engine *e, const struct tick *t, struct gs_err *err)
{
	uint64_t before = world_ticks(e->world);
	int64_t was_ns = engine_sampled_ns(e);
	int r = world_apply(e->world, t, err);
	size_t i;

	/* a tick that failed half-way has opened and closed rows, too */
	if (r < 0 && world_ticks(e->world) == before)
		return r;
	update_interval(e, t);
	e->census = t->has_census ? t->census : (struct tick_census) { 0 };
	e->has_census = t->has_census;
	e->unsampled = t->unsampled;
	e->wait = t->wait;
	e->n_wait = t->n_wait;
	e->is_key = t->key || t->was_key;
	follow(e, t->wall_ns, e->is_key, false);
	if (r < 0)
		return r;
	e->skipped_all = e->follows &&
	    tick_skipped_all(t, e->to_ns, engine_sampled_ns(e));
	if (e->follows)
		e->n_skipped += tick_skipped_before(t, e->to_ns,
		    e->interval_ns);
	go_to(e, t->seq, t->wall_ns, was_ns);
	keep_events(e, t);
	if (has_sessions(e))
		keep_notables(e, t);
	for (i = 0; i < t->n_remark; i++)
		engine_remark(e, &t->remark[i]);
	tell_followers(e);
	return GS_OK;
}

int engine_repeat(struct engine *e, const struct tick *t, struct gs_err *err)
{
	uint64_t before = world_ticks(e->world);
	int r = world_apply(e->world, t, err);

	/* parts of a recording may be thinned */
	update_interval(e, t);

	/* after a loss it may close rows; as a key it does not count */
	if (world_ticks(e->world) != before)
		follow(e, t->wall_ns, false, true);
	return r;
}

void engine_gap(struct engine *e, const struct cursor_gap *gap)
{
	world_lost(e->world);
	e->follows = false;
	forget_open(e);
	presence_gap(e->presence, gap->from_ns, gap->to_ns);
	engine_note_hole(e, gap);
}

void engine_note_hole(struct engine *e, const struct cursor_gap *gap)
{
	forget_open(e);
	if (!walk_is_hole(gap, e->interval_ns))
		return;
	add_hole(e, gap->from_ns, gap->to_ns, walk_why(gap), NULL);
}

static void restart(struct engine *e)
{
	size_t i;

	if (has_sessions(e)) {
		sessions_forget_servers(e->sessions);
		sessions_forget_ran(e->sessions);
	}
	for (i = 0; i < e->n_grouping; i++)
		grouping_restart(e->grouping[i]);
	for (i = 0; i < e->n_up; i++)
		e->up[i].ns = 0;
	e->from_ns = e->to_ns;
	e->n_ticks = e->n_paced = e->pace_tick = 0;
	e->n_skipped = 0;
	e->skipped = false;
	clear_holes(e, e->to_ns);
	for (i = 0; i < e->n_follower; i++) {
		if (e->follower[i].restart)
			e->follower[i].restart(e->follower[i].self, e);
	}
}

void engine_restart(struct engine *e)
{
	clear_events(e);
	restart(e);
}

void engine_begin(struct engine *e, bool is_first)
{
	size_t i;

	e->before_range = false;
	if (has_sessions(e))
		sessions_begin(e->sessions, e->world);
	if (!e->leaps)
		reap_begin(e->reap);
	presence_begin(e->presence, e->to_ns);
	for (i = 0; i < e->n_grouping; i++)
		rollup_forget_ema(grouping_rollup(e->grouping[i]));
	if (!is_first)
		clear_events(e);
	restart(e);
}

struct tick_census engine_census(const struct engine *e)
{
	return e->has_census ? e->census : sessions_census(e->sessions);
}

size_t engine_hosts(const struct engine *e)
{
	size_t i, n = 0;

	for (i = 0; i < world_hosts(e->world); i++)
		n += !world_host(e->world, i)->catalog;
	return n;
}

int64_t engine_covered_ns(const struct engine *e)
{
	bool hosts = engine_hosts(e) > 0;
	int64_t most = 0;
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (hosts && h->catalog)
			continue;
		most = GS_MAX(most,
		    rollup_covered_ns(grouping_rollup(e->grouping[0]), h));
	}
	return most;
}

double engine_covered_s(const struct engine *e)
{
	return (double)engine_covered_ns(e) / (double)GS_NSEC_PER_SEC;
}

/* Backends of a server that answered before it was known to be up have DB time too:
 * engine_asked_s() does not count. */
bool engine_is_bare(const struct engine *e)
{
	const struct rollup *r = grouping_rollup(e->grouping[0]);
	size_t i;

	if (e->n_hole > 0)
		return false;
	for (i = 0; i < world_hosts(e->world); i++) {
		if (rollup_covered_ns(r, world_host(e->world, i)) > 0)
			return false;
	}
	return true;
}

bool engine_is_less(const struct engine *e, const struct host *h,
	double less_s)
{
	bool there = presence_was_there(e->presence, h);
	int64_t asked_ns = engine_sampled_ns(e);

	if (h->catalog || (!h->named && !there))
		return false;
	return !there || (asked_ns > 0 && less_s *
	    (double)GS_NSEC_PER_SEC >= (double)asked_ns / 2);
}

double engine_asked_s(const struct engine *e, const struct host *catalog)
{
	int64_t ns =
	    rollup_covered_ns(grouping_rollup(e->grouping[0]), catalog);
	size_t i;

	for (i = 0; i < e->n_up; i++) {
		if (e->up[i].index == catalog->index)
			return (double)GS_MIN(ns, e->up[i].ns) /
			    (double)GS_NSEC_PER_SEC;
	}
	return 0;
}

double engine_host_covered_s(const struct engine *e, const struct host *h)
{
	return (double)rollup_covered_ns(grouping_rollup(e->grouping[0]), h) /
	    (double)GS_NSEC_PER_SEC;
}

int64_t engine_blind_ns(const struct engine *e)
{
	int64_t blind = 0;
	size_t i;

	for (i = 0; i < e->n_hole; i++) {
		int64_t from = GS_MAX(e->hole[i].from_ns, e->from_ns);
		int64_t to = GS_MIN(e->hole[i].to_ns, e->to_ns);

		if (!e->hole[i].host)
			blind += GS_MAX(to - from, 0);
	}
	return blind;
}

bool engine_is_uneven(const struct engine *e)
{
	double covered_s = engine_covered_s(e);
	size_t i;

	for (i = 0; e->n_ticks > 0 && i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (engine_is_less(e, h, covered_s -
		    engine_host_covered_s(e, h)))
			return true;
	}
	return false;
}
