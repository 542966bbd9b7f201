/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping.h - how a view groups rows: rows themselves, sessions, queries, or
 * any list of labels.
 *
 * A grouping owns a rollup and gives every group a label: the texts in its
 * line.  The last labels of processes are kept, so that ended ones still have a
 * name.
 */
#ifndef GS_QUERY_GROUPING_H
#define GS_QUERY_GROUPING_H

#include "analysis/rollup.h"
#include "analysis/sessions.h"
#include "query/label.h"
#include "query/normal.h"

enum grouping_kind {
	GROUPING_ROW, /* one group per row of the entity */
	GROUPING_SESSION,
	GROUPING_QUERY,
	GROUPING_LABELS, /* one group per combination of label texts */
	GROUPING_SERVER, /* processes of one postmaster, itself included */
	GROUPING_SESSION_SEGMENT, /* executors of a session on one segment */
	GROUPING_QUERY_SEGMENT, /* ... of a query */
	GROUPING_SLICE, /* ... of a session and slice */
	GROUPING_PROCESS /* threads: those of one process, under its key */
};

struct grouping;

/* keys: n_key label_kinds, for GROUPING_LABELS only. */
struct grouping *grouping_new(enum grouping_kind kind, enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const enum label_kind *key,
	size_t n_key);
void grouping_free(struct grouping *l);

/* GROUPING_LABELS: groups by classes of commands and cgroups, in place of their
 * names.  Before the first tick only; the globs are copied, and must be good
 * ones. */
void grouping_set_normal(struct grouping *l, const struct normal_ask *ask);

/* Only processes and threads of sessions for which it is true are in groups, of
 * kinds that group by labels, sessions or queries.  Before the first tick only. */
typedef bool (*grouping_only_fn)(void *ctx, const struct session *s);
void grouping_set_only(struct grouping *l, grouping_only_fn fn, void *ctx);

/* Rows of groups that have ended rest (row_resting()): there are many, and few cells
 * of each are asked for.  Before the first tick only. */
void grouping_rest_rows(struct grouping *l);

/* Sums start again at every tick.  Before the first tick only. */
void grouping_set_last_tick(struct grouping *l);
bool grouping_is_of_last_tick(const struct grouping *l);

/* Rank of a group: groups of high rank are kept. */
typedef double (*grouping_rank_fn)(void *ctx, const struct group *g);

/* Of ended groups, the `keep` of highest rank are kept, and others for a while;
 * the rest is summed up in one group, rollup_folded(). */
void grouping_bound(
    struct grouping *l, size_t keep, grouping_rank_fn rank, void *ctx);

/* The same by what depends on all of n groups: their order.  Its labels may be those
 * of the session, so only groups whose session has ended are summed up. */
typedef void (*grouping_order_fn)(void *ctx, const struct group *const *g,
	size_t n, double *ret);
void grouping_bound_order(struct grouping *l, size_t keep,
	grouping_order_fn order, void *ctx);

/* Of ended groups, those of rank NAN are dropped sooner or later. */
void grouping_bound_needed(
    struct grouping *l, grouping_rank_fn rank, void *ctx);

/* A grouping by session or query and segment, or of threads, keeps only groups
 * that whole still has. */
void grouping_bound_as(struct grouping *l, const struct grouping *whole);

enum grouping_when {
	GROUPING_TICK,
	GROUPING_AGAIN, /* it repeats the tick before as a key */
	GROUPING_BEFORE /* a range, whose grouping_restart() drops all sums */
};

/* Applies the last tick.  st: for labels of statements. */
void grouping_tick(struct grouping *l, const struct world *w,
	const struct sessions *s, struct statements *st,
	const struct reap *reap, enum grouping_when when);

/* A range begins at the last tick: sums start again, and which names exist. */
void grouping_restart(struct grouping *l);

/* Starts to load n groups, of which rows are made next, with their labels, sessions
 * and rows; from one on, at most ROLLUP_FETCH_GROUPS. */
void grouping_fetch(const struct grouping *l, size_t from, size_t n);

struct rollup *grouping_rollup(const struct grouping *l);
const struct label *grouping_label(const struct group *g);
enum grouping_kind grouping_kind(const struct grouping *l);

/* After a tick: no row is in the group, and nothing can be counted in it any
 * more. */
bool grouping_is_done(const struct grouping *l, const struct group *g);

/* GROUPING_LABELS: the text of a group's key; NULL: it has none.  Valid until
 * the next call. */
const char *grouping_key(const struct grouping *l, const struct group *g,
	enum label_kind k);

/* GROUPING_LABELS: the group of whole, a grouping by the first keys of l, that
 * g is part of; NULL: none. */
struct group *grouping_above(const struct grouping *l, const struct group *g,
	const struct grouping *whole);

#endif
