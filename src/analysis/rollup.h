/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup.h - sums over a range of ticks, by group.
 *
 * A rollup follows the rows of one entity.  Counters add up tick by tick in the
 * group that the row's work counts for in that tick; gauges are the sum over
 * the rows that are in the group now.  The rollup's owner chooses the group
 * (struct rollup_by), also for the usage of reaped children, so that the sum
 * over all groups is what the kernel charged.
 *
 * Use per tick: rollup_tick() after world_apply(), sessions_tick() and
 * reap_tick(); rollup_restart() where a range begins: values before it are the
 * baseline.  Figures depend on the ticks of the range only.
 */
#ifndef GS_ANALYSIS_ROLLUP_H
#define GS_ANALYSIS_ROLLUP_H

#include "analysis/reap.h"
#include "analysis/sessions.h"
#include "model/world.h"

/* A bit per wanted column, by its position: in as many words as these need. */
static inline bool rollup_bit(const uint64_t *b, unsigned k)
{
	return b[k / 64] >> (k % 64) & 1;
}

static inline void rollup_bit_set(uint64_t *b, unsigned k)
{
	b[k / 64] |= UINT64_C(1) << (k % 64);
}

static inline void rollup_bit_clear(uint64_t *b, unsigned k)
{
	b[k / 64] &= ~(UINT64_C(1) << (k % 64));
}

/* Covered time in which things were in a part: that of those that left, less that
 * at which each of the n that are in it came. */
struct lived {
	int64_t ns, n;
};

/* One host's share of a group. */
struct part {
	struct host *host;
	size_t n_live; /* rows in it now */
	int64_t since_ns; /* host's covered time when its first row came, plus
	                   * all time in which its rows were not seen */
	int64_t left_ns; /* covered time when its last row disappeared without
	                  * ending; -1: did not happen */
	uint32_t made_tick; /* at which it was made */
	bool late; /* some row came that had existed before, unseen */
	bool fresh; /* that was so of its first row: its time starts there */
	bool later; /* of exited children: their parent was so found, before the
	             * range */
	bool threaded; /* some row of it had several threads */
	bool reaped_old; /* reaped children's CPU time that is missing */
	int64_t gone_ns; /* host's covered time when the first of its rows
	                  * disappeared that may go on; -1: none did */
	struct lived threads; /* from their birth to their end */
	struct lived rows; /* by whole ticks */
	uint64_t resets; /* counters that went backwards */
	struct ema *ema; /* moving averages; NULL: none, or all 0 */
	int64_t v[]; /* per wanted column its sum; then two bits per column, that
	              * some row had it, and that some row lacked it; then, per level,
	              * how many of the current rows have it: uint32_t */
};

/* What somebody who makes tables of groups keeps of one, from step to step; all 0 at
 * first. */
struct group_memo {
	void *of;
	uint64_t id;
	size_t step;
};

struct group {
	const char *key; /* as the owner gave it */
	size_t key_len;
	void *label; /* the owner's; set when it made the group */
	struct part **part;
	size_t n_part;
	size_t n_live; /* rows in it now */
	size_t n_rows; /* rows that were ever in it in the range */
	size_t n_born; /* rows that started in the range, in it */
	struct row *row; /* the newest row that joined; held; NULL once no row
	                  * is in it, unless rollup_by.keeps_rows */
	bool reaped; /* the parents' counters hold more than the last samples of
	              * reaped children: some may never have been seen */
	bool ended; /* last is valid: no row is in it any more */
	bool residual; /* represents reaped children */
	bool estimated; /* usage of some tick was split by time */
	bool stirred; /* in the range a row of it was touched, came or left, or something
	               * was counted in it; else all is as where the range began */
	int64_t *peak; /* per level, its highest sum */
	uint64_t *changed; /* bit per column: gauges whose sum is not in it yet */
	int64_t *last; /* per level, its sum before the last row closed */
	uint64_t *last_present; /* bit per column: it is in last, or counted */
	uint64_t touched_tick;
	uint64_t brief_tick; /* tick at which its first row both came and went */
	struct group_memo *memo; /* NULL: of groups that were not kept one by
	                          * one */
};

struct rollup;

/* A share of CHARGE_WHOLE goes to `to`, the rest to `also`; nothing is lost or
 * counted twice. */
struct charge {
	struct group *to; /* NULL: none counts it */
	struct group *also; /* NULL: `to` counts the whole */
	uint32_t share;
};

struct rollup_by {
	void *ctx;
	/* The group that the row is in now; NULL: none. */
	struct group *(*member)(void *ctx, struct rollup *r, struct row *row);
	/* True if the row is certainly still in g, so that member() need not be
	 * called.  The label of g is told the texts of the row; of one that has
	 * ended between two ticks, which leaves g anyway, they are its last ones.
	 * NULL function: member() is always called. */
	bool (*stays)(void *ctx, const struct row *row,
		const struct group *g);
	/* The groups that count the row's usage of the last tick; in: the group
	 * that it is in, NULL: none.  NULL function: that one. */
	struct charge (*charge)(void *ctx, struct rollup *r,
		struct row *row, struct group *in);
	bool keeps_rows; /* group.row stays after its last row closed */
	bool only_members; /* group.row is no row that was only charged to it,
	                    * which would be held as long as the group is; and a
	                    * group that no row was in has no time of threads */
	/* The same for the usage of reaped children of the row; NULL: dropped. */
	struct charge (*residual)(void *ctx, struct rollup *r,
		struct row *row);
	/* Starts to load what stays() needs of a group's label, or all of it
	 * (gs_fetch()).  May be NULL. */
	void (*fetch)(const void *label, bool all);
	/* The group is about to be freed; its label may be freed, too.  May be
	 * NULL. */
	void (*gone)(void *ctx, struct group *g);
	/* For rollup_bound(): true if nothing can be counted in the group any
	 * more.  rank: how much each of n groups is worth keeping; NAN: nothing. */
	bool (*done)(void *ctx, const struct group *g);
	void (*rank)(void *ctx, const struct group *const *g, size_t n,
		double *ret);
};

/* want: columns of the entity to follow, a bit each; not texts. */
struct rollup *rollup_new(enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const struct rollup_by *by);
void rollup_free(struct rollup *r);

/* Rows that stay after they closed do so as row_resting().  Before the first tick. */
void rollup_rest_rows(struct rollup *r);

/* Moving averages of the rates of all counters, with these time constants.
 * Before the first tick. */
#define ROLLUP_EMA_MAX 4
void rollup_set_ema(struct rollup *r, const int64_t *tau_ns, size_t n);

/* Averages start again at the last tick. rollup_restart() does not reset them. */
void rollup_forget_ema(struct rollup *r);

/* Sum over hosts of the i-th average of a counter's rate, per second; false
 * if no row had the counter. */
bool group_ema(const struct rollup *r, const struct group *g, unsigned col,
	double scale, size_t i, double *ret);

/* The group of a key; made if it is new, with *ret_new true. */
struct group *rollup_group(struct rollup *r, const void *key, size_t len,
	bool *ret_new);

/* Applies the last tick; reap may be NULL (no usage of reaped children). */
void rollup_tick(struct rollup *r, const struct world *w,
	const struct reap *reap);

/* The same before a range: only which rows are in which groups, and their levels.
 * rollup_restart() must come before sums are asked for. */
void rollup_follow(struct rollup *r, const struct world *w,
	const struct reap *reap);

/* The row's group may have changed although the row did not; call before
 * rollup_tick() or rollup_restart(). */
void rollup_moved(struct rollup *r, const struct world *w, struct row *row);

/* Starts to load what is kept of rows that are given next, some of which are of its
 * entity; at most GS_FETCH_ROWS. */
void rollup_fetch(const struct rollup *r, struct row *const *rows, size_t n);

/* Sums start again with the next tick; groups without rows are freed. */
void rollup_restart(struct rollup *r);

/* From now on, at every `every` more groups, the finished groups are reduced:
 * the `keep` of highest rank stay; the others, and any whose rank is not a
 * number, are summed up in one.  Results are the same as without, except which
 * group of the others it was. */
void rollup_bound(struct rollup *r, size_t keep, size_t every);

/* The group of a key, NULL if there is none. */
struct group *rollup_find(const struct rollup *r, const void *key,
	size_t len);

/* The sum of the groups that were not kept, with their number; NULL: all were
 * kept. */
const struct group *rollup_folded(const struct rollup *r, size_t *ret_n);

size_t rollup_count(const struct rollup *r);
struct group *rollup_get(const struct rollup *r, size_t i);

/* Starts to load n groups of which figures are asked for next, from one on; of more
 * than so many, the first would be lost again. */
#define ROLLUP_FETCH_GROUPS 32
void rollup_fetch_groups(const struct rollup *r, size_t from, size_t n);

/* Frees those of n groups, from one on, that have ended, after which no more is asked
 * of them; rollup_close_up() then must come before the next tick.  Until then their
 * places are empty: rollup_get() is not called for them. */
void rollup_spend(struct rollup *r, size_t from, size_t n);
void rollup_close_up(struct rollup *r);

enum entity_id rollup_entity(const struct rollup *r);

/* The rollup_live() rows that are in groups now, in no order.  Valid until the
 * next tick. */
size_t rollup_live(const struct rollup *r);
const struct row *rollup_live_row(const struct rollup *r, size_t i,
	const struct group **ret_in);

/* The host's covered time of the range so far. */
int64_t rollup_covered_ns(const struct rollup *r, const struct host *h);

/* One host's share of a group's column in base units; false if no row had it.
 * Gauges of a group that ended have none. */
bool part_value(const struct rollup *r, const struct part *p, unsigned col,
	double *ret);

/* The time that one host's share covers, seconds. */
double part_covered_s(const struct rollup *r, const struct part *p);

/* Time for which its rows existed in the range, seconds, summed up over their
 * threads. */
double part_life_s(const struct rollup *r, const struct part *p);

/* Some process of the group had several threads. */
bool group_is_threaded(const struct group *g);

/* Some row of it existed before it was seen, or after, in covered time: what its
 * counters grew by is a lower bound. */
bool part_is_partial(const struct rollup *r, const struct part *p);
bool group_is_partial(const struct rollup *r, const struct group *g);

/* Sum of a group over its hosts; false if no row had it. *ret_partial is true
 * if some row lacked it.  Gauges of a group that ended are the last ones. */
bool group_sum(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial);

/* Sum over hosts of a counter divided by the time that each covered, per
 * second; false also where nothing was covered. */
bool group_rate(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial);

/* Covered time of the group on the host that has most; seconds. */
double group_covered_s(const struct rollup *r, const struct group *g);

/* What that time is without: what was before, since its first row came unseen before;
 * what is after, since its last row left without ending.  later: an earlier range
 * has the edge at which it came, or a row began where no time is covered. */
struct group_edges {
	bool came, left, later;
};
struct group_edges group_edges(const struct rollup *r, const struct group *g);

/* Mean covered time for which a row was in the group, as a share of the range's;
 * a row that came in a tick is in it for the whole tick, one that left for none
 * of it.  False: no row was in it, or nothing is covered. */
bool group_stay(const struct rollup *r, const struct group *g, double *ret);

/* Highest sum of a gauge at any tick of the range. */
bool group_peak(const struct rollup *r, const struct group *g, unsigned col,
	double *ret);

/* ---- one tick that stands for many (rollup_leap.c) --------------------- */

/*
 * Both have followed the same rows since rollup_restart() at one key: all, with
 * every tick; keys, with w, only with the key that is the last tick of both.
 * True if the sums are the same, and will be if that key is passed over, too:
 * no row came or went, and no counter was reset.  Each group is one row.
 */
bool rollup_leaps(const struct rollup *all, const struct rollup *keys,
	const struct world *w);

/* What only every tick tells of a group: the highest sum of a level, in the
 * units of the column (false: it is not above 0, or is a counter); the counters
 * that some tick lacked. */
bool rollup_peak(const struct rollup *r, const struct group *g, unsigned col,
	int64_t *ret);
bool rollup_missing(const struct rollup *r, const struct group *g,
	uint64_t ret[COL_WORDS_MAX]);

/* The group that the row is in now; NULL: none. */
struct group *rollup_group_of(const struct rollup *r, const struct row *row);

/* The sum of a level over the group's rows now, in the units of the column. */
int64_t rollup_level(const struct rollup *r, const struct group *g,
	unsigned col);

/* Adds that to a group that was not given the ticks. */
void rollup_raise(struct rollup *r, struct group *g, unsigned col,
	int64_t peak);
void rollup_add_missing(struct rollup *r, struct group *g,
	const uint64_t missing[COL_WORDS_MAX]);

bool rollup_has_ema(const struct rollup *r);

/* Two groups of rollups that follow the same columns have the same sums; of
 * highest levels those of these columns. */
bool rollup_same(const struct rollup *r, const struct group *g,
	const struct rollup *q, const struct group *h,
	const uint64_t peaks[COL_WORDS_MAX]);

#endif
