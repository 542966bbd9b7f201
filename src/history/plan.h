/*
 * plan.h - which files of a recording have to be loaded, and from where.
 *
 * Files are those of one recording, by their number.  What is loaded of each
 * is known from the database; the rest is cut into runs of files that follow
 * one another, as a step of time may begin in one and end in the next.
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
	/* what the database says */
	bool known; /* some of it is loaded */
	int64_t loaded_ns; /* up to this tick */
	uint64_t rows;
};

struct plan_run {
	size_t first, n; /* files */
	int64_t from_ns; /* INT64_MIN: from the beginning */
};

/* By number; of two with one number the one that reaches further stays, and
 * *n says how many are left. */
void plan_sort(struct plan_file *f, size_t *n);

/* The first run at or behind file *i, which is moved behind it; false: there
 * is nothing more to do. */
bool plan_next(const struct plan_file *f, size_t n, size_t *i,
	struct plan_run *ret);

#endif
