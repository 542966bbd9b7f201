/* SPDX-License-Identifier: Apache-2.0 */
/*
 * harvest.h - everything that was measured, row by row: of each row of each
 * entity all its metrics at one instant.
 *
 * Levels and states are those of the row's last sample.  Counters are what
 * was added since the harvest before, as views count it (from zero what was
 * born, nothing of what was there before it was seen, what children left
 * behind in rows of its own), with the time that it covers; or the totals
 * that the kernel keeps.
 *
 * Use: harvest_new() on an engine that has seen no tick; ticks; the first
 * engine_begin() and each harvest_take() give what there is then;
 * harvest_free().
 */
#ifndef GS_HISTORY_HARVEST_H
#define GS_HISTORY_HARVEST_H

#include "history/choice.h"
#include "query/engine.h"
#include "query/grid.h"

/* Of one row at one instant. */
struct harvest_row {
	uint64_t number; /* counts the rows that were given, from 1 */
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
	double seconds; /* that an increase covers; negative: it is none */
};

/* All values of a row come one after the other; what is pointed to stays
 * until the next call.  Fails with err filled: the harvest ends. */
typedef int (*harvest_fn)(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err);

struct harvest;

/* choice must outlive it.  totals: counters as the kernel has them. */
struct harvest *harvest_new(struct engine *e, const struct choice *choice,
	bool totals, harvest_fn fn, void *ctx);
void harvest_free(struct harvest *h);

/* Gives all rows since the last time; the error of fn, if it failed. */
int harvest_take(struct harvest *h, const struct engine *e,
	struct gs_err *err);

#endif
