/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world.h - the state of all hosts at one tick, and how ticks change it.
 *
 * A world starts empty; world_apply() applies one tick after the other.  Rows
 * keep their identity across keys and across holes: a row of a key with the
 * identity (F_ID cells, and boot id) of an open row continues that row.
 *
 * Between two calls of world_apply() every row that the last tick touched is
 * on the list of touched rows, with its cells before (was) and after (now).
 * Rows that the last tick closed are on the same list, with their last cells
 * in both; the next world_apply() frees them unless they are held
 * (row_hold()).
 */
#ifndef GS_MODEL_WORLD_H
#define GS_MODEL_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/err.h"
#include "model/row.h"
#include "model/texts.h"
#include "model/tick.h"

struct host;
struct packed;

/* struct tick_waited with its texts. */
struct row_waited {
	uint32_t kind;
	char *event, *query; /* "" if none */
	bool has_query_id;
	int64_t query_id;
	int64_t amount[WAITED_AMOUNTS];
};

/* What a tick of a thinned recording tells about the ticks before it that were left
 * out. */
struct left_out {
	uint64_t tick; /* world_ticks() */
	struct tick_sum *sum;
	uint32_t n_sum, n_waited;
	struct row_waited *waited;
	size_t sum_cap, waited_cap;
	struct gs_budget *budget; /* not owned; which has charged so much */
	size_t charged;
};

struct row {
	enum entity_id entity;
	uint32_t slot;
	struct host *host;
	struct cells now; /* none (val is NULL) in a row at rest */
	struct cells was; /* before the last tick that touched it; none
	                   * (val is NULL) in a plain world */
	enum row_open opened; /* BORN or APPEARED, never CONTINUED */
	enum row_close closed; /* 0 while open */
	int64_t first_ns, last_ns; /* host's wall clock: first sample that had
				    * it and, once closed, the last one; or, if
				    * ticks were left out and it is not told,
				    * the next one if it did more */
	uint64_t first_tick; /* world_ticks() at which it opened */
	uint64_t touched_tick; /* world_ticks() that touched it last */
	struct left_out *left_out; /* row_left_out() */
	struct packed *rest; /* its cells, while it rests */
	uint32_t holds;
	uint32_t serial; /* dense number in order of opening; never reused */
	void *user; /* for the holder of the row */
};

struct table {
	struct row **slot; /* NULL where no row is open */
	size_t n_slot, cap;
	size_t n_live;
};

struct host {
	uint32_t index;
	char *name; /* from the header; of the recorder's own host, if it is the
		     * only one, host.name once known */
	char *server; /* of a catalog: cluster_name, else port of its server, by the
		       * newest header that has one; NULL: none has */
	bool listed; /* a header named it */
	bool named; /* the newest header names it */
	bool catalog; /* not a host: rows of a database's catalog */
	struct table table[ENTITY_COUNT];
	struct sample_clock clock; /* of the newest block */
	struct sample_clock prev; /* of the block before */
	bool sampled; /* the last tick had a block of this host */
	bool gap; /* the last block is after a hole, a new connection or a
		   * reboot: prev is not one interval before */
	bool rebooted; /* in the last block */
	bool begins; /* its rows begin with the last block: earlier time is not
		      * covered */
	uint32_t boot; /* text of the newest boot id; 0: none yet */
	uint64_t boot_ids; /* number of boot ids seen */
	uint64_t blocks; /* number of blocks applied */
};

struct world;

struct world *world_new(void);

/* Charges rows, texts and tables to b instead of the budget of the process.  b
 * must outlive the world.  Before the first tick. */
void world_set_budget(struct world *w, struct gs_budget *b);

/* The part of the charged bytes that texts take. */
size_t world_text_bytes(const struct world *w);

/* A world whose rows have no `was`: half the memory. */
struct world *world_new_plain(void);

/* A plain world whose rows rest between two calls of world_apply(): their cells are
 * packed, and read by row_peek(), row_peek_text() and row_cells() only. */
struct world *world_new_resting(void);

/* Of the rows that a tick touches, cells of so many bytes stay as they are until one
 * does not touch them: what runs at each tick would be unpacked and packed each time.
 * Those of the first entities before others.  0 at first. */
void world_stay_awake(struct world *w, size_t bytes);
void world_free(struct world *w);

/* Applies a tick.  After a failure (a slot that is not open, a row opened
 * twice, an unknown text) the next tick must be a key.  A tick that renumbers is
 * not counted and touches no row: the open rows of each table get slots from 0 in
 * the order of world_by_identity(), and no text has an id any more. */
int world_apply(struct world *w, const struct tick *t, struct gs_err *err);

/* The open rows of a table in an order that depends on nothing but their cells, first
 * those of the identity (F_ID); free() them.  False, with none: two that have a birth
 * are equal. */
bool world_by_identity(const struct world *w, const struct table *t,
	struct row ***ret, size_t *ret_n);

/* Something is missing before the next tick.  That tick must be a key; the
 * changes since the tick before the loss count as one difference. */
void world_lost(struct world *w);
uint64_t world_ticks(const struct world *w);

/* Number of hosts and catalogs, by index; includes names that turned out to be
 * another host's. */
size_t world_hosts(const struct world *w);
struct host *world_host(const struct world *w, size_t i);

/* The one with that index in the recording; NULL: none. */
struct host *world_host_of(const struct world *w, uint32_t index);

/* False: the newest header does not name it, one before did: what came later is of
 * another recording. */
static inline bool host_is_recorded(const struct host *h)
{
	return h->named || !h->listed;
}

/* True for a host, even one that never answered; false for a catalog. */
bool world_is_host(const struct host *h);

/* The rows that the last tick opened, changed or closed. */
struct row *const *world_touched(const struct world *w, size_t *ret_n);

/* Some of them are of the entity. */
bool world_touches(const struct world *w, enum entity_id e);

/* The rows of a database server's catalog, by index.  NULL beyond the last
 * one. */
struct host *world_catalog(const struct world *w, size_t i);

/* The host's own row, with its facts; NULL if none is open. */
const struct row *host_row(const struct host *h);

/* The newest header says that ticks were left out: a tick covers several
 * steps, and the usage of reaped children is given as sums. */
bool world_is_thinned(const struct world *w);

/* The interval of their source; 0: they were not. */
int64_t world_thinned_ns(const struct world *w);

/* The last tick has the last activity of a row that it closed.  Only where
 * ticks were left out. */
bool row_ended_late(const struct row *r);

/* When a row that the last tick closed was sampled last, in monotonic time before the
 * host's sample.  False: not told, as where no tick was left out. */
bool row_told_end(const struct row *r, int64_t *ret_before_ns);

/* The same of the first sample of a row that the last tick opened. */
bool row_told_begin(const struct row *r, int64_t *ret_before_ns);

/* Of a process whose number of threads changed in between: for how long all of them
 * were there since the tick before, together. */
bool row_told_threads(const struct row *r, int64_t *ret_ns);

/* Opened and closed by the last tick. */
bool row_is_brief(const struct row *r);

/* What the last tick that touched the row has of ticks that were left out; NULL if
 * nothing. */
static inline const struct left_out *row_left_out(const struct row *r)
{
	return r->left_out && r->left_out->tick == r->touched_tick
	    ? r->left_out : NULL;
}

/* The first amounts of that kind; NULL: none, or nothing was left out (l is NULL). */
const int64_t *left_out_amounts(const struct left_out *l, uint32_t kind);

/* A sum of the last tick that touched the row; false if there is none. */
bool row_sum(const struct row *r, unsigned col, enum sum_of of,
	uint64_t *ret);

/* As row_hold(), and keeps its texts in the world's pool, too. */
void world_hold(struct world *w, struct row *r);
void world_drop(struct world *w, struct row *r);

void row_hold(struct row *r);
void row_drop(struct row *r);

/* A copy of a closed row, for its holder alone, that rests: a tenth of the memory.
 * Its texts end with the row's. */
struct row *row_resting(const struct row *r);

/* A cell of the row now, or false. */
static inline bool row_get(const struct row *r, unsigned col, uint64_t *ret)
{
	return cells_get(r->now, col, ret);
}

/* The text of a text cell; empty if it is absent. */
struct span row_text(const struct world *w, const struct row *r,
	unsigned col);

/* As row_get() and row_text(), also of a row at rest. */
bool row_peek(const struct row *r, unsigned col, uint64_t *ret);
struct span row_peek_text(const struct world *w, const struct row *r,
	unsigned col);

/* Copies the cells, also of a row at rest. */
void row_cells(const struct row *r, struct cells to);

/* The cells of a row at rest, held for the caller; NULL if it is not at rest. */
struct packed *row_packed(const struct row *r);

/* The text of that number, as a text cell has it. */
struct span world_text(const struct world *w, uint64_t id);

#endif
