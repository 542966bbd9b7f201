/* SPDX-License-Identifier: Apache-2.0 */
/*
 * life.h - from when to when a row counts in the last tick of its host, and with how
 * many threads.  Times are of the host's covered time, covered_ns at that tick: where
 * ticks were left out, a row may come, work and end in between.
 */
#ifndef GS_ANALYSIS_LIFE_H
#define GS_ANALYSIS_LIFE_H

#include "model/world.h"

/* Where ticks were left out, a row may have worked between two samples. */
static inline bool life_in_tick(const struct row *row)
{
	const struct left_out *l = row_left_out(row);
	int64_t before;

	return (l && l->n_sum > 0) || row_ended_late(row) ||
	    row_told_begin(row, &before);
}

/* It was born since the sample before. */
static inline bool life_is_born(const struct row *row)
{
	return row->opened == OPEN_BORN && row->first_tick == row->touched_tick;
}

/* It is new, and what it did before nobody knows. */
static inline bool life_is_fresh(const struct row *row)
{
	return row->opened != OPEN_BORN && row->first_tick == row->touched_tick;
}

/* The host's sample before. */
int64_t life_before(const struct row *row, int64_t covered_ns);

/* From when the growth of a row that is new may be, and the last sample of one that
 * has closed: as told, or as far as known. */
int64_t life_begin(const struct row *row, int64_t covered_ns);
int64_t life_end(const struct row *row, int64_t covered_ns);

/* For how long the row has existed, of those that were born; at most since the sample
 * before. */
int64_t life_age_ns(const struct row *row);

/* From when its threads count.  was_there: at the sample before, of another group or
 * of none. */
int64_t life_threads_begin(const struct row *row, int64_t covered_ns, bool was_there);

/* 1 of what has no number of threads.  The same of the cells of a process. */
int64_t life_threads(const struct row *row);
int64_t life_threads_in(struct cells c);

/* Of one whose number of threads changed between two ticks: for how long all of them
 * were there, from its beginning or the host's sample before to its end or the last
 * sample, together.  False: not told. */
bool life_told_threads(const struct row *row, int64_t covered_ns, int64_t *ret_ns);

#endif
