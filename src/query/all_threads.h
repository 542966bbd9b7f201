/* SPDX-License-Identifier: Apache-2.0 */
/*
 * all_threads.h - time that all threads of processes waited, by the best source
 * that was recorded.
 *
 * Taskstats tell it of a whole process.  Without them, schedstat and stat tell
 * it of the main thread alone: that is all of a process with one thread, and a
 * lower bound of any other, unless its threads are rows of their own.
 */
#ifndef GS_QUERY_ALL_THREADS_H
#define GS_QUERY_ALL_THREADS_H

#include "query/columns.h"

/* Where to read a counter: arguments of group_sum() and group_rate(). */
struct all_threads {
	const struct rollup *rollup; /* NULL: nothing is known */
	const struct group *group;
	unsigned col;
	bool at_least; /* there is more that is not known */
};

/* Of a group of processes or threads: whole is the column of taskstats, single
 * that of the main thread; of threads, both are theirs. */
struct all_threads all_threads_find(const struct figure_env *v,
	const struct group *g, unsigned whole, unsigned single);

/* Time runnable but not running, per covered time; from = DELAY_CPU, RUN_DELAY. */
struct cell figure_run_queue_rate(FIGURE_ARGS);

#define RUN_QUEUE_PERCENT(E) .fn = figure_run_queue_rate, .scale = 100, \
	.by_threads = true, FROM2(E, DELAY_CPU, RUN_DELAY)

/* Columns of threads that all this may need. */
void all_threads_columns(uint64_t want[COL_WORDS_MAX]);

#endif
