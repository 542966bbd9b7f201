/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_tables.h - which views are in a page, which of their columns, and how a
 * column is summed up over steps.
 */
#ifndef GS_REPORT_PAGE_TABLES_H
#define GS_REPORT_PAGE_TABLES_H

#include "query/label.h"

/* How the page makes the figure of a range from those of its steps. */
enum page_rule {
	PAGE_KEY, /* identifies the row */
	PAGE_TEXT, /* the last text */
	PAGE_SUM, /* an amount: the sum */
	PAGE_RATE, /* per time: the mean, weighted with covered time */
	PAGE_PER, /* another column, a sum, per covered time; not stored */
	PAGE_MEAN, /* the mean, weighted with another column, a rate */
	PAGE_LAST, /* a level: the last one */
	PAGE_PLACE, /* no column of the view: where the row is in its table,
	             * whose order has a meaning */
	PAGE_COVER, /* nor is this: the covered time that its rates divide by, and
	             * whether it came or left in the step */
	PAGE_MAX, PAGE_MIN /* the worst step's */
};

struct page_col {
	const char *name; /* of the view's column */
	enum page_rule rule;
	const char *of; /* PAGE_PER, PAGE_MEAN: the other column, "a"; or
	                 * the sum of two, "a+b" */
	bool ranks; /* rows are chosen by it */
};

struct page_table {
	const char *name; /* in the page */
	const char *view;
	const char *title; /* in the page; NULL: it is only drawn */
	const struct page_col *col;
	size_t n_col;
	enum label_kind key[LABEL_COUNT]; /* grouping of processes */
	size_t n_key;
	const char *metric; /* an additional column; or NULL */
	bool first; /* the page's first picture needs it */
	bool whole; /* every row is kept */
	bool by_id; /* a row is a group of the view: its number is its identity */
	bool by_name; /* its key columns alone are: a silent host has no group */
};

extern const struct page_table page_tables[];
extern const size_t n_page_tables;

const char *page_rule_name(enum page_rule r);

#endif
