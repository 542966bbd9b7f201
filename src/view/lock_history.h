/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock_history.h - who blocked whom in a range: the pile-ups behind each session
 * that waits for nobody itself, and the tree below it when most waited.
 *
 * A pile-up lasts as long as its root blocks somebody, at one tick after the
 * other.  Cells are made at the tick that they are about, since the rows of the
 * world are gone later.
 *
 * Limits: LOCK_PILES_MAX pile-ups are kept, those that began first, each with at
 * most LOCK_LINES_MAX sessions.
 */
#ifndef GS_VIEW_LOCK_HISTORY_H
#define GS_VIEW_LOCK_HISTORY_H

#include "query/figure.h"

#define LOCK_PILES_MAX 1000
#define LOCK_LINES_MAX 1000

struct lock_history;

/* A session at an instant when most sessions waited for its root. */
struct lock_line {
	const struct lock_pile *pile;
	size_t depth; /* 0: the root; 1: waits for it; 2: for one of these ... */
	size_t cell; /* the first of its cells */
};

struct lock_pile {
	bool open; /* at the last tick */
	bool cut; /* its end is in a hole */
	int64_t from_ns; /* since when the first waits; the recorder's clock */
	int64_t to_ns; /* the last tick that shows it */
	bool from_exact; /* the server tells since when */
	size_t most; /* sessions that waited for the root */
	int64_t most_ns; /* an instant when so many waited: the lines are of
	                  * then */
	double waited_s; /* time of all waiters together, from samples */
	/* of the root */
	uint32_t catalog;
	bool has_session, has_pid;
	int64_t session, content;
	uint64_t pid;
	struct lock_line *line;
	size_t n_line;
	size_t n_left_out; /* sessions beyond LOCK_LINES_MAX */
	struct cell *cell; /* of its lines, n_figure each */
	struct grid *grid; /* has their texts */
};

/*
 * On an engine before its first tick, which it must outlive.  figure[i].inner
 * makes the cell of a struct locknode, the subject.  The figures must outlive it.
 */
struct lock_history *lock_history_new(struct engine *e,
	const struct figure *figure, size_t n_figure);
void lock_history_free(struct lock_history *h);

/* The pile-ups of the range so far, those with most waiting first.  Valid until
 * the next tick. */
size_t lock_history_count(struct lock_history *h, const struct engine *e);
const struct lock_pile *lock_history_get(const struct lock_history *h,
	size_t i);

/* The cell that figure[k].inner made. */
struct cell lock_history_cell(const struct lock_history *h,
	const struct lock_line *line, size_t k);

#endif
