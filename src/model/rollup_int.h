/*
 * rollup_int.h - what the files of rollup.h share.
 *
 *   rollup.c       groups and their members, counting
 *   rollup_ema.c   moving averages
 *   rollup_sum.c   what is asked of groups
 *   rollup_fold.c  groups that are not kept one by one
 */
#ifndef GS_MODEL_ROLLUP_INT_H
#define GS_MODEL_ROLLUP_INT_H

#include <uthash.h>

#include "model/rollup.h"

struct rollup_entry {
	struct group group;
	UT_hash_handle hh;
};

/* One row's contribution to the gauges of its group. */
struct member {
	const struct row *row; /* open while this is here */
	size_t at; /* in live */
	struct group *in;
	struct part *part;
	struct rollup_bits present;
	int64_t v[];
};

struct rollup {
	enum entity_id entity;
	struct rollup_by by;
	unsigned n_col;
	unsigned col[COLS_MAX]; /* entity's columns, ascending */
	int16_t pos[COLS_MAX]; /* column to position, -1: not wanted */
	unsigned n_word; /* of rollup_bits that are in use */
	struct rollup_bits counters;
	struct rollup_bits reaped; /* those that hold children's work, too */
	struct rollup_entry *by_key;
	struct group **group;
	size_t n_group, group_cap;
	struct member **member; /* by serial of the row */
	size_t member_cap;
	struct member **live; /* those that there are */
	size_t n_live, live_cap;
	int64_t *covered; /* by index of the host */
	size_t covered_cap;
	uint64_t tick;
	struct group **ending; /* groups that lost a row in this tick */
	size_t n_ending, ending_cap;
	size_t keep, every, fold_at; /* rollup_bound(); every 0: not asked */
	struct group *folded; /* NULL: none was */
	size_t n_folded;
	int64_t tau_ns[ROLLUP_EMA_MAX]; /* of moving averages */
	size_t n_tau;
	int64_t *passed; /* time covered since they began, by host */
	size_t passed_cap;
};

static inline void rollup_bits_add(struct rollup_bits *to,
	const struct rollup_bits *b)
{
	unsigned w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		to->w[w] |= b->w[w];
}

/* ---- rollup.c ---- */

void rollup_group_free(struct rollup *r, struct group *g);

/* ---- rollup_fold.c ---- */

/* Sums up what need not be kept, if there is enough of it. */
void rollup_fold(struct rollup *r);

/* All that was folded is forgotten. */
void rollup_unfold(struct rollup *r);

/* ---- rollup_ema.c ---- */

/* The last tick of a host passes. */
void rollup_ema_cover(struct rollup *r, const struct host *h);

/* d of the column at position k is booked in the last tick. */
void rollup_ema_book(struct rollup *r, struct part *p, unsigned k,
	uint64_t d);

#endif
