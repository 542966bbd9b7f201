/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - which parts of a recording have to be loaded.
 *
 * Files are those of one recording; whatever they are called and however they
 * were cut into files, ticks are known by their sequence.  A part is what of
 * it is loaded: all that was added between its first tick and its last.  The
 * rest is cut into runs of files that follow one another, as a step of time
 * may begin in one and end in the next.  No run is over a file that is
 * missing: what was added in between would be of both.
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

/* In order; those that hold nothing that the others do not are left out, and
 * *n says how many stay. */
void plan_sort(struct plan_file *f, size_t *n);

/* In order, and those that touch as one. */
void plan_join(struct plan_part *p, size_t *n);

/* The first run behind the tick *seq, which is moved to its end; false: there
 * is nothing more to do.  Both are as the two calls above leave them. */
bool plan_next(const struct plan_file *f, size_t n,
	const struct plan_part *p, size_t n_part, uint64_t *seq,
	struct plan_run *ret);

#endif
