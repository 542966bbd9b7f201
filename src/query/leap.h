/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leap.h - passes over ticks whose summary is known (model/summary.h).
 *
 * An engine at the first key of a stretch takes the last one as its next tick:
 * counters of rows grow by what they differ by, and time by the hosts' own
 * clocks.  What that does not tell comes from the summary.  Several stretches
 * in a row are passed over at once.
 *
 * Only what is summed up row by row, of entities whose rows seldom come and go,
 * is exact that way: LEAP_ENTITIES.  State of sessions, events and everything
 * else that follows each tick is not.
 *
 * Use: leap_add() for each stretch; leap_take() with the last key.
 */
#ifndef GS_QUERY_LEAP_H
#define GS_QUERY_LEAP_H

#include "model/summary.h"
#include "query/engine.h"

#define LEAP_ENTITIES (summary_bit(ENTITY_HOST) | summary_bit(ENTITY_CPU) | \
	summary_bit(ENTITY_DISK) | summary_bit(ENTITY_NET) | \
	summary_bit(ENTITY_FS) | summary_bit(ENTITY_CGROUP) | \
	summary_bit(ENTITY_CGROUP_IO) | summary_bit(ENTITY_AGENT))

struct leap_row;

/* Stretches that follow each other; zeroed: none. */
struct leap {
	uint64_t n_ticks, n_skipped;
	struct summary marks; /* of all of them */
	struct leap_row *row; /* by identity */
};

/* The entities that the engine's groupings sum up; 0: it needs every tick. */
uint64_t leap_entities(const struct engine *e);

/* entities: of the engine; rows of others are not kept. */
void leap_add(struct leap *l, const struct summary *s, uint64_t entities);

/* The engine takes the key at the end of the stretches.  Fails as
 * engine_tick(). */
int leap_take(const struct leap *l, struct engine *e, const struct tick *key,
	struct gs_err *err);
void leap_clear(struct leap *l);

/* Replaces to by what identifies the row on its host: its identity cells. */
void leap_identity(const struct world *w, const struct row *row,
	struct buf *to);

#endif
