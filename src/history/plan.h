/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - plans which parts of a recording have to be loaded.
 *
 * All files are of one recording; ticks are identified by their sequence
 * number, whatever the names and bounds of files.  A part is a loaded range:
 * all increases between its first tick and its last.  The rest is divided into
 * runs of successive files, since a time step may begin in one and end in the
 * next.  A run never spans a missing file: the increase in the gap would be
 * added to the steps around it.
 */
#ifndef GS_HISTORY_PLAN_H
#define GS_HISTORY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan_file {
	const char *path; /* not owned */
	uint32_t number;
	uint64_t first_seq, last_seq;
	int64_t first_ns, last_ns; /* its ticks */
};

struct plan_part {
	uint64_t first_seq, last_seq;
	int64_t first_ns, last_ns; /* these ticks */
};

struct plan_run {
	size_t first, n; /* files */
	uint64_t from_seq, to_seq; /* ticks; UINT64_MAX: to the end */
	int64_t from_ns; /* time of the first; INT64_MIN: the beginning */
};

/* Sorts files, drops those that are contained in others, and sets *n to the
 * number left. */
void plan_sort(struct plan_file *f, size_t *n);

/* Sorts parts and joins those that touch. */
void plan_join(struct plan_part *p, size_t *n);

/* The first run after the tick *seq, which is set to its end; false: there are
 * no more.  Files and parts must be sorted by the two calls above. */
bool plan_next(const struct plan_file *f, size_t n,
	const struct plan_part *p, size_t n_part, uint64_t *seq,
	struct plan_run *ret);

#endif
