/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - the state at a tick, and sums over a range.
 *
 * It reads ticks from any cursor, live or recorded, and updates world,
 * sessions, residuals and the groupings of views.
 */
#ifndef GS_QUERY_ENGINE_H
#define GS_QUERY_ENGINE_H

#include "analysis/notable.h"
#include "base/err.h"
#include "model/cursor.h"
#include "model/presence.h"
#include "query/follower.h"
#include "query/grouping.h"

struct engine_hole {
	int64_t from_ns, to_ns;
	char *why;
	char *host; /* that has no data, while others have; NULL: none has */
};

struct engine_event {
	enum event_kind kind;
	int64_t wall_ns, value;
	char *host; /* "" : none */
	char *text;
};

/* Time in which a database server answered. */
struct engine_up {
	uint32_t index; /* of its catalog */
	bool up; /* after the last tick */
	int64_t ns;
};

struct summary;

/* Tables of each tick: which stretches need none. */
struct engine_skip {
	bool (*may)(void *ctx, const struct summary *s);
	void *ctx;
};

struct engine {
	const struct engine *of; /* engine_init_beside(): whose world and sessions
	                          * these are; NULL: its own */
	struct world *world;
	struct sessions *sessions;
	struct statements *statements; /* asked for by labels and views */
	struct reap *reap;
	struct notables *notables;
	struct presence *presence;
	struct grouping **grouping;
	size_t n_grouping;
	struct follower *follower;
	size_t n_follower;
	bool before_range; /* until engine_begin(): nothing is summed up */
	int64_t before_ns; /* ticks so long before the range are read, too: since
	                    * when things were as they are */
	bool leaps; /* its user needs only groupings of LEAP_ENTITIES (leap.h),
	             * at the end of a table: ticks may be passed over, and
	             * sessions are not followed.  Before the first tick */
	bool gists; /* its user needs only sums of processes and sessions, and
	             * what is known of them at the end of a table: ticks may
	             * come from gists (model/cursor.h).  Before the first tick */
	const struct engine_skip *skip; /* not owned; NULL: a table of a tick is
	                                 * always needed */
	bool skipped; /* the table is of stretches that were not needed */
	int64_t interval_ns;
	int64_t thinned_ns; /* interval of the source before ticks were left
	                     * out; 0: none were */
	/* of the range since engine_restart() */
	int64_t from_ns, to_ns; /* first and last tick, wall */
	uint64_t to_seq; /* number of the last tick */
	bool is_key; /* it is a key */
	bool has_census; /* of a gist's tick; else it follows from sessions: */
	struct tick_census census;
	bool unsampled; /* as of struct tick, of the last tick: */
	const struct tick_wait *wait;
	size_t n_wait;
	size_t n_ticks; /* without the tick at the range's start; of them with another
	                 * pace than the last one, in the order of their first: */
	struct paced_ticks {
		struct tick_pace pace;
		size_t ticks;
	} paced[3]; /* further ones are not told */
	size_t n_paced;
	size_t pace_tick; /* n_ticks when the pace was another one the last time */
	uint64_t n_skipped; /* tick_skipped_before() */
	bool skipped_all; /* tick_skipped_all() of the last tick */
	bool follows; /* no gap since the last tick */
	struct engine_hole *hole;
	size_t n_hole, hole_cap;
	size_t n_open; /* the last n_open of them: of hosts, not ended yet */
	struct engine_event *event;
	size_t n_event, event_cap;
	size_t tick_event; /* index of the first event of the last tick */
	struct engine_up *up; /* in order of world_catalog() */
	size_t n_up, up_cap;
};

static inline struct tick_pace engine_pace(const struct engine *e)
{
	return (struct tick_pace) { e->interval_ns, e->thinned_ns };
}

/* The interval at which hosts and databases were asked. */
static inline int64_t engine_sampled_ns(const struct engine *e)
{
	return pace_sampled(engine_pace(e));
}

void engine_init(struct engine *e, int64_t interval_ns);
void engine_release(struct engine *e);

/* An engine with tables of its own, of ticks that `of` has taken: after each one
 * engine_tick_beside() sums it up.  It has no events, and must be released before
 * `of`. */
void engine_init_beside(struct engine *e, const struct engine *of);
void engine_tick_beside(struct engine *e);

/* The engine owns the grouping.  Before the first tick only. */
void engine_add_grouping(struct engine *e, struct grouping *l);

/* Before the first tick only; self must outlive the engine's last tick. */
void engine_add_follower(struct engine *e, const struct follower *f);

int engine_tick(struct engine *e, const struct tick *t, struct gs_err *err);

/* What is known of the last tick beside its cells; engine_tick() does it with what the
 * tick has. */
void engine_remark(struct engine *e, const struct tick_remark *r);

/* Whether its users take the gist that begins after the last tick. */
bool engine_takes_gist(const struct engine *e, const struct gist_about *g);

/* Without the events of the last tick: those after the first n. */
void engine_drop_events(struct engine *e, size_t n);
void engine_add_mark(struct engine *e, int64_t wall_ns, struct span text);

/* The same tick again, as a key: only slots and ids of texts change. */
int engine_repeat(struct engine *e, const struct tick *t,
	struct gs_err *err);

/* Data is missing before the next tick.  It is a hole if it has a reason or is
 * longer than 1.5 intervals. */
void engine_gap(struct engine *e, const struct cursor_gap *gap);

/* Only adds the hole: no data is missing before the next tick. */
void engine_note_hole(struct engine *e, const struct cursor_gap *gap);

/* Sums start again at the last tick: the range of a table begins. */
void engine_restart(struct engine *e);

/* The same for the whole range: earlier knowledge is dropped
 * (sessions_begin()). is_first: no tick came before it, so its events are in
 * the range. */
void engine_begin(struct engine *e, bool is_first);

/* How many sessions do what at the last tick. */
struct tick_census engine_census(const struct engine *e);

/* Number of recorded hosts, without catalogs. */
size_t engine_hosts(const struct engine *e);

/* Covered time of the range, of the host that has most; seconds. */
double engine_covered_s(const struct engine *e);

/* Whether the range since engine_restart() covers nothing and lacks nothing, of hosts and
 * of catalogs: the last tick of a recorder that was interrupted has its event only. */
bool engine_is_bare(const struct engine *e);

/* Time of the range in which that catalog's server was asked and answered;
 * seconds. */
double engine_asked_s(const struct engine *e, const struct host *catalog);

/* True if the host's missing time, of a range with ticks, is worth a message: it is
 * half an interval or more, or the host is expected and never answered. */
bool engine_is_less(const struct engine *e, const struct host *h,
	double less_s);

/* Time of the range that is covered, of the host that has most: ns. */
int64_t engine_covered_ns(const struct engine *e);

/* Covered time of one host in the range; seconds. */
double engine_host_covered_s(const struct engine *e, const struct host *h);

/* Time of the range for which there is no data at all; ns. */
int64_t engine_blind_ns(const struct engine *e);

/* True if some host covers less than another. */
bool engine_is_uneven(const struct engine *e);

/* Call before a table is made: adds the hosts' open holes up to now. */
void engine_note_absent(struct engine *e);

#endif
