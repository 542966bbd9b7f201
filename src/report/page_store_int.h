/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_store_int.h - shared by the files of page_store.h: page_store.c (rows by
 * step, the choice), page_store_put.c (their numbers in the page).
 */
#ifndef GS_REPORT_PAGE_STORE_INT_H
#define GS_REPORT_PAGE_STORE_INT_H

#include "base/hash.h"
#include "report/page_store.h"

_Static_assert(PAGE_COLS_MAX <= 32, "page_row.ended has a bit for each");

/* A row in all its steps.  Its bytes: per step the number of steps since the
 * one before, then a value per column: page_pack.h. */
struct page_row {
	UT_hash_handle hh;
	struct buf rows;
	size_t n_rows, last_step;
	unsigned best; /* position in the order of a step; 0: never high */
	bool chosen;
	bool folded; /* it is in the sum of the others, and what follows too */
	uint32_t ended; /* a bit per column that was `ended` in its last step */
	/* by column, in one piece of memory; NULL: folded */
	int64_t *last; /* of the last row that had it */
	double *total; /* of those that rank, by their number: sum or highest */
	unsigned char *mark; /* bits of MARK_... */
	char key[];
};

enum { MARK_ESTIMATE = 1, MARK_AT_LEAST = 2, MARK_UNREAD = 4,
	MARK_OF_PART = 8 /* a lower bound, of which a rate is right */ };

/* The highest rows of a step. */
struct top {
	size_t n;
	double value[PAGE_TOP];
	struct page_row *of[PAGE_TOP];
};

/* The sum of rows that were not chosen, per step and column. */
struct sum {
	double v;
	bool known;
	unsigned char mark;
};

struct page_store {
	const struct page_store_col *col;
	size_t n_col, max_values;
	size_t n_rank, nth_rank[PAGE_COLS_MAX]; /* columns that rank */
	struct page_row *by_key;
	size_t step, n_step;
	struct top top[PAGE_COLS_MAX];
	struct sum *rest; /* n_step times n_col */
	size_t rest_cap;
	size_t n_rest; /* most rows that the table itself cut off in a step */
	size_t n_chosen, n_others;
	size_t n_gone; /* of the others; forgotten */
	size_t bytes; /* of all rows */
	size_t cost; /* of all rows so far, in values: PAGE_ROW_COST */
	struct top ended[PAGE_COLS_MAX]; /* page_store_note() */
	double low[PAGE_COLS_MAX]; /* lowest of the highest of the step before */
	unsigned depth; /* so many of each step's highest are chosen */
	unsigned limit; /* highest depth: of the others some were folded */
	bool known[PAGE_COLS_MAX]; /* some value of the column was put */
	size_t put_bytes;
};

#endif
