/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remark.h - what gists say beside the cells of their ticks (tick_remark).
 */
#ifndef GS_QUERY_REMARK_H
#define GS_QUERY_REMARK_H

#include "query/grouping.h"

/* A level of which gists say how high it was. */
struct remark_level {
	unsigned col; /* of a process */
	enum remark_kind process, session, both; /* whose it is */
};

#define REMARK_LEVELS 2
extern const struct remark_level remark_levels[REMARK_LEVELS];

/* Who has taken the tick. */
struct remark_to {
	const struct world *world;
	const struct sessions *sessions;
	struct grouping *const *grouping;
	size_t n_grouping;
};

/* The row of that slot of a host; NULL: the world has none. */
const struct row *remark_row(const struct world *w, uint32_t host,
	enum entity_id e, uint32_t slot);

/* Rows that the world does not have are passed over. */
void remark_apply(const struct remark_to *to, const struct tick_remark *r);

#endif
