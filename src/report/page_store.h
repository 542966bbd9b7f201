/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_store.h - the rows of a table, step by step; in the end those that
 * matter, and the sum of the others.
 *
 * Values are whole numbers of the column's quantum.  A row's values are kept
 * as differences in few bytes, so that a day of thousands of processes fits
 * into the memory of any command.
 *
 * Use: page_store_new(); per step page_store_begin(), page_store_row() for each
 * row, page_store_end(); page_store_choose(); page_store_put().
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
	int64_t v;
};

struct page_store_col {
	bool text; /* values are numbers of texts */
	bool adds; /* a sum over rows has a meaning */
	bool ranks, peaks; /* rows are chosen by the sum, or by the highest */
};

struct page_store;

/* col is not owned.  max_values: rows are chosen so that the page has about so
 * many values of this table; 0: all rows. */
struct page_store *page_store_new(const struct page_store_col *col,
	size_t n_col, size_t max_values);
void page_store_free(struct page_store *s);

void page_store_begin(struct page_store *s, size_t step);
void page_store_row(struct page_store *s, const void *key, size_t key_len,
	const struct page_value v[]);

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
