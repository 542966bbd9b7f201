/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_store.h - the rows of a table, step by step; in the end those that
 * matter, and the sum of the others.
 *
 * Values are whole numbers of the column's quantum.  A row's values are kept
 * as differences in few bytes, so that a day of thousands of processes fits
 * into the memory of any command.
 *
 * Use: page_store_new(); per step page_store_begin(), page_store_row() and
 * page_store_add() for each row, page_store_end(); page_store_choose();
 * page_store_put().
 */
#ifndef GS_REPORT_PAGE_STORE_H
#define GS_REPORT_PAGE_STORE_H

#include "base/buf.h"
#include "report/page_texts.h"

#define PAGE_COLS_MAX 32

/* Rows that are kept for each measure: of the range, and of a step. */
#define PAGE_TOP 40

struct page_value {
	bool known;
	char mark; /* as of a cell */
	bool of_part, ended; /* the same */
	int64_t v; /* in units of the column */
};

struct page_store_col {
	bool text; /* values are numbers of texts */
	bool adds; /* a sum over rows has a meaning */
	bool ranks, peaks; /* rows are chosen by the sum, or by the highest */
};

struct page_store;
struct page_row; /* in all its steps */

/* col is not owned.  max_values: rows are chosen so that the page has about so
 * many values of this table; 0: all rows. */
struct page_store *page_store_new(const struct page_store_col *col,
	size_t n_col, size_t max_values);
void page_store_free(struct page_store *s);

void page_store_begin(struct page_store *s, size_t step);

/* The row of that key, which is new or known; valid until page_store_end(). */
struct page_row *page_store_row(struct page_store *s, const void *key,
	size_t len);

/* A row that page_store_add() had in that step is still there. */
bool page_store_has(const struct page_store *s, size_t step);

/* Starts to load such rows. */
void page_store_fetch(const struct page_store *s, struct page_row *const row[],
	size_t n);

/* It is in the sum of the others, for which no texts are needed; else the value
 * that it had last in a column: faster to compare a text with. */
bool page_row_is_folded(const struct page_row *e);
int64_t page_row_last(const struct page_row *e, size_t col);

/* Of such a row, before page_store_add(): if it is among the highest now, it is a
 * row of its own from this step on.  Its amounts are lower bounds then. */
void page_store_rise(struct page_store *s, struct page_row *e,
	const struct page_value v[]);

/* Its values in this step. */
void page_store_add(struct page_store *s, struct page_row *e,
	const struct page_value v[]);

/*
 * In a full store, rows that no later step has need not be kept if others of
 * this step come before them in each order.  In each step, before any
 * page_store_add(): page_store_note() for each value of such rows by which rows
 * are chosen.  Then, for each: page_store_may_choose(), or page_store_drop(),
 * which needs no texts.
 */
bool page_store_is_full(const struct page_store *s);
void page_store_note(struct page_store *s, size_t col, struct page_value v);
bool page_store_may_choose(const struct page_store *s,
	const struct page_value v[]);
void page_store_drop(struct page_store *s, const struct page_value v[]);

/* The sum of further rows of the step, that the table itself cut off. */
void page_store_rest(struct page_store *s, size_t n,
	const struct page_value v[]);
void page_store_end(struct page_store *s);

/* Chooses rows; the others are summed up. */
void page_store_choose(struct page_store *s);

/* After page_store_choose(): how many rows there are, and how many in the sum;
 * how many of a step's highest were chosen. */
size_t page_store_rows(const struct page_store *s);
size_t page_store_others(const struct page_store *s);
size_t page_store_depth(const struct page_store *s);

/* Appends the chosen rows, then the sum of the others, if there are any; texts
 * are used.  Layout: README. */
void page_store_put(struct page_store *s, struct page_texts *texts,
	struct buf *to);

/* After page_store_put(): its bytes; true if it has some value of a column. */
size_t page_store_bytes(const struct page_store *s);
bool page_store_known(const struct page_store *s, size_t col);

#endif
