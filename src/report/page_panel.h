/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_panel.h - a table of the page while the recording is read: its view on
 * the engine, and the rows of all steps.
 */
#ifndef GS_REPORT_PAGE_PANEL_H
#define GS_REPORT_PAGE_PANEL_H

#include "report/page_store.h"
#include "report/page_tables.h"
#include "view/asked.h"
#include "view/view.h"

/* A column: of the view, and in the page. */
struct page_panel_col {
	struct grid_col head; /* texts are copies */
	double quantum; /* of a number; in its exact unit */
	int at; /* in the store; -1: it is not stored */
};

/* Where a stored column comes from. */
struct page_panel_in {
	size_t of; /* in table->col */
	int at; /* in the view's tables; -1: these lack it */
	enum page_rule rule;
	double quantum;
};

struct page_panel {
	const struct page_table *table;
	struct view_use *use; /* NULL: the table is made of that of */
	const struct page_panel *like;
	struct view_ask ask;
	struct view_pick pick;
	struct view_metric metric;
	const char *name[PAGE_COLS_MAX]; /* picked columns */
	struct page_panel_col col[PAGE_COLS_MAX]; /* of table->col */
	struct page_store_col stored[PAGE_COLS_MAX];
	struct page_panel_in in[PAGE_COLS_MAX]; /* of each */
	size_t n_stored;
	struct page_store *store;
	struct grid *empty; /* owns the heads' texts */
	/* of the step at hand */
	struct page_texts *texts;
	const struct grid_row *row; /* at hand */
	size_t place; /* of it */
	double covered_s; /* of the table */
	size_t step;
	struct buf key;
};

/* Before the engine's first tick; the panel must not move.  like: another of
 * waits, whose view does for both; or NULL. */
void page_panel_open(struct page_panel *p, const struct page_table *t,
	const struct page_panel *like, struct engine *e, size_t max_values);
void page_panel_release(struct page_panel *p);

/* The rows of a step. */
void page_panel_step(struct page_panel *p, const struct engine *e, size_t step,
	struct page_texts *texts);

/* What the page must know of it: columns, number of rows, in which part of the
 * data it is.  notes: what was recorded. */
void page_panel_put(const struct page_panel *p, size_t part,
	const struct asked *notes, struct jsonout *j);

#endif
