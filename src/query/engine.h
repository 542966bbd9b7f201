/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - everything that is known at a tick, and the sums over a range.
 *
 * It takes ticks from any cursor, live or recorded, and keeps world, sessions,
 * residuals and as many groupings as views need.
 */
#ifndef GS_QUERY_ENGINE_H
#define GS_QUERY_ENGINE_H

#include "analysis/notable.h"
#include "base/err.h"
#include "model/cursor.h"
#include "query/grouping.h"
#include "query/presence.h"

struct engine_hole {
	int64_t from_ns, to_ns;
	char *why;
	bool of_host; /* of one host: others go on */
};

struct engine_event {
	enum event_kind kind;
	int64_t wall_ns, value;
	char *host; /* "" : none */
	char *text;
};

/* For how long a database server was answering. */
struct engine_up {
	uint32_t index; /* of its catalog */
	bool up; /* after the last tick */
	int64_t ns;
};

struct engine;

/* Whoever keeps something of its own beside the groupings.  Both are called
 * with the engine in order; either may be NULL. */
struct follower {
	void *self;
	void (*tick)(void *self, const struct engine *e);
	void (*restart)(void *self, const struct engine *e);
};

struct engine {
	struct world *world;
	struct sessions *sessions;
	struct reap *reap;
	struct notables *notables;
	struct presence *presence;
	struct grouping **grouping;
	size_t n_grouping;
	struct follower *follower;
	size_t n_follower;
	int64_t interval_ns;
	int64_t thinned_ns; /* of the source, before ticks were left out; 0 */
	/* of the range that engine_restart() began */
	int64_t from_ns, to_ns; /* ticks at its edges, wall */
	uint64_t to_seq; /* number of the last */
	size_t n_ticks; /* that count: not the one at its beginning */
	struct engine_hole *hole;
	size_t n_hole, hole_cap;
	size_t n_open; /* of them, the last: of hosts, and still open */
	struct engine_event *event;
	size_t n_event, event_cap;
	struct engine_up *up; /* in order of world_catalog() */
	size_t n_up, up_cap;
};

void engine_init(struct engine *e, int64_t interval_ns);
void engine_release(struct engine *e);

/* The engine owns the grouping.  Before the first tick only. */
void engine_add_grouping(struct engine *e, struct grouping *l);

/* Before the first tick only; self must outlive the engine's last tick. */
void engine_add_follower(struct engine *e, const struct follower *f);

int engine_tick(struct engine *e, const struct tick *t, struct gs_err *err);

/* A tick again, as a key: changes numbers of slots and texts only. */
int engine_repeat(struct engine *e, const struct tick *t,
	struct gs_err *err);

/* Something is missing before the next tick.  It is a hole if it is named or
 * longer than 1.5 intervals. */
void engine_gap(struct engine *e, const struct cursor_gap *gap);

/* Only notes the hole: nothing is missing before the next tick. */
void engine_note_hole(struct engine *e, const struct cursor_gap *gap);

/* The tick taken last is where sums begin anew: a table's range. */
void engine_restart(struct engine *e);

/* The same, and where the whole range begins: what was before is not known
 * (sessions_begin()).  is_first: no tick before it was taken, so that its
 * events are of the range. */
void engine_begin(struct engine *e, bool is_first);

/* Hosts that were recorded: without the catalog. */
size_t engine_hosts(const struct engine *e);

/* Time that the range covers, of the host that has most; seconds. */
double engine_covered_s(const struct engine *e);

/* Time of the range in which the server of that catalog was asked and
 * answered; seconds. */
double engine_asked_s(const struct engine *e, const struct host *catalog);

/* A host that covers so much less than another is one to be told: it is half
 * an interval or more, or the host is to be there and never was. */
bool engine_is_less(const struct engine *e, const struct host *h,
	double less_s);

/* Time that the range covers of one host; seconds. */
double engine_host_covered_s(const struct engine *e, const struct host *h);

/* Nothing at all is known of so much of the range; ns. */
int64_t engine_blind_ns(const struct engine *e);

/* Some host covers less than another. */
bool engine_is_uneven(const struct engine *e);

/* Before a table is made: what hosts miss up to now is among the holes. */
void engine_note_absent(struct engine *e);

#endif
