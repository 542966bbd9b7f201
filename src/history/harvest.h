/* SPDX-License-Identifier: Apache-2.0 */
/*
 * harvest.h - all metrics of each row of each entity at one instant.
 *
 * Levels and states are those of the row's last sample.  Counters are the
 * increase since the previous harvest, as views count it (from zero for a new
 * process, nothing from before a row was first seen, exited children in
 * separate rows), with the time that it covers; or the totals that the kernel
 * keeps.
 *
 * Use: harvest_new() on an engine that has seen no tick; ticks; the first
 * engine_begin() and each harvest_emit() return the rows at that time;
 * harvest_free().
 */
#ifndef GS_HISTORY_HARVEST_H
#define GS_HISTORY_HARVEST_H

#include "history/choice.h"
#include "query/engine.h"
#include "query/grid.h"

/* Of one row at one instant. */
struct harvest_row {
	uint64_t number; /* of the row in the output, from 1 */
	int64_t time_ns; /* its last sample; the recorder's clock */
	const char *host; /* "": none */
	const struct entity *entity; /* NULL: an event of the recording */
	struct span identity; /* within its host: "sda", "pid=7 start=12" */
	const struct world *world;
	const struct row *row; /* NULL: an event */
	bool residual; /* exited children of the row */
};

struct harvest_value {
	const struct metric *metric; /* NULL: not of the registry */
	const char *name;
	const char *unit; /* base unit, "": none */
	struct cell value;
	double seconds; /* that an increase covers; negative: value is no
	                 * increase */
};

/* Called for the values of a row one after the other; pointers are valid
 * until the next call.  A failure, with err filled, ends the harvest. */
typedef int (*harvest_fn)(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err);

struct harvest;

/* choice must outlive it.  totals: counters as the kernel has them. */
struct harvest *harvest_new(struct engine *e, const struct choice *choice,
	bool totals, harvest_fn fn, void *ctx);
void harvest_free(struct harvest *h);

/* No row was given so far. */
bool harvest_is_empty(const struct harvest *h);

/* Calls fn for all rows since the last call; returns its error. */
int harvest_emit(struct harvest *h, const struct engine *e,
	struct gs_err *err);

#endif
