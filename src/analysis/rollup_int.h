/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_int.h - shared by the files of rollup.h.
 *
 *   rollup.c       gauges, ticks
 *   rollup_charge.c  counters
 *   rollup_fetch.c  the memory of a tick's rows
 *   rollup_group.c  groups and their parts
 *   rollup_ema.c   moving averages
 *   rollup_leap.c  one tick that stands for many
 *   rollup_life.c  how long rows existed
 *   rollup_sum.c   queries on groups
 *   rollup_fold.c  groups that are not kept one by one
 */
#ifndef GS_ANALYSIS_ROLLUP_INT_H
#define GS_ANALYSIS_ROLLUP_INT_H

#include <string.h>

#include "analysis/life.h"
#include "analysis/rollup.h"
#include "base/arith.h"
#include "base/hash.h"

struct rollup_entry {
	struct group group; /* first */
	UT_hash_handle hh;
	struct group_memo memo;
	struct part *only; /* group.part, while it has no more than one */
	int64_t v[]; /* its peaks, its last levels, its bits, its key */
};

/* One row's contribution to the gauges of its group. */
struct member {
	const struct row *row; /* open while this exists */
	size_t at; /* index in live */
	struct group *in;
	struct part *part;
	int64_t threads;
	uint64_t told_tick; /* whose time of threads is counted; 0: none yet */
	bool charged; /* since the range began: its part knows which of the
	               * row's counters there are, and which are missing */
	uint64_t present[COL_WORDS_MAX];
	int64_t v[]; /* by number of the level */
};

/* A row came to a part, or left it. */
struct life_event {
	struct part *part;
	size_t nth; /* as noted */
	int64_t at_ns; /* covered time */
	int64_t order_ns; /* the same; of what was born in the tick, whose first sample
	                   * is not known so well, after others of that sample */
	bool came, fresh; /* fresh: nobody knows what it did before */
	bool unseen; /* it left without ending */
	bool goes_on; /* it may do more in covered time */
};

struct rollup {
	enum entity_id entity;
	struct rollup_by by;
	bool rests_rows; /* rollup_rest_rows() */
	unsigned n_col;
	unsigned col[COLS_MAX]; /* entity's columns, ascending */
	int16_t pos[COLS_MAX]; /* column to position, -1: not wanted */
	unsigned n_word; /* of bits per column */
	uint8_t level[COLS_MAX]; /* positions that are no counters */
	uint8_t nth_level[COLS_MAX]; /* number of the level at a position */
	unsigned n_level;
	uint8_t counter[COLS_MAX]; /* positions that are */
	unsigned n_counter;
	uint64_t counters[COL_WORDS_MAX];
	uint64_t reaped[COL_WORDS_MAX]; /* with those that hold reaped children's
	                            * usage */
	struct rollup_entry *by_key;
	struct group **group;
	size_t n_group, group_cap;
	struct member **member; /* by serial of the row */
	size_t member_cap;
	struct member **live; /* members that exist */
	size_t n_live, live_cap;
	int64_t *covered; /* by index of the host */
	size_t covered_cap;
	uint64_t tick, from_tick; /* of the last one; of that before the range */
	struct {
		bool in_tick; /* of a thinned recording: they are noted, and then
		               * applied in the order of their times */
		struct life_event *event;
		size_t n, cap;
	} life;
	int64_t sampled_ns; /* interval of what it was thinned from; 0: it was not */
	struct group **ending; /* groups that lost a row in this tick */
	size_t n_ending, ending_cap;
	struct group **moved; /* groups that untouched rows moved to in this tick */
	size_t n_moved, moved_cap;
	size_t keep, every, fold_at; /* rollup_bound(); every 0: not set */
	struct group *folded; /* NULL: none was */
	size_t n_folded, folded_cap;
	struct folded_time *folded_times; /* its parts, by covered time */
	int64_t tau_ns[ROLLUP_EMA_MAX]; /* for moving averages */
	size_t n_tau;
	int64_t *passed; /* covered time since averages started, by host */
	size_t passed_cap;
};

static inline size_t rollup_bits_size(const struct rollup *r)
{
	return r->n_word * sizeof(uint64_t);
}

static inline void rollup_bits_add(const struct rollup *r, uint64_t *to,
	const uint64_t *b)
{
	unsigned w;

	for (w = 0; w < r->n_word; w++)
		to[w] |= b[w];
}

/* Bit per column: some row had it; some row lacked it. */
static inline uint64_t *part_present(const struct rollup *r, const struct part *p)
{
	return (uint64_t *)&p->v[r->n_col];
}

static inline uint64_t *part_missing(const struct rollup *r, const struct part *p)
{
	return part_present(r, p) + r->n_word;
}

static inline size_t rollup_part_size(const struct rollup *r)
{
	return sizeof(struct part) + r->n_col * sizeof(int64_t) +
	    2 * rollup_bits_size(r) + r->n_level * sizeof(uint32_t);
}

/* How many of its rows have which level now, by the number of the level. */
static inline uint32_t *rollup_part_holders(const struct rollup *r,
	const struct part *p)
{
	return (uint32_t *)(part_missing(r, p) + r->n_word);
}

/* Sums and holders are the same. */
static inline bool rollup_part_alike(const struct rollup *r,
	const struct part *a, const struct part *b)
{
	return memcmp(a->v, b->v, r->n_col * sizeof(int64_t)) == 0 &&
	    memcmp(rollup_part_holders(r, a), rollup_part_holders(r, b),
	    r->n_level * sizeof(uint32_t)) == 0;
}

static inline size_t rollup_member_size(const struct rollup *r)
{
	return sizeof(struct member) + r->n_level * sizeof(int64_t);
}

/* How many rows of a part have the level at position k. */
static inline uint32_t *rollup_holders(const struct rollup *r,
	const struct part *p, unsigned k)
{
	return &rollup_part_holders(r, p)[r->nth_level[k]];
}

/* The highest sum of the level at position k; the last one. */
static inline int64_t *rollup_peak_at(const struct rollup *r,
	const struct group *g, unsigned k)
{
	return &g->peak[r->nth_level[k]];
}

static inline int64_t *rollup_last_at(const struct rollup *r,
	const struct group *g, unsigned k)
{
	return &g->last[r->nth_level[k]];
}

/* The column at position k has a figure: a counter that some row had in the
 * range, a level that some row has now. */
static inline bool rollup_part_has(const struct rollup *r,
	const struct part *p, unsigned k)
{
	return rollup_bit(r->counters, k) ? rollup_bit(part_present(r, p), k)
	    : *rollup_holders(r, p, k) > 0;
}

/* A counter grew by more than fits: a crafted file says so. */
static inline bool rollup_part_overflows(const struct rollup *r,
	const struct part *p, unsigned k)
{
	return rollup_bit(r->counters, k) && p->v[k] < 0;
}

/* The sum of a level, by position, over the group's rows now. */
static inline int64_t rollup_level_at(const struct group *g, unsigned k)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < g->n_part; i++)
		sum = gs_sum(sum, g->part[i]->v[k]);
	return sum;
}

/* ---- rollup_group.c ---- */

/* Frees it; the list of groups is the caller's. */
void rollup_group_drop(struct rollup *r, struct group *g);
void rollup_part_free(struct part *p);

/* All 0 but the host. */
struct part *rollup_part_new(const struct rollup *r, struct host *h);

/* Makes room for a host, and for a row. */
void rollup_grow_covered(struct rollup *r, const struct host *h);
void rollup_grow_slots(struct rollup *r, const struct row *row);

/* Covered time of a host in the range; valid until the next call. */
static inline int64_t *rollup_covered(struct rollup *r, const struct host *h)
{
	if (h->index >= r->covered_cap)
		rollup_grow_covered(r, h);
	return &r->covered[h->index];
}

/* As life.h has them, of the host's covered time in the range. */
int64_t rollup_before_tick(struct rollup *r, const struct row *row);
int64_t rollup_begin(struct rollup *r, const struct row *row);
int64_t rollup_end(struct rollup *r, const struct row *row);

/* The part of a group on the row's host; made if it is new. fresh: rows of it
 * existed before they were seen, so that their figures start at the host's
 * covered time now. */
struct part *rollup_part(struct rollup *r, struct group *g,
	const struct row *row, bool fresh);

/* Where the row's member is; NULL in it: the row is in no group. */
static inline struct member **rollup_slot(struct rollup *r,
	const struct row *row)
{
	if (row->serial >= r->member_cap)
		rollup_grow_slots(r, row);
	return &r->member[row->serial];
}

/* The last tick told something of it; rows of which it told nothing may still move. */
static inline bool rollup_is_touched(const struct rollup *r, const struct row *row)
{
	return row->touched_tick == r->tick;
}

/* As life.h has it, of the last tick. */
static inline bool rollup_is_born(const struct rollup *r, const struct row *row)
{
	return rollup_is_touched(r, row) && life_is_born(row);
}

static inline bool rollup_is_fresh(const struct rollup *r, const struct row *row)
{
	return rollup_is_touched(r, row) && life_is_fresh(row);
}

/* The row represents the group. */
void rollup_set_row(struct group *g, struct row *row);

/* ---- rollup_charge.c ---- */

/* The share of what one group counts of an amount. */
static inline uint64_t rollup_share(uint64_t d, uint32_t share)
{
	return (d / CHARGE_WHOLE) * share + (d % CHARGE_WHOLE) * share / CHARGE_WHOLE;
}

/* The other group that counts a part, NULL: c->to counts the whole.  Of two groups, both
 * are estimates. */
static inline struct group *rollup_also(const struct charge *c)
{
	if (!c->also || c->also == c->to)
		return NULL;
	c->to->estimated = c->also->estimated = true;
	return c->also;
}

/* Counts the growth of the row's counters in the last tick. in: its group, if
 * it is in none any more. res: residual of its children, or NULL. */
void rollup_charge(struct rollup *r, struct row *row, struct group *in,
	const struct residual *res);

void rollup_charge_residual(struct rollup *r, const struct residual *res);

/* ---- rollup_life.c ---- */

/* n things came at that covered time, or, negative, left. */
void rollup_lived_add(struct lived *l, int64_t at_ns, int64_t n);

/* The time of all of them until now. */
static inline double rollup_lived_ns(const struct lived *l, int64_t now_ns)
{
	return (double)l->ns + (double)l->n * (double)now_ns;
}

/* Covered time at which a row that is new came; one that was born since the sample
 * before, of which nothing is told, by its age. */
int64_t rollup_came(struct rollup *r, const struct row *row);

/* A row joined the part, or left it.  One that has ended uses nothing any more; one
 * that disappeared may. */
void rollup_life_got(struct rollup *r, struct part *p, const struct row *row);
void rollup_life_lost(struct rollup *r, struct part *p, const struct row *row);

/* Applies what was noted so far: before parts are freed. */
void rollup_life_settle(struct rollup *r);

/* All rows of the tick have come and left. */
void rollup_life_end_tick(struct rollup *r);

/* The rows that the tick touched: those that ended; those that came and went, as they
 * came; then the others, as they may follow one of their group that ended.  To be
 * freed. */
struct row **rollup_life_order(struct rollup *r, const struct world *w,
	size_t *ret_n);

void rollup_life_join(struct rollup *r, struct member *m);
void rollup_life_leave(struct rollup *r, struct member *m);

/* After join and leave: the row has another group than at the tick before, or none (m
 * NULL).  Its time of the tick goes to the groups that charge() tells. */
void rollup_life_moved(struct rollup *r, struct row *row, struct member *m);

/* A row came and went between two ticks: as far as its end is told. */
void rollup_life_brief(struct rollup *r, struct part *p, const struct row *row);

/* The number of its threads may have changed. */
void rollup_life_change(struct rollup *r, struct member *m);

/* ---- rollup_fold.c ---- */

/* Sums up groups that need not be kept, if there are enough of them. */
void rollup_fold(struct rollup *r);

/* All that was folded is dropped. */
void rollup_unfold(struct rollup *r);

/* ---- rollup_ema.c ---- */

/* Advances the averages of a host by its last tick. */
void rollup_ema_cover(struct rollup *r, const struct host *h);

/* Adds d, the growth of the column at position k in the last tick.  Of a rollup
 * that has averages. */
void rollup_ema_book(struct rollup *r, struct part *p, unsigned k,
	uint64_t d);

#endif
