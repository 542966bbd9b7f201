/* SPDX-License-Identifier: Apache-2.0 */
#include "query/all_threads.h"

/* Samples of a process and of its threads are not taken at once. */
#define SKEW 0.01

/* Columns of a process, and the same of a thread. */
static const struct {
	unsigned process, thread;
} cols[] = {
	{ COL(PROCESS, RUN_DELAY), COL(THREAD, RUN_DELAY) },
	{ COL(PROCESS, BLKIO_DELAY), COL(THREAD, BLKIO_DELAY) },
};

void all_threads_columns(uint64_t want[COL_WORDS_MAX])
{
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i].thread / 64] |=
		    UINT64_C(1) << (cols[i].thread % 64);
}

static unsigned of_thread(unsigned process)
{
	size_t i;

	for (i = 0; i < GS_LEN(cols) - 1 && cols[i].process != process; i++)
		;
	return cols[i].thread;
}

static double life_s(const struct rollup *r, const struct group *g)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < g->n_part; i++)
		sum += part_life_s(r, g->part[i]);
	return sum;
}

/* ret_all: no row of the group lacks it. */
static bool has(const struct all_threads *a, bool *ret_all)
{
	bool lacks = true, any;
	double sum;

	any = group_sum(a->rollup, a->group, a->col, 1, &sum, &lacks);
	*ret_all = any && !lacks;
	return any;
}

/* Rows of threads tell all if they are of all the time that threads existed:
 * those of a process may be recorded in part, or not from the beginning. */
static bool has_rows(const struct figure_env *v, const struct group *g,
	unsigned process, struct all_threads *ret)
{
	struct all_threads a = { .col = of_thread(process) };
	bool all;

	if (!v->threads || g->key_len == 0)
		return false;
	a.rollup = grouping_rollup(v->threads);
	a.group = rollup_find(a.rollup, g->key, g->key_len);
	if (!a.group || !has(&a, &all) || !all ||
	    life_s(a.rollup, a.group) < (1 - SKEW) * life_s(v->rollup, g))
		return false;
	*ret = a;
	return true;
}

struct all_threads all_threads_find(const struct figure_env *v,
	const struct group *g, unsigned whole, unsigned single)
{
	struct all_threads a = { v->rollup, g, whole, false };
	struct all_threads one = { v->rollup, g, single, false };
	struct all_threads rows;
	bool a_all, one_all, a_any = has(&a, &a_all);
	bool one_any = has(&one, &one_all);

	if (a_all)
		return a;
	if (rollup_entity(v->rollup) == ENTITY_PROCESS &&
	    group_is_threaded(g)) {
		if (has_rows(v, g, single, &rows))
			return rows;
		one_all = false;
	}
	if (one_all)
		return one;
	a.at_least = one.at_least = true;
	if (a_any)
		return a;
	return one_any ? one : (struct all_threads) { .rollup = NULL };
}

struct cell figure_run_queue_rate(FIGURE_ARGS)
{
	struct all_threads a = all_threads_find(v, g, f->from[0], f->from[1]);
	struct cell c = { .kind = CELL_ABSENT };
	double rate;
	bool lacks;

	if (!a.rollup || !group_rate(a.rollup, a.group, a.col, f->scale,
	    &rate, &lacks))
		return c;
	c = cell_real(rate);
	c.mark = a.at_least ? '>' : g->estimated ? '~' : 0;
	return c;
}
