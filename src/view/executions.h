/* SPDX-License-Identifier: Apache-2.0 */
/*
 * executions.h - executions of statements, and how long they took.
 *
 * The catalog tells of each session when its query began (query_start) and, once
 * it is over, when (state_change).  So an execution is seen if it is the one that
 * a session runs, or ran last, at some tick.  Its duration is exact if the
 * session is seen idle after it; if it was seen running and another query
 * followed, it is at least the time until that tick; so it is if it still runs.
 */
#ifndef GS_VIEW_EXECUTIONS_H
#define GS_VIEW_EXECUTIONS_H

#include "query/engine.h"

/* Executions of one statement in the range. */
struct executed {
	const struct statement *of;
	uint64_t n;
	double total_s, worst_s;
	bool bounds; /* some durations are lower bounds */
	bool worst_is_bound;
	double p95_s; /* 95 % took no longer */
	bool p95_is_rough; /* because of bounds, or by a part of them */
	int64_t first_ns, last_ns; /* ticks that saw it, wall */
};

struct executions;

/* It follows the engine; free after its last tick. */
struct executions *executions_new(struct engine *e);
void executions_free(struct executions *x);

/* Those of the range so far, including what runs now; *ret_n of them, in no
 * order.  The caller frees it. */
struct executed *executions_list(const struct executions *x, size_t *ret_n);

#endif
