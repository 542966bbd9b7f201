/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping_int.h - shared by the files of grouping.h: grouping.c (the group of each
 * row), grouping_labels.c (of texts), grouping_bound.c (which groups are kept).
 */
#ifndef GS_QUERY_GROUPING_INT_H
#define GS_QUERY_GROUPING_INT_H

#include "query/grouping.h"
#include "query/serverkey.h"

struct grouping {
	enum grouping_kind kind;
	enum entity_id entity;
	enum label_kind key[LABEL_COUNT];
	size_t n_key;
	bool steady; /* rows of unchanged keys need no search: all keys are of the
	              * session, its query or the process, or are compared */
	bool by_query; /* one row's work may be of several groups */
	struct rollup *rollup;
	bool last_tick; /* sums are of one tick */
	struct label_source from; /* of the current tick */
	struct serverkeys servers; /* GROUPING_SERVER */
	struct normal *normal[LABEL_COUNT]; /* of keys that are classes */
	grouping_only_fn only; /* NULL: all sessions */
	void *only_ctx;
	grouping_rank_fn rank; /* grouping_bound() */
	grouping_order_fn order; /* in place of it: grouping_bound_order() */
	void *rank_ctx;
};

/* Processes of sessions that are left out have no group. */
static inline bool grouping_wants(const struct grouping *l, const struct proc *p)
{
	return !l->only || (p && l->only(l->only_ctx, p->session));
}

/* The query that a process is in a group for. */
static inline struct query *grouping_query(const struct proc *p)
{
	return p->session->query ? p->session->query
	                         : session_mixed(p->session);
}

/* ---- grouping_labels.c --------------------------------------------------- */

/* The group of a key; *ret is its label, which is made with it. */
struct group *grouping_group(const struct grouping *l, struct rollup *r,
	const struct row *row, const void *key, size_t len,
	struct label **ret);

/* The group of the texts of a row that works for q; NULL: it has none. */
struct group *grouping_label_group(struct grouping *l, struct rollup *r,
	const struct row *row, struct query *q);

bool grouping_is_of_session(enum label_kind k);

/* The row, of process p, still has the texts of a steady grouping's label. */
bool grouping_label_stays(const struct grouping *l, const struct label *n,
	const struct row *row, const struct proc *p);

/* Of rows that exist where a range begins. */
void grouping_add_names(struct grouping *l, enum label_kind k);

/* ---- grouping_bound.c: of struct rollup_by ---- */

bool grouping_done(void *ctx, const struct group *g);
void grouping_rank(void *ctx, const struct group *const *g, size_t n,
	double *ret);

#endif
